/** A generated GRAPH block runs: alternative and simultaneous branches, jumps, actions, interlock, supervision. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestGateway } from '../../test/harness.ts'
import { type Answer, address, newProject, plc } from '../../test/online.ts'

const name = 'Sim'
const bool = (member: string) => ({ name: member, dataType: 'Bool' })

const specification = {
  name: 'Line',
  title: { 'en-US': 'Line', 'de-DE': 'Linie' },
  interface: [
    { section: 'Input', members: ['go', 'toLeft', 'toRight', 'doneA', 'doneB', 'release', 'jam'].map(bool) },
    { section: 'Output', members: ['outA', 'outB', 'kept', 'once', 'late', 'gated'].map(bool) },
    { section: 'Static', members: [{ name: 'cycles', dataType: 'Int' }] },
  ],
  steps: [
    { name: 'Idle', initial: true, comment: 'waits' },
    { name: 'Left', actions: ['S #kept', 'S1 N #cycles := #cycles + 1'], comment: { 'en-US': 'left way' } },
    { name: 'Right', actions: ['R #kept', 'D #late, T#2s'] },
    { name: 'A', actions: ['N #outA', 'NC #gated'], interlock: '#release' },
    { name: 'B', actions: ['N #outB'], supervision: '#jam', maximumTime: 'T#1h' },
    { name: 'Join' },
  ],
  transitions: [
    { name: 'tLeft', from: 'Idle', to: 'Left', condition: '#go AND #toLeft' },
    { name: 'tRight', from: 'Idle', to: 'Right', condition: ['#go AND #toRight'] },
    { name: 'tSplitL', from: 'Left', to: ['A', 'B'], condition: { expressions: '#doneA', language: 'FBD' } },
    { name: 'tBack', from: 'Right', to: 'Idle', condition: '#doneB' },
    { name: 'tJoin', from: ['A', 'B'], to: 'Join', condition: '#doneA AND #doneB' },
    { name: 'tAgain', from: 'Join', to: 'Idle', condition: 'NOT #go' },
  ],
}

test('a generated sequence runs on a virtual controller', async (t) => {
  const at = await openTestGateway(t)
  await newProject(at, 'Plant')
  const made = await at.call<Answer>('block-generation.generate-graph', { ...plc, specification })
  assert.equal(made.compiled, true, JSON.stringify(made.compileMessages))
  const inputs = specification.interface[0]!.members.map((member) => member.name)
  const db = { kind: 'DB', name: 'Line_DB', instanceOf: 'Line' }
  const io = {
    kind: 'DB',
    name: 'IO',
    interface: [{ section: 'Static', members: inputs.map(bool) }],
  }
  const main = {
    kind: 'OB',
    name: 'Main',
    number: 1,
    code: `"Line_DB"(${inputs.map((one) => `${one} := "IO".${one}`).join(', ')});`,
  }
  for (const one of [db, io, main])
    assert.equal(
      (await at.call<Answer>('block-generation.generate-and-import', { ...plc, specification: one })).compiled,
      true,
    )
  const config = { time: { mode: 'stepped', cycleTimeMs: 100 }, startup: 'Stop' }
  await at.call('simulation.create-instance', { name, cpuType: 'CPU1515', ipAddress: address, config })
  await at.call('simulation.power-on', { name })
  await at.call('online.download', { ...plc, compile: true, startAfter: true })
  const set = async (values: Answer, cycles = 4) => {
    for (const [tag, value] of Object.entries(values))
      await at.call('simulation.write-tag', { name, tagName: `IO.${tag}`, value })
    await at.call('simulation.advance', { name, cycles })
  }
  const active = async () => {
    const found: string[] = []
    for (const { name: step } of specification.steps) {
      const { value } = await at.call<Answer>('simulation.read-tag', { name, tagName: `Line_DB.${step}.X` })
      if (value === true) found.push(step)
    }
    return found.join()
  }
  const read = async (...tags: string[]) => {
    const values: unknown[] = []
    for (const tag of tags)
      values.push((await at.call<Answer>('simulation.read-tag', { name, tagName: `Line_DB.${tag}` })).value)
    return values
  }
  await set({})
  assert.equal(await active(), 'Idle')
  await set({ go: true, toRight: true })
  assert.equal(await active(), 'Right')
  assert.deepEqual(await read('late'), [false])
  await set({}, 25)
  assert.deepEqual(await read('late'), [true])
  // Back by a jump, then the other way.
  await set({ toRight: false, doneB: true })
  assert.equal(await active(), 'Idle')
  await set({ toLeft: true, doneB: false })
  assert.equal(await active(), 'Left')
  assert.deepEqual(await read('kept', 'cycles'), [true, 1])
  await set({ doneA: true })
  assert.equal(await active(), 'A,B')
  assert.deepEqual(await read('outA', 'outB', 'gated'), [true, true, false])
  await set({ release: true })
  assert.deepEqual(await read('gated'), [true])
  // The supervision holds the step: it is left only without the fault.
  await set({ jam: true })
  await set({ doneB: true })
  assert.equal(await active(), 'A,B')
  await set({ jam: false })
  await at.call('simulation.write-tag', { name, tagName: 'Line_DB.ACK_EF', value: true })
  await set({})
  assert.equal(await active(), 'Join')
  assert.deepEqual(await read('outA', 'outB', 'kept'), [false, false, true])
  await set({ go: false })
  assert.equal(await active(), 'Idle')
  // It is read as a specification, which makes the same block.
  const { specification: again, warnings } = await at.call<Answer>('block-generation.read-specification', {
    ...plc,
    name: 'Line',
  })
  assert.deepEqual(warnings, [])
  assert.equal(again.chart.sequences[0].steps[3].interlock, '#release')
  const same = await at.call<Answer>('block-generation.generate-and-import', { ...plc, specification: again })
  assert.equal(same.compiled, true)
})
