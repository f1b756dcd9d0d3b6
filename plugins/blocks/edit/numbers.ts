/** Numbers of blocks: which one a new block gets, and which ones an organization block should have. */
import { type CommandContext, defined, nearest, problem, type SliceReader } from '../../../core/index.ts'
import {
  type ControllerGroup,
  classOf,
  classOfNumber,
  eventClasses,
  eventClassNamed,
  fitsClass,
  numberFault,
  numbersOfClass,
} from '../../../plc/model/event-classes.ts'
import type { Device } from '../../devices/index.ts'
import { type BlockKind, blockNumbers, blocks, numberGroup, numberKey } from '../block.ts'

const maxNumber = 65_535

type Range = readonly [first: number, last: number]

/** The controllers whose organization blocks a device has. By order number: S7-300, S7-400, IM 151-8, IM 154-8. */
export function controllerGroupOf({ orderNumber, family }: Pick<Device, 'orderNumber' | 'family'>): ControllerGroup {
  const isClassic = /^6(?:ES7|AG1) ?(?:[34]\d\d|15[14])-/.test(orderNumber) || /S7-[34]00\b/.test(family)
  return isClassic ? 'S7-300/400' : 'S7-1200/1500'
}

/**
 * The event class of a new organization block: as the client says, else by its number, else a program cycle.
 * @param text spelled as in files; case does not matter
 * @throws GatewayError `invalid_input` for a class that the controller does not have, with those there are, and for a
 * number that its blocks cannot have
 */
export function eventClassFor(device: Device, text: string | undefined, number: number | undefined): string {
  const group = controllerGroupOf(device)
  const eventClass =
    text !== undefined ? requireEventClass(text, group) : number === undefined ? 'ProgramCycle' : classOf(number)
  const fault = number === undefined ? undefined : numberFault(number, eventClass, group)
  if (fault === undefined) return eventClass
  throw problem('invalid_input', `/number: ${fault}.`, {
    errors: [{ path: '/number', message: fault, value: number }],
    suggestion: 'Leave out the number, or the event class: each follows from the other.',
  })
}

function requireEventClass(text: string, group: ControllerGroup): string {
  const classes = eventClasses.flatMap(({ name }) => (numbersOfClass(name, group).length > 0 ? [name] : []))
  const named = eventClassNamed(text)
  if (named !== undefined && classes.includes(named)) return named
  const near = nearest(text, classes)
  const message = `is no event class of controllers ${group}; there are ${classes.join(', ')}`
  throw problem('invalid_input', `/eventClass: ${JSON.stringify(text)} ${message}.`, {
    errors: [{ path: '/eventClass', message, value: text, allowed: classes }],
    ...defined({ suggestion: near }),
  })
}

/** A warning about a number that organization blocks of the class do not have in this controller, or undefined. */
export function organizationBlockWarning(
  device: Device,
  name: string,
  number: number,
  eventClass = 'ProgramCycle',
): string | undefined {
  const fault = numberFault(number, eventClass, controllerGroupOf(device))
  return fault === undefined ? undefined : `OB "${name}": ${fault}.`
}

/**
 * The number that a file gives to an organization block, unless it is one of another event class: the class counts
 * then, and the block gets a number of it.
 * @param isFixed the number is part of the program
 * @throws GatewayError `invalid_input` when the number is fixed
 */
export function numberOfClass(
  { kind, name, secondaryType = 'ProgramCycle' }: NewBlock,
  number: number | undefined,
  isFixed: boolean,
): { readonly number?: number; readonly warning?: string } {
  const other = kind === 'OB' && number !== undefined ? classOfNumber(number) : undefined
  if (number === undefined || other === undefined || fitsClass(number, secondaryType)) return defined({ number })
  const fault = `OB "${name}" is a ${secondaryType}: ${numberFault(number, secondaryType)}`
  if (!isFixed) return { warning: `${fault}. It gets another number.` }
  throw problem('invalid_input', `${fault}.`, {
    suggestion: `Make it a ${other}, give it another number, or set AutoNumber.`,
  })
}

/** What the number of a block depends on. */
interface NewBlock {
  readonly name: string
  readonly kind: BlockKind
  readonly secondaryType?: string | undefined
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
  block: NewBlock,
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
  const ranges = rangesFor(device, block)
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
  const those = kind === 'OB' ? `OBs of class ${block.secondaryType ?? 'ProgramCycle'}` : `${numberGroup(kind)} blocks`
  throw problem('conflict', `All numbers for ${those} are taken on "${device.name}".`)
}

function rangesFor(device: Device, { kind, secondaryType = 'ProgramCycle' }: NewBlock): Range[] {
  if (kind !== 'OB') return [[1, maxNumber]]
  const own = numbersOfClass(secondaryType, controllerGroupOf(device))
  return own.length > 0 ? own : numbersOfClass(secondaryType)
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
