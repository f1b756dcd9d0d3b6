/** RD_SINFO against its TIA Portal help: the structures of the classes, classic start information, status numbers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSource } from '../../testing/lower-source.ts'
import type { StartedBlocks } from '../block-events.ts'

const cycle = { number: 1, priority: 1, eventClass: 'ProgramCycle', information: { INITIAL_CALL: true, SCAN_1: 1 } }
const fast = { number: 35, priority: 12, eventClass: 'CyclicInterrupt', information: { EVENT_COUNT: 3 } }
const fault = {
  number: 80,
  priority: 22,
  eventClass: 'TimeErrorInterrupt',
  information: { FLT_ID: 1, FAULT_ID: 1, CSG_OBNR: 1, CSG_PRIO: 1 },
}
const startup = { number: 100, priority: 1, eventClass: 'Startup', information: { LOSTRETENTIVE: true, STRTUP: 0x81 } }

function run(top: string, start: string, blocks: StartedBlocks | undefined, access = 'TRUE') {
  const program = runSource(
    `FUNCTION_BLOCK "Main"\n{ S7_Optimized_Access := '${access}' }\nVAR\ntop : ${top}; start : ${start}; r : Int; ok : Bool;\nEND_VAR\nBEGIN
#r := RD_SINFO(TOP_SI => #top, START_UP_SI => #start, ENO => #ok);\nEND_FUNCTION_BLOCK\n`,
    blocks ? { startedBlocks: () => blocks } : {},
  )
  program.scan()
  const of = (block: string) => (names: string) => names.split(' ').map((name) => program.get(`${block}.${name}`))
  return { top: of('top'), start: of('start'), status: [(program.get('r') as number) & 0xffff, program.get('ok')] }
}

for (const access of ['TRUE', 'FALSE'])
  test(`the structure of the class; optimized access ${access}`, () => {
    const one = run('SI_ProgramCycle', 'SI_Startup', { current: cycle, startup }, access)
    assert.deepEqual(one.top('SI_Format OB_Class OB_Nr Initial_Call Remanence'), [254, 1, 1, 1, 0])
    assert.deepEqual(one.start('SI_Format OB_Class OB_Nr LostRetentive LostRTC'), [254, 100, 100, 1, 0])
    assert.deepEqual(one.status, [0, 1])
    const two = run('SI_Cyclic', 'SI_none', { current: fast, startup }, access)
    assert.deepEqual(two.top('OB_Class OB_Nr Initial_Call Event_Count'), [30, 35, 0, 3])
    assert.deepEqual(two.start('SI_Format OB_Class OB_Nr'), [254, 100, 100])
    const three = run('SI_TimeError', 'SI_none', { current: fault, startup }, access)
    assert.deepEqual(three.top('OB_Class OB_Nr Fault_ID Csg_OBnr Csg_Prio'), [80, 80, 1, 1, 1])
  })

test('classic start information, also in a structure of the program', () => {
  const names = 'EV_CLASS EV_NUM PRIORITY NUM TYP2_3 TYP1 ZI1 ZI2_3'
  const one = run('SI_classic', 'SI_classic', { current: fault, startup })
  assert.deepEqual(one.top(names), [0x35, 1, 22, 80, 0, 0, 0, 0])
  assert.deepEqual(one.start(names), [0x11, 0x81, 1, 100, 0, 0, 0, 0])
  const own = 'Struct EV_CLASS : Byte; EV_NUM : Byte; PRIORITY : Byte; NUM : Byte; END_Struct'
  const two = run(own, own, { current: cycle, startup })
  assert.deepEqual(two.top('EV_CLASS EV_NUM PRIORITY NUM'), [0x11, 1, 1, 1])
})

test('without a startup block its number is 0', () => {
  const one = run('SI_none', 'SI_Startup', { current: cycle })
  assert.deepEqual(one.start('SI_Format OB_Class OB_Nr'), [254, 100, 0])
  assert.deepEqual(one.status, [0, 1])
})

test('a structure of another class is refused', () => {
  assert.deepEqual(run('SI_Cyclic', 'SI_none', { current: cycle, startup }).status, [0x8081, 0])
  assert.deepEqual(run('SI_none', 'SI_Cyclic', { current: cycle, startup }).status, [0x8083, 0])
  assert.deepEqual(run('Struct a : Int; END_Struct', 'SI_none', { current: cycle }).status, [0x8081, 0])
})

test('where no controller tells of its blocks nothing is written', () => {
  const one = run('SI_Cyclic', 'SI_none', undefined)
  assert.deepEqual(
    [one.top('OB_Class OB_Nr'), one.status],
    [
      [30, 0],
      [0, 1],
    ],
  )
})
