/**
 * The form in which programs are compared. An export may leave out what is a default, and some exports write it: both
 * mean the same, so both become the shorter spelling.
 */
import { canonicalNetwork, canonicalSequences } from '../languages/ladder/canonical.ts'
import type { LogicNetwork } from '../model/logic-network.ts'
import type { MultilingualText } from '../model/multilingual-text.ts'
import type { ImportedObject, InterfaceMember, InterfaceSection, Network, ObjectAttribute } from '../model/object.ts'

/** Defaults of attributes that are neither empty nor `false`. */
const defaults: Readonly<Record<string, string>> = {
  AutoNumber: 'true',
  HeaderVersion: '0.1',
  MemoryLayout: 'Optimized',
  ExternalAccessible: 'true',
  ExternalVisible: 'true',
  ExternalWritable: 'true',
}

/** Returns the object without defaults, empty texts, empty sections, ids of networks and numbers of called blocks. */
export function comparedForm(object: ImportedObject): ImportedObject {
  const { version, memoryLayout, tags, constants, ...rest } = object
  const named = <T extends { readonly name: string; readonly comment: MultilingualText }>(rows: readonly T[]) =>
    rows.map((row) => ({ ...withoutDefaults(row), comment: texts(row.comment) }) as T)
  return {
    ...rest,
    version: version === defaults.HeaderVersion ? '' : version,
    ...(memoryLayout === undefined || memoryLayout === defaults.MemoryLayout ? {} : { memoryLayout }),
    ...(tags === undefined ? {} : { tags: named(tags) }),
    ...(constants === undefined ? {} : { constants: named(constants) }),
    title: texts(object.title),
    comment: texts(object.comment),
    attributes: attributes(object.attributes),
    interface: sections(object.interface),
    networks: object.networks.map(network),
  }
}

const texts = (text: MultilingualText): MultilingualText =>
  Object.fromEntries(Object.entries(text).filter(([, value]) => value !== ''))

const isDefault = (name: string, value: string): boolean => value === (defaults[name] ?? 'false') || value === ''

const attributes = <T extends ObjectAttribute>(list: readonly T[]): T[] =>
  list
    .filter(({ name, value }) => !isDefault(name, value))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))

/** Tags say by fields what members say by attributes. */
function withoutDefaults(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([name, value]) => !(/^external/.test(name) && value === true)))
}

function sections(list: readonly InterfaceSection[]): InterfaceSection[] {
  return list
    .filter((section) => section.members.length > 0)
    .map((section) => ({ ...section, members: section.members.map(member) }))
    .sort((a, b) => (a.section < b.section ? -1 : 1))
}

function member({ accessibility, remanence, ...one }: InterfaceMember): InterfaceMember {
  return {
    ...one,
    ...(accessibility === undefined || accessibility === 'Public' ? {} : { accessibility }),
    ...(remanence === undefined || remanence === 'NonRetain' ? {} : { remanence }),
    // Names of types have no case.
    dataType: one.dataType.toUpperCase(),
    comment: texts(one.comment),
    attributes: attributes(one.attributes),
    members: one.members.map(member),
  }
}

function network({ graph, statements, chart, ...one }: Network): Network {
  return {
    ...one,
    title: texts(one.title),
    comment: texts(one.comment),
    ...(graph === undefined ? {} : { graph: withoutNumbers(canonicalNetwork(graph)) }),
    ...(chart === undefined ? {} : { chart: canonicalSequences(chart) }),
    ...(statements === undefined
      ? {}
      : {
          statements: statements.map((statement) => {
            if (statement.call?.target !== 'block') return statement
            const { blockNumber: _, ...call } = statement.call
            return { ...statement, call }
          }),
        }),
  }
}

/** The name identifies the called block; some exports have its number too. */
function withoutNumbers(graph: LogicNetwork): LogicNetwork {
  return {
    ...graph,
    nodes: graph.nodes.map((node) => {
      if (node.kind !== 'call') return node
      const { blockNumber: _, ...call } = node
      return call
    }),
  }
}
