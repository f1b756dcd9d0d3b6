/** Cross-references of a whole program through the gateway. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails } from '../../../test/plant.ts'
import { openProgram } from '../../../test/used-program.ts'
import type { References } from '../../program-objects/index.ts'

/** `source: object type access place` of every location. */
function show({ sources }: References): string[] {
  return sources.flatMap(({ name, referenceObjects }) =>
    referenceObjects.flatMap((object) =>
      object.locations.map(
        ({ referenceType, access, referenceLocation }) =>
          `${name}: ${referenceType} ${object.name} ${access} ${referenceLocation}`,
      ),
    ),
  )
}

test('a block: who calls it, directly, as an instance and through its data block, and what it uses', async (t) => {
  const { call } = await openProgram(t)
  const answer = await call<References & { blockName: string }>('blocks.cross-references', {
    deviceName: 'PLC_1',
    blockName: 'fb_motor',
  })
  assert.equal(answer.blockName, 'FB_motor')
  assert.deepEqual(show(answer).sort(), [
    'FB_motor: UsedBy FB_line Call Network 1, line 1',
    'FB_motor: UsedBy FB_line Instance Interface: Static.left',
    'FB_motor: UsedBy Main Call Network 1, line 1',
    'FB_motor: UsedBy Motor_DB Instance Properties',
    'FB_motor: Uses Enable Read Network 1, line 1',
    'FB_motor: Uses UDT_motor Type Interface: InOut.data',
  ])
  assert.equal(answer.totalReferenceCount, 6)
  const line = answer.sources[0]?.referenceObjects.find(({ name }) => name === 'Main')
  assert.equal(line?.typeName, 'OB 1 (SCL)')
  assert.equal(line?.device, 'PLC_1')
})

test('a data block: its members with their accesses; in-out parameters are read and written', async (t) => {
  const { call } = await openProgram(t)
  const data = await call<References>('blocks.cross-references', { deviceName: 'PLC_1', blockName: 'Data' })
  assert.deepEqual(show(data).sort(), [
    'Data.motors.speed: UsedBy Main Read Network 1, line 2',
    'Data.motors: UsedBy FB_line ReadWrite Network 1, line 1',
    'Data.motors: UsedBy Main ReadWrite Network 1, line 1',
    'Data.total: UsedBy Main Write Network 1, line 2',
    'Data: Uses UDT_motor Type Interface: Static.motors',
  ])
  const member = await call<References>('blocks.find-references', {
    deviceName: 'PLC_1',
    name: '"Data".motors[3].speed',
  })
  assert.deepEqual(show(member), ['Data.motors.speed: UsedBy Main Read Network 1, line 2'])
})

test('tags: by name, and by an address that lies in theirs', async (t) => {
  const { call } = await openProgram(t)
  const tag = { deviceName: 'PLC_1', tableName: 'Default tag table' }
  const start = await call<References>('tags.cross-references', { ...tag, tagName: 'START' })
  assert.deepEqual(show(start), [
    'Start: UsedBy FB_line Read Network 1, line 1',
    'Start: UsedBy Main Read Network 1, line 1',
  ])
  assert.equal(start.sources[0]?.address, '%I0.0')
  const flags = await call<References>('tags.cross-references', { ...tag, tagName: 'Flags' })
  assert.deepEqual(show(flags), ['Flags: UsedBy Main Write Network 1, line 3'])
  assert.equal(flags.sources[0]?.referenceObjects[0]?.locations[0]?.byAddress, true)
  const byte = await call<References>('blocks.find-references', { deviceName: 'PLC_1', name: '%MB10' })
  assert.deepEqual(show(byte), ['%MB10: UsedBy Main Write Network 1, line 3'])
  const other = await call<References>('blocks.find-references', { deviceName: 'PLC_1', name: '%MB11' })
  assert.deepEqual(show(other), [])
})

test('PLC data types: interfaces, data blocks and tags that are declared with them', async (t) => {
  const { call } = await openProgram(t)
  const type = await call<References>('types.cross-references', { deviceName: 'PLC_1', udtName: 'UDT_motor' })
  assert.deepEqual(show(type).sort(), [
    'UDT_motor: UsedBy Data Type Interface: Static.motors',
    'UDT_motor: UsedBy Default tag table Type Row: Motor',
    'UDT_motor: UsedBy FB_motor Type Interface: InOut.data',
  ])
})

test('answers follow every change; names that are not there are a 404 with the nearest one', async (t) => {
  const { call } = await openProgram(t)
  const uses = async () =>
    show(await call<References>('blocks.find-references', { deviceName: 'PLC_1', name: 'Enable' }))
  assert.equal((await uses()).length, 1)
  await call('blocks.update-content', { deviceName: 'PLC_1', blockName: 'FB_line', code: '"Enable" := TRUE;' })
  assert.deepEqual(await uses(), [
    'Enable: UsedBy FB_motor Read Network 1, line 1',
    'Enable: UsedBy FB_line Write Network 1, line 1',
  ])
  await fails(call('blocks.find-references', { deviceName: 'PLC_1', name: 'Enabel' }), 'not_found', /Enable/)
  await fails(call('types.cross-references', { deviceName: 'PLC_1', udtName: 'Data' }), 'not_found')
})

test('names in namespaces are uses of what they name', async (t) => {
  const { call } = await openProgram(t)
  const within = (text: string) => `NAMESPACE press\n${text}\nEND_NAMESPACE\n`
  const content = [
    within('FUNCTION Lift : Void\nVAR_INPUT\n  up : Bool;\nEND_VAR\nBEGIN\nEND_FUNCTION'),
    within('DATA_BLOCK State\nSTRUCT\n  top : Bool;\nEND_STRUCT;\nBEGIN\nEND_DATA_BLOCK'),
    'FUNCTION Cell : Void\nBEGIN\n_.press.Lift(up := _.press.State.top);\n_.other.State.top := FALSE;\nEND_FUNCTION',
  ].join('\n')
  await call('blocks.import', { deviceName: 'PLC_1', content })
  for (const [blockName, expected] of [
    ['Lift', ['Lift: UsedBy Cell Call Network 1, line 1']],
    ['State', ['State: UsedBy Cell Read Network 1, line 1']],
  ] as const)
    assert.deepEqual(
      show(await call<References>('blocks.cross-references', { deviceName: 'PLC_1', blockName })),
      expected,
    )
})
