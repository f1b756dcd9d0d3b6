/**
 * Rules `never-read` and `never-written` for statics of function blocks: what the block itself does is found in its
 * code, and any access by a path to a member of that name, anywhere in the program, counts as reading and writing. So
 * do calls, references and everything else that takes an address. Instances, statics with a start value (for
 * `never-written`), blocks with statement lists and GRAPH are not meant; HMI and OPC UA clients are not known here, so
 * both are information.
 */
import type { Place, Statement } from '../../../ir/ir.ts'
import { visitAll } from '../../../ir/walk.ts'
import { extentOf, layoutOf } from '../../../program/layout.ts'
import type { Diagnostic, Program } from '../../../program/program.ts'
import type { Member } from '../../../program/type.ts'
import type { BlockContext } from '../block-context.ts'
import type { BlockFacts, FactStatic } from './block-facts.ts'

/** Bits of the instance that the code reads or writes: ranges, so that parts of a structure count for it. */
class Use {
  readonly #bits: [first: number, end: number][] = []
  /** The ranges joined where they touch, in order; made when the first question comes. */
  #joined: readonly (readonly [first: number, end: number])[] | undefined

  add({ offset, bit }: Place, bits: number): void {
    const first = offset * 8 + (bit ?? 0)
    this.#bits.push([first, first + bits])
  }

  has(first: number, end: number): boolean {
    this.#joined ??= joined(this.#bits)
    // The last range that begins before the end is the only one that can reach into it: they do not overlap.
    let [low, high] = [0, this.#joined.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#joined[middle]![0] < end) low = middle + 1
      else high = middle
    }
    const last = this.#joined[low - 1]
    return last !== undefined && last[1] > first
  }
}

function joined(ranges: [first: number, end: number][]): [first: number, end: number][] {
  const result: [first: number, end: number][] = []
  for (const [first, end] of ranges.sort(([a], [b]) => a - b)) {
    const last = result.at(-1)
    if (last !== undefined && first <= last[1]) last[1] = Math.max(last[1], end)
    else result.push([first, end])
  }
  return result
}

/** The statics of a function block that its own code only writes, or only reads. Call it after lowering the block. */
export function factStatics(context: BlockContext, body: readonly Statement[]): FactStatic[] {
  const { block } = context
  const isMeant =
    block.kind === 'FB' &&
    block.networks.every(({ graph, text, language }) => graph || (text !== undefined && language === 'SCL'))
  if (!isMeant) return []
  const data = block.members.filter(({ section }) => isData(section))
  if (!data.some(isPlain)) return []
  const [read, written] = [new Use(), new Use()]
  const note = (use: Use, place: Place, bits: number) => {
    if (place.base.kind === 'instance') use.add(place, bits + indexed(place))
  }
  visitAll(body, {
    statement: (one) => {
      if (one.kind === 'store') note(written, one.place, one.type.bits)
      else if (one.kind === 'copy') {
        note(read, one.from, 8 * extentOf(one.type, accessOf(one.from)).size)
        note(written, one.to, 8 * extentOf(one.type, accessOf(one.to)).size)
      } else if (one.kind === 'clear') note(written, one.place, 8 * one.size)
    },
    expression: (one) => {
      if (one.kind === 'load') note(read, one.place, one.type.bits)
      else if (one.kind === 'address') {
        // What takes the address of a member may do both.
        note(read, one.place, 1)
        note(written, one.place, 1)
      }
    },
  })
  const { offsets } = layoutOf(data, block.access)
  return data.flatMap((member, i): FactStatic[] => {
    const offset = offsets[i]
    if (!isPlain(member) || offset === undefined) return []
    const first = offset.byte * 8 + (offset.bit ?? 0)
    const end = first + (offset.bit === undefined ? 8 * extentOf(member.type, block.access).size : 1)
    const [isRead, isWritten] = [read.has(first, end), written.has(first, end)]
    if (isRead === isWritten && isRead) return []
    if (isRead && member.startValue !== undefined) return []
    return [{ name: member.name, isRead, isWritten }]
  })
}

/** Bits that indices may add to the place of an element; limits of run time are those of parameters, not of statics. */
function indexed({ indices }: Place): number {
  return indices.reduce((sum, { low, high, stride, isBits }) => {
    const count = typeof low === 'number' && typeof high === 'number' ? high - low : 0
    return sum + count * stride * (isBits ? 1 : 8)
  }, 0)
}

function accessOf({ isStandard }: Place): 'standard' | 'optimized' {
  return isStandard ? 'standard' : 'optimized'
}

function isData(section: Member['section']): boolean {
  return section === 'Input' || section === 'Output' || section === 'InOut' || section === 'Static'
}

/** A static that is no instance and shares its memory with no other. */
function isPlain({ section, type, overlays }: Member): boolean {
  return section === 'Static' && type.kind !== 'instance' && type.kind !== 'unknown' && overlays === undefined
}

/** Returns the statics that nothing in the program reads, or nothing writes. */
export function unusedStatics(program: Program, facts: ReadonlyMap<string, BlockFacts>): Diagnostic[] {
  const reached = new Set<string>()
  for (const { members = [] } of facts.values()) for (const name of members) reached.add(name)
  return [...facts].flatMap(([key, { statics = [] }]) => {
    const object = program.blocks.get(key)?.name ?? key
    return statics.flatMap(({ name, isRead, isWritten }): Diagnostic[] => {
      if (reached.has(name.toLowerCase())) return []
      const [code, what] = isRead
        ? (['never-written', 'read, but never written: it keeps its start value'] as const)
        : (['never-read', isWritten ? 'assigned, but never read' : 'declared, but never used'] as const)
      return [
        {
          code,
          severity: 'information',
          object,
          member: name,
          message: `#${name} is ${what}.`,
          hint: isRead ? 'Assign it, give it a start value, or use a constant.' : 'Remove it, or use it.',
        },
      ]
    })
  })
}
