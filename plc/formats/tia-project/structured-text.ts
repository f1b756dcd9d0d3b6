/** SCL: the stored token tree as text. */
import { declaredName } from '../../model/names.ts'
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
  OpPlAs: '+=',
  OpMinAs: '-=',
  OpMulAs: '*=',
  OpPo: '**',
  OpMu: '*',
  OpDi: '/',
  OpG: '>',
  OpL: '<',
  OpE: '=',
  OpU: '<>',
  OpLE: '<=',
  OpGE: '>=',
  OpAAND: '&',
  OpAND: 'AND',
  OpOR: 'OR',
  OpNOT: 'NOT',
  OpXOR: 'XOR',
  OpMod: 'MOD',
  OpMOD: 'MOD',
  LDots: '..',
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
  'CaseSRange',
  // Where the editor expected more in a faulty statement.
  'EToken',
  'RootStatements',
  'Statement',
])
/** A label where it is, which has the colon in it, and behind GOTO. */
const labels = new Set(['Label', 'SymLa'])
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
    else if (labels.has(name)) this.#out.push(this.#label(element))
    else if (symbols.has(name) && attributes.SI !== 'VarElem') this.#out.push(this.#symbol(element))
    else if (attributes.TE !== undefined) this.#out.push(attributes.TE)
    else if (!groups.has(name) && attributes.SI !== 'VarElem') this.problems.add(`the token ${name} is not understood`)
  }

  #symbol(element: XmlElement): string {
    const { attributes } = element
    if (element.name === 'SymPa') return this.#parameter(element)
    const symbol = this.#symbols.get(attributes.SyId ?? '')
    if (!symbol) {
      this.problems.add(`a symbol (${attributes.SyId}) is not in the table of symbols`)
      return ''
    }
    const given = symbol.attributes.OrigInputName ?? symbol.attributes.Name
    if (symbol.name === 'LiteralConst') return plainName(given)
    if (symbol.name === 'Instruction') return this.#instruction(element, plainName(given))
    const path = this.#path(symbol)
    if (this.#out.at(-1) === '.') {
      const name = path.at(-1)
      if (name === undefined) this.problems.add('the name of a member is not in the identifiers')
      return `${(attributes.Deco ?? '').endsWith('True') ? '#' : ''}${declaredName(name ?? '')}`
    }
    const first = path[0]
    if (first === undefined) {
      this.problems.add(`the name of a symbol (${symbol.name}) is not in the identifiers`)
      return ''
    }
    if (symbol.name.startsWith('Local') || symbol.name === 'MultiInstance') return `#${declaredName(first)}`
    if (/^(Global|DB|FC|FB|Simple|Tag|UDT)/.test(symbol.name)) return `"${first}"`
    // An instance is a data block or a member: the identifier says which.
    const operand = symbol.name.startsWith('Instance') ? this.#identifiers.operand(symbol.attributes.RefId) : undefined
    if (operand?.kind === 'symbol' && operand.scope === 'GlobalVariable') return `"${first}"`
    if (operand?.kind === 'symbol' && operand.scope === 'LocalVariable') return `#${declaredName(first)}`
    this.problems.add(`a symbol of the kind ${symbol.name} is not understood`)
    return first
  }

  #label({ attributes }: XmlElement): string {
    const symbol = this.#symbols.get(attributes.SyId ?? '')
    const [name] = symbol?.name === 'Label' ? this.#path(symbol) : []
    if (name === undefined) this.problems.add(`the name of a label (${attributes.SyId}) is not in the identifiers`)
    return name ?? ''
  }

  /** Names from the outermost one, as the identifiers have them. */
  #path(symbol: XmlElement): string[] {
    const operand = this.#identifiers.operand(symbol.attributes.RefId)
    if (operand?.kind === 'symbol') return operand.path.map(({ name }) => name)
    if (operand?.kind === 'constant' || operand?.kind === 'label') return [operand.name]
    const name = this.#identifiers.name(symbol.attributes.RefId) || plainName(symbol.attributes.Name)
    return name ? [name] : []
  }

  /** A parameter that was not written (the only one of an instruction) has the value 0 in `V`. */
  #parameter({ attributes }: XmlElement): string {
    return attributes.V === '0' ? '' : declaredName(plainName(attributes.FormalName))
  }

  /** Conversions are stored as CONVERT with both types: `Template0='src_type 33554439,DInt,DInt'`. */
  #instruction({ attributes }: XmlElement, name: string): string {
    if (name !== 'CONVERT') return name
    const types = [0, 1].map((i) => {
      const given = new RegExp(`Template${i}='([^']*)'`).exec(plainName(attributes.Deco))?.[1]
      return (given ?? attributes[`Template${i}`])?.split(/[ ,]/).at(-1)?.toUpperCase()
    })
    if (types[0] && types[1]) return `${types[0]}_TO_${types[1]}`
    this.problems.add('a conversion without its types')
    return name
  }
}
