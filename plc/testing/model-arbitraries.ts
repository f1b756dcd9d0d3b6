/**
 * Generators of documents for property tests: everything the model can represent, with names and texts that are hard to
 * write. Objects may have no prototype: compare them as JSON.
 */

import fc from 'fast-check'
import type {
  CallNode,
  InstructionNode,
  LogicNetwork,
  NetworkLabel,
  NetworkNode,
  Wire,
  WireEnd,
} from '../model/logic-network.ts'
import type { MultilingualText } from '../model/multilingual-text.ts'
import type {
  ImportedObject,
  InterfaceMember,
  InterfaceSection,
  Network,
  ProgramObjectKind,
  SectionName,
} from '../model/object.ts'
import type { Operand, PathComponent, SymbolScope } from '../model/operand.ts'

const hard = [
  '<',
  '&',
  '>',
  '"',
  "'",
  ']]>',
  '\r',
  '\n',
  '\t',
  '&amp;',
  '<!--',
  '-->',
  '/',
  '#',
  '%',
  '{',
  '$',
  ' ',
  '\u00a0',
  'Ж',
  '变',
  '😀',
  'é',
]

/** Texts that XML can contain. */
export const text: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...hard), fc.string({ unit: 'grapheme', maxLength: 4 })), { maxLength: 5 })
  .map((parts) => parts.join('').replace(/(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu, ''))

/** Names: not empty, without characters that no name can contain. */
export const name: fc.Arbitrary<string> = text.map((value) => `n${value.replace(/[\r\n\t"]/g, '')}`)

export const multilingual: fc.Arbitrary<MultilingualText> = fc.dictionary(
  fc.constantFrom('en-US', 'de-DE', 'zh-CN', 'ru-RU'),
  text,
  { maxKeys: 3, noNullPrototype: true },
)

/** Removes the keys whose value is `undefined`. */
function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as T
}

function maybe<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined })
}

const symbolScope = fc.constantFrom<SymbolScope>('GlobalVariable', 'LocalVariable', 'Undef')

function component(depth: number): fc.Arbitrary<PathComponent> {
  return fc
    .record({
      name,
      indices:
        depth === 0 ? fc.constant(undefined) : maybe(fc.array(operand(depth - 1), { minLength: 1, maxLength: 2 })),
      slice: maybe(fc.constantFrom('x0', 'b1', 'w2', 'd0')),
      access: maybe(fc.constantFrom('Periphery' as const, 'QualityInformation' as const)),
    })
    .map((value) => defined(value) as PathComponent)
}

function path(depth: number): fc.Arbitrary<PathComponent[]> {
  return fc.array(component(depth), { minLength: 1, maxLength: 3 })
}

/** Operands; indices nest up to `depth`. */
export function operand(depth = 2): fc.Arbitrary<Operand> {
  return fc.oneof(
    fc.record({ kind: fc.constant('symbol' as const), scope: symbolScope, path: path(depth) }),
    fc
      .record({
        kind: fc.constant('literal' as const),
        scope: fc.constantFrom('LiteralConstant' as const, 'TypedConstant' as const),
        value: text,
        type: maybe(fc.constantFrom('Int', 'Bool', 'Real')),
      })
      .map((value) => defined(value) as Operand),
    fc.record({
      kind: fc.constant('constant' as const),
      scope: fc.constantFrom('GlobalConstant' as const, 'LocalConstant' as const, 'NamedValueConstant' as const),
      name,
    }),
    fc
      .record({
        kind: fc.constant('address' as const),
        area: fc.constantFrom('Input', 'Memory', 'DB'),
        type: fc.constantFrom('Bool', 'Word', 'Block_DB'),
        blockNumber: fc.nat(65_535),
        bitOffset: fc.nat(100_000),
      })
      .map(({ blockNumber, bitOffset, ...rest }): Operand => {
        if (rest.type === 'Block_DB') return { ...rest, area: 'DB', blockNumber }
        return rest.area === 'DB' ? { ...rest, blockNumber, bitOffset } : { ...rest, bitOffset }
      }),
    fc.record({ kind: fc.constant('label' as const), name }),
    fc.record({ kind: fc.constant('status' as const), name: fc.constantFrom('OV', 'BR', 'UO') }),
    fc.constant<Operand>({ kind: 'indirect', width: 'Word', area: 'DB', register: 'AR1', bitOffset: 16 }),
  )
}

const box = {
  negated: fc.array(name, { maxLength: 2 }),
  invisible: fc.array(name, { maxLength: 1 }),
  comment: maybe(multilingual.filter((texts) => Object.keys(texts).length > 0)),
}
const instance = fc.record({ uId: fc.constant(0), scope: symbolScope, path: path(1) })

const part: fc.Arbitrary<InstructionNode> = fc
  .record({
    kind: fc.constant('part' as const),
    uId: fc.constant(0),
    name,
    version: maybe(fc.constant('1.0')),
    disabledEno: maybe(fc.boolean()),
    content: fc.oneof(
      fc.constant({}),
      text.map((equation) => ({ equation })),
      instance.map((value) => ({ instance: value })),
    ),
    templates: fc.array(fc.record({ name, type: fc.constantFrom('Type', 'Cardinality'), value: text }), {
      maxLength: 2,
    }),
    automaticTyped: fc.array(name, { maxLength: 1 }),
    ...box,
  })
  .map(({ content, ...value }) => defined({ ...value, ...content }) as InstructionNode)

const call: fc.Arbitrary<CallNode> = fc
  .record({
    kind: fc.constant('call' as const),
    uId: fc.constant(0),
    name,
    blockType: fc.constantFrom('FB', 'FC'),
    blockNumber: maybe(fc.nat(65_535)),
    instance: maybe(instance),
    parameters: fc.array(
      fc
        .record({ name, section: maybe(fc.constantFrom('Input', 'Output')), type: maybe(text) })
        .map((value) => defined(value) as CallNode['parameters'][number]),
      { maxLength: 3 },
    ),
    ...box,
  })
  .map((value) => defined(value) as CallNode)

/** An end of a wire, before UIds are given. */
const end = fc.oneof(
  fc.record({ node: fc.nat(), pin: name }),
  fc.constantFrom<WireEnd>({ kind: 'powerrail' }, { kind: 'openbranch' }, { kind: 'open', uId: 0 }),
)

/** LAD and FBD networks with UIds from 21; wires lead to nodes of the network, and no pin gets two. */
export const logicNetwork: fc.Arbitrary<LogicNetwork> = fc
  .record({
    labels: fc.array(fc.record({ name, comment: box.comment }), { maxLength: 2 }),
    nodes: fc.array(
      fc.oneof(
        operand().map((value): NetworkNode => ({ kind: 'operand', uId: 0, operand: value })),
        part,
        call,
      ),
      { maxLength: 5 },
    ),
    wires: fc.array(fc.array(end, { minLength: 1, maxLength: 3 }), { maxLength: 5 }),
  })
  .map(({ labels, nodes, wires }) => {
    let next = 21
    const numbered = nodes.map((node): NetworkNode => {
      const uId = next++
      return node.kind !== 'operand' && node.instance !== undefined
        ? { ...node, uId, instance: { ...node.instance, uId: next++ } }
        : { ...node, uId }
    })
    let pins = 0
    const toEnd = (value: (typeof wires)[number][number]): WireEnd => {
      if ('kind' in value) return value.kind === 'open' ? { kind: 'open', uId: next++ } : value
      const node = numbered[value.node % Math.max(1, numbered.length)]
      if (node === undefined) return { kind: 'powerrail' }
      if (node.kind === 'operand') return { kind: 'operand', uId: node.uId }
      return { kind: 'pin', uId: node.uId, pin: `${value.pin}${pins++}` }
    }
    return {
      labels: labels.map((label) => defined({ ...label, uId: next++ }) as NetworkLabel),
      nodes: numbered,
      wires: wires.map((ends): Wire => ({ uId: next++, ends: ends.map(toEnd) })),
    }
  })

function member(depth: number): fc.Arbitrary<InterfaceMember> {
  const inner = depth === 0 ? fc.constant([]) : fc.array(member(depth - 1), { maxLength: 2 })
  return fc
    .record({
      name,
      dataType: fc.oneof(
        fc.constantFrom('Bool', 'Array[0..1] of Int', 'Struct', '"U"'),
        text.map((value) => `t${value}`),
      ),
      version: maybe(fc.constant('1.0')),
      // SimaticML has no place for the value of a whole array or structure.
      startValue: maybe(text.filter((value) => !/^[[(]/.test(value))),
      comment: multilingual,
      remanence: maybe(fc.constantFrom('NonRetain' as const, 'Retain' as const, 'SetInIDB' as const)),
      accessibility: maybe(fc.constantFrom('Public', 'Internal')),
      informative: maybe(fc.constant(true)),
      attributes: fc.array(
        fc.oneof(
          fc.record({ name, type: fc.constant('String' as const), value: text }),
          fc.record({ name, type: fc.constant('Boolean' as const), value: fc.constantFrom('true', 'false') }),
        ),
        { maxLength: 2 },
      ),
      members: inner,
      sections: maybe(inner.map((members): InterfaceSection[] => [{ section: 'None', members }])),
      subelements: maybe(
        fc.array(
          fc
            .record({ path: fc.constantFrom('0', '1,2', '-1;3'), startValue: maybe(text) })
            .map((value) => defined(value)),
          { minLength: 1, maxLength: 2 },
        ),
      ),
    })
    .map((value) => defined(value) as InterfaceMember)
}

const sectionsOfKind: Readonly<Partial<Record<ProgramObjectKind, readonly SectionName[]>>> = {
  OB: ['Input', 'Temp', 'Constant'],
  FB: ['Input', 'Output', 'InOut', 'Static', 'Temp', 'Constant'],
  FC: ['Input', 'Output', 'InOut', 'Temp', 'Constant', 'Return'],
  GlobalDB: ['Static'],
  InstanceDB: ['Input', 'Output', 'InOut', 'Static'],
  ArrayDB: ['None'],
  UDT: ['None'],
}

const network: fc.Arbitrary<Omit<Network, 'number' | 'parts'>> = fc
  .record({
    title: multilingual,
    comment: multilingual,
    content: fc.oneof(
      logicNetwork.map((graph) => ({ language: 'LAD', graph })),
      fc
        .constantFrom('#a := 1;', 'IF "x y" THEN // c\n\t"F"(p := #b);\nEND_IF;')
        .map((code) => ({ language: 'SCL', text: code })),
      fc.constant({ language: 'FBD' }),
    ),
  })
  .map(({ content, ...value }) => ({ ...value, ...content }))

/** Blocks and types as imported from SimaticML. */
export const block: fc.Arbitrary<ImportedObject> = fc
  .constantFrom(...(Object.keys(sectionsOfKind) as ProgramObjectKind[]))
  .chain((kind) => {
    const isCode = kind === 'OB' || kind === 'FB' || kind === 'FC'
    const sections = (sectionsOfKind[kind] ?? []).map((section) =>
      fc.array(member(2), { maxLength: 2 }).map((members): InterfaceSection => ({ section, members })),
    )
    return fc
      .record({
        name,
        number: maybe(fc.integer({ min: 1, max: 65_535 })),
        title: multilingual,
        comment: multilingual,
        author: text,
        memoryLayout: maybe(fc.constantFrom('Optimized' as const, 'Standard' as const)),
        instanceOf: kind === 'InstanceDB' ? name : fc.constant(undefined),
        secondaryType: kind === 'OB' ? fc.constant('ProgramCycle') : fc.constant(undefined),
        interface: fc.tuple(...sections),
        networks: fc.array(network, { maxLength: isCode ? 3 : 0 }),
      })
      .map(({ networks, ...value }) =>
        defined({
          kind,
          element: kind === 'UDT' ? 'SW.Types.PlcStruct' : `SW.Blocks.${kind}`,
          format: 'simaticml' as const,
          language: isCode ? 'LAD' : kind === 'UDT' ? '' : 'DB',
          family: '',
          headerName: '',
          version: '0.1',
          isKnowHowProtected: false,
          attributes: [],
          ...value,
          networks: networks.map((entry, index): Network => ({ number: index + 1, parts: [], ...entry })),
        } as ImportedObject),
      )
  })
