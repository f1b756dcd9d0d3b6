/** Resolves the types of declarations: PLC data types, function blocks, system types, constants in limits. */
import { nearest } from '../../lib/nearest.ts'
import { defined } from '../../lib/optional.ts'
import type { KnownCode } from '../diagnostics/codes.ts'
import { anyText } from '../model/multilingual-text.ts'
import type { InterfaceMember, InterfaceSection } from '../model/object.ts'
import { ownType, wholeNumber } from './constants.ts'
import {
  type Constants,
  type DeclaredType,
  isData,
  type LinkedMember,
  localConstants,
  type Place,
  type Surroundings,
  startValueMessage,
  type Use,
} from './declarations.ts'
import { literalOf } from './literals.ts'
import { scalarNamed } from './scalars.ts'
import { assignedValues, startValueFault, stepsOf } from './start-values.ts'
import { type SystemMember, systemTypeNamed } from './system-types.ts'
import { isOfOtherFamily, isTechnologyObject } from './technology-objects.ts'
import type { Dimension, ElementValue, InstanceType, Member, Section, StructType, Type } from './type.ts'
import {
  doubleReferenceRefusal,
  instanceRefusal,
  openArrayRefusal,
  type TypeRefusal,
  unstoredRefusal,
  unstoredTypes,
} from './type-places.ts'
import {
  baseSection,
  bulkValue,
  innerSection,
  isSystemText,
  isTechnologyName,
  waiting,
  withMembers,
} from './type-questions.ts'
import { isTypeFault, type LimitSyntax, parseTypeText, type TypeSyntax } from './type-text.ts'
import { mapValueText } from './value-text.ts'

const noLocals: Constants = new Map()
/** Deepest nesting of types; TIA Portal allows 8 levels of structures. */
const deepest = 100
/** Limits of arrays are of type DInt. */
const [least, most] = [-2_147_483_648, 2_147_483_647]

/** Resolves the members of blocks and types; some types are resolved only when all others are. */
export class TypeResolver {
  readonly #around: Surroundings
  readonly #done = new Map<string, StructType | InstanceType>()
  readonly #open: string[] = []
  readonly #system = new Map<string, StructType | InstanceType>()
  readonly #later: (() => void)[] = []
  readonly #nearest = new Map<string, string>()

  constructor(around: Surroundings) {
    this.#around = around
  }

  /** Resolves what must wait until all types are known: targets of references, in-outs, parts of start values. */
  finish(): void {
    // These steps may add further ones; a type that is being made must be complete first.
    while (this.#later.length > 0 && this.#open.length === 0) for (const one of this.#later.splice(0)) one()
  }

  /**
   * Returns the PLC data type or FB of this name, case ignored. `undefined`: there is none, or it is used inside its
   * own declaration.
   */
  declared(name: string): StructType | InstanceType | undefined {
    const key = name.toLowerCase()
    const done = this.#done.get(key)
    if (done) return done
    const declared = this.#around.declared.get(key)
    if (!declared || this.#open.includes(key)) return undefined
    this.#open.push(key)
    const list = this.membersOf(declared.interface, {
      object: declared.name,
      locals: localConstants(declared.interface),
    })
    const type: StructType | InstanceType =
      declared.kind === 'UDT'
        ? { kind: 'struct', name: declared.name, isSystem: false, members: list }
        : {
            kind: 'instance',
            name: declared.name,
            isSystem: false,
            members: list.filter(({ section }) => isData(section)),
            ...defined({ access: declared.access }),
          }
    this.#open.pop()
    this.#done.set(key, type)
    if (declared.kind === 'FB') this.#lists.set(key, list)
    return type
  }

  readonly #lists = new Map<string, LinkedMember[]>()

  /** Returns all members of an FB, including temporaries and constants. */
  membersOfBlock(name: string): readonly Member[] | undefined {
    return this.declared(name) && this.#lists.get(name.toLowerCase())
  }

  /** Returns the type that a text names, without reporting faults. */
  typeOf(text: string, members: readonly Member[] = []): Type {
    const type = this.#silentType(text)
    this.finish()
    return members.length === 0 ? type : withMembers(type, members)
  }

  #silentType(text: string): Type {
    const syntax = parseTypeText(text)
    if (isTypeFault(syntax)) return { kind: 'unknown', text }
    const place = { object: '', locals: noLocals }
    return this.#resolve(syntax, text, {
      place,
      section: 'None',
      path: '',
      isSilent: true,
      member: { members: [] },
      takesAnyLength: false,
    })
  }

  /** Resolves the type of a tag, a return value or the data of an array DB. */
  typeIn(text: string, place: Place, member: InterfaceMember, section: Section, takesAnyLength = false): Type {
    return this.#typeText(text, { place, section, path: member.name, isSilent: false, member, takesAnyLength })
  }

  /**
   * Resolves the members of all sections of an interface. Members of the base class of a system block come first in
   * Static.
   */
  membersOf(interfaceOf: readonly InterfaceSection[], place: Place, kind = ''): LinkedMember[] {
    const list: LinkedMember[] = []
    const seen = new Set<string>()
    const returned = kind === 'FC' ? interfaceOf.find(({ section }) => section === 'Return')?.members[0] : undefined
    // The name of a function with a value is the value in its body.
    if (returned && !/^void$/i.test(returned.dataType)) seen.add(place.object.toLowerCase())
    for (const { section, members, base } of interfaceOf) {
      if (section === 'Base') {
        for (const inner of base ?? []) this.#add(list, seen, inner.members, baseSection(inner.section), place, kind)
        continue
      }
      this.#add(list, seen, members, section, place, kind)
    }
    return list
  }

  #add(
    list: LinkedMember[],
    seen: Set<string>,
    members: readonly InterfaceMember[],
    section: Section,
    place: Place,
    kind: string,
  ): void {
    for (const one of members) {
      const key = one.name.toLowerCase()
      if (seen.has(key)) {
        const isOfFunction = kind === 'FC' && key === place.object.toLowerCase()
        this.#around.report(
          'duplicate-member',
          place.object,
          one.name,
          isOfFunction
            ? `"${one.name}" is the name of the function, and so its value.`
            : `"${one.name}" is declared twice.`,
          isOfFunction ? 'Give the member another name.' : 'Names of members differ in more than case.',
        )
        continue
      }
      seen.add(key)
      const member = this.#member(one, section, place, '', kind)
      const parts = assignedValues(one, isSystemText)
      if (parts.length > 0)
        this.#later.push(() => {
          const found: ElementValue[] = []
          for (const part of parts) {
            const steps = stepsOf(member.type, part)
            const value = this.valueOf(part.value, place.locals)
            const named = () => [member.name, ...part.names].join('.')
            if (typeof steps === 'string') {
              if (steps !== '') this.#around.report('start-value-path', place.object, named(), steps)
              continue
            }
            found.push({ path: steps.path, value })
            const fault = startValueFault(value, steps.type, (text) => text)
            if (fault !== undefined) this.#around.report('start-value', place.object, named(), startValueMessage(fault))
          }
          if (found.length > 0) member.parts = found
        })
      list.push(member)
    }
  }

  #member(one: InterfaceMember, section: Section, place: Place, above: string, kind: string): LinkedMember {
    const path = above === '' ? one.name : `${above}.${one.name}`
    const takesAnyLength =
      section === 'InOut' || (kind === 'FC' && (section === 'Input' || section === 'Output' || section === 'Return'))
    const use: Use = {
      place,
      section,
      path,
      isSilent: false,
      member: one,
      takesAnyLength: takesAnyLength && above === '',
    }
    const constant = one.startValueConstant
    const written = one.startValueIsBulk ? bulkValue(one.startValue ?? '') : one.startValue
    const startValue = constant === undefined ? written : (written ?? `"${constant}"`)
    const attribute = (wanted: string) => one.attributes.find(({ name }) => name === wanted)?.value
    const overlays = attribute('At')
    const member: LinkedMember = {
      name: one.name,
      type: waiting,
      section,
      ...(startValue === undefined ? {} : { startValue: this.valueOf(startValue, place.locals) }),
      isRetentive: one.remanence === 'Retain',
      ...(attribute('SetPoint')?.toLowerCase() === 'true' ? { isSetpoint: true } : {}),
      ...(overlays === undefined ? {} : { overlays: overlays.replace(/^#?"?|"$/g, '') }),
      comment: anyText(one.comment),
    }
    // An in-out is an address: a block may have one of its own type.
    if (section === 'InOut' && above === '' && this.#open.length > 0)
      this.#later.push(() => {
        member.type = this.#typeText(one.dataType, use)
      })
    else member.type = this.#typeText(one.dataType, use)
    // A technology object is passed by reference, whatever section its parameter is in.
    if (section === 'Input' && above === '' && isTechnologyObject(member.type)) member.section = 'InOut'
    return member
  }

  /** Returns a start value with the names of constants replaced by their values. */
  valueOf(text: string, locals: Constants): string {
    if (/^\s*[[(]/.test(text))
      return /[#"a-z_]/i.test(text) ? mapValueText(text, (one) => this.#constantOf(one, locals)) : text
    return this.#constantOf(text, locals)
  }

  #constantOf(text: string, locals: Constants): string {
    const [, quoted, plain] = /^#?(?:"([^"]+)"|([^\s"'#()[\],.+-][^\s"'#()[\],]*))$/.exec(text.trim()) ?? []
    const name = (quoted ?? plain)?.toLowerCase()
    if (name === undefined || (plain !== undefined && /^(\d|true$|false$)/i.test(plain))) return text
    return (locals.get(name) ?? this.#around.constants.get(name))?.value ?? text
  }

  #typeText(text: string, use: Use): Type {
    // A constant of a source may have no type: then its value gives the type.
    if (text.trim() === '' && use.section === 'Constant') {
      const read = literalOf(this.valueOf(use.member.startValue ?? '', use.place.locals))
      const type = 'kind' in read ? (read.type ?? ownType(read)) : undefined
      return type ?? { kind: 'unknown', text }
    }
    const syntax = parseTypeText(text)
    if (!isTypeFault(syntax)) return this.#resolve(syntax, text, use)
    this.#fault(
      'type-syntax',
      use,
      `"${text}" is no data type: in column ${syntax.column} ${syntax.message}.`,
      syntax.hint,
    )
    return { kind: 'unknown', text }
  }

  #fault(code: KnownCode, { isSilent, place, path }: Use, message: string, hint?: string): void {
    if (!isSilent) this.#around.report(code, place.object, path, message, hint)
  }

  #resolve(syntax: TypeSyntax, text: string, use: Use): Type {
    switch (syntax.kind) {
      case 'struct':
        return { kind: 'struct', isSystem: false, members: this.#structMembers(use) }
      case 'reference': {
        if (syntax.target.kind === 'reference') return this.#notAllowed(text, use, doubleReferenceRefusal(text))
        const reference = { kind: 'reference' as const, target: waiting as Type }
        this.#later.push(() => {
          reference.target = this.#resolve(syntax.target, text, { ...use, isPart: true })
        })
        return reference
      }
      case 'array': {
        const dimensions: Dimension[] = []
        for (const { low, high } of syntax.dimensions) {
          if (!low || !high) {
            dimensions.push({ low: undefined, high: undefined })
            continue
          }
          const dimension = { low: this.#limit(low, use), high: this.#limit(high, use) }
          if (dimension.low === undefined || dimension.high === undefined) return { kind: 'unknown', text }
          if (dimension.low > dimension.high) {
            this.#fault(
              'array-limits',
              use,
              `The lower limit ${dimension.low} is above the upper limit ${dimension.high}.`,
              `Write ${dimension.high}..${dimension.low}.`,
            )
            return { kind: 'unknown', text }
          }
          dimensions.push(dimension)
        }
        if (
          dimensions.some(({ low }) => low === undefined) &&
          use.section !== 'InOut' &&
          !use.takesAnyLength &&
          !use.isSilent
        )
          return this.#notAllowed(text, use, openArrayRefusal)
        const element = this.#resolve(syntax.element, text, { ...use, takesAnyLength: false, isPart: true })
        return element.kind === 'unknown' ? element : { kind: 'array', dimensions, element }
      }
      default:
        return this.#named(syntax, text, use)
    }
  }

  /** Reports that a type is not allowed where it is. */
  #notAllowed(text: string, use: Use, { message, hint }: TypeRefusal): Type {
    this.#fault('type-not-allowed', use, message, hint)
    return { kind: 'unknown', text }
  }

  /** Resolves the members of a `Struct`; the declaring member owns them. */
  #structMembers({ place, section, path, member }: Use): LinkedMember[] {
    const seen = new Set<string>()
    const list: LinkedMember[] = []
    for (const one of member.members) {
      const key = one.name.toLowerCase()
      if (seen.has(key))
        this.#around.report(
          'duplicate-member',
          place.object,
          `${path}.${one.name}`,
          `"${one.name}" is declared twice in "${path}".`,
          'Names of members differ in more than case.',
        )
      else list.push(this.#member(one, section === 'InOut' ? 'None' : innerSection(section), place, path, ''))
      seen.add(key)
    }
    return list
  }

  #named(syntax: Extract<TypeSyntax, { kind: 'name' }>, text: string, use: Use): Type {
    const { name, isQuoted } = syntax
    if (!isQuoted) {
      const simple = scalarNamed(name)
      if (simple) return simple
      const upper = name.toUpperCase()
      if (upper === 'STRING' || upper === 'WSTRING') return this.#string(syntax, upper === 'WSTRING', text, use)
      if (upper === 'DATE_AND_TIME' || upper === 'DT') return { kind: 'dateAndTime' }
      const unstored = unstoredTypes[upper]
      if (unstored) {
        const refusal = use.isSilent
          ? undefined
          : unstoredRefusal(unstored, use.section, use.isPart, use.place.isSystem)
        return refusal ? this.#notAllowed(text, use, refusal) : unstored
      }
    }
    // Technology objects of S7-1200 have other members than those of S7-1500: the copy in a file contains them.
    const copied = !isQuoted && isTechnologyName(name) ? this.#otherTechnologyObject(name, use) : undefined
    const system = isQuoted ? undefined : (copied ?? this.system(name))
    if (system) return system
    const own = this.#ownType(name, use)
    if (own) return own
    const late = isQuoted ? this.system(name) : undefined
    if (late) return late
    const copy = isQuoted ? undefined : this.#fromCopy(name, use)
    if (copy) return copy
    this.#unknown(name, isQuoted, use)
    return { kind: 'unknown', text }
  }

  #ownType(name: string, use: Use): Type | undefined {
    // A name in a namespace: its last part is the name of the object.
    const key = [name, name.slice(name.lastIndexOf('.') + 1)]
      .map((one) => one.toLowerCase())
      .find((one) => this.#around.declared.has(one))
    if (key === undefined) return undefined
    const declared = this.#around.declared.get(key) as DeclaredType
    const from = this.#open.indexOf(key)
    if (from >= 0) {
      const way = [...this.#open.slice(from), key].map((one) => `"${this.#around.declared.get(one)?.name ?? one}"`)
      this.#fault(
        'recursive-type',
        use,
        `A type cannot contain itself: ${way.join(' -> ')}.`,
        'Take a reference (REF_TO), or an in-out parameter, in one of them.',
      )
      return { kind: 'unknown', text: name }
    }
    if (this.#open.length >= deepest) {
      this.#fault('type-too-deep', use, `Types are nested deeper than ${deepest} levels.`, 'Flatten the data types.')
      return { kind: 'unknown', text: name }
    }
    const refusal = declared.kind === 'FB' && !use.isSilent ? instanceRefusal(declared.name, use.section) : undefined
    if (refusal) return this.#notAllowed(name, use, refusal)
    return this.declared(key) ?? { kind: 'unknown', text: name }
  }

  /** Returns the system type of this name; each is one object per program. */
  system(name: string): StructType | InstanceType | undefined {
    const known = systemTypeNamed(name, this.#around.hasAxisOf1200())
    if (!known) return undefined
    const before = this.#system.get(known.name)
    if (before) return before
    const members = known.members.map((one) => this.systemMember(one))
    const type: StructType | InstanceType = { kind: known.kind, name: known.name, isSystem: true, members }
    this.#system.set(known.name, type)
    return type
  }

  /** Resolves a member of the table of system types. */
  systemMember({ dataType, isHidden, isJoined, ...one }: SystemMember): LinkedMember {
    return {
      ...one,
      type: this.#silentType(dataType),
      isRetentive: false,
      comment: '',
      ...(isHidden ? { isHidden } : {}),
      ...(isJoined ? { isJoined } : {}),
    }
  }

  /**
   * The type of a technology object that differs from the one in the table. Each name has one type in a program: the
   * first use decides.
   */
  #otherTechnologyObject(name: string, use: Use): Type | undefined {
    const before = this.#system.get(`copy ${name.toLowerCase()}`)
    const known = systemTypeNamed(name, this.#around.hasAxisOf1200())
    if (before || (known && (known.isOf1200 || this.#system.has(known.name)))) return before
    return !known || isOfOtherFamily(use.member.sections ?? []) ? this.#fromCopy(name, use) : undefined
  }

  /** A library type that is missing in the table, made from the copy of its members in the file. */
  #fromCopy(name: string, use: Use): Type | undefined {
    const { sections = [] } = use.member
    if (!sections.some(({ members, base }) => members.length > 0 || base !== undefined)) return undefined
    const before = this.#system.get(`copy ${name.toLowerCase()}`)
    if (before) return before
    const place = { object: use.place.object, locals: noLocals, isSystem: true }
    const list = this.membersOf(sections, place)
    const isStructure = isTechnologyName(name) || sections.every(({ section }) => section === 'None')
    const type: StructType | InstanceType = isStructure
      ? { kind: 'struct', name, isSystem: true, members: list }
      : { kind: 'instance', name, isSystem: true, members: list.filter(({ section }) => isData(section)) }
    this.#system.set(`copy ${name.toLowerCase()}`, type)
    return type
  }

  #unknown(name: string, isQuoted: boolean, use: Use): void {
    if (use.isSilent) return
    // Thousands of places may name the same missing type.
    let close = this.#nearest.get(name)
    if (close === undefined) {
      const names = [...this.#around.declared.values()].map((one) => one.name)
      close = nearest(name, names) ?? ''
      this.#nearest.set(name, close)
    }
    this.#fault(
      'unknown-type',
      use,
      isQuoted
        ? `There is no PLC data type or function block "${name}" in the program.`
        : `There is no data type ${name}.`,
      close === '' ? `Add "${name}" to the program, or correct the name.` : `Did you mean "${close}"?`,
    )
  }

  #string({ length }: Extract<TypeSyntax, { kind: 'name' }>, isWide: boolean, text: string, use: Use): Type {
    if (length === undefined) return { kind: 'string', isWide, length: use.takesAnyLength ? -1 : 254 }
    const characters = this.#limit(length, use)
    if (characters === undefined) return { kind: 'unknown', text }
    const longest = isWide ? 16_382 : 254
    if (characters >= 0 && characters <= longest) return { kind: 'string', isWide, length: characters }
    this.#fault(
      'array-limits',
      use,
      `A ${isWide ? 'WString' : 'String'} has room for 0 to ${longest} characters, not for ${characters}.`,
      `Write ${isWide ? 'WString' : 'String'}[${longest}].`,
    )
    return { kind: 'unknown', text }
  }

  #limit(limit: LimitSyntax, use: Use): number | undefined {
    if (limit.kind === 'number') return this.#inRange(limit.value, String(limit.value), use)
    const key = limit.name.toLowerCase()
    const local = limit.scope === 'global' ? undefined : use.place.locals.get(key)
    let constant = local ?? (limit.scope === 'local' ? undefined : this.#around.constants.get(key))
    // The value of a constant may be the name of another constant.
    for (let i = 0; constant && i < 8; i++) {
      const read = literalOf(constant.value)
      if ('kind' in read) {
        const value = wholeNumber(read)
        if (value !== undefined) return this.#inRange(Number(value), limit.name, use)
        break
      }
      const value = this.valueOf(constant.value, use.place.locals)
      if (value === constant.value) break
      constant = { name: limit.name, value }
    }
    this.#fault(
      'unknown-constant',
      use,
      constant
        ? `The constant "${limit.name}" has the value ${constant.value}: a limit is a whole number.`
        : `There is no constant "${limit.name}".`,
      constant ? undefined : 'Declare it as a user constant, or in the section Constant of the block.',
    )
    return undefined
  }

  #inRange(value: number, text: string, use: Use): number | undefined {
    if (value >= least && value <= most) return value
    this.#fault('array-limits', use, `${text} is no limit: limits are ${least} to ${most}.`)
    return undefined
  }
}
