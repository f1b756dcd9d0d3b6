/** Writes program objects as SIMATIC SD: `.s7dcl` and the texts for `.s7res` (docs/formats.md#simatic-sd). */

import { createHash } from 'node:crypto'
import { FormatError } from '../../model/fault.ts'
import { anyText, type MultilingualText } from '../../model/multilingual-text.ts'
import { quoted } from '../../model/names.ts'
import type { ImportedObject, InterfaceMember, InterfaceSection, Network, SectionName } from '../../model/object.ts'
import { pragmaOfAttributes } from '../source/attribute-names.ts'
import { elementPlace, type PlaceStep } from '../source/element-place.ts'
import { declaredEvent } from '../source/event-class.ts'
import { eventLine, needsEventLine } from '../source/event-line.ts'
import { spreadArrayValue } from '../source/initial-values.ts'
import { lossesOf } from '../source/losses.ts'
import { storedAttributes } from './block-attributes.ts'
import { isSameLogic, logicLosses } from './compare.ts'
import { type Exposure, exposed, isSetPointByDefault } from './members.ts'
import { sdName, typeToSd } from './names.ts'
import { withOwnNames } from './own-names.ts'
import type { ProgramAround } from './program.ts'
import { readSd } from './read.ts'
import { NotExpressible, pragmaText, writeRungs } from './rung-write.ts'
import { textIdsOf } from './text-ids.ts'

export interface SdWriteOptions {
  /** Ids of texts by their place, as `readSd` returns them; by default those in the document. Others get new ids. */
  readonly textIds?: ReadonlyMap<string, string>
  /** As for `readSd`: the written text is read again with it. */
  readonly program?: ProgramAround
}

export interface WrittenSd {
  /** Content of the `.s7dcl` file, without byte order mark. */
  readonly content: string
  /** Texts of the `.s7res` file; when empty, there is no such file. */
  readonly resources: ReadonlyMap<string, MultilingualText>
  /** What the format cannot express and the text leaves out. */
  readonly warnings: readonly string[]
}

const keywords: Readonly<Record<string, string>> = {
  FB: 'FUNCTION_BLOCK',
  FC: 'FUNCTION',
  OB: 'ORGANIZATION_BLOCK',
  GlobalDB: 'DATA_BLOCK',
  InstanceDB: 'DATA_BLOCK',
  ArrayDB: 'DATA_BLOCK',
  UDT: 'TYPE',
}

/**
 * Writes a block or type.
 * @throws FormatError code `unsupported` naming what the format cannot express at all: other kinds of objects, STL and
 *   GRAPH networks, networks it has no form for
 */
export function writeSd(object: ImportedObject, options: SdWriteOptions = {}): WrittenSd {
  const keyword = keywords[object.kind]
  if (keyword === undefined)
    throw unsupported(
      object,
      `objects of kind ${object.kind} have no form in SIMATIC SD; blocks, data blocks and types have one`,
    )
  if (object.element.startsWith('SW.TechnologicalObjects.'))
    throw unsupported(object, 'technology objects have no form in SIMATIC SD')
  if (object.isKnowHowProtected) throw unsupported(object, 'know-how protected blocks have no form in SIMATIC SD')
  return new SdWriter(object, keyword, options).write()
}

function unsupported(object: ImportedObject, message: string): FormatError {
  return new FormatError([{ code: 'unsupported', message, line: 1, column: 1, path: object.name }])
}

class SdWriter {
  readonly #object: ImportedObject
  readonly #keyword: string
  readonly #options: SdWriteOptions
  readonly #textIds: ReadonlyMap<string, string>
  /** Ids that new texts may not have. */
  readonly #takenIds: ReadonlySet<string>
  readonly #warnings: string[] = []
  readonly #resources = new Map<string, MultilingualText>()
  readonly #lines: string[] = []
  /** Values after the sections, with their texts. */
  readonly #values: string[] = []

  constructor(object: ImportedObject, keyword: string, options: SdWriteOptions) {
    this.#object = object
    this.#keyword = keyword
    this.#options = options
    this.#textIds = options.textIds ?? textIdsOf(object.xml ?? '')
    this.#takenIds = new Set(this.#textIds.values())
  }

  write(): WrittenSd {
    const object = this.#object
    if (object.kind === 'UDT') this.#type()
    else {
      const entries = this.#headerEntries()
      if (object.kind === 'OB') this.#eventLine(entries.some(([name]) => name === 'S7_BlockNumber'))
      this.#pragma(entries, '')
      this.#lines.push(this.#headLine())
      if (object.kind === 'ArrayDB') this.#arrayValues()
      else this.#sections()
      if (this.#values.length > 0) this.#lines.push('', ...this.#values)
      const isCode = object.kind === 'FB' || object.kind === 'FC' || object.kind === 'OB'
      if (isCode) for (const network of object.networks) this.#network(network)
    }
    this.#lines.push(`END_${this.#keyword}`, '')
    const content = this.#lines.join('\n')
    this.#check(content)
    return { content, resources: this.#resources, warnings: [...new Set(this.#warnings)] }
  }

  #warn(message: string): void {
    this.#warnings.push(message)
  }

  /** Id of a text; `undefined` when it is empty in every culture. */
  #textId(text: MultilingualText, place: string): string | undefined {
    const filled = Object.fromEntries(Object.entries(text).filter(([, value]) => value !== ''))
    const given = this.#textIds.get(place)
    if (Object.keys(filled).length === 0) {
      if (given !== undefined) this.#resources.set(given, {})
      return given
    }
    const id = given ?? this.#newId(place)
    this.#resources.set(id, filled)
    return id
  }

  /** Makes an id like TIA Portal's; the same place of the same block gets the same id. */
  #newId(place: string): string {
    for (let salt = 0; ; salt++) {
      const hash = createHash('sha256').update(`${this.#object.name}\n${place}\n${salt}`).digest()
      let number = hash.readUInt32BE(0) % 58 ** 4
      let id = ''
      do {
        id = `${base58[number % 58] as string}${id}`
        number = Math.floor(number / 58)
      } while (number > 0)
      if (!this.#resources.has(`MLC_${id}`) && !this.#takenIds.has(`MLC_${id}`)) return `MLC_${id}`
    }
  }

  #headerEntries(): [string, string][] {
    const { kind, number, language, author, family, version, memoryLayout, title, comment, networks } = this.#object
    const entries: [string, string][] = []
    const add = (name: string, value: string | undefined): void => {
      if (value !== undefined && value !== '') entries.push([name, value])
    }
    const attribute = (name: string) => this.#object.attributes.find((entry) => entry.name === name)?.value
    add('S7_BlockTitle', this.#textId(title, 'block.title'))
    add('S7_BlockComment', this.#textId(comment, 'block.comment'))
    add('S7_Author', author)
    add('S7_Family', family)
    if (kind === 'UDT') {
      if (version !== '' && version !== '0.1') add('S7_Version', version)
      return entries.sort(byName)
    }
    const isAutomatic =
      attribute('AutoNumber') === 'true' || (attribute('AutoNumber') === undefined && this.#object.xml !== undefined)
    if (number !== undefined && !isAutomatic) add('S7_BlockNumber', String(number))
    add('S7_Optimized', memoryLayout === 'Standard' ? 'FALSE' : 'TRUE')
    add('S7_Version', version === '' ? '0.1' : version)
    if (attribute('IsIECCheckEnabled') === 'true') add('S7_IECCheck', 'TRUE')
    entries.push(...pragmaOfAttributes(this.#object))
    if (kind === 'FB' || kind === 'FC' || kind === 'OB') {
      const plain = language.replace(/^F_/, '')
      if (plain !== language) add('S7_Safety', 'TRUE')
      if (!sdLanguages.has(plain) && networks.length > 0)
        throw unsupported(this.#object, `the block is written in ${language}; SIMATIC SD has LAD, FBD and SCL`)
      add(plain === 'SCL' ? 'S7_EditorMode' : 'S7_PreferredLanguage', plain)
    } else add('S7_StandardRetain', this.#isRetained() ? 'TRUE' : 'FALSE')
    return entries.sort(byName)
  }

  /** Whether the whole block is retentive. Data blocks of a type have no sections that could express it. */
  #isRetained(): boolean {
    const { kind } = this.#object
    if (kind !== 'InstanceDB' && kind !== 'ArrayDB') return false
    const members = this.#object.interface.flatMap(({ section, members: list }) =>
      section === 'Static' || section === 'None' ? list : [],
    )
    return members.length > 0 && members.every(({ remanence }) => remanence === 'Retain')
  }

  /**
   * The format has no word for the event of an organization block; its number, when written, and its name show some.
   */
  #eventLine(isNumberWritten: boolean): void {
    const { name, number: own, title, interface: sections } = this.#object
    const number = isNumberWritten ? own : undefined
    const told = {
      ...declaredEvent({ name, number, title: anyText(title), sections, line: undefined }),
      attributes: [],
    }
    if (needsEventLine(told, this.#object)) this.#lines.push(eventLine(this.#object))
  }

  #pragma(entries: readonly (readonly [string, string])[], indent: string): void {
    this.#lines.push(...pragmaLines(entries, indent))
  }

  #headLine(): string {
    const { kind, name, instanceOf } = this.#object
    switch (kind) {
      case 'FC': {
        const result =
          this.#object.interface.find(({ section }) => section === 'Return')?.members[0]?.dataType ?? 'Void'
        return `FUNCTION ${quoted(name)} : ${typeToSd(result)}`
      }
      case 'InstanceDB':
        return `DATA_BLOCK ${sdName(name)} : ${sdName(instanceOf ?? '')}`
      case 'ArrayDB':
        return `DATA_BLOCK ${sdName(name)} : ${typeToSd(this.#arrayMember()?.dataType ?? '')}`
      case 'GlobalDB':
        return `DATA_BLOCK ${sdName(name)}`
      default:
        return `${this.#keyword} ${quoted(name)}`
    }
  }

  #type(): void {
    const members = this.#object.interface.flatMap((section) => section.members)
    this.#lines.push('TYPE')
    this.#pragma(this.#headerEntries(), '    ')
    this.#lines.push(`    ${sdName(this.#object.name)} : STRUCT`)
    for (const member of members) this.#member(member, 'None', exposed, '        ', member.name)
    this.#lines.push('    END_STRUCT;')
    if (this.#values.length === 0) return
    this.#lines.push(...this.#values)
    this.#warn(
      'values and comments of elements stand behind the structure; whether TIA Portal reads them there is not known',
    )
  }

  #sections(): void {
    const { kind } = this.#object
    let isFirst = true
    for (const { section, members } of inOrder(this.#object.interface)) {
      const own = members.filter(({ informative }) => informative !== true)
      if (section === 'Return' || section === 'Base' || own.length === 0) continue
      if (kind === 'InstanceDB') {
        for (const member of own) this.#valuesOf(member, [], true)
        continue
      }
      let open: string | undefined
      for (const member of own) {
        const line = `${sectionLines[section] ?? 'VAR'}${retentionOf(member)}`
        if (line !== open) {
          if (open !== undefined) this.#lines.push('    END_VAR', '')
          this.#lines.push(`    ${line}`)
          open = line
        }
        this.#member(member, section, exposed, '        ', member.name)
      }
      this.#lines.push('    END_VAR')
      isFirst = false
    }
    if (!isFirst && this.#object.networks.length > 0 && this.#values.length === 0) this.#lines.push('')
  }

  #member(member: InterfaceMember, section: SectionName, outer: Exposure, indent: string, path: string): void {
    const own = (name: string) => member.attributes.find((entry) => entry.name === name)?.value
    const isClosed = own('ExternalAccessible') === 'false'
    const exposure: Exposure = {
      isReadOnly: outer.isReadOnly || own('ExternalWritable') === 'false' || isClosed,
      isHidden: outer.isHidden || own('ExternalVisible') === 'false' || isClosed,
    }
    const entries: [string, string][] = []
    if (exposure.isReadOnly) entries.push(['S7_Access', 'ReadOnly := External'])
    if (exposure.isHidden) entries.push(['S7_Visibility', 'Hidden := External'])
    const isSetPoint = own('SetPoint') === 'true'
    if (isSetPoint !== isSetPointByDefault(member.dataType, section))
      entries.push(['S7_Setpoint', isSetPoint ? 'True' : 'False'])
    const comment = this.#textId(member.comment, `member:${section}.${path}`)
    if (comment !== undefined) entries.push(['S7_MLC', comment])
    this.#pragma(entries.sort(byName), indent)
    const overlaid = own('At')
    const head = `${indent}${sdName(member.name)}${overlaid === undefined ? '' : ` AT ${sdName(overlaid)}`} : ${typeToSd(member.dataType)}`
    if (/(^| of )Struct$/i.test(member.dataType)) {
      this.#lines.push(head)
      for (const inner of member.members)
        this.#member(inner, section, exposure, `${indent}    `, `${path}.${inner.name}`)
      this.#lines.push(`${indent}END_STRUCT;`)
      if (outer === exposed) this.#valuesOf(member, [], false)
      return
    }
    const value = valueText(member) ?? this.#listOf(member)
    this.#lines.push(`${head}${value === undefined ? '' : ` := ${value}`};`)
    if (!path.includes('.')) this.#valuesOf(member, [], false)
  }

  /** Assignments for what the declaration cannot express: elements of arrays and members of named types. */
  #valuesOf(member: InterfaceMember, outer: readonly PlaceStep[], withOwn: boolean): void {
    const steps = [...outer, { name: member.name, dataType: member.dataType }]
    const value = (index: string, text: string | undefined, comment: MultilingualText | undefined): void =>
      this.#value(
        elementPlace(steps, index, sdName),
        text,
        comment,
        elementPlace(steps, index, (name) => name),
      )
    if (withOwn && member.startValue !== undefined && member.startValue !== '')
      value('', valueText(member), member.commentIsInformative === true ? undefined : member.comment)
    if (this.#listOf(member) === undefined)
      for (const { path: index, startValue, comment } of member.subelements ?? []) value(index, startValue, comment)
    for (const inner of member.members) this.#valuesOf(inner, steps, withOwn)
    for (const section of member.sections ?? []) for (const inner of section.members) this.#valuesOf(inner, steps, true)
  }

  /** `[1, 2, 3]` for an array whose elements all have values; data blocks assign elements after their sections. */
  #listOf({ dataType, subelements }: InterfaceMember): string | undefined {
    if (this.#keyword === 'DATA_BLOCK' || subelements === undefined || subelements.length === 0) return undefined
    const list = `[${subelements.map(({ startValue = '' }) => startValue).join(', ')}]`
    const spread = spreadArrayValue(dataType, list)
    return JSON.stringify(spread) === JSON.stringify(subelements) ? list : undefined
  }

  #value(path: string, value: string | undefined, comment: MultilingualText | undefined, place: string): void {
    const id = comment === undefined ? undefined : this.#textId(comment, `value:${place}`)
    if (id === undefined && (value === undefined || value === '')) return
    if (id !== undefined) this.#values.push(...pragmaLines([['S7_MLC', id]], '    '))
    this.#values.push(`    ${path} := ${value === undefined || value === '' ? '()' : value};`)
  }

  #arrayMember(): InterfaceMember | undefined {
    return this.#object.interface.flatMap(({ members }) => members)[0]
  }

  #arrayValues(): void {
    const member = this.#arrayMember()
    if (member === undefined) throw unsupported(this.#object, 'the array data block has no element type')
    this.#valuesOf({ ...member, name: '' }, [], false)
  }

  #network(network: Network): void {
    const { number, title, comment, language, graph } = network
    const plain = language.replace(/^F_/, '')
    if (!sdLanguages.has(plain))
      throw unsupported(this.#object, `network ${number} is in ${language}; SIMATIC SD has LAD, FBD and SCL`)
    const entries: [string, string][] = [['S7_Language', plain]]
    const commentId = this.#textId(comment, `network:${number}.comment`)
    if (commentId !== undefined) entries.push(['S7_NetworkComment', commentId])
    const titleId = this.#textId(title, `network:${number}.title`)
    if (titleId !== undefined) entries.push(['S7_NetworkTitle', titleId])
    this.#pragma(entries, '    ')
    this.#lines.push('    NETWORK')
    if (plain === 'SCL') this.#lines.push(...(network.text ?? '').split('\n').map((line) => `        ${line}`))
    else {
      try {
        const lines = writeRungs(graph, plain, {
          textId: (text) => this.#textId(text, `network:${number}.element:${JSON.stringify(text)}`),
        })
        this.#lines.push(...lines.map((line) => `        ${line}`))
      } catch (error) {
        if (!(error instanceof NotExpressible)) throw error
        throw unsupported(this.#object, `network ${number} has no form in SIMATIC SD: ${error.message}`)
      }
    }
    this.#lines.push('    END_NETWORK')
  }

  /** Reads the written text again: code that would come back different is a fault rather than a silent change. */
  #check(content: string): void {
    const program = withOwnNames(this.#object, this.#options.program ?? {})
    const { blocks, faults } = readSd(content, { program, resources: this.#resources })
    const [fault] = faults
    const again = blocks[0]?.object
    if (fault !== undefined || blocks.length !== 1 || again === undefined) {
      const reason = fault === undefined ? `it holds ${blocks.length} blocks` : `line ${fault.line}: ${fault.message}`
      throw unsupported(this.#object, `what would be written cannot be read again: ${reason}`)
    }
    for (const { number, language, graph, text = '' } of this.#object.networks) {
      const network = again.networks[number - 1]
      const isSame = language.endsWith('SCL') ? (network?.text ?? '') === text : isSameLogic(graph, network?.graph)
      if (!isSame) throw unsupported(this.#object, `network ${number} has no form in SIMATIC SD that says the same`)
      for (const loss of logicLosses(graph, network?.graph)) this.#warn(`network ${number}: ${loss}`)
    }
    const stored = { ...again, attributes: storedAttributes(again, program) }
    for (const loss of lossesOf(this.#object, stored)) this.#warn(loss)
  }
}

const base58 = [...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz']
const sdLanguages: ReadonlySet<string> = new Set(['LAD', 'FBD', 'SCL'])
const sectionLines: Readonly<Partial<Record<SectionName, string>>> = {
  Input: 'VAR_INPUT',
  Output: 'VAR_OUTPUT',
  InOut: 'VAR_IN_OUT',
  Temp: 'VAR_TEMP',
  Constant: 'VAR CONSTANT',
}

function byName(a: readonly [string, string], b: readonly [string, string]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0
}

/** One attribute on one line, several on a line each. */
function pragmaLines(entries: readonly (readonly [string, string])[], indent: string): string[] {
  const texts = entries.map(([name, value]) => `${name} := ${pragmaText(value)}`)
  if (texts.length === 0) return []
  if (texts.length === 1) return [`${indent}{ ${texts[0]} }`]
  return [
    `${indent}{`,
    ...texts.map((text, i) => `${indent}    ${text}${i < texts.length - 1 ? ';' : ''}`),
    `${indent}}`,
  ]
}

const order: readonly SectionName[] = [
  'Input',
  'Output',
  'InOut',
  'Static',
  'Temp',
  'Constant',
  'None',
  'Base',
  'Return',
]

function inOrder(sections: readonly InterfaceSection[]): InterfaceSection[] {
  return [...sections].sort((a, b) => order.indexOf(a.section) - order.indexOf(b.section))
}

function retentionOf({ remanence }: InterfaceMember): string {
  return remanence === 'Retain' ? ' RETAIN' : remanence === 'SetInIDB' ? ' DB_SPECIFIC' : ''
}

/** Start value of a member as written in its declaration. */
function valueText(member: InterfaceMember): string | undefined {
  const { startValue, startValueConstant } = member
  if (startValueConstant !== undefined) {
    const isLocal = startValue?.startsWith('#') === true
    return isLocal ? `#${sdName(startValueConstant)}` : `_.${sdName(startValueConstant)}`
  }
  return startValue === '' ? undefined : startValue
}
