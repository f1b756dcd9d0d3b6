/** Who writes which memory in the whole program: the facts of all blocks put together, for rules that ask for it. */
import type { BlockFacts } from '../compiler/lower/checks/block-facts.ts'
import type { FactMemory, FactWrite } from '../compiler/lower/checks/memory-facts.ts'
import { type FactRange, keyOf } from '../compiler/lower/checks/memory-map.ts'
import type { ReviewedMember, ReviewedObject, ReviewedProgram } from './reviewed-program.ts'

/** An assignment, and the block that has it. */
export interface Writer {
  readonly by: ReviewedObject
  readonly write: FactWrite
}

/** A variable with all that writes it. */
export interface WrittenVariable {
  readonly range: FactRange
  /** The function block whose own data it is part of; absent for variables of the program. */
  readonly owner: ReviewedObject | undefined
  readonly writers: readonly Writer[]
}

export class ProgramMemory {
  /** Each code block has its facts: nothing is hidden by faults, missing types or know-how protection. */
  readonly isWhole: boolean
  readonly variables: readonly WrittenVariable[]
  readonly blocks: readonly { readonly by: ReviewedObject; readonly facts: BlockFacts; readonly memory: FactMemory }[]
  readonly #byKey = new Map<string, WrittenVariable>()
  /** Areas of instances: their function blocks write them too. */
  readonly #instances: ReadonlySet<string>
  /** Keys of variables that are also written in parts, as parts of others, or through addresses. */
  readonly #shared: ReadonlySet<string>

  constructor(program: ReviewedProgram) {
    const code = program.objects.filter(({ isCode }) => isCode)
    this.blocks = code.flatMap((by) => {
      const facts = program.facts.get(by.name.toLowerCase())
      return facts?.memory ? [{ by, facts, memory: facts.memory }] : []
    })
    this.isWhole = this.blocks.length === code.length
    this.#instances = new Set(
      program.objects.flatMap(({ kind, name }) => (kind === 'InstanceDB' ? [`"${name.toLowerCase()}"`] : [])),
    )
    const found = new Map<string, { range: FactRange; owner: ReviewedObject | undefined; writers: Writer[] }>()
    const ranges: (FactRange & { readonly key: string })[] = []
    for (const { by, memory } of this.blocks) {
      const owned = (one: FactRange) => this.rangeIn(one, by)
      for (const write of memory.writes) {
        const range = owned(write)
        const key = keyOf(range)
        const known = found.get(key)
        if (known) known.writers.push({ by, write })
        else {
          found.set(key, { range, owner: write.area === '#' ? by : undefined, writers: [{ by, write }] })
          ranges.push({ ...range, key })
        }
      }
      for (const one of memory.touched) ranges.push({ ...owned(one), key: '' })
    }
    for (const [key, variable] of found) this.#byKey.set(key, variable)
    this.variables = [...found.values()]
    this.#shared = overlapping(ranges)
  }

  /** A range of a fact of a block, as one that means the same in all blocks. */
  rangeIn(range: FactRange, by: ReviewedObject): FactRange {
    return range.area === '#' ? { ...range, area: areaOf(by) } : range
  }

  /** What is written at exactly this place; `undefined` when nothing is. */
  at(range: FactRange, by: ReviewedObject): WrittenVariable | undefined {
    return this.#byKey.get(keyOf(this.rangeIn(range, by)))
  }

  /** By a key that a fact of a block has. */
  byKey(key: string, by: ReviewedObject): WrittenVariable | undefined {
    return this.#byKey.get(key.startsWith('# ') ? `${areaOf(by)}${key.slice(1)}` : key)
  }

  /** Whether `writers` are all that write the variable. */
  isKnown({ range, owner, writers }: WrittenVariable): boolean {
    if (this.#shared.has(keyOf(range))) return false
    if (owner === undefined) return this.isWhole && /^["MQ]/.test(range.area) && !this.#instances.has(range.area)
    // Callers write inputs and in-outs.
    return isOwnData(memberOf(owner, writers[0]!.write.text))
  }
}

/** Made once for all rules. */
export function memoryOf(program: ReviewedProgram): ProgramMemory {
  return program.once(makeMemory)
}

function makeMemory(program: ReviewedProgram): ProgramMemory {
  return new ProgramMemory(program)
}

function areaOf({ name }: ReviewedObject): string {
  return `#${name.toLowerCase()}`
}

/** The member of the own interface that a variable begins with: `#step`, `#data.step`. */
export function memberOf(owner: ReviewedObject, text: string): ReviewedMember | undefined {
  const name = /^#?"?([^."[\]]+)/.exec(text)?.[1]?.toLowerCase()
  return owner.members().find(({ member }) => member.name.toLowerCase() === name)
}

/** Data that only the block itself writes; what the system keeps of a sequence is not meant. */
function isOwnData(found: ReviewedMember | undefined): boolean {
  if (found === undefined || /^G7_/i.test(found.member.dataType)) return false
  return found.section === 'Static' || found.section === 'Output'
}

/** Keys of ranges that another one overlaps. */
function overlapping(ranges: readonly (FactRange & { readonly key: string })[]): Set<string> {
  const found = new Set<string>()
  const sorted = [...ranges].sort((a, b) => (a.area < b.area ? -1 : a.area > b.area ? 1 : a.first - b.first))
  let group: (FactRange & { readonly key: string })[] = []
  let [area, end] = ['', -1]
  const close = () => {
    const keys = new Set(group.map(({ key }) => key))
    if (keys.size > 1) for (const key of keys) found.add(key)
  }
  for (const one of sorted) {
    if (one.area !== area || one.first >= end) {
      close()
      group = []
      end = -1
    }
    area = one.area
    end = Math.max(end, one.first + one.bits)
    group.push(one)
  }
  close()
  return found
}
