/**
 * Links the documents of a controller to a program: follows every name of a declaration, gives numbers and puts start
 * values in place.
 */

import { defined } from '../../lib/optional.ts'
import { codeOf, type KnownCode } from '../diagnostics/codes.ts'
import { sourceAssignments } from '../formats/source/assignments.ts'
import type { AssignedValue } from '../model/assigned-value.ts'
import { classOf } from '../model/event-classes.ts'
import { anyText } from '../model/multilingual-text.ts'
import { namespaceOf } from '../model/namespace.ts'
import type { ConstantEntry, ImportedObject, TagEntry } from '../model/object.ts'
import { readAddress } from './absolute-address.ts'
import { type CpuFamily, familyOfTypes } from './cpu-family.ts'
import { type DeclaredType, isData, localConstants, type Place, startValueMessage } from './declarations.ts'
import { extentOf } from './layout.ts'
import { areaFault } from './memory-areas.ts'
import { giveNumbers, numberKey } from './numbers.ts'
import { declaredSchedule, hasClassicInformation } from './organization-blocks.ts'
import {
  blockNamed,
  type Diagnostic,
  type Program,
  type ProgramBlock,
  type ProgramConstant,
  type ProgramTag,
} from './program.ts'
import { accessOf, blockFacts } from './program-block.ts'
import { assignedValues, startValueFault, stepsOf } from './start-values.ts'
import { startInformationOf } from './system-types.ts'
import { isAxisOf1200 } from './technology-objects-1200.ts'
import type { Access, ElementValue, InstanceType, Member, StructType, Type } from './type.ts'
import { isTechnologyName } from './type-questions.ts'
import { TypeResolver } from './type-resolver.ts'

/** A block, PLC data type or tag table of the controller. */
export interface LinkDocument {
  readonly object: ImportedObject
  /** Content hash of the document, the key of its compiled code. */
  readonly document?: string
  /** Its number in the controller, when that is not the number in the document. */
  readonly number?: number
}

/** Rows of a tag table. */
export interface LinkTagTable {
  readonly name: string
  readonly tags: readonly (Pick<TagEntry, 'name' | 'dataType' | 'logicalAddress'> &
    Partial<Pick<TagEntry, 'comment'>>)[]
  readonly constants: readonly Pick<ConstantEntry, 'name' | 'dataType' | 'value'>[]
  /** Its constants are made by the system (`OB_Main`, hardware identifiers): any other object may have the name. */
  readonly isSystem?: boolean
}

/**
 * Largest data of a block in bytes: 64 KiB with standard access, 16 MiB with optimized access (programming guideline
 * 81318674).
 */
const mostBytes: Readonly<Record<Access, number>> = { standard: 65_536, optimized: 16_777_216 }

/**
 * Links a program. Faults of documents never throw: they are in `diagnostics`, and the rest is linked anyway.
 * @param family of the CPU; default: what the declarations speak for
 */
export function linkProgram(
  documents: readonly LinkDocument[],
  tagTables: readonly LinkTagTable[] = [],
  family?: CpuFamily,
): Program {
  return new Linker(documents, tagTables, family).link()
}

type CodeKind = ProgramBlock['kind']

interface Named {
  readonly name: string
  /** For messages: `FB`, `tag of "Default tag table"`. */
  readonly what: string
}

class Linker {
  readonly #documents: readonly LinkDocument[]
  readonly #family: CpuFamily | undefined
  readonly #tables: readonly LinkTagTable[]
  readonly #diagnostics: Diagnostic[] = []
  readonly #reported = new Set<string>()
  readonly #names = new Map<string, Named>()
  readonly #declared = new Map<string, DeclaredType>()
  /** Types in namespaces by whole name, `ns.Type`. */
  readonly #inNamespaces = new Map<string, DeclaredType>()
  readonly #constants = new Map<string, ProgramConstant>()
  readonly #resolver: TypeResolver
  readonly #blocks = new Map<string, ProgramBlock>()
  readonly #objects: LinkDocument[] = []
  #hasAxisOf1200 = false

  constructor(documents: readonly LinkDocument[], tagTables: readonly LinkTagTable[], family: CpuFamily | undefined) {
    this.#documents = documents
    this.#family = family
    this.#tables = [
      ...tagTables,
      ...documents.flatMap(({ object: { kind, name, tags = [], constants = [] } }) =>
        kind === 'TagTable' ? [{ name, tags, constants }] : [],
      ),
    ]
    this.#resolver = new TypeResolver({
      declared: this.#declared,
      constants: this.#constants,
      hasAxisOf1200: () => this.#hasAxisOf1200,
      report: (code, object, member, message, hint) => this.#report(code, object, member, message, hint),
    })
  }

  link(): Program {
    this.#index()
    const tags = this.#linkTags()
    for (const { constants } of this.#tables.filter(({ isSystem }) => isSystem))
      for (const { name, dataType, value } of constants)
        if (!this.#names.has(name.toLowerCase())) this.#addConstant(name, dataType, value)
    const numbers = giveNumbers(
      this.#objects.filter(({ object }) => isBlock(object.kind)),
      (code, object, member, message, hint) => this.#report(code, object, member, message, hint),
    )
    const fbs: LinkDocument[] = []
    const types = new Map<string, StructType>()
    for (const one of this.#objects)
      if (one.object.kind === 'UDT') {
        const type = this.#resolver.declared(one.object.name)
        if (type?.kind === 'struct') types.set(one.object.name.toLowerCase(), type)
      } else if (one.object.kind === 'FB') fbs.push(one)
    for (const one of this.#objects)
      if (isBlock(one.object.kind) && !one.object.kind.endsWith('DB'))
        this.#addBlock(one, this.#codeBlock(one, numbers))
    for (const one of this.#objects)
      if (isBlock(one.object.kind) && one.object.kind.endsWith('DB')) this.#addBlock(one, this.#dataBlock(one, numbers))
    this.#resolver.finish()
    for (const type of types.values()) this.#checkMembers(type.members, type.name ?? '', 'standard')
    for (const block of this.#blocks.values()) this.#checkBlock(block)
    const byNumber = new Map<string, ProgramBlock>()
    for (const block of this.#blocks.values()) {
      const key = numberKey(block.kind, block.number)
      if (!byNumber.has(key)) byNumber.set(key, block)
    }
    return {
      blocks: this.#blocks,
      types,
      tags,
      constants: this.#constants,
      byNumber,
      family: this.#family ?? this.#familyOfTypes(),
      isFamilyKnown: this.#family !== undefined,
      diagnostics: this.#diagnostics,
      typeOf: (text, members) => this.#resolver.typeOf(text, members),
    }
  }

  #familyOfTypes(): CpuFamily {
    const types = this.#tables.flatMap(({ tags }) => tags.map(({ dataType }) => dataType))
    return familyOfTypes(
      this.#documents.map(({ object }) => object),
      types,
    )
  }

  #report(code: KnownCode, object: string, member: string | undefined, message: string, hint?: string): void {
    // The same element can be reported twice: in a member and in the assignments of the source.
    const key = `${code}\n${object}\n${member}\n${message}`
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    this.#diagnostics.push({
      code,
      severity: codeOf(code).severity,
      object,
      ...defined({ member }),
      message,
      ...defined({ hint }),
    })
  }

  /** Reserves a name. Blocks, types, tags and constants share their names; the first one keeps it. */
  #take(name: string, what: string): boolean {
    const key = name.toLowerCase()
    const before = this.#names.get(key)
    if (!before) {
      this.#names.set(key, { name, what })
      return true
    }
    this.#report(
      'duplicate-name',
      name,
      undefined,
      `The name "${name}" (${what}) is taken by "${before.name}" (${before.what}).`,
      'Blocks, PLC data types, tags and constants of a controller share their names.',
    )
    return false
  }

  #index(): void {
    for (const one of this.#documents) {
      const { object } = one
      if (object.kind !== 'UDT' && !isBlock(object.kind)) continue
      if (!this.#take(object.name, object.kind)) continue
      this.#objects.push(one)
      if (isTechnologyName(object.instanceOf ?? '') && isAxisOf1200(object.interface)) this.#hasAxisOf1200 = true
      if (object.kind === 'UDT' || object.kind === 'FB') {
        const declared: DeclaredType = {
          kind: object.kind as 'FB' | 'UDT',
          name: object.name,
          interface: object.interface,
          ...(object.kind === 'FB' ? { access: accessOf(object) } : {}),
        }
        this.#declared.set(object.name.toLowerCase(), declared)
        const namespace = namespaceOf(object)
        if (namespace !== '') this.#inNamespaces.set(`${namespace}.${object.name}`.toLowerCase(), declared)
      }
    }
    // Sources of classic programs name types by number: `FB10`, `UDT5`.
    for (const { object, number = object.number } of this.#objects) {
      const key = `${object.kind}${number}`.toLowerCase()
      const declared = this.#declared.get(object.name.toLowerCase())
      if (number !== undefined && declared && !this.#names.has(key)) this.#declared.set(key, declared)
    }
    for (const { name: table, constants, isSystem } of this.#tables)
      for (const { name, dataType, value } of isSystem === true ? [] : constants)
        if (this.#take(name, `constant of "${table}"`)) this.#addConstant(name, dataType, value)
  }

  #addConstant(name: string, dataType: string, value: string): void {
    const type = this.#resolver.typeOf(dataType)
    this.#constants.set(name.toLowerCase(), { name, type, value })
    if (type.kind === 'unknown')
      this.#report('unknown-type', name, undefined, `There is no data type ${dataType} for the constant "${name}".`)
    else {
      const fault = startValueFault(value, type, (text) => text)
      if (fault !== undefined)
        this.#report(
          'start-value',
          name,
          undefined,
          `The value of the constant does not fit its type ${dataType}: ${fault}.`,
        )
    }
  }

  #linkTags(): Map<string, ProgramTag> {
    const tags = new Map<string, ProgramTag>()
    for (const { name: table, tags: rows } of this.#tables)
      for (const { name, dataType, logicalAddress, comment = {} } of rows) {
        if (!this.#take(name, `tag of "${table}"`)) continue
        const place: Place = { object: table, locals: new Map() }
        const type = this.#resolver.typeIn(dataType, place, memberOf(name, dataType), 'Static')
        const address = readAddress(logicalAddress.replace(/\s+/g, ''))
        if (!address && logicalAddress.trim() !== '')
          this.#report(
            'tag-address',
            table,
            name,
            `"${logicalAddress}" is no address.`,
            'Addresses are written %I0.0, %QB4, %MW10, %MD20.',
          )
        const fault = address && areaFault(address)
        if (fault !== undefined) this.#report('tag-address', table, name, `"${logicalAddress}" ${fault}.`)
        tags.set(name.toLowerCase(), { name, type, ...(address ? { address } : {}), comment: anyText(comment), table })
      }
    return tags
  }

  #addBlock({ object }: LinkDocument, block: ProgramBlock): void {
    this.#blocks.set(object.name.toLowerCase(), block)
  }

  #codeBlock({ object, document = '' }: LinkDocument, numbers: ReadonlyMap<ImportedObject, number>): ProgramBlock {
    const { name, kind } = object
    const number = numbers.get(object) ?? 0
    const place: Place = { object: name, locals: localConstants(object.interface) }
    const eventClass = kind === 'OB' ? (object.secondaryType ?? classOf(number)) : undefined
    let members: readonly Member[]
    let type: InstanceType | undefined
    if (kind === 'FB') {
      const declared = this.#resolver.declared(name)
      type = declared?.kind === 'instance' ? declared : undefined
      members = this.#resolver.membersOfBlock(name) ?? []
    } else {
      members = this.#resolver.membersOf(object.interface, place, kind)
      const isTold =
        members.some(({ section }) => section === 'Input') || hasClassicInformation(members, accessOf(object))
      if (eventClass !== undefined && !isTold)
        members = [...startInformationOf(eventClass).map((one) => this.#resolver.systemMember(one)), ...members]
    }
    const returned = members.find(({ section }) => section === 'Return')
    return {
      ...blockFacts(object, number, document),
      kind: kind as CodeKind,
      access: accessOf(object),
      members,
      ...(type ? { type } : {}),
      ...(kind === 'FC' ? { returnType: returned?.type ?? { kind: 'void' } } : {}),
      ...(eventClass === undefined ? {} : { eventClass, schedule: declaredSchedule(object) }),
    }
  }

  #dataBlock({ object, document = '' }: LinkDocument, numbers: ReadonlyMap<ImportedObject, number>): ProgramBlock {
    const { name } = object
    const kind = object.kind as CodeKind
    const rest = blockFacts(object, numbers.get(object) ?? 0, document)
    const isRetained = object.attributes.some(
      ({ name: attribute, value }) => attribute === 'RETAIN' && /^true$/i.test(value),
    )
    if (kind === 'InstanceDB' && object.instanceOf !== undefined) return this.#instance(object, rest, isRetained)
    const place: Place = { object: name, locals: new Map() }
    const members = this.#resolver.membersOf(object.interface, place)
    if (isRetained) for (const member of members) member.isRetentive = true
    const [only] = members
    const type: Type =
      kind === 'ArrayDB' ? (only?.type ?? { kind: 'unknown', text: '' }) : { kind: 'struct', isSystem: false, members }
    const block = { ...rest, kind, access: accessOf(object), members, type }
    if (kind !== 'ArrayDB' || object.format === 'source') return { ...block, ...this.#assignments(object, type) }
    // The array is the data block itself; the member with its values is only in the file.
    this.#resolver.finish()
    return { ...block, ...defined({ startValues: only?.parts }) }
  }

  /** Links an instance DB of an FB, a PLC data type or a system type. The FB determines the access of its instances. */
  #instance(object: ImportedObject, rest: ReturnType<typeof blockFacts>, isRetained: boolean): ProgramBlock {
    // Exports of some system blocks use another name (`HSC`) than the library does.
    const library = object.attributes.find(({ name }) => name === 'OfSystemLibElement')?.value ?? ''
    const isKnown = (name: string) =>
      this.#declaredType(name) !== undefined || this.#resolver.system(name) !== undefined
    const named = object.instanceOf ?? ''
    const of = !isKnown(named) && isKnown(library) ? library : named
    const declared = this.#declaredType(of)
    const type = declared ?? this.#resolver.system(of) ?? this.#ownCopy(object)
    const fb = blockNamed({ blocks: this.#blocks }, of)
    const access = fb?.kind === 'FB' ? fb.access : accessOf(object)
    const isLibrary = object.attributes.some((one) => one.name === 'OfSystemLibElement')
    if (!declared && !this.#resolver.system(of) && !isLibrary)
      this.#report(
        'instance-of-unknown',
        object.name,
        undefined,
        `"${object.name}" is an instance of "${of}", which is not in the program.`,
        `Add the block or PLC data type "${of}".`,
      )
    const own = new Map(
      object.interface.flatMap(({ members }) => members.map((member) => [member.name.toLowerCase(), member])),
    )
    const source = fb?.kind === 'FB' ? fb.members.filter(({ section }) => isData(section)) : (type?.members ?? [])
    const members = source.map((member): Member => {
      const isRetentive = isRetained || member.isRetentive || own.get(member.name.toLowerCase())?.remanence === 'Retain'
      return isRetentive === member.isRetentive ? member : { ...member, isRetentive }
    })
    return {
      ...rest,
      kind: 'InstanceDB',
      access,
      members,
      type: type ?? { kind: 'unknown', text: of },
      instanceOf: type?.name ?? of,
      ...(type ? this.#assignments(object, type) : {}),
    }
  }

  #declaredType(name: string): StructType | InstanceType | undefined {
    const declared = this.#declared.get(name.toLowerCase()) ?? this.#inNamespaces.get(name.toLowerCase())
    return declared && this.#resolver.declared(declared.name)
  }

  /** The data of an instance whose block is missing, as the file contains them. */
  #ownCopy(object: ImportedObject): StructType | InstanceType | undefined {
    if (object.interface.every(({ members }) => members.length === 0)) return undefined
    const members = this.#resolver.membersOf(object.interface, { object: object.name, locals: new Map() })
    const name = object.instanceOf ?? object.name
    return object.interface.some(({ section }) => section === 'Input')
      ? { kind: 'instance', name, isSystem: false, members: members.filter(({ section }) => isData(section)) }
      : { kind: 'struct', name, isSystem: false, members }
  }

  /** Start values of the data block itself. They are resolved when all types are known. */
  #assignments(object: ImportedObject, type: Type): { startValues?: readonly ElementValue[] } {
    const raw: AssignedValue[] = []
    if (object.kind === 'InstanceDB' && object.format !== 'source')
      for (const { members } of object.interface)
        for (const member of members) {
          if (member.startValue !== undefined && !member.startValueIsInformative)
            raw.push({ names: [member.name], indices: [], value: member.startValue })
          for (const part of assignedValues(member, () => false, true))
            raw.push({ ...part, names: [member.name, ...part.names] })
        }
    if (object.format === 'source' && object.text !== undefined) raw.push(...sourceAssignments(object.text))
    if (raw.length === 0) return {}
    this.#resolver.finish()
    const found: ElementValue[] = []
    for (const part of raw) {
      const steps = stepsOf(type, part)
      const value = this.#resolver.valueOf(part.value, new Map())
      if (typeof steps === 'string') {
        if (steps !== '') this.#report('start-value-path', object.name, part.names.join('.'), steps)
        continue
      }
      found.push({ path: steps.path, value })
      const fault = startValueFault(value, steps.type, (text) => text)
      if (fault !== undefined) this.#report('start-value', object.name, part.names.join('.'), startValueMessage(fault))
    }
    return found.length === 0 ? {} : { startValues: found }
  }

  #checkBlock(block: ProgramBlock): void {
    const { type, access, members, name, kind } = block
    if (kind !== 'InstanceDB') this.#checkMembers(members, name, access)
    if (!type) return
    const { size } = extentOf(type, access)
    if (size > mostBytes[access])
      this.#report(
        'block-too-large',
        name,
        undefined,
        `The data take ${size} bytes; a block with ${access} access has room for ${mostBytes[access]}.`,
        access === 'standard' ? 'Switch optimized access on, or split the block.' : 'Split the block.',
      )
  }

  #checkMembers(members: readonly Member[], object: string, access: Access, above = ''): void {
    const byName = new Map<string, Member>()
    for (const member of members) {
      const path = above === '' ? member.name : `${above}.${member.name}`
      byName.set(member.name.toLowerCase(), member)
      if (member.overlays !== undefined)
        this.#checkOverlay(member, byName.get(member.overlays.toLowerCase()), object, path)
      if (member.section === 'Temp' && member.startValue?.trim()) this.#temporaryValue(member, object, path)
      if (member.startValue !== undefined) this.#checkValue(member.startValue, member.type, object, path)
      const inner = innermost(member.type)
      if (inner.kind === 'struct' && inner.name === undefined) this.#checkMembers(inner.members, object, access, path)
    }
  }

  /** Checks the start value of a temporary. A scalar is assigned at every call; other types have no start value. */
  #temporaryValue({ name, type, startValue = '' }: Member, object: string, path: string): void {
    if (type.kind === 'scalar')
      this.#report(
        'temporary-start-value',
        object,
        path,
        `"${name}" is temporary: its start value ${startValue} is assigned at every call.`,
        'Assign it in the block, or declare it in Static or Constant.',
      )
    else
      this.#report(
        'start-value',
        object,
        path,
        startValueMessage(`"${name}" is temporary and no single value`),
        'Assign its parts in the block, or declare it in Static.',
      )
  }

  #checkOverlay(member: Member, base: Member | undefined, object: string, path: string): void {
    if (!base || base === member || base.section !== member.section) {
      this.#report(
        'overlay-unknown',
        object,
        path,
        `"${member.overlays}", whose memory "${member.name}" is to share (AT), is not declared before it in the same section.`,
        'Declare the overlaid member directly before the overlay.',
      )
      return
    }
    if (base.type.kind === 'unknown' || member.type.kind === 'unknown') return
    const [size, room] = [extentOf(member.type, 'standard').size, extentOf(base.type, 'standard').size]
    if (size > room)
      this.#report(
        'overlay-too-large',
        object,
        path,
        `"${member.name}" takes ${size} bytes, "${base.name}", whose memory it shares, has ${room}.`,
        'An overlay (AT) is not larger than what it overlays.',
      )
  }

  #checkValue(text: string, type: Type, object: string, path: string): void {
    const fault = startValueFault(text, type, (name) => this.#resolver.valueOf(name, new Map()))
    if (fault !== undefined) this.#report('start-value', object, path, startValueMessage(fault))
  }
}

function isBlock(kind: string): boolean {
  return (
    kind === 'OB' ||
    kind === 'FB' ||
    kind === 'FC' ||
    kind === 'GlobalDB' ||
    kind === 'InstanceDB' ||
    kind === 'ArrayDB'
  )
}

function memberOf(name: string, dataType: string) {
  return { name, dataType, comment: {}, attributes: [], members: [] }
}

function innermost(type: Type): Type {
  let at = type
  while (at.kind === 'array') at = at.element
  return at
}
