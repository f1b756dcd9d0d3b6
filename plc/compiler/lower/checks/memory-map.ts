/** Where variables of the program and of the own instance lie: ranges of bits, members, instances inside. */
import type { Expression, Place } from '../../../ir/ir.ts'
import { extentOf, layoutOf } from '../../../program/layout.ts'
import type { ProgramBlock } from '../../../program/program.ts'
import type { Access, Member, Type } from '../../../program/type.ts'
import type { BlockContext } from '../block-context.ts'

/**
 * A range of bits; `area` is `I`, `Q`, `M`, `"name"` of a data block, `#` for the data of the own instance, or `#name`
 * for those of any instance of a function block.
 */
export interface FactRange {
  readonly area: string
  readonly first: number
  readonly bits: number
}

/** Identifies a variable. */
export function keyOf({ area, first, bits }: FactRange): string {
  return `${area} ${first}:${bits}`
}

/** Bits of an area that an address may lead to: all of it. */
const wholeArea = 2 ** 40

/** System types whose instances are called; technology objects and others are not. */
const called = /^(?:TON|TOF|TP|TONR|CTU|CTD|CTUD)(?:_|$)|^IEC_|^[RF]_TRIG$/i

interface Part {
  readonly first: number
  readonly bits: number
}

/** An instance, or an array of instances with `bits` in each of its elements. */
interface InstancePart extends Part {
  /** The function block; absent for types of the system. */
  readonly type?: string
  readonly element: number
}

/** A range, and the instance that it is in. */
interface Level {
  readonly range: FactRange
  readonly instance: FactRange | undefined
}

/** Instances in instances that are followed. */
const deepest = 16

interface Data {
  readonly members: readonly Part[]
  readonly instances: readonly InstancePart[]
}

const nothing: Data = { members: [], instances: [] }

export class MemoryMap {
  readonly #context: BlockContext
  readonly #data = new Map<string, Data>()

  constructor(context: BlockContext) {
    this.#context = context
  }

  /** The bits that a place takes, with those that its indices may lead to; `undefined` for other memory. */
  rangeOf({ base, offset, bit = 0, indices }: Place, bits: number): FactRange | undefined {
    const area = areaOf(base)
    if (area === undefined) return undefined
    const more = indices.reduce((sum, { low, high, stride, isBits }) => {
      const count = typeof low === 'number' && typeof high === 'number' ? high - low : 0
      return sum + count * stride * (isBits ? 1 : 8)
    }, 0)
    return { area, first: offset * 8 + bit, bits: bits + more }
  }

  /** A variable as a whole whose place is known; of the own instance statics and outputs only. */
  variableOf(node: Expression): FactRange | undefined {
    if (node.kind === 'convert')
      return node.mode === 'value' && node.type.bits >= node.from.bits ? this.variableOf(node.operand) : undefined
    if (node.kind !== 'load' || node.place.indices.length > 0) return undefined
    return this.rangeOf(node.place, node.type.bits)
  }

  /** What an address of a place may lead to: the member around it, or all of the area. */
  memberAt({ base, offset }: Place): FactRange | undefined {
    const area = areaOf(base)
    if (area === undefined) return undefined
    // The address of a data block is that of its first member.
    const isWhole = base.kind === 'area' || (base.kind === 'block' && offset === 0)
    const part = isWhole ? undefined : partAt(this.#dataOf(area).members, offset * 8)
    return { area, ...(part ?? { first: 0, bits: wholeArea }) }
  }

  /** A range as it is, and as a part of the data of each instance that it is in, the outermost first. */
  levelsOf(range: FactRange): Level[] {
    const levels: Level[] = []
    for (let at = range; levels.length < deepest; ) {
      const part = /^["#]/.test(at.area) ? partAt(this.#dataOf(at.area).instances, at.first) : undefined
      const instance = part && { area: at.area, first: part.first, bits: part.bits }
      levels.push({ range: at, instance })
      if (part?.type === undefined) break
      at = { area: `#${part.type.toLowerCase()}`, first: (at.first - part.first) % part.element, bits: at.bits }
    }
    return levels
  }

  #dataOf(area: string): Data {
    let data = this.#data.get(area)
    if (data === undefined) {
      const { block, program } = this.#context
      const owner = area === '#' ? block : area.startsWith('#') ? program.blocks.get(area.slice(1)) : undefined
      data = owner ? this.#dataOfBlock(owner) : this.#blockData(area.slice(1, -1))
      this.#data.set(area, data)
    }
    return data
  }

  #dataOfBlock({ members, access }: ProgramBlock): Data {
    return this.#partsOf(
      members.filter(({ section }) => /^(?:Input|Output|InOut|Static)$/.test(section)),
      access,
    )
  }

  #blockData(name: string): Data {
    const block = this.#context.program.blocks.get(name)
    if (block?.type === undefined) return nothing
    const type = block.type as Type
    if (this.#isInstance(type)) {
      const bits = 8 * extentOf(type, block.access).size
      const whole = { first: 0, bits, element: bits, ...typeOf(type) }
      return { members: 'members' in type ? this.#partsOf(type.members, block.access).members : [], instances: [whole] }
    }
    return 'members' in type ? this.#partsOf(type.members, block.access) : nothing
  }

  #partsOf(members: readonly Member[], access: Access): Data {
    const parts: Part[] = []
    const instances: InstancePart[] = []
    this.#add(members, access, 0, parts, instances)
    const inOrder = (a: Part, b: Part) => a.first - b.first
    return { members: parts.sort(inOrder), instances: instances.sort(inOrder) }
  }

  #add(
    members: readonly Member[],
    access: Access,
    base: number,
    parts: Part[] | undefined,
    instances: InstancePart[],
  ): void {
    const { offsets } = layoutOf(members, access)
    for (const [i, { type, section, overlays }] of members.entries()) {
      const offset = offsets[i]
      if (offset === undefined || overlays !== undefined || type.kind === 'unknown') continue
      // Only the address of such an in-out is here.
      if (section === 'InOut' && type.kind !== 'scalar') continue
      const part = { first: base + offset.byte * 8 + (offset.bit ?? 0), bits: 8 * extentOf(type, access).size }
      parts?.push(part)
      const inner = type.kind === 'array' ? type.element : type
      if (this.#isInstance(inner))
        instances.push({ ...part, element: 8 * extentOf(inner, access).size, ...typeOf(inner) })
      else if (type.kind === 'struct') this.#add(type.members, access, part.first, undefined, instances)
    }
  }

  #isInstance(type: Type): boolean {
    if (type.kind === 'struct') return type.isSystem && called.test(type.name ?? '')
    if (type.kind !== 'instance') return false
    return type.isSystem
      ? called.test(type.name)
      : this.#context.program.blocks.get(type.name.toLowerCase())?.kind === 'FB'
  }
}

function typeOf(type: Type): { readonly type?: string } {
  return type.kind === 'instance' && !type.isSystem ? { type: type.name } : {}
}

function areaOf(base: Place['base']): string | undefined {
  switch (base.kind) {
    case 'instance':
      return '#'
    case 'block':
      return `"${base.block.toLowerCase()}"`
    case 'area':
      return base.area === 'M' || base.area === 'Q' || base.area === 'I' ? base.area : undefined
    default:
      return undefined
  }
}

/** The part with a bit; parts are in order and do not overlap. */
function partAt<T extends Part>(parts: readonly T[], bit: number): T | undefined {
  let [low, high] = [0, parts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (parts[middle]!.first <= bit) low = middle + 1
    else high = middle
  }
  const part = parts[low - 1]
  return part !== undefined && bit < part.first + part.bits ? part : undefined
}
