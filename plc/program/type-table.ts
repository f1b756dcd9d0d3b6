/** The types of a compiled program, each listed once and used by its number (program-symbols.ts). */
import { createHash } from 'node:crypto'
import { defined } from '../../lib/optional.ts'
import { accessInside, layoutOf, strideOf } from './layout.ts'
import type { SymbolMember, SymbolType, TypeNumber } from './program-symbols.ts'
import type { Access, ArrayType, InstanceType, Member, StructType, Type } from './type.ts'
import { typeName } from './type-name.ts'

/**
 * Gives numbers to types. Types that are the same in everything visible share one number, wherever they are declared,
 * so the numbers depend only on the order of the requests.
 */
export class TypeTable {
  readonly types: SymbolType[] = []
  readonly #layouts: string[] = []
  readonly #byText = new Map<string, TypeNumber>()
  readonly #known = { optimized: new Map<Type, TypeNumber>(), standard: new Map<Type, TypeNumber>() }

  /** Returns the number of a type in the given layout. */
  numberOf(type: Type, access: Access): TypeNumber {
    const known = this.#known[access].get(type)
    if (known !== undefined) return known
    const number = this.#add(this.#symbolOf(type, access))
    this.#known[access].set(type, number)
    return number
  }

  /**
   * Returns the number of a structure whose members differ from those of its type: a data block decides itself what is
   * retentive.
   */
  structure(type: StructType | InstanceType, access: Access, members: readonly Member[]): TypeNumber {
    return this.#add(this.#structure(type, access, members))
  }

  /**
   * Returns the hash of names, elementary types and places of everything in a type, without comments, retentivity and
   * names of types.
   */
  layoutOf(number: TypeNumber): string {
    const known = this.#layouts[number]
    if (known !== undefined) return known
    const type = this.types[number]
    const hash = createHash('sha256')
      .update(type ? this.#layoutText(type) : '')
      .digest('base64url')
      .slice(0, 22)
    this.#layouts[number] = hash
    return hash
  }

  /** Returns members with their places, without the sections that have no data. */
  membersOf(members: readonly Member[], access: Access): SymbolMember[] {
    const { offsets } = layoutOf(members, access)
    return members.flatMap((member, i) => {
      const { byte, bit } = offsets[i] ?? { byte: 0 }
      return this.memberOf(member, access, byte, bit) ?? []
    })
  }

  /** Returns a member at a place; `undefined` when it has no data. */
  memberOf(member: Member, access: Access, byte: number, bit?: number): SymbolMember | undefined {
    const { name, type, section, isRetentive, isSetpoint, comment, isHidden } = member
    if (section === 'Constant' || section === 'Return') return undefined
    const isAddress = section === 'InOut' && type.kind !== 'scalar'
    return {
      name,
      type: isAddress ? this.#add({ kind: 'opaque', text: typeName(type) }) : this.numberOf(type, access),
      section,
      byte,
      ...defined({ bit }),
      isRetentive,
      ...(isSetpoint === true ? { isSetpoint } : {}),
      comment,
      ...(isHidden === true ? { isHidden } : {}),
    }
  }

  #add(type: SymbolType): TypeNumber {
    const text = JSON.stringify(type)
    const known = this.#byText.get(text)
    if (known !== undefined) return known
    const number = this.types.push(type) - 1
    this.#byText.set(text, number)
    return number
  }

  #symbolOf(type: Type, access: Access): SymbolType {
    switch (type.kind) {
      case 'scalar':
        return { kind: 'scalar', scalar: type }
      case 'string':
        return type.length < 0 ? { kind: 'opaque', text: typeName(type) } : { kind: 'string', string: type }
      case 'dateAndTime':
        return { kind: 'dateAndTime' }
      case 'array':
        return this.#array(type, access)
      case 'struct':
      case 'instance':
        return this.#structure(type, access, type.members)
      default:
        return { kind: 'opaque', text: typeName(type) }
    }
  }

  #array(type: ArrayType, access: Access): SymbolType {
    const dimensions: { low: number; high: number }[] = []
    for (const { low, high } of type.dimensions) {
      if (low === undefined || high === undefined) return { kind: 'opaque', text: typeName(type) }
      dimensions.push({ low, high })
    }
    const { size: stride, isBits } = strideOf(type, access)
    return { kind: 'array', dimensions, element: this.numberOf(type.element, access), stride, isBits }
  }

  #structure(type: StructType | InstanceType, around: Access, members: readonly Member[]): SymbolType {
    const access = accessInside(type, around)
    return {
      kind: 'struct',
      ...defined({ name: type.name }),
      ...(access === around ? {} : { access }),
      members: this.membersOf(members, access),
    }
  }

  #layoutText(type: SymbolType): string {
    if (type.kind === 'array') return JSON.stringify({ ...type, element: this.layoutOf(type.element) })
    if (type.kind !== 'struct') return JSON.stringify(type)
    const members = type.members.map(({ name, type: of, byte, bit }) => [name, this.layoutOf(of), byte, bit])
    return JSON.stringify([type.access, members])
  }
}
