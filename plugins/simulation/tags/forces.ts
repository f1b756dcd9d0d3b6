/** Forces of inputs and outputs by name: the memory that they override, and the names of the forces in a controller. */
import type { Force, LoadedProgram, MemoryWrite } from '../controller/contract.ts'
import { readValue } from './batch.ts'
import { resolveTag } from './resolve.ts'
import type { ResolvedTag } from './resolved-tag.ts'
import type { JsonValue } from './value-fault.ts'

/**
 * Returns why a tag cannot be forced, or `undefined`. As in an S7-1500, only inputs, outputs and their periphery can be
 * forced.
 */
export function forceFault({ name, area, dataType }: ResolvedTag): string | undefined {
  if (area === 'I' || area === 'Q' || area === 'PI' || area === 'PQ') return undefined
  return `${name} (${dataType}) is neither an input nor an output; only these can be forced. Modify it instead`
}

/** Makes the forces for the writes that `writeValue` or `parseModifyValue` returns for a tag. */
export function forcesOf({ name }: ResolvedTag, writes: readonly MemoryWrite[]): Force[] {
  return writes.map((write, part) => ({ ...write, key: part === 0 ? name : `${name}:${part}` }))
}

/** The bits that are forced, each by one owner. */
export class ForcedBits<Owner> {
  readonly #holders = new Map<number, { readonly mask: number; readonly owner: Owner }[]>()

  /** Takes the bits of writes; returns the owner that has one of them already. */
  take(owner: Owner, writes: readonly MemoryWrite[]): Owner | undefined {
    for (const { address, bytes, mask = 255 } of writes)
      for (let at = address; at < address + bytes.length; at++) {
        const there = this.#holders.get(at) ?? []
        const other = there.find((one) => (one.mask & mask) !== 0 && one.owner !== owner)
        if (other) return other.owner
        there.push({ mask, owner })
        this.#holders.set(at, there)
      }
    return undefined
  }
}

/** A force as shown to clients. */
export interface ActiveForce {
  readonly tag: ResolvedTag
  readonly value: JsonValue
  /** Bytes of the whole tag. */
  readonly bytes: Uint8Array
}

/**
 * Lists the forces of a controller by the tags with which they were set. When the loaded program has no such tag at the
 * address, for example after a load, they are listed by their operands (`%I0.0`, `%QB4`).
 */
export function activeForces(program: LoadedProgram, forces: readonly Force[]): ActiveForce[] {
  const byName = new Map<string, Force[]>()
  for (const force of forces) {
    const name = /^(.*):\d+$/s.exec(force.key)?.[1] ?? force.key
    const parts = byName.get(name)
    if (parts) parts.push(force)
    else byName.set(name, [force])
  }
  return [...byName].flatMap(
    ([name, parts]) => named(program, name, parts) ?? parts.flatMap((one) => operands(program, one)),
  )
}

/** The force of a tag; `undefined` when the program has no tag with that name at the address. */
function named(program: LoadedProgram, name: string, parts: readonly Force[]): ActiveForce[] | undefined {
  let tag: ResolvedTag
  try {
    tag = resolveTag(program, name, false)
  } catch {
    return undefined
  }
  const bytes = new Uint8Array(tag.size)
  for (const { address, bytes: part, mask } of parts) {
    const at = address - tag.writeAddress
    if (at < 0 || at + part.length > tag.size) return undefined
    if (mask === undefined) bytes.set(part, at)
    else bytes[at] = bytes[at]! | (part[0]! & mask)
  }
  return [{ tag, bytes, value: readValue(tag, bytes) }]
}

const letters: Readonly<Record<number, string>> = { 1: 'B', 2: 'W', 4: 'D', 8: 'L' }

/** A force by the addresses that it overrides: a bit, a byte, a word …, or all its bytes. */
function operands(program: LoadedProgram, { address, bytes, mask }: Force): ActiveForce[] {
  const { areas } = program.compiled.linked
  const inArea = (area: 'I' | 'Q' | 'PI' | 'PQ') =>
    address >= areas[area].address && address < areas[area].address + areas[area].size
  // An input is forced in the periphery, and its image follows, so it is reported by its name in the image.
  const [area, letter, direct] = inArea('PI')
    ? (['PI', 'I', ''] as const)
    : inArea('PQ')
      ? (['PQ', 'Q', ':P'] as const)
      : inArea('I')
        ? (['I', 'I', ''] as const)
        : (['Q', 'Q', ''] as const)
  const byte = address - areas[area].address
  const texts: string[] = []
  if (mask !== undefined) {
    for (let bit = 0; bit < 8; bit++) if ((mask >> bit) & 1) texts.push(`%${letter}${byte}.${bit}${direct}`)
  } else if (letters[bytes.length]) texts.push(`%${letter}${letters[bytes.length]}${byte}${direct}`)
  else for (let i = 0; i < bytes.length; i++) texts.push(`%${letter}B${byte + i}${direct}`)
  return texts.map((text, i) => {
    const tag = resolveTag(program, text)
    const whole = mask !== undefined || texts.length === 1 ? bytes : bytes.subarray(i, i + 1)
    return { tag, bytes: whole, value: readValue(tag, whole) }
  })
}
