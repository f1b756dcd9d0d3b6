/** Forces by name, in a real controller. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testController } from '../../../test/controller.ts'
import { activeForces, forceFault, forcesOf, requireProgram, resolveTag, writeValue } from './index.ts'

const main = 'ORGANIZATION_BLOCK "Main"\nBEGIN\n;\nEND_ORGANIZATION_BLOCK\n'
const tags = { Start: 'Bool at %I0.0', 'Valve 1': 'Bool at %Q0.1', Level: 'Int at %IW2', Setpoint: 'Int at %MW10' }

test('forces are told by the tags they were set with, and by operands when these are gone', async (t) => {
  const { controller, load } = await testController(t)
  await load(main, tags)
  const program = requireProgram(controller)
  const values = { Start: true, 'Valve 1': true, Level: -2, '%QB4:P': 7, '%ID8': 0x01020304, '%Q0.2': false }
  const forces = Object.entries(values).flatMap(([name, value]) => {
    const tag = resolveTag(program, name)
    return forcesOf(tag, writeValue(tag, value))
  })
  await controller.setForces(forces)
  const told = () =>
    Object.fromEntries(
      activeForces(requireProgram(controller), controller.forces).map(({ tag, value }) => [tag.name, value]),
    )
  assert.deepEqual(told(), values)
  // Another program: Level has moved, the others have no name.
  await load(main, { Level: 'Int at %IW6' })
  assert.deepEqual(told(), {
    '%I0.0': true,
    '%Q0.1': true,
    '%IW2': 0xfffe,
    '%QB4:P': 7,
    '%ID8': 0x01020304,
    '%Q0.2': false,
  })
})

test('only inputs and outputs can be forced', async (t) => {
  const { controller, load } = await testController(t)
  await load(main, tags)
  const fault = (name: string) => forceFault(resolveTag(requireProgram(controller), name))
  for (const name of ['Start', 'Valve 1', '%I0.0:P', '%QW2:P']) assert.equal(fault(name), undefined)
  for (const name of ['Setpoint', '%M0.0', '%T1', '%C1'])
    assert.match(fault(name) ?? '', /neither an input nor an output/)
})

test('a damaged file of forces is told in the diagnostics buffer, and nothing is forced', async (t) => {
  const { controller, load, storage } = await testController(t)
  await load(main, tags)
  const tag = resolveTag(requireProgram(controller), 'Start')
  await controller.setForces(forcesOf(tag, writeValue(tag, true)))
  const bad = [
    '',
    '{',
    '[null]',
    '[{"key":"a","area":"M","byte":0,"bytes":"01"}]',
    '[{"key":"a","area":"I","byte":-1,"bytes":"01"}]',
    '[{"key":"a","area":"I","byte":0,"bytes":"0"}]',
  ]
  for (const content of bad) {
    await controller.change('powerOff')
    await writeFile(join(storage, 'forces.json'), content)
    await controller.change('powerOn')
    assert.deepEqual(controller.forces, [], content)
    assert.ok(controller.diagnostics.some(({ message }) => /file of forces/.test(message)))
  }
  // A force beyond the process images is left out.
  await controller.change('powerOff')
  await writeFile(join(storage, 'forces.json'), '[{"key":"a","area":"I","byte":99999999,"bytes":"01"}]')
  await controller.change('powerOn')
  assert.deepEqual(controller.forces, [])
})

test('forces on the last bytes of the areas are kept, told and set again', async (t) => {
  const { controller, load } = await testController(t)
  await load(main, tags)
  const { areas } = requireProgram(controller).compiled.linked
  const kept = [areas.I, areas.Q].map(({ address, size }, i) => ({
    key: `last ${i}`,
    address: address + size - 1,
    bytes: Uint8Array.of(0xa5),
  }))
  await controller.setForces(kept)
  await load(main, tags)
  assert.deepEqual(
    controller.forces.map(({ key, address, bytes }) => ({ key, address, bytes: [...bytes] })),
    kept.map((force) => ({ ...force, bytes: [0xa5] })),
  )
})
