/** Numbers of blocks: the ranges of organization blocks, and which number a block gets. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommandContext } from '../../../core/index.ts'
import type { Device } from '../../devices/index.ts'
import { type Block, type BlockKind, blockNumbers, blocks, numberGroup, numberKey } from '../block.ts'
import { eventClassFor, numberFor, organizationBlockWarning, reserveNumber } from './numbers.ts'

const device = { id: 'd', name: 'PLC_1', orderNumber: '6ES7 515-2AM02-0AB0', family: 'S7-1500' } as Device
const classic = { id: 'c', name: 'PLC_2', orderNumber: '6ES7 317-2EK14-0AB0', family: 'S7-300' } as Device

/** TIA help V19, *Events and OBs*, and the overview of S7-300/400, once more; `also`: from 123 on as well. */
const both = `
TimeOfDay 10 17 also, TimeDelayInterrupt 20 23 also, CyclicInterrupt 30 38 also, HardwareInterrupt 40 47 also
SynchronousCycle 61 64 also, ProgramCycle 1 1 also, Status 55 55, Update 56 56, Profile 57 57
TimeErrorInterrupt 80 80, DiagnosticErrorInterrupt 82 82, PullOrPlugOfModules 83 83, RackOrStationFailure 86 86
IORedundancyError 70 70, CPURedundancyError 72 72, ProgrammingError 121 121, IOAccessError 122 122`
const modernOnly = `
Startup 100 100 also, MCServo 91 91, MCInterpolator 92 92, MCPreServo 67 67, MCPreInterpolator 68 68
MCPostServo 95 95, MCLookAhead 97 97, Transformation 98 98`
const classicOnly = `
Startup 100 102, PowerSupplyError 81 81, CPUHardwareError 84 84, AccessError 85 85, CommunicationError 87 87
ProcessingInterrupt 88 88`
const rows = (text: string) =>
  text
    .trim()
    .split(/,\s*|\n/)
    .map((row) => row.split(' '))

for (const [of, table] of [
  [device, `${both}\n${modernOnly.trim()}`],
  [classic, `${both}\n${classicOnly.trim()}`],
] as const)
  test(`each event class of an ${of.family} has its numbers; some the free ones from 123 on too`, () => {
    for (const [name = '', first, last, also] of rows(table)) {
      assert.equal(eventClassFor(of, name.toUpperCase(), undefined), name)
      const wanted = new Set<number>()
      for (let number = Number(first); number <= Number(last); number++) wanted.add(number)
      const isFree = (number: number) => of === device && also !== undefined && number >= 123 && number <= 32_767
      for (const number of [...Array.from({ length: 130 }, (_, i) => i), 32_767, 32_768, 65_535]) {
        const isRight = wanted.has(number) || isFree(number)
        assert.equal(organizationBlockWarning(of, 'X', number, name) === undefined, isRight, `${name} ${number}`)
        if (isRight) assert.equal(eventClassFor(of, name, number), name)
        else assert.throws(() => eventClassFor(of, name, number), /\/number: number \d+ /)
        // Without the class its own numbers say which it is.
        if (wanted.has(number)) assert.equal(eventClassFor(of, undefined, number), name)
      }
    }
    assert.equal(organizationBlockWarning(of, 'X', 9, 'Unknown'), undefined)
  })

test('a class of other controllers, an unknown one, and a number of no class are refused', () => {
  assert.equal(
    organizationBlockWarning(device, 'X', 9, 'Startup'),
    'OB "X": number 9 belongs to no event class; a Startup has 100, or from 123 on.',
  )
  assert.match(organizationBlockWarning(device, 'X', 35, undefined)!, /that of a CyclicInterrupt; a ProgramCycle has 1/)
  assert.throws(
    () => eventClassFor(device, 'Startp', undefined),
    /"Startp" is no event class .* there are ProgramCycle/,
  )
  assert.throws(() => eventClassFor(device, 'AccessError', undefined), /no event class of controllers S7-1200\/1500/)
  assert.throws(() => eventClassFor(device, undefined, 85), /controllers S7-1200\/1500 have no AccessError/)
  assert.throws(() => eventClassFor(classic, undefined, 200), /200 belongs to no event class; a ProgramCycle has 1\./)
  assert.throws(() => eventClassFor(device, undefined, 50), /number 50 belongs to no event class/)
  const ofIm = { orderNumber: '6ES7 151-8AB01-0AB0', family: 'ET 200S' } as Device
  assert.equal(eventClassFor(ofIm, undefined, 85), 'AccessError')
})

/** A command in a program of blocks `FB 1 Motor`. */
function command(...texts: readonly string[]): CommandContext {
  const all = texts.map((text) => {
    const [kind = '', number = '', name = ''] = text.split(' ')
    return { key: `d/${name.toLowerCase()}`, block: { kind, number: Number(number), name } as Block }
  })
  const byKey = new Map(all.map(({ key, block }) => [key, block]))
  const byNumber = new Map(
    all.map(({ key, block }) => [numberKey('d', numberGroup(block.kind), block.number), key] as const),
  )
  const read = (wanted: unknown) => (wanted === blocks ? byKey : wanted === blockNumbers ? byNumber : new Map())
  return { read } as unknown as CommandContext
}
const give = (
  ctx: CommandContext,
  kind: BlockKind,
  { name = 'New', wanted, fixed = false, of }: { name?: string; wanted?: number; fixed?: boolean; of?: string } = {},
) => numberFor(ctx, device, { name, kind, secondaryType: of }, `d/${name.toLowerCase()}`, wanted, fixed)

test('a block gets the wanted number, its own, or the next free one of its group', () => {
  const program = ['FB 1 A', 'FB 3 B', 'GlobalDB 2 C', 'InstanceDB 3 D', 'OB 1 Main', 'OB 30 Cyclic', 'OB 55 Status']
  const ctx = () => command(...program)
  assert.deepEqual(
    [give(ctx(), 'FB'), give(ctx(), 'FC'), give(ctx(), 'GlobalDB'), give(ctx(), 'ArrayDB'), give(ctx(), 'InstanceDB')],
    [2, 1, 1, 1, 1],
  )
  assert.deepEqual(
    [
      give(ctx(), 'FB', { wanted: 7 }),
      give(ctx(), 'FB', { wanted: 3 }),
      give(ctx(), 'FB', { name: 'B', wanted: 3, fixed: true }),
      give(ctx(), 'FB', { name: 'B', wanted: 1 }),
      give(ctx(), 'FB', { name: 'B' }),
      // Of another kind now, but of the same group.
      give(ctx(), 'GlobalDB', { name: 'D', wanted: 2 }),
      // Of another group: its number is not kept.
      give(ctx(), 'FC', { name: 'B' }),
    ],
    [7, 2, 3, 3, 3, 3, 1],
  )
  assert.deepEqual(
    [
      give(ctx(), 'OB'),
      give(ctx(), 'OB', { of: 'CyclicInterrupt' }),
      give(ctx(), 'OB', { of: 'Startup' }),
      give(ctx(), 'OB', { of: 'Unknown' }),
      give(ctx(), 'OB', { name: 'Cyclic', of: 'CyclicInterrupt', wanted: 1 }),
      // It is an interrupt of another class now.
      give(ctx(), 'OB', { name: 'Cyclic', of: 'TimeOfDay', wanted: 1 }),
    ],
    [123, 31, 100, 123, 30, 10],
  )
  assert.throws(() => give(ctx(), 'FB', { wanted: 3, fixed: true }), /Number FB 3 of "New" is taken by "B" on "PLC_1"/)
  assert.throws(() => give(ctx(), 'OB', { of: 'Status' }), /All numbers for OBs of class Status are taken on "PLC_1"/)
})

test('numbers given or kept in one command are not free again', () => {
  const ctx = command('FB 1 A')
  reserveNumber(ctx, 'd', 'FB', 2, 'd/later')
  reserveNumber(ctx, 'd', 'FB', 2, 'd/last')
  assert.equal(give(ctx, 'FB'), 3)
  assert.equal(give(ctx, 'FB', { name: 'Later', wanted: 2, fixed: true }), 2)
  assert.throws(() => give(ctx, 'FB', { name: 'Last', wanted: 2, fixed: true }), /taken by "later" on "PLC_1"/)
  const all = command(...Array.from({ length: 65_535 }, (_, i) => `FC ${i + 1} F${i}`))
  assert.throws(() => give(all, 'FC'), /All numbers for FC blocks are taken/)
  assert.equal(give(command(...Array.from({ length: 65_534 }, (_, i) => `FC ${i + 1} F${i}`)), 'FC'), 65_535)
})
