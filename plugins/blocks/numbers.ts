/** Numbers of blocks: which one a new block gets, and which ones an organization block should have. */
import { type CommandContext, defined, nearest, problem, type SliceReader } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import { type BlockKind, blockNumbers, blocks, numberGroup, numberKey } from './block.ts'

const maxNumber = 65_535

type Range = readonly [first: number, last: number]

/** Organization blocks of most classes may also have a number from here on (S7-1500 system manual 01/2013, p. 148). */
const freeOrganizationBlocks: Range = [123, 32_767]

/**
 * Numbers of organization blocks by event class. S7-1500: system manual 01/2013, p. 148; the classes that only
 * S7-300/400 have: System Software for S7-300/400, reference manual 05/2010, chapter 1.
 */
const organizationBlocks: Readonly<Record<string, { readonly own: Range; readonly alsoFree: boolean }>> = {
  ProgramCycle: { own: [1, 1], alsoFree: true },
  Startup: { own: [100, 102], alsoFree: true },
  TimeOfDay: { own: [10, 17], alsoFree: true },
  TimeDelayInterrupt: { own: [20, 23], alsoFree: true },
  CyclicInterrupt: { own: [30, 38], alsoFree: true },
  HardwareInterrupt: { own: [40, 47], alsoFree: true },
  ProcessingInterrupt: { own: [88, 88], alsoFree: false },
  Status: { own: [55, 55], alsoFree: false },
  Update: { own: [56, 56], alsoFree: false },
  Profile: { own: [57, 57], alsoFree: false },
  SynchronousCycle: { own: [61, 64], alsoFree: true },
  IORedundancyError: { own: [70, 70], alsoFree: false },
  CPURedundancyError: { own: [72, 72], alsoFree: false },
  TimeErrorInterrupt: { own: [80, 80], alsoFree: false },
  PowerSupplyError: { own: [81, 81], alsoFree: false },
  DiagnosticErrorInterrupt: { own: [82, 82], alsoFree: false },
  PullOrPlugOfModules: { own: [83, 83], alsoFree: false },
  CPUHardwareError: { own: [84, 84], alsoFree: false },
  AccessError: { own: [85, 85], alsoFree: false },
  RackOrStationFailure: { own: [86, 86], alsoFree: false },
  CommunicationError: { own: [87, 87], alsoFree: false },
  MCServo: { own: [91, 91], alsoFree: false },
  MCInterpolator: { own: [92, 92], alsoFree: false },
  ProgrammingError: { own: [121, 121], alsoFree: false },
  IOAccessError: { own: [122, 122], alsoFree: false },
}

/**
 * The event class of a new organization block, spelled as in files; case does not matter.
 * @throws GatewayError `invalid_input` with the classes there are
 */
export function requireEventClass(text: string): string {
  const wanted = text.toLowerCase()
  const classes = Object.keys(organizationBlocks)
  const found = classes.find((name) => name.toLowerCase() === wanted)
  if (found !== undefined) return found
  const near = nearest(text, classes)
  const message = `is no event class; there are ${classes.join(', ')}`
  throw problem('invalid_input', `/eventClass: ${JSON.stringify(text)} ${message}.`, {
    errors: [{ path: '/eventClass', message, value: text, allowed: classes }],
    ...defined({ suggestion: near }),
  })
}

/** A warning about an unusual number of an organization block, or undefined. No fault: controller families differ. */
export function organizationBlockWarning(
  name: string,
  number: number,
  eventClass: string | undefined,
): string | undefined {
  const rule = organizationBlocks[eventClass ?? 'ProgramCycle']
  if (!rule || inside(number, rule.own) || (rule.alsoFree && inside(number, freeOrganizationBlocks))) return undefined
  const own = rule.own[0] === rule.own[1] ? `${rule.own[0]}` : `${rule.own[0]} to ${rule.own[1]}`
  const also = rule.alsoFree ? `, or from ${freeOrganizationBlocks[0]} on` : ''
  return `OB "${name}" has number ${number}; blocks of class ${eventClass ?? 'ProgramCycle'} have ${own}${also}.`
}

function inside(number: number, [first, last]: Range): boolean {
  return number >= first && number <= last
}

/** Where the search for a free number continues within one command: numbers that it gave are not free again. */
const searched = new WeakMap<object, Map<string, number>>()

/**
 * Numbers of the blocks of an import (number key to block key). They are not free for blocks that are stored before.
 */
const reserved = new WeakMap<object, Map<string, string>>()

/**
 * Keeps a number for a block that the command stores later; the first that asks for a number gets it.
 * @param own key of the block
 */
export function reserveNumber(
  ctx: CommandContext,
  deviceId: string,
  kind: BlockKind,
  number: number,
  own: string,
): void {
  const kept = reserved.get(ctx) ?? new Map<string, string>()
  reserved.set(ctx, kept)
  const key = numberKey(deviceId, numberGroup(kind), number)
  if (!kept.has(key)) kept.set(key, own)
}

/** The key of the block that has the number or gets it in this command. */
function holderOf(ctx: { read: SliceReader }, deviceId: string, kind: BlockKind, number: number): string | undefined {
  const key = numberKey(deviceId, numberGroup(kind), number)
  return ctx.read(blockNumbers).get(key) ?? reserved.get(ctx)?.get(key)
}

/**
 * The number for a block.
 *
 * @param own key of the block: a number it has already is no clash
 * @param wanted absent: any free one
 * @param fixed the number is part of the program (`AutoNumber` false): a clash is an error and not another number
 * @throws GatewayError `conflict` naming the holder, or when all numbers are taken
 */
export function numberFor(
  ctx: CommandContext,
  device: Device,
  block: { readonly name: string; readonly kind: BlockKind; readonly secondaryType?: string | undefined },
  own: string,
  wanted: number | undefined,
  fixed: boolean,
): number {
  const { kind, name } = block
  if (wanted !== undefined) {
    const holder = holderOf(ctx, device.id, kind, wanted)
    if (holder === undefined || holder === own) return wanted
    if (fixed) {
      const other = ctx.read(blocks).get(holder)
      throw problem(
        'conflict',
        `Number ${numberGroup(kind)} ${wanted} of "${name}" is taken by "${other?.name ?? holder.slice(holder.indexOf('/') + 1)}" on "${device.name}".`,
        { suggestion: 'Give one of the two blocks another number, or set AutoNumber.' },
      )
    }
  }
  const ranges = rangesFor(block)
  // A block that did not get the number of its file keeps its present one, so that the same import again changes
  // nothing.
  const present = ctx.read(blocks).get(own)
  const isInGroup = present !== undefined && numberGroup(present.kind) === numberGroup(kind)
  if (isInGroup && ranges.some(([first, last]) => present.number >= first && present.number <= last))
    if (holderOf(ctx, device.id, kind, present.number) === own) return present.number
  for (const [first, last] of ranges) {
    const free = nextFree(ctx, device.id, kind, first, last)
    if (free !== undefined) return free
  }
  throw problem('conflict', `All numbers for ${numberGroup(kind)} blocks are taken on "${device.name}".`)
}

function rangesFor(block: { readonly kind: BlockKind; readonly secondaryType?: string | undefined }): Range[] {
  if (block.kind !== 'OB') return [[1, maxNumber]]
  const rule = organizationBlocks[block.secondaryType ?? 'ProgramCycle']
  if (!rule) return [freeOrganizationBlocks]
  return rule.alsoFree ? [rule.own, freeOrganizationBlocks] : [rule.own]
}

function nextFree(ctx: CommandContext, deviceId: string, kind: BlockKind, first: number, last: number) {
  let hints = searched.get(ctx)
  if (!hints) {
    hints = new Map()
    searched.set(ctx, hints)
  }
  const key = numberKey(deviceId, numberGroup(kind), first)
  for (let number = hints.get(key) ?? first; number <= last; number++) {
    if (holderOf(ctx, deviceId, kind, number) !== undefined) continue
    hints.set(key, number)
    return number
  }
  return undefined
}
