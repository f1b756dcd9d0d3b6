/** Converts networks as clients send them to the model's form. */

import { readNetworkSource } from '../formats/simaticml/compile-unit-read.ts'
import { parseXml, XmlFaults } from '../formats/simaticml/xml.ts'
import { readStatements } from '../formats/source/statements-read.ts'
import { compileExpression } from '../languages/ladder/compile-expression.ts'
import { networkOfInput } from '../languages/ladder/network-input.ts'
import type { ProgramNames } from '../languages/ladder/program-names.ts'
import { lex } from '../languages/scl/lexer.ts'
import { FormatError, type FormatFault, LineIndex } from '../model/fault.ts'
import type { MultilingualText } from '../model/multilingual-text.ts'
import type { Network } from '../model/object.ts'
import { editFault, toText } from './input.ts'
import { sclFaults } from './scl-faults.ts'

/** One network. Its content is given in one of the five ways, or not at all for an empty network. */
export interface NetworkInput {
  /** `LAD`, `FBD`, `SCL` or `STL`. Default: the block's language. */
  readonly language?: string
  readonly title?: string | MultilingualText
  readonly comment?: string | MultilingualText
  /** SCL or STL statements. */
  readonly code?: string
  /** LAD and FBD: statements in the notation of plc/languages/ladder/expression.ts. */
  readonly expressions?: string | readonly string[]
  /** LAD and FBD: the field `graph` of a network, as `content` shows it. */
  readonly graph?: unknown
  /** `<NetworkSource>` or its content. */
  readonly xml?: string
}

/** A network that can be written. */
export interface ReadNetwork {
  readonly network: Omit<Network, 'number'>
  /** Content of `NetworkSource` as it was given. */
  readonly xml?: string
}

const contents = ['code', 'expressions', 'graph', 'xml'] as const
const knownLanguages = ['LAD', 'FBD', 'SCL', 'STL']
/** Language names of the German user interface. */
const german: Readonly<Record<string, string>> = { KOP: 'LAD', FUP: 'FBD', AWL: 'STL' }

/** Returns the name of a language as used here: upper case, German names translated. */
export function languageNamed(name: string): string {
  const upper = name.toUpperCase()
  return german[upper] ?? upper
}

/** Languages that the networks of a block can have, by the block's language. */
const networkLanguages: Readonly<Record<string, readonly string[]>> = {
  LAD: ['LAD', 'FBD', 'SCL', 'STL'],
  FBD: ['FBD', 'LAD', 'SCL', 'STL'],
  SCL: ['SCL'],
  STL: ['STL'],
}

export interface NetworkContext {
  readonly blockName: string
  readonly blockLanguage: string
  readonly culture: string
  readonly names: ProgramNames
  /** Path of the network in the input: `/networks/0`. */
  readonly at: string
  /** Faults in SCL statements do not refuse them: what replaces a text can be a draft. */
  readonly isDraft?: boolean
}

/** Whether the input gives the content of the network. */
export function hasContent(input: NetworkInput): boolean {
  return contents.some((field) => input[field] !== undefined)
}

/**
 * Reads a network.
 * @throws FormatError with the place in the code, expression, graph or XML
 */
export function readNetwork(input: NetworkInput, context: NetworkContext): ReadNetwork {
  const { at, culture } = context
  const given = contents.filter((field) => input[field] !== undefined)
  if (given.length > 1) throw editFault(`${at}: give one of ${given.join(' and ')}, not both`)
  const language = languageOf(input, context)
  const texts = { title: toText(input.title ?? '', culture), comment: toText(input.comment ?? '', culture) }
  const base = { ...texts, language, parts: [] }
  const [kind] = given
  return placed(at, kind, () => {
    if (input.xml !== undefined)
      return { network: { ...base, ...readXml(input.xml, language) }, xml: innerXml(input.xml) }
    if (input.graph !== undefined) {
      requireGraphical(language, at, 'graph')
      return { network: { ...base, graph: networkOfInput(input.graph, `${at}/graph`, context.names) } }
    }
    if (input.expressions !== undefined) {
      requireGraphical(language, at, 'expressions')
      const graph = compileExpression(input.expressions, { language: language as 'LAD' | 'FBD', names: context.names })
      return { network: { ...base, graph } }
    }
    if (language === 'STL') return { network: { ...base, ...readStl(input.code ?? '', context.names) } }
    if (language === 'SCL')
      return { network: { ...base, text: checkedScl(input.code ?? '', context.isDraft === true) } }
    if (input.code !== undefined)
      throw editFault(`${at}/code: a ${language} network takes expressions, a graph or xml; code is for SCL and STL`)
    return { network: base }
  })
}

/** Returns the network's language, which must be one that the block can contain. */
function languageOf(input: NetworkInput, { at, blockLanguage, blockName }: NetworkContext): string {
  const allowed = networkLanguages[blockLanguage]
  if (allowed === undefined)
    throw editFault(
      blockLanguage === 'GRAPH'
        ? `"${blockName}" is written in GRAPH: its one network is its sequence; change it through rawXml`
        : `"${blockName}" has no networks: it is written in ${blockLanguage || 'no language'}`,
    )
  // Code without a language in a graphical block is SCL.
  const usual = input.code !== undefined && (blockLanguage === 'LAD' || blockLanguage === 'FBD') ? 'SCL' : blockLanguage
  const named = languageNamed(input.language ?? usual)
  if (!knownLanguages.includes(named))
    throw editFault(
      `${at}/language: ${JSON.stringify(input.language)} is no language of networks; allowed: ${knownLanguages.join(', ')}`,
    )
  if (!allowed.includes(named))
    throw editFault(`${at}/language: "${blockName}" is written in ${blockLanguage} and cannot hold a ${named} network`)
  return named
}

function requireGraphical(language: string, at: string, field: string): void {
  if (language !== 'LAD' && language !== 'FBD')
    throw editFault(`${at}/${field}: a ${language} network takes code; ${field} is for LAD and FBD`)
}

/** Runs `work`; its faults get the path of the network before their own. */
function placed<T>(at: string, field: string | undefined, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw new FormatError(
      error.faults.map((fault) => {
        if (fault.code === 'edit') return fault
        const inner = field === 'expressions' && fault.path !== undefined ? fault.path : `/${field ?? ''}`
        return { ...fault, path: `${at}${inner}` }
      }),
    )
  }
}

function readXml(xml: string, language: string): Partial<Network> {
  const root = parseXml(xml)
  const faults = new XmlFaults(xml)
  const source = root.name === 'NetworkSource' ? root : { ...root, name: 'NetworkSource', children: [root] }
  const names: Readonly<Record<string, string>> = { FlgNet: 'LAD or FBD', StructuredText: 'SCL', StatementList: 'STL' }
  const name = source.children[0]?.name
  if (name !== undefined && names[name]?.includes(language) !== true)
    faults.add(
      'xml-structure',
      root,
      `a ${language} network cannot hold <${name}>; allowed: ${language === 'SCL' ? 'StructuredText' : language === 'STL' ? 'StatementList' : 'FlgNet'}`,
    )
  const content = readNetworkSource(source, faults)
  faults.throwIfAny()
  return content
}

/** The content of `NetworkSource`. */
function innerXml(xml: string): string {
  const root = parseXml(xml)
  return root.name === 'NetworkSource'
    ? xml.slice(root.contentStart, root.contentEnd).trim()
    : xml.slice(root.start, root.end)
}

function readStl(code: string, names: ProgramNames): Partial<Network> {
  const lines = new LineIndex(code)
  const faults: FormatFault[] = []
  const statements = readStatements(code, {
    names: {
      ...(names.isConstant && { isConstant: names.isConstant }),
      isLocal: (name) => names.scopeOf?.(name) === 'LocalVariable',
    },
    fault: (message, offset) => faults.push({ code: 'source-syntax', message, offset, ...lines.at(offset) }),
  })
  if (faults.length > 0) throw new FormatError(faults)
  return { statements }
}

/** Checks SCL. A draft must consist of whole tokens; its statements are checked when the program is compiled. */
function checkedScl(code: string, isDraft: boolean): string {
  if (!isDraft) {
    const found = sclFaults(code, '')
    if (found.length > 0) throw new FormatError(found)
  }
  const { faults } = lex(code)
  const lines = new LineIndex(code)
  if (faults.length > 0)
    throw new FormatError(
      faults.map(({ message, offset }) => ({ code: 'source-syntax', message, offset, ...lines.at(offset) })),
    )
  return code
}
