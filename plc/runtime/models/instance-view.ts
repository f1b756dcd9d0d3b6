/** Access to the instance of a system block by the names of its members. */
import { defined } from '../../../lib/optional.ts'
import { layoutOf } from '../../program/layout.ts'
import type { Member, ScalarType, Type } from '../../program/type.ts'
import { type Cell, decoded, partsOf, readBits, writeBits } from '../cells.ts'
import type { RuntimeContext } from '../context.ts'
import { meant, regionOf } from '../routines/memory.ts'

interface Found {
  readonly type: Type
  readonly byte: number
  readonly bit?: number
}

/** Cached places of members by path, for each type in each layout; each type of a program is one object. */
const known = {
  standard: new WeakMap<Type, Map<string, Found | undefined>>(),
  optimized: new WeakMap<Type, Map<string, Found | undefined>>(),
}

function find(type: Type, access: 'standard' | 'optimized', path: string): Found | undefined {
  let places = known[access].get(type)
  if (!places) {
    places = new Map()
    known[access].set(type, places)
  }
  if (places.has(path)) return places.get(path)
  let found: Found | undefined = { type, byte: 0 }
  for (const name of path.split('.')) {
    const own: Type | undefined = found?.type
    if (own?.kind !== 'struct' && own?.kind !== 'instance') {
      found = undefined
      break
    }
    const members: readonly Member[] = own.members
    const index = members.findIndex((member) => member.name.toUpperCase() === name.toUpperCase())
    const [member, offset] = [members[index], layoutOf(members, access).offsets[index]]
    const base: number = found?.byte ?? 0
    found =
      member && offset ? { type: member.type, byte: base + offset.byte, ...defined({ bit: offset.bit }) } : undefined
  }
  places.set(path, found)
  return found
}

const scratch = new DataView(new ArrayBuffer(8))

function encoded({ bits, family }: ScalarType, value: number | bigint | boolean): bigint {
  if (family === 'real') {
    if (bits === 64) scratch.setFloat64(0, Number(value))
    else scratch.setFloat32(0, Number(value))
    return bits === 64 ? scratch.getBigUint64(0) : BigInt(scratch.getUint32(0))
  }
  const whole = typeof value === 'number' ? BigInt(Math.trunc(Number.isFinite(value) ? value : 0)) : BigInt(value)
  return BigInt.asUintN(bits, whole)
}

/**
 * The instance of a system block. Members are given by path, `Config.InputUpperLimit`, case ignored. A missing member
 * reads as 0 and is not written: versions of a block differ in their members.
 */
export class InstanceView {
  readonly context: RuntimeContext
  readonly cell: Cell

  constructor(context: RuntimeContext, cell: Cell) {
    this.context = context
    this.cell = cell
  }

  #find(path: string): (Cell & { readonly type: Type }) | undefined {
    const { type, address, isStandard } = this.cell
    const found = find(type, isStandard ? 'standard' : 'optimized', path)
    if (!found) return undefined
    const bit = found.bit === undefined ? {} : { bit: found.bit }
    return { type: found.type, address: address + found.byte, isStandard, ...bit }
  }

  has(path: string): boolean {
    return this.#find(path) !== undefined
  }

  /** Returns a scalar as a number; times in the unit of their type. */
  number(path: string): number {
    const found = this.#find(path)
    return found?.type.kind === 'scalar' ? decoded(found.type, readBits(this.context.view, found.type, found)) : 0
  }

  /** The value itself, when the view is of a scalar: an element of an array. */
  get value(): number {
    const { type } = this.cell
    return type.kind === 'scalar' ? decoded(type, readBits(this.context.view, type, this.cell)) : 0
  }

  /** Sets the value itself, when the view is of a scalar. */
  assign(value: number | bigint | boolean): void {
    const { type } = this.cell
    if (type.kind === 'scalar') writeBits(this.context.view, type, this.cell, encoded(type, value))
  }

  is(path: string): boolean {
    return this.number(path) !== 0
  }

  /** Whether an input has risen since the last call, by a hidden member with its last value. */
  rises(input: string, memory = `${input}_OLD`): boolean {
    const is = this.is(input)
    const isEdge = is && !this.is(memory)
    this.set(memory, is)
    return isEdge
  }

  /** Returns the bits of a scalar, for scalars of 64 bits. */
  bits(path: string): bigint {
    const found = this.#find(path)
    return found?.type.kind === 'scalar' ? readBits(this.context.view, found.type, found) : 0n
  }

  set(path: string, value: number | bigint | boolean): void {
    const found = this.#find(path)
    if (found?.type.kind === 'scalar') writeBits(this.context.view, found.type, found, encoded(found.type, value))
  }

  setAll(values: Readonly<Record<string, number | bigint | boolean>>): void {
    for (const [path, value] of Object.entries(values)) this.set(path, value)
  }

  /** Returns the target of a non-scalar in-out or of a Variant; `undefined`: there is none. */
  behind(path: string): InstanceView | undefined {
    const found = this.#find(path)
    if (!found) return undefined
    const { view } = this.context
    const { section } = this.#member(path) ?? {}
    const address = section === 'InOut' ? view.getUint32(found.address, !found.isStandard) : found.address
    if (address === 0) return undefined
    if (found.type.kind === 'struct') return new InstanceView(this.context, { ...found, address })
    const part = (offset: number) => view.getUint32(address + offset, true)
    // A Variant, which is always little-endian in memory.
    const cell = meant(regionOf(this.context, part(0), part(4), part(8), view.getInt32(address + 12, true)))
    return cell && cell.type.kind !== 'void' ? new InstanceView(this.context, cell) : undefined
  }

  /** Returns the ten bytes of an ANY that a call passed; `undefined`: there is none. */
  pointer(path: string): Uint8Array | undefined {
    const found = this.#find(path)
    if (!found || this.#member(path)?.section !== 'InOut') return undefined
    const address = this.context.view.getUint32(found.address, !found.isStandard)
    const bytes = this.context.bytes.slice(address, address + 10)
    return address === 0 || bytes[0] === 0 ? undefined : bytes
  }

  #member(path: string) {
    const { type } = this.cell
    if (type.kind !== 'struct' && type.kind !== 'instance') return undefined
    return type.members.find(({ name }) => name.toUpperCase() === path.toUpperCase())
  }

  /** Returns the elements of an array member. */
  elements(path: string): InstanceView[] {
    const found = this.#find(path)
    return found ? partsOf(found).map((cell) => new InstanceView(this.context, cell)) : []
  }

  /** Nanoseconds since switch-on. */
  get now(): bigint {
    return this.context.clock.now()
  }
}

/** One call of a system block. */
export type Model = (instance: InstanceView) => void
