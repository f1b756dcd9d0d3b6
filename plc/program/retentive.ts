/** The bytes of a data block that survive power-off (docs/plc-semantics.md#retentivity). */
import { accessInside, countOf, extentOf, layoutOf, strideOf } from './layout.ts'
import type { ProgramBlock } from './program.ts'
import type { Access, Member, Type } from './type.ts'

export type ByteRange = readonly [byte: number, length: number]

/**
 * Returns the members of a data block's data; `undefined` when its data are not a structure. A data block can choose
 * itself what is retentive: then its own members state retentivity, and those of the type give the places.
 */
export function dataMembers({ type, members }: ProgramBlock): readonly Member[] | undefined {
  if (type?.kind !== 'struct' && type?.kind !== 'instance') return undefined
  let isOther = false
  const own = type.members.map((member, i) => {
    const same = members[i]
    const isRetentive = same?.name === member.name ? same.isRetentive : member.isRetentive
    if (isRetentive === member.isRetentive) return member
    isOther = true
    return { ...member, isRetentive }
  })
  return isOther ? own : type.members
}

/**
 * Returns the retentive byte ranges of a data block in ascending order. Optimized access: those of the retentive
 * members, with one range for neighbours. Standard access: all bytes when any member is retentive.
 */
export function retentiveRanges(block: ProgramBlock): ByteRange[] {
  const { type, access } = block
  if (!type) return []
  const collector = new Collector()
  const members = dataMembers(block)
  if (members) collector.members(members, access, 0, false)
  else collector.value(type, access, 0, block.members[0]?.isRetentive ?? false)
  const { ranges } = collector
  const { size } = extentOf(type, access)
  return access === 'standard' && ranges.length > 0 ? [[0, size]] : ranges
}

class Collector {
  readonly ranges: [number, number][] = []
  /** Whether the last value was retentive: then the next one extends its range over the gap between them. */
  #isOpen = false

  members(members: readonly Member[], access: Access, at: number, isRetained: boolean): void {
    const { offsets } = layoutOf(members, access)
    for (const [i, member] of members.entries()) {
      if (member.overlays !== undefined) continue
      const byte = at + (offsets[i]?.byte ?? 0)
      const isOwn = isRetained || member.isRetentive
      // The address of the caller's value means nothing after power-off.
      if (member.section === 'InOut' && member.type.kind !== 'scalar') this.#isOpen = false
      else this.value(member.type, access, byte, isOwn)
    }
  }

  value(type: Type, access: Access, at: number, isRetained: boolean): void {
    const { size } = extentOf(type, access)
    if (size === 0) return
    if (isRetained || !holdsRetentive(type)) {
      this.#add(at, size, isRetained)
      return
    }
    if (type.kind === 'struct' || type.kind === 'instance')
      this.members(type.members, accessInside(type, access), at, false)
    else if (type.kind === 'array') {
      const { size: stride } = strideOf(type, access)
      const count = countOf(type)
      for (let i = 0; i < count; i++) this.value(type.element, access, at + i * stride, false)
    }
  }

  #add(at: number, size: number, isRetentive: boolean): void {
    const last = this.ranges.at(-1)
    if (isRetentive && this.#isOpen && last) last[1] = Math.max(last[1], at + size - last[0])
    else if (isRetentive) this.ranges.push([at, size])
    this.#isOpen = isRetentive
  }
}

const known = new WeakMap<object, boolean>()

/** Whether any member inside the type is declared retentive. */
function holdsRetentive(type: Type): boolean {
  if (type.kind === 'array') return holdsRetentive(type.element)
  if (type.kind !== 'struct' && type.kind !== 'instance') return false
  const before = known.get(type)
  if (before !== undefined) return before
  const found = type.members.some((member) => member.isRetentive || holdsRetentive(member.type))
  known.set(type, found)
  return found
}
