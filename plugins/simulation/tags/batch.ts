/** Reads and writes many tags by name at once, all at one scan boundary. */
import { LRUCache } from 'lru-cache'
import { type Fault, GatewayError, isGatewayError, problem } from '../../../core/index.ts'
import { onProgram, otherProgram } from '../controller/active-program.ts'
import type { Controller, LoadedProgram, MemoryRange, MemoryWrite, Snapshot } from '../controller/contract.ts'
import { indexOf, type ProgramIndex } from './program-index.ts'
import { resolveTag } from './resolve.ts'
import type { ResolvedTag } from './resolved-tag.ts'
import { type JsonValue, ValueFault } from './value-fault.ts'
import { WriteSink } from './write-sink.ts'

/** The result for one tag. Quality `Bad`: it has no value, and `error` contains the reason. */
export interface TagValue {
  /** Name as in the list of tags; as in the request when it is not found. */
  readonly name: string
  readonly value: JsonValue
  readonly dataType: string
  readonly quality: 'Good' | 'Bad'
  /** Virtual system time of the scan boundary, ISO 8601. */
  readonly timestamp: string
  readonly error?: string
}

/** A value to write. */
export interface TagInput {
  readonly name: string
  /** A value in a form that `writeValue` accepts. */
  readonly value: JsonValue
}

/** Maximum number of suggestions of similar names in one batch, because each searches all names of the program. */
const mostSuggestions = 20

/** Maximum number of single values in one read or write; larger arrays must be read in parts. */
const mostLeaves = 500_000

/** Decodes the value of a tag from its bytes; S5 timers need the clock of the snapshot. */
export function readValue(tag: ResolvedTag, bytes: Uint8Array, clock?: bigint): JsonValue {
  return tag.codec.decode(viewOf(bytes), 0, tag.bit ?? 0, clock)
}

/**
 * Returns the writes that set a tag to a JSON value or to a constant as text, see scalar-codec.ts. Bits are written
 * with masks; only the parts contained in the value are written.
 * @param path of the value in the request, for its fault
 * @throws GatewayError `unacceptable_content` with value, type and range
 */
export function writeValue(tag: ResolvedTag, value: JsonValue, path?: string): MemoryWrite[] {
  const sink = new WriteSink()
  try {
    encodeInto(sink, tag, value)
  } catch (error) {
    if (error instanceof ValueFault) throw refused([faultOf(error, tag.name, path)])
    throw error
  }
  return sink.finish()
}

/**
 * The form in which a tag is read when it has this value: `6` for `"6"` or `"16#6"` of an Int.
 * @param path of the value in the request, for its fault
 * @throws GatewayError `unacceptable_content` as `writeValue`
 */
export function valueAsRead(tag: ResolvedTag, value: JsonValue, path: string): JsonValue {
  const memory = new Uint8Array(tag.size)
  for (const { address, bytes, mask } of writeValue(tag, value, path))
    if (mask === undefined) memory.set(bytes, address - tag.writeAddress)
    else memory[address - tag.writeAddress] = bytes[0]! & mask
  return readValue(tag, memory)
}

function encodeInto(sink: WriteSink, tag: ResolvedTag, value: JsonValue): void {
  tag.codec.encode(sink, tag.writeAddress, tag.bit ?? 0, value, '')
}

function faultOf({ message, path, value, allowed }: ValueFault, name: string, field?: string): Fault {
  const tag = `${name}${path}`
  return { path: field ?? tag, message: `${tag}: ${message}`, tag, value, allowed }
}

function refused(faults: readonly Fault[]): GatewayError {
  const [first] = faults
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more; see errors)` : ''
  return problem('unacceptable_content', `${first?.message ?? ''}${more}. Nothing was written.`, { errors: faults })
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

// ── Plans ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A tag and the place of its bytes in the ranges; or the reason why it has none. */
export type Slot =
  | { readonly tag: ResolvedTag; readonly range: number; readonly offset: number }
  | { readonly name: string; readonly error: string }

/** A plan for reading a list of names: few ranges, and for each name the place of its value in them. */
export interface ReadPlan {
  readonly names: readonly string[]
  readonly ranges: readonly MemoryRange[]
  readonly slots: readonly Slot[]
}

const plans = new WeakMap<ProgramIndex, LRUCache<string, ReadPlan>>()

/** Maximum number of names in the cached plans of one program. */
const mostPlanned = 100_000

/** Plans how to read a list of names; plans are cached. */
export function planOf(program: LoadedProgram, names: readonly string[]): ReadPlan {
  const index = indexOf(program)
  let known = plans.get(index)
  if (!known) {
    known = new LRUCache({ maxSize: mostPlanned, sizeCalculation: ({ slots }) => slots.length + 1 })
    plans.set(index, known)
  }
  const key = names.join('\n')
  const before = known.get(key)
  if (before && names.length === before.names.length && names.every((name, i) => name === before.names[i]))
    return before
  const plan = makePlan(program, names)
  known.set(key, plan)
  return plan
}

function makePlan(program: LoadedProgram, names: readonly string[]): ReadPlan {
  const found: { tag: ResolvedTag; at: number }[] = []
  const slots: Slot[] = []
  let leaves = 0
  let missing = 0
  for (const name of names) {
    try {
      const tag = resolveTag(program, name, missing < mostSuggestions)
      if (leaves + tag.codec.leaves > mostLeaves)
        throw problem(
          'unacceptable_content',
          `${tag.name}: the values asked for together are more than ${mostLeaves}; read them in parts.`,
        )
      leaves += tag.codec.leaves
      found.push({ tag, at: slots.length })
      slots.push({ tag, range: 0, offset: 0 })
    } catch (error) {
      if (!isGatewayError(error)) throw error
      missing++
      slots.push({ name, error: error.message })
    }
  }
  found.sort((a, b) => a.tag.address - b.tag.address)
  const ranges: { address: number; size: number }[] = []
  for (const { tag, at } of found) {
    let last = ranges.at(-1)
    if (!last || tag.address > last.address + last.size + nearby) {
      last = { address: tag.address, size: 0 }
      ranges.push(last)
    }
    last.size = Math.max(last.size, tag.address + tag.size - last.address)
    slots[at] = { tag, range: ranges.length - 1, offset: tag.address - last.address }
  }
  return { names: [...names], ranges, slots }
}

/** The largest gap between two tags, in bytes, for which one range covers both. */
const nearby = 64

// ── Reading ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Reads the values of tags, all at one scan boundary, in the order of the names.
 * @throws GatewayError `conflict` when no program is loaded; errors of `Controller.read`
 */
export async function readTags(controller: Controller, names: readonly string[]): Promise<TagValue[]> {
  const { plan, snapshot } = await readPlanned(controller, (program) => planOf(program, names))
  return valuesOf(plan, snapshot)
}

/** Reads the ranges in the plan for the program; in that for the next one when it is replaced meanwhile. */
export async function readPlanned(
  controller: Controller,
  planFor: (program: LoadedProgram) => ReadPlan,
): Promise<{ readonly plan: ReadPlan; readonly snapshot: Snapshot; readonly program: LoadedProgram }> {
  return onProgram(controller, async () => {
    const program = requireProgram(controller)
    const plan = planFor(program)
    const snapshot = await controller.read(plan.ranges)
    // Another program may have come after the read: its values are newer.
    if (controller.program !== program) throw otherProgram()
    return { plan, snapshot, program }
  })
}

/** Returns the program that a controller has loaded. */
export function requireProgram({ program, options, state }: Controller): LoadedProgram {
  if (program) return program
  throw problem('conflict', `Controller "${options.name}" has no program, so it has no tags. It is in state ${state}.`)
}

/** Decodes the values of a snapshot. */
function valuesOf({ slots }: ReadPlan, { bytes, time, clock }: Snapshot): TagValue[] {
  const views = bytes.map(viewOf)
  const timestamp = new Date(time).toISOString()
  return slots.map((slot) => slotValue(slot, views, timestamp, clock))
}

/** Decodes the value of one tag of a plan. */
export function slotValue(slot: Slot, views: readonly DataView[], timestamp: string, clock?: bigint): TagValue {
  if ('error' in slot) return bad(slot.name, slot.error, timestamp)
  const { tag, range, offset } = slot
  const view = views[range]
  if (!view) return bad(tag.name, 'It was not read.', timestamp)
  const value = tag.codec.decode(view, offset, tag.bit ?? 0, clock)
  if (value === null) return bad(tag.name, 'The controller does not tell the clock of its S5 timers.', timestamp)
  return { name: tag.name, value, dataType: tag.dataType, quality: 'Good', timestamp }
}

/** Makes the result for a tag without a value. */
export function bad(name: string, error: string, timestamp: string): TagValue {
  return { name, value: null, dataType: '', quality: 'Bad', timestamp, error }
}

// ── Writing ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** JSON pointers of the name and the value of an input, for the faults of a request. */
export type InputPaths = (index: number) => { readonly name: string; readonly value: string }

const pathsInTags: InputPaths = (i) => ({ name: `/tags/${i}/name`, value: `/tags/${i}/value` })

/**
 * Writes values at one cycle control point, in the order of the list. Names and values are checked first, so that
 * either all are written or none. Inputs are written to the periphery, so that they are kept when the process image is
 * updated.
 * @returns for each the value that was written, as a read returns it
 * @throws GatewayError `not_found` or `unacceptable_content` with all faults by index; `conflict` when no program is
 *   loaded; errors of `Controller.write`
 */
export async function writeTags(
  controller: Controller,
  inputs: readonly TagInput[],
  pathsOf?: InputPaths,
): Promise<TagValue[]> {
  const { tags, values } = await onProgram(controller, async () => {
    const plan = planWrites(requireProgram(controller), inputs, pathsOf)
    await controller.write(plan.writes)
    return plan
  })
  const timestamp = new Date(controller.time).toISOString()
  return tags.map(({ name, dataType }, i) => {
    return { name, value: values[i] ?? null, dataType, quality: 'Good', timestamp }
  })
}

/**
 * Checks a list of values as a whole and plans the writes.
 * @throws GatewayError as `writeTags`
 */
export function planWrites(
  program: LoadedProgram,
  inputs: readonly TagInput[],
  pathsOf: InputPaths = pathsInTags,
): { readonly writes: readonly MemoryWrite[]; readonly tags: readonly ResolvedTag[]; readonly values: JsonValue[] } {
  const sink = new WriteSink()
  const tags: ResolvedTag[] = []
  const values: JsonValue[] = []
  const faults: Fault[] = []
  let missing: GatewayError | undefined
  let leaves = 0
  for (const [i, { name, value }] of inputs.entries())
    try {
      const tag = resolveTag(program, name, faults.length < mostSuggestions)
      tags.push(tag)
      leaves += tag.codec.leaves
      if (leaves > mostLeaves) throw new ValueFault(`more than ${mostLeaves} values in one write`, '', name, 'parts')
      encodeInto(sink, tag, value)
      values.push(shownValue(tag, value))
    } catch (error) {
      if (error instanceof ValueFault) faults.push(faultOf(error, tags.at(-1)?.name ?? name, pathsOf(i).value))
      else if (isGatewayError(error)) {
        missing ??= error
        faults.push({ path: pathsOf(i).name, message: error.message.replace(/\.$/, ''), value: name })
      } else throw error
    }
  if (missing && faults.length === 1)
    throw new GatewayError(missing.code, missing.message, { ...missing.details, errors: faults })
  if (faults.length > 0) throw refused(faults)
  return { writes: sink.finish(), tags, values }
}

/**
 * A single value as a read returns it: `16#FF` of a Word is 255, 5000 of a Time is T#5s. Arrays and structures are
 * returned as given.
 */
function shownValue(tag: ResolvedTag, value: JsonValue): JsonValue {
  if (typeof value === 'object') return value
  const bytes = new Uint8Array(tag.size)
  for (const { address, bytes: written, mask } of writeValue(tag, value)) {
    const at = address - tag.writeAddress
    if (mask === undefined) bytes.set(written, at)
    else bytes[at] = (bytes[at]! & ~mask) | (written[0]! & mask)
  }
  // An S5 timer can only be decoded with the clock of the controller.
  return readValue(tag, bytes) ?? value
}
