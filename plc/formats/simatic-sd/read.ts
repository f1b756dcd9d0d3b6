/**
 * Reads SIMATIC SD (`.s7dcl` with its texts in `.s7res`) to program objects: blocks in LAD, FBD and SCL, data blocks,
 * types (docs/formats.md#simatic-sd). After a fault, reading continues with the next block.
 */

import { defined } from '../../../lib/optional.ts'
import { TokenKind, tokenText } from '../../languages/scl/tokens.ts'
import { type FormatFault, LineIndex } from '../../model/fault.ts'
import { Keyword } from '../../model/keywords.ts'
import { anyText, type MultilingualText } from '../../model/multilingual-text.ts'
import { unquoted } from '../../model/names.ts'
import type { ImportedObject, InterfaceSection, Network, ObjectAttribute, SectionName } from '../../model/object.ts'
import { Cursor, isComment, opensLine } from '../source/cursor.ts'
import {
  isSectionKeyword,
  type MutableMember,
  orderSections,
  readMembers,
  readSection,
  readType,
  readValue,
} from '../source/declarations.ts'
import { declaredEvent, type OrganizationBlockSource } from '../source/event-class.ts'
import { readEventLine } from '../source/event-line.ts'
import { gantryLineBefore, isGantryLine } from '../source/gantry-line.ts'
import { parsePragma } from '../source/pragma.ts'
import { readPath } from '../source/start-values.ts'
import { instanceMembers } from '../source/value-place.ts'
import { applyBlockAttributes, type BlockHeader, libraryAttributes, newHeader } from './block-attributes.ts'
import { exposed, memberFromSd, placeValue } from './members.ts'
import { typeFromSd } from './names.ts'
import { type NetworkContext, readNetwork, type TextPlace } from './network-read.ts'
import { SdPlaceRecorder, type SdPlaces } from './places.ts'
import { type ProgramAround, valueTypes } from './program.ts'
import type { Resources } from './resources.ts'
import { endsNetwork } from './rung-syntax.ts'

export interface SdOptions {
  /** Texts of the `.s7res` file. Without it the texts are missing, which is a warning. */
  readonly resources?: Resources
  /** Culture of comments in the code itself. Default `en-US`. */
  readonly culture?: string
  readonly program?: ProgramAround
}

export interface SdWarning {
  readonly message: string
  readonly line: number
  readonly column: number
  /** Name of the block. */
  readonly block: string
}

/**
 * A block of the file. `textIds` are the ids of texts by their place in the block; they allow writing it again as it
 * was.
 */
export interface SdBlock {
  readonly object: ImportedObject
  readonly textIds: ReadonlyMap<string, string>
  readonly places: SdPlaces
}

export interface SdFile {
  readonly blocks: readonly SdBlock[]
  readonly faults: readonly FormatFault[]
  readonly warnings: readonly SdWarning[]
}

interface Syntax {
  readonly word: string
  readonly kind: 'FB' | 'FC' | 'OB' | 'DB' | 'UDT'
  readonly element: string
  readonly end: number
  readonly sections: readonly SectionName[]
  readonly plainVar: SectionName
}

const syntaxOfKeyword: ReadonlyMap<number, Syntax> = new Map(
  (
    [
      ['FUNCTION_BLOCK', 'FB', 'SW.Blocks.FB', ['Input', 'Output', 'InOut', 'Static', 'Temp', 'Constant'], 'Static'],
      ['FUNCTION', 'FC', 'SW.Blocks.FC', ['Input', 'Output', 'InOut', 'Temp', 'Constant', 'Return'], 'Temp'],
      ['ORGANIZATION_BLOCK', 'OB', 'SW.Blocks.OB', ['Input', 'Temp', 'Constant'], 'Temp'],
      ['DATA_BLOCK', 'DB', 'SW.Blocks.GlobalDB', ['Static'], 'Static'],
      ['TYPE', 'UDT', 'SW.Types.PlcStruct', ['None'], 'None'],
    ] as const
  ).map(([word, kind, element, sections, plainVar]): [number, Syntax] => [
    Keyword[word],
    { word, kind, element, end: Keyword[`END_${word}`], sections, plainVar },
  ]),
)

/** Reads the decoded text of a `.s7dcl` file (no BOM). Never throws because of the content. */
export function readSd(text: string, options: SdOptions = {}): SdFile {
  return new SdReader(text, options).read()
}

class SdReader {
  readonly #cursor: Cursor
  readonly #options: SdOptions
  readonly #culture: string
  readonly #program: ProgramAround
  readonly #places: SdPlaceRecorder
  readonly #warnings: SdWarning[] = []
  readonly #blocks: SdBlock[] = []
  /** Ranges of SCL: the compiler reports the lexical faults in them. */
  readonly #statements: [number, number][] = []
  #textIds = new Map<string, string>()
  #missingTexts: string[] = []
  /** Warnings that are given only once per block. */
  #said = new Set<string>()
  #lines: LineIndex | undefined

  constructor(text: string, options: SdOptions) {
    this.#cursor = new Cursor(text)
    this.#places = new SdPlaceRecorder(text)
    this.#options = options
    this.#culture = options.culture ?? 'en-US'
    this.#program = options.program ?? {}
  }

  read(): SdFile {
    const cursor = this.#cursor
    let isStray = false
    let header: { entries: ObjectAttribute[]; at: number } = { entries: [], at: 0 }
    while (!cursor.atEnd) {
      const syntax = syntaxOfKeyword.get(cursor.keyword)
      if (syntax !== undefined) {
        this.#block(syntax, header)
        header = { entries: [], at: cursor.start }
        isStray = false
      } else if (cursor.kind === TokenKind.Pragma) {
        header = { entries: [...header.entries, ...parsePragma(cursor.text)], at: cursor.start }
        cursor.next()
      } else {
        if (!isStray)
          cursor.expected(
            'FUNCTION_BLOCK, FUNCTION, ORGANIZATION_BLOCK, DATA_BLOCK or TYPE, or their attributes in braces',
          )
        isStray = true
        cursor.next()
      }
      cursor.blockName = ''
    }
    if (this.#blocks.length === 0 && cursor.faults.length === 0)
      cursor.fault('the file holds no block', 'source-structure', 0)
    for (const { offset, message } of cursor.tokens.faults)
      if (!this.#statements.some(([from, to]) => offset >= from && offset < to))
        cursor.fault(message, 'source-syntax', offset)
    this.#reportComments()
    this.#reportUnusedTexts()
    const faults = [...cursor.faults].sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0))
    return { blocks: this.#blocks, faults, warnings: this.#warnings }
  }

  /** TIA Portal drops comments of the code when it imports it. Those after members are kept here, others cannot be. */
  #reportComments(): void {
    const { tokens } = this.#cursor
    const { kind, start, count } = tokens
    let first: number | undefined
    let found = 0
    let isBehindMember = false
    for (let i = 0; i < count; i++) {
      const offset = start[i] as number
      if (kind[i] === TokenKind.NewLine) isBehindMember = false
      else if (kind[i] === TokenKind.Semicolon) isBehindMember = true
      if (!isComment(kind[i] as number) || isBehindMember || isGantryLine(tokenText(tokens, i))) continue
      if (this.#statements.some(([from, to]) => offset >= from && offset < to)) continue
      first ??= offset
      found++
    }
    if (first !== undefined) this.#warn(`comments are no part of this format and were left out: ${found}`, first)
  }

  /** Texts that nothing in the file names. */
  #reportUnusedTexts(): void {
    const used = new Set(this.#blocks.flatMap(({ textIds }) => [...textIds.values()]))
    const unused = [...(this.#options.resources?.keys() ?? [])].filter((id) => !used.has(id))
    if (unused.length === 0 || this.#cursor.faults.length > 0) return
    const named = unused.slice(0, 10).join(', ')
    const others = unused.length > 10 ? ` and ${unused.length - 10} more` : ''
    this.#warn(`texts of the .s7res file that nothing uses were left out (${unused.length}): ${named}${others}`, 0)
  }

  #warn(message: string, offset = this.#cursor.start): void {
    if (this.#warnings.length >= 1000) return
    this.#lines ??= new LineIndex(this.#cursor.tokens.text)
    this.#warnings.push({ message, ...this.#lines.at(offset), block: this.#cursor.blockName })
  }

  /** Looks up the text of a resource id and records the id under its place. */
  #text(id: string, place: TextPlace, offset: number): MultilingualText {
    const text = this.#options.resources?.get(id)
    this.#textIds.set(typeof place === 'string' ? place : place(text ?? {}), id)
    if (text !== undefined) return text
    if (/^MLC_/.test(id)) {
      this.#missingTexts.push(id)
      return {}
    }
    this.#warn(`${JSON.stringify(id)} is no id of a text; it is taken as the text itself`, offset)
    return { [this.#culture]: id }
  }

  #block(syntax: Syntax, given: { entries: ObjectAttribute[]; at: number }): void {
    const cursor = this.#cursor
    const at = cursor.start
    const said = syntax.kind === 'OB' ? gantryLineBefore(cursor.tokens, cursor.index)?.entries : undefined
    const line = said === undefined ? undefined : readEventLine(said)
    this.#textIds = new Map()
    this.#missingTexts = []
    this.#said = new Set()
    this.#places.begin(at)
    cursor.next()
    // Attributes of a type come after the word TYPE.
    const own: ObjectAttribute[] = []
    while (syntax.kind === 'UDT' && cursor.kind === TokenKind.Pragma) {
      own.push(...parsePragma(cursor.text))
      cursor.next()
    }
    const name = this.#name(syntax.word)
    cursor.blockName = name
    const header = newHeader()
    applyBlockAttributes(header, [...given.entries, ...own], {
      text: (id, place) => this.#text(id, place, given.at),
      warn: (message) => this.#warn(message, given.at),
      fault: (message) => cursor.fault(message, 'source-structure', given.at),
    })
    const { number } = header
    const sections = new Map<SectionName, MutableMember[]>()
    const declared = cursor.start
    const isType = syntax.kind === 'UDT'
    let instanceOf: string | undefined
    let kind: ImportedObject['kind'] = syntax.kind === 'DB' ? 'GlobalDB' : syntax.kind
    if (isType) this.#structure(sections)
    else if (syntax.kind === 'FC')
      sections.set('Return', [returnMember(cursor.accept(TokenKind.Colon) ? this.#type() : 'Void')])
    else if (syntax.kind === 'DB' && cursor.accept(TokenKind.Colon)) {
      const isStruct = cursor.keyword === Keyword.STRUCT
      const isArray = cursor.keyword === Keyword.ARRAY
      const type = readType(cursor, { culture: this.#culture, hasAssignmentsNext: true }, 0)
      cursor.accept(TokenKind.Semicolon)
      if (isStruct) sections.set('Static', type?.members ?? [])
      else if (isArray) {
        kind = 'ArrayDB'
        sections.set('None', [arrayMember(type?.dataType ?? '', type?.members ?? [])])
      } else {
        kind = 'InstanceDB'
        instanceOf = type === undefined ? '' : unquoted(typeFromSd(type.dataType))
      }
    }
    while (isSectionKeyword(cursor.keyword)) {
      const { section, members } = readSection(cursor, syntax.plainVar, this.#culture)
      const known = sections.get(section)
      if (known === undefined) sections.set(section, members)
      else known.push(...members)
    }
    this.#places.declarations(declared, cursor.start, syntax.plainVar)
    const order: readonly SectionName[] = kind === 'ArrayDB' ? ['None'] : syntax.sections
    const members = this.#members(sections, header, at)
    if (kind === 'InstanceDB') this.#instance(members, instanceOf ?? '', header)
    const ordered = kind === 'InstanceDB' && members.size === 0 ? [] : orderSections(members, order)
    const networks = this.#content(syntax, ordered, members).map((network) =>
      header.isSafety === true && network.language !== 'SCL'
        ? { ...network, language: `F_${network.language}` }
        : network,
    )
    this.#close(syntax)
    if (this.#missingTexts.length > 0) {
      const reason =
        this.#options.resources === undefined
          ? 'there is no .s7res file beside this one'
          : 'the .s7res file does not have them'
      this.#warn(`texts are missing, ${reason}: ${this.#missingTexts.join(', ')}`, at)
    }
    this.#blocks.push({
      textIds: this.#textIds,
      places: this.#places.places(),
      object: {
        kind,
        element:
          kind === 'InstanceDB' ? 'SW.Blocks.InstanceDB' : kind === 'ArrayDB' ? 'SW.Blocks.ArrayDB' : syntax.element,
        format: 'simaticml',
        name,
        ...defined({ number: line?.number ?? number }),
        language: isType ? '' : syntax.kind === 'DB' ? 'DB' : (header.language ?? networks[0]?.language ?? 'LAD'),
        title: header.title,
        comment: header.comment,
        author: header.author,
        family: header.family,
        headerName: '',
        version: header.version,
        ...(header.memoryLayout === undefined || isType ? {} : { memoryLayout: header.memoryLayout }),
        isKnowHowProtected: false,
        ...(syntax.kind === 'OB'
          ? this.#event({ name, number, title: anyText(header.title), sections: ordered, line }, at)
          : {}),
        ...defined({ instanceOf }),
        attributes: [
          ...header.attributes,
          ...(line?.schedule ?? []),
          ...(kind === 'InstanceDB' ? libraryAttributes(instanceOf ?? '', this.#program) : []),
        ],
        interface: ordered,
        networks,
      },
    })
  }

  /** The format does not name the event of an organization block: what its name or title shows is a guess. */
  #event(source: OrganizationBlockSource, at: number): Pick<ImportedObject, 'number' | 'secondaryType'> {
    const { number, secondaryType, guessedEvent } = declaredEvent(source)
    const event = { ...defined({ number }), secondaryType: secondaryType ?? 'ProgramCycle' }
    // What Main is needs no word.
    const isSure = secondaryType !== undefined && (guessedEvent === undefined || secondaryType === 'ProgramCycle')
    const taken = `${guessedEvent === undefined ? 'it' : `by its ${guessedEvent} it`} is taken to be ${event.secondaryType}`
    if (!isSure) this.#warn(`the event of an organization block is not part of this format; ${taken}`, at)
    return event
  }

  #name(word: string): string {
    const cursor = this.#cursor
    const { kind, text } = cursor
    if (kind === TokenKind.QuotedName || kind === TokenKind.Identifier || kind === TokenKind.Keyword) {
      const name = unquoted(text)
      if (name === '') cursor.fault(`${word} needs a name between the quotes`)
      cursor.next()
      return name
    }
    cursor.expected(`the name of the ${word}`)
    return ''
  }

  #type(): string {
    const type = readType(this.#cursor, { culture: this.#culture }, 0)
    return type === undefined ? 'Void' : typeFromSd(type.dataType)
  }

  #structure(sections: Map<SectionName, MutableMember[]>): void {
    const cursor = this.#cursor
    if (!cursor.accept(TokenKind.Colon)) cursor.expected('":" behind the name of the type')
    if (!cursor.acceptKeyword(Keyword.STRUCT)) {
      cursor.expected('STRUCT: a PLC data type is a structure')
      return
    }
    sections.set('None', readMembers(cursor, Keyword.END_STRUCT, { culture: this.#culture }, 0))
    if (!cursor.acceptKeyword(Keyword.END_STRUCT)) cursor.expected('END_STRUCT')
    cursor.accept(TokenKind.Semicolon)
  }

  #members(
    sections: ReadonlyMap<SectionName, MutableMember[]>,
    header: BlockHeader,
    at: number,
  ): Map<SectionName, MutableMember[]> {
    const converted = new Map<SectionName, MutableMember[]>()
    for (const [section, members] of sections) {
      const list = members.map((member) =>
        memberFromSd(member, exposed, {
          section,
          text: (id, path) => this.#text(id, `member:${section}.${path}`, at),
          warn: (message) => this.#warn(message, at),
        }),
      )
      const isRetained = header.isRetained && section === 'Static'
      converted.set(
        section,
        isRetained
          ? list.map((member) => (member.remanence === undefined ? { ...member, remanence: 'Retain' } : member))
          : list,
      )
    }
    return converted
  }

  /** Instance data carries a copy of its type's members only when it has values or comments of its own. */
  #instance(members: Map<SectionName, MutableMember[]>, type: string, header: BlockHeader): void {
    if (type === '') this.#cursor.fault('a data block of a type needs the name of the type')
    if (!header.isRetained && syntaxOfKeyword.has(this.#cursor.keyword)) return
    const hasValues = this.#cursor.keyword !== Keyword.END_DATA_BLOCK && !this.#cursor.atEnd
    if (!header.isRetained && !hasValues) return
    const known = valueTypes(this.#program)(type)
    if (known === undefined) {
      if (header.isRetained)
        this.#warn(
          `the members of "${type}" are not known here, so that it is left open that this data block keeps its values (S7_StandardRetain)`,
        )
      return
    }
    for (const [section, copies] of instanceMembers(known.sections, header.isRetained ? 'Retain' : undefined))
      members.set(section, [...(members.get(section) ?? []), ...copies])
  }

  /** Reads networks and start values after the sections. */
  #content(
    syntax: Syntax,
    sections: readonly InterfaceSection[],
    members: ReadonlyMap<SectionName, MutableMember[]>,
  ): Network[] {
    const cursor = this.#cursor
    const networks: Network[] = []
    const all = [...members.values()].flat()
    let pragma: ObjectAttribute[] = []
    let pragmaAt = cursor.start
    while (!cursor.atEnd && cursor.keyword !== syntax.end && !this.#startsBlock()) {
      if (cursor.kind === TokenKind.Pragma) {
        if (pragma.length === 0) pragmaAt = cursor.start
        pragma.push(...parsePragma(cursor.text))
        cursor.next()
        continue
      }
      if (cursor.keyword === Keyword.NETWORK) {
        if (syntax.kind === 'DB' || syntax.kind === 'UDT') cursor.fault(`${syntax.word} has no networks`)
        networks.push(
          readNetwork(networks.length + 1, { entries: pragma, at: pragmaAt }, this.#networkContext(syntax, sections)),
        )
      } else if (!this.#assignment(all, pragma)) {
        cursor.expected(syntax.kind === 'DB' ? 'member := value; or END_DATA_BLOCK' : `NETWORK or END_${syntax.word}`)
        this.#recover(syntax)
      }
      pragma = []
    }
    return networks
  }

  #networkContext(syntax: Syntax, sections: readonly InterfaceSection[]): NetworkContext {
    const cursor = this.#cursor
    return {
      cursor,
      sections,
      program: this.#program,
      places: this.#places,
      statements: this.#statements,
      warn: (message, offset) => this.#warn(message, offset),
      warnOnce: (message, offset) => {
        if (!this.#said.has(message)) this.#warn(message, offset)
        this.#said.add(message)
      },
      text: (id, place, offset) => this.#text(id, place, offset),
      endsBlock: () => this.#startsBlock() || (cursor.keyword === syntax.end && opensLine(cursor.tokens, cursor.index)),
    }
  }

  #startsBlock(): boolean {
    const { tokens, index, keyword } = this.#cursor
    if (!syntaxOfKeyword.has(keyword) || !opensLine(tokens, index)) return false
    const next = this.#cursor.peek()
    return next === TokenKind.QuotedName || next === TokenKind.Identifier
  }

  #recover(syntax: Syntax): void {
    const cursor = this.#cursor
    do cursor.next()
    while (
      !cursor.atEnd &&
      cursor.keyword !== syntax.end &&
      cursor.keyword !== Keyword.NETWORK &&
      cursor.kind !== TokenKind.Pragma &&
      !this.#startsBlock() &&
      !(syntax.kind === 'DB' && cursor.accept(TokenKind.Semicolon))
    )
  }

  #close(syntax: Syntax): void {
    const cursor = this.#cursor
    if (!cursor.acceptKeyword(syntax.end)) cursor.expected(`END_${syntax.word} of ${JSON.stringify(cursor.blockName)}`)
    cursor.accept(TokenKind.Semicolon)
  }

  /** Reads `list[3].speed := 1.5;` or `list[3] := ();` with the comment before it. */
  #assignment(members: MutableMember[], pragma: readonly ObjectAttribute[]): boolean {
    const cursor = this.#cursor
    const at = cursor.start
    const steps = readPath(cursor, endsNetwork)
    if (steps === undefined) return false
    if (!cursor.accept(TokenKind.Assign)) return false
    const text = readValue(cursor)
    if (!cursor.accept(TokenKind.Semicolon)) cursor.expected('";" behind the value')
    let comment: MultilingualText = {}
    const place = steps
      .map(({ name, indices }) => (indices.length === 0 ? name : `${name}[${indices.join('][')}]`))
      .join('.')
    for (const { name, value } of pragma)
      if (name.toUpperCase() === 'S7_MLC') comment = this.#text(value, `value:${place}`, at)
      else this.#warn(`the attribute ${name} of ${place} is not known and was left out`, at)
    const value = /^\(\s*\)$/.test(text) ? undefined : text
    const wrong = placeValue(members, steps, value, comment, this.#program)
    if (wrong !== undefined) {
      if (wrong.startsWith('no member') && members.length > 0)
        cursor.fault(`${place} := ${text}: ${wrong}`, 'source-structure', at)
      else
        this.#warn(
          `the start value ${place} := ${text} was left out: ${members.length === 0 ? 'the members of its type are not known here' : wrong}`,
          at,
        )
    }
    return true
  }
}

function returnMember(dataType: string): MutableMember {
  return { name: 'Ret_Val', dataType, comment: {}, attributes: [], members: [] }
}

function arrayMember(dataType: string, members: MutableMember[]): MutableMember {
  return { name: 'Array', dataType, comment: {}, attributes: [], members }
}
