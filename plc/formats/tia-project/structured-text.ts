/** SCL: the stored token tree as text. */
import { childrenOf, type XmlElement } from '../simaticml/xml.ts'
import type { Identifiers } from './identifiers.ts'
import { plainName } from './payload.ts'

export interface TextReading {
  readonly text: string
  readonly problems: readonly string[]
}

/** Tokens that always have the same text. */
const tokens: Readonly<Record<string, string>> = {
  OpAs: ':=',
  OpPa: '=>',
  FiSt: ';',
  BracO: '(',
  BracC: ')',
  BoxO: '[',
  BoxC: ']',
  Dot: '.',
  Comma: ',',
  Colon: ':',
  OpPl: '+',
  OpMi: '-',
  OpMu: '*',
  OpDi: '/',
  OpG: '>',
  OpL: '<',
  OpE: '=',
  OpU: '<>',
  OpLE: '<=',
  OpGE: '>=',
  OpAAND: 'AND',
  OpAND: 'AND',
  OpOR: 'OR',
  OpNOT: 'NOT',
  OpXOR: 'XOR',
  OpMod: 'MOD',
  KwTHEN: 'THEN',
  KwELSE: 'ELSE',
  KwELSIF: 'ELSIF',
  KwENDIF: 'END_IF',
  KwTO: 'TO',
  KwBY: 'BY',
  KwDO: 'DO',
  KwENDFOR: 'END_FOR',
  KwOF: 'OF',
  KwENDC: 'END_CASE',
  KwEndRegion: 'END_REGION',
  KwENDW: 'END_WHILE',
  KwENDR: 'END_REPEAT',
  KwUNTIL: 'UNTIL',
}
/** Elements that only group others. */
const groups = new Set([
  'Expression',
  'Statements',
  'Fold',
  'FctCa',
  'InstCa',
  'Param',
  'CaseElem',
  'CaseRange',
  'RootStatements',
  'Statement',
])
const symbols = new Set(['SymVa', 'Sub', 'SymDB', 'SymPa'])

/**
 * Prints the tokens of a stored SCL source: blanks, comments and line ends as they were written.
 * @param root `SCLSource`
 */
export function readStructuredText(root: XmlElement, identifiers: Identifiers): TextReading {
  const printer = new Printer(root, identifiers)
  for (const statements of childrenOf(root, 'RootStatements')) printer.print(statements)
  return { text: printer.text, problems: [...printer.problems] }
}

class Printer {
  readonly problems = new Set<string>()
  readonly #symbols = new Map<string, XmlElement>()
  readonly #identifiers: Identifiers
  readonly #out: string[] = []

  constructor(root: XmlElement, identifiers: Identifiers) {
    this.#identifiers = identifiers
    for (const table of childrenOf(root, 'Symbols'))
      for (const symbol of table.children) this.#symbols.set(symbol.attributes.SymID ?? '', symbol)
  }
  get text(): string {
    return this.#out.join('')
  }

  print(element: XmlElement): void {
    this.#printOwn(element)
    for (const inner of element.children) this.print(inner)
  }

  #printOwn(element: XmlElement): void {
    const { name, attributes } = element
    const fixed = tokens[name]
    if (name === 'BL') this.#out.push(' '.repeat(Math.min(Number(attributes.NumBLs ?? 1), 10_000)))
    else if (name === 'NL') this.#out.push('\n')
    else if (name === 'LC') this.#out.push(`//${attributes.TE ?? ''}`)
    else if (name === 'BC') this.#out.push('(*')
    else if (name === 'BCL') this.#out.push(attributes.TE ?? '')
    else if (name === 'BCE') this.#out.push('*)')
    else if (fixed !== undefined) this.#out.push(fixed)
    else if (attributes.ODN !== undefined) this.#out.push(attributes.ODN)
    else if (symbols.has(name) && attributes.SI !== 'VarElem') this.#out.push(this.#symbol(element))
    else if (attributes.TE !== undefined) this.#out.push(attributes.TE)
    else if (!groups.has(name) && attributes.SI !== 'VarElem') this.problems.add(`the token ${name} is not understood`)
  }

  #symbol(element: XmlElement): string {
    const symbol = this.#symbols.get(element.attributes.SyId ?? '')
    if (!symbol) {
      this.problems.add(`a symbol (${element.attributes.SyId}) is not in the table of symbols`)
      return ''
    }
    const kind = symbol.name
    const own = symbol.attributes.OrigInputName ?? symbol.attributes.Name
    const given = own ?? this.#identifiers.name(symbol.attributes.RefId)
    const name = plainName(given)
    if (kind === 'LiteralConst') return name
    if (kind === 'Instruction') return this.#instruction(element, name)
    if (kind === 'LibraryParameter' || kind === 'LibParam') return name
    if (name === '') return ''
    if (this.#out.at(-1) === '.')
      return `${(element.attributes.Deco ?? '').endsWith('True') ? '#' : ''}${lastName(name)}`
    const first = firstName(name)
    if (kind.startsWith('Local') || kind === 'MultiInstance') return `#${first}`
    if (kind === 'Parameter' || kind === 'BlockParameter' || kind === 'FormalParameter') return first
    if (/^(Global|DB|FC|FB|Simple|Tag)/.test(kind)) return `"${first}"`
    this.problems.add(`a symbol of the kind ${kind} is not understood`)
    return name
  }

  /** Conversions are stored as CONVERT with both types. */
  #instruction({ attributes }: XmlElement, name: string): string {
    if (name !== 'CONVERT') return name
    const [from, to] = [attributes.Template0, attributes.Template1].map((type) => type?.split(' ').at(-1)?.toUpperCase())
    if (from && to) return `${from}_TO_${to}`
    this.problems.add('a conversion without its types')
    return name
  }
}

const lastName = (name: string): string => name.slice(name.lastIndexOf('.') + 1).replace(/\[.*/s, '')
const firstName = (name: string): string => name.split('.')[0]!.replace(/\[.*/s, '')
