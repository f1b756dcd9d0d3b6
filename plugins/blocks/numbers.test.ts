/** Numbers of blocks: the ranges of organization blocks, and which number a block gets. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommandContext } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import { type Block, type BlockKind, blockNumbers, blocks, numberGroup, numberKey } from './block.ts'
import { numberFor, organizationBlockWarning, requireEventClass, reserveNumber } from './numbers.ts'

/** The manuals' table once more: first and last number, and whether the numbers from 123 on do as well. */
const classes = `
ProgramCycle 1 1 also, Startup 100 102 also, TimeOfDay 10 17 also, TimeDelayInterrupt 20 23 also
CyclicInterrupt 30 38 also, HardwareInterrupt 40 47 also, SynchronousCycle 61 64 also
ProcessingInterrupt 88 88, Status 55 55, Update 56 56, Profile 57 57, IORedundancyError 70 70, CPURedundancyError 72 72
TimeErrorInterrupt 80 80, PowerSupplyError 81 81, DiagnosticErrorInterrupt 82 82, PullOrPlugOfModules 83 83
CPUHardwareError 84 84, AccessError 85 85, RackOrStationFailure 86 86, CommunicationError 87 87
MCServo 91 91, MCInterpolator 92 92, ProgrammingError 121 121, IOAccessError 122 122`
  .trim()
  .split(/,\s*|\n/)
  .map((text) => text.split(' '))

test('each event class has its numbers; some the free ones from 123 on too', () => {
  for (const [name = '', first, last, also] of classes) {
    assert.equal(requireEventClass(name.toUpperCase()), name)
    const wanted = new Set<number>()
    for (let number = Number(first); number <= Number(last); number++) wanted.add(number)
    const isRight = (number: number) => wanted.has(number) || (also !== undefined && number >= 123 && number <= 32_767)
    for (const number of [...Array.from({ length: 130 }, (_, i) => i), 32_767, 32_768, 65_535])
      assert.equal(organizationBlockWarning('X', number, name) === undefined, isRight(number), `${name} ${number}`)
  }
  assert.equal(
    organizationBlockWarning('X', 9, 'Startup'),
    'OB "X" has number 9; blocks of class Startup have 100 to 102, or from 123 on.',
  )
  assert.equal(organizationBlockWarning('X', 9, 'Status'), 'OB "X" has number 9; blocks of class Status have 55.')
  assert.match(organizationBlockWarning('X', 9, undefined)!, /blocks of class ProgramCycle have 1, or from 123 on/)
  assert.equal(organizationBlockWarning('X', 9, 'Unknown'), undefined)
  assert.throws(() => requireEventClass('Startp'), /"Startp" is no event class; there are ProgramCycle, Startup/)
})

const device = { id: 'd', name: 'PLC_1' } as Device

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
  assert.throws(() => give(ctx(), 'OB', { of: 'Status' }), /All numbers for OB blocks are taken on "PLC_1"/)
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
