/** Start information of classic organization blocks (System Software for S7-300/400, OB 35 and OB 121). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FaultArea } from '../../../plc/library/faults.ts'
import { ControlBlock } from './control-block.ts'
import type { RunnableProgram } from './messages.ts'
import type { OrganizationBlockPlan } from './organization-blocks.ts'
import { classicInformation, dataBlockNumber, faultInformation } from './start-information.ts'
import { VirtualTime } from './virtual-time.ts'

const field = { address: 0, size: 1, bit: 0, isBigEndian: true }
const cyclic: OrganizationBlockPlan = {
  ...{ name: 'OB35', number: 35, eventClass: 'CyclicInterrupt', priority: 12, access: 'standard' },
  information: [{ ...field, name: 'EV_CLASS' }],
}

test('class, priority, number, cycle and phase in milliseconds within a word, local date and time', () => {
  const start = Date.UTC(2026, 0, 1, 12)
  const time = new VirtualTime(new ControlBlock(), { mode: 'stepped', cycleTimeMs: 1 }, start, 60)
  time.moveTo(2e9)
  const common = { EV_CLASS: 0x11, PRIORITY: 12, DATE_TIME: BigInt(start + 3_602_000) * 1_000_000n }
  assert.deepEqual(classicInformation({ ...cyclic, cycleTimeUs: 100_400, phaseUs: 1600 }, time), {
    ...common,
    ...{ OB_NUMBR: 35, EXC_FREQ: 100, PHASE_OFFSET: 2 },
  })
  assert.deepEqual(classicInformation({ ...cyclic, number: 256, cycleTimeUs: 65_536_000, phaseUs: 65_536_000 }, time), {
    ...common,
    OB_NUMBR: 255,
    EXC_FREQ: 65_535,
    PHASE_OFFSET: 65_535,
  })
  assert.deepEqual(classicInformation(cyclic, time), { ...common, OB_NUMBR: 35, EXC_FREQ: 0, PHASE_OFFSET: 0 })
  const optimized = { ...cyclic, information: [{ ...field, name: 'INITIAL_CALL' }] }
  assert.deepEqual(classicInformation(optimized, time), {}, 'blocks of S7-1200 and S7-1500 have none of these')
})

test('a programming error: what was accessed, how wide, from which block, and what it interrupted', () => {
  const read = { id: 0x2522, isWrite: false, area: 'block' as FaultArea, bits: 16 }
  assert.deepEqual(faultInformation(read, 7, { number: 300, type: 0x8e }, cyclic), {
    ...{ FAULT_ID: 0x22, SW_FLT: 0x22, REACTION: 1, AREA: 0x84, WIDTH: 2, MEM_AREA: 0x24, DBNR: 7 },
    ...{ BLOCKNR: 300, BLOCKTYPE: 0x8e, BLK_TYPE: 0x8e, BLK_NUM: 300, CSG_OBNR: 35, CSG_PRIO: 12 },
  })
  assert.deepEqual(
    faultInformation({ ...read, id: 0x2523, isWrite: true, area: 'M', bits: 1 }, 0, undefined, undefined),
    {
      ...{ FAULT_ID: 0x23, SW_FLT: 0x23, REACTION: 0, AREA: 0x83, WIDTH: 0, MEM_AREA: 0x03, DBNR: 0 },
      ...{ BLOCKNR: 0, BLOCKTYPE: 0, BLK_TYPE: 0, BLK_NUM: 0, CSG_OBNR: 0, CSG_PRIO: 0 },
    },
  )
})

test('the number of the data block at an address; 0 when there is none', () => {
  const numbers = new Map([
    [4, { address: 100 }],
    [9, { address: 200 }],
  ])
  const program = { numbers } as unknown as RunnableProgram
  assert.deepEqual(
    [100, 200, 300, undefined].map((address) => dataBlockNumber(program, address)),
    [4, 9, 0, 0],
  )
  assert.equal(dataBlockNumber(undefined, 100), 0)
})
