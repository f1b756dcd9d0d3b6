/** Start information of the events that a test raises: S7-1200 manual and System Software for S7-300/400, chapter 1. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, eventKinds, eventNames, informationOf } from './events.ts'

const main = { eventClass: 'ProgramCycle', number: 1, priority: 3 }
const program = { organizationBlocks: [{ eventClass: 'Startup', number: 100, priority: 1 }, main] }

test('each event: what it says of itself by default, and of what a test tells it', () => {
  const of = (event: (typeof eventNames)[number], input: object = {}) => informationOf(event, input, {}, program)
  assert.deepEqual(of('hardwareInterrupt', { laddr: 260, channel: 33, faultId: 5 }), {
    ...{ LADDR: 260, ICHANNEL: 33, EVENTTYPE: 5, USI: 0, EV_CLASS: 0x11, STRT_INF: 0x41, IO_FLAG: 0x54 },
    ...{ MDL_ADDR: 260, POINT_ADDR: 2 },
  })
  assert.deepEqual(of('hardwareInterrupt'), {
    ...{ LADDR: 0, ICHANNEL: 0, EVENTTYPE: 0, USI: 0, EV_CLASS: 0x11, STRT_INF: 0x41, IO_FLAG: 0x54 },
    ...{ MDL_ADDR: 0, POINT_ADDR: 1 },
  })
  const diagnosis = { CHANNEL: 0x8000, MULTIERROR: false, FLT_ID: 0x42, IO_FLAG: 0x54 }
  assert.deepEqual(of('diagnosticError', { laddr: 7 }), {
    ...{ ...diagnosis, IO_STATE: 0x10, LADDR: 7, MDL_ADDR: 7, EV_CLASS: 0x39, MDL_DEFECT: true, EXT_FAULT: true },
  })
  assert.deepEqual(of('diagnosticError', { channel: 2, isOutgoing: true }), {
    ...{ ...diagnosis, CHANNEL: 2, IO_STATE: 1, LADDR: 0, MDL_ADDR: 0 },
    ...{ EV_CLASS: 0x38, MDL_DEFECT: false, EXT_FAULT: false },
  })
  const moved = (event: 'pullOrPlug' | 'rackOrStationFailure', input: object, kind: number, fault: number) =>
    assert.deepEqual(of(event, { laddr: 9, ...input }), {
      ...{ LADDR: 9, MDL_ADDR: 9, EVENT_CLASS: kind, EV_CLASS: kind, FAULT_ID: fault, FLT_ID: fault },
      ...(event === 'pullOrPlug' ? { MDL_ID: 0x54 } : {}),
    })
  moved('pullOrPlug', {}, 0x39, 0x51)
  moved('pullOrPlug', { isOutgoing: true }, 0x38, 0x54)
  moved('pullOrPlug', { isOutgoing: true, faultId: 0x55 }, 0x38, 0x55)
  moved('rackOrStationFailure', {}, 0x39, 0xcb)
  for (const event of ['pullOrPlug', 'rackOrStationFailure'] as const)
    assert.deepEqual([of(event).LADDR, of(event).MDL_ADDR], [0, 0])
  moved('rackOrStationFailure', { isOutgoing: true, faultId: 0xca }, 0x38, 0xca)
  const error = (fault: number) => ({
    ...{ FAULT_ID: fault, SW_FLT: fault, BLOCKNR: 1, BLK_NUM: 1, BLOCKTYPE: 0x88, BLK_TYPE: 0x88 },
    ...{ CSG_OBNR: 1, CSG_PRIO: 3, REACTION: 0, DBNR: 0 },
  })
  const access = { WIDTH: 1, EV_CLASS: 0x29, MEM_AREA: 0x10, PRG_ADDR: 0 }
  assert.deepEqual(of('ioAccessError', { address: 4 }), { ...error(0x42), ...access, AREA: 0x81, MEM_ADDR: 4 })
  assert.deepEqual(of('ioAccessError', { isWrite: true }), { ...error(0x43), ...access, AREA: 0x82, MEM_ADDR: 0 })
  assert.deepEqual(of('programmingError'), { ...error(0x30), AREA: 0, WIDTH: 0, EV_CLASS: 0x25 })
  assert.deepEqual(of('programmingError', { faultId: 0x22 }), { ...error(0x22), AREA: 0, WIDTH: 0, EV_CLASS: 0x25 })
  const timeError = (fault: number) => ({ FAULT_ID: fault, FLT_ID: fault, CSG_OBNR: 1, CSG_PRIO: 3, EV_CLASS: 0x35 })
  assert.deepEqual([of('timeError'), of('timeError', { faultId: 7 })], [timeError(1), timeError(7)])
  // What is given field by field comes last; without a cyclic block OB 1 of priority 1 is named.
  assert.deepEqual(informationOf('timeError', {}, { FLT_ID: 9, OWN: true }, { organizationBlocks: [] }), {
    ...{ ...timeError(1), FLT_ID: 9, OWN: true, CSG_PRIO: 1 },
  })
})

test('which events come from a module, and the blocks that each calls', () => {
  assert.deepEqual(
    eventNames.filter((name) => eventKinds[name].hasModule),
    ['hardwareInterrupt', 'diagnosticError', 'pullOrPlug', 'rackOrStationFailure'],
  )
  const classes = ['HardwareInterrupt', 'DiagnosticErrorInterrupt', 'PullOrPlugOfModules', 'RackOrStationFailure']
  const all = [...classes, 'IOAccessError', 'TimeErrorInterrupt', 'ProgrammingError']
  const organizationBlocks = all.map((eventClass, number) => ({ eventClass, number, name: eventClass })) as never
  assert.deepEqual(
    eventNames.map((name) => blocksOf(name, { organizationBlocks }).map((block) => block.name)),
    all.map((name) => [name]),
  )
})
