/**
 * Small changes of a block for mutation testing: a test that still passes does not notice them. One change each:
 * comparisons, operators, contacts, constants, and statements that are left out.
 */
import { shortened } from '../../lib/shortened.ts'
import { lineStarts } from '../formats/source/body.ts'
import { parseScl } from '../languages/scl/parser.ts'
import { tokenText } from '../languages/scl/tokens.ts'
import type { LogicNetwork, NetworkNode } from '../model/logic-network.ts'
import type { ImportedObject, Network } from '../model/object.ts'
import type { SequenceProgram } from '../model/sequence.ts'
import { placesOfStatements, type Statement, type StatementPlace } from '../model/statement.ts'

export interface Mutant {
  readonly object: ImportedObject
  readonly network: number
  readonly line?: number
  readonly column?: number
  readonly uId?: number
  /** Transition or step that contains it, as messages name it. */
  readonly element?: string
  /** What is changed: `#a < 5` … */
  readonly before: string
  readonly after: string
}

/** A change of one network, before it is in its block. */
interface Change<T> extends Omit<Mutant, 'object' | 'network'> {
  readonly changed: T
}

/** All changes of a block, in the order of its text. Work grows with its length. */
export function* mutantsOf(object: ImportedObject): Generator<Mutant> {
  for (const [i, network] of object.networks.entries())
    for (const { changed, ...rest } of changesOf(network)) {
      const networks = object.networks.with(i, changed)
      yield { ...rest, network: network.number, object: { ...object, networks } }
    }
}

function* changesOf(network: Network): Generator<Change<Network>> {
  const { text, graph, statements, chart, language } = network
  if (chart) yield* within(chartChanges(chart), (one) => ({ ...network, chart: one }))
  else if (graph) yield* within(graphChanges(graph), (one) => ({ ...network, graph: one }))
  else if (statements)
    yield* within(listChanges(statements, placesOfStatements(network)), (one) => ({ ...network, statements: one }))
  else if (language === 'SCL' && text !== undefined)
    yield* within(sclChanges(text), (one) => ({ ...network, text: one }))
}

function* within<T, U>(changes: Iterable<Change<T>>, put: (one: T) => U): Generator<Change<U>> {
  for (const { changed, ...rest } of changes) yield { ...rest, changed: put(changed) }
}

// ── SCL ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

const operators: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '=': '<>',
  '<>': '=',
  AND: 'OR',
  '&': 'OR',
  OR: 'AND',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
}
const removed: ReadonlySet<string> = new Set(['assignment', 'callStatement', 'return', 'exit', 'continue'])

interface Node {
  readonly kind: string
  readonly start: number
  readonly end: number
}

function isNode(value: unknown): value is Node & Record<string, unknown> {
  return typeof value === 'object' && value !== null && typeof (value as Node).start === 'number'
}

function* sclChanges(text: string): Generator<Change<string>> {
  const { tree } = parseScl(text)
  const { tokens } = tree
  const lines = lineStarts(text)
  const change = (from: number, to: number, by: string, shown: readonly [number, number]): Change<string> => {
    const line = lineAt(lines, from)
    const [before, after] = [text.slice(...shown), text.slice(shown[0], from) + by + text.slice(to, shown[1])]
    return {
      ...{ changed: text.slice(0, from) + by + text.slice(to), line: line + 1, column: from - (lines[line] ?? 0) + 1 },
      ...{ before: oneLine(before), after: by === ';' ? 'left out' : oneLine(after) },
    }
  }
  const range = ({ start, end }: Node): [number, number] => [tokens.start[start] ?? 0, tokens.start[end] ?? 0]
  function* visit(node: Node & Record<string, unknown>, isValue: boolean): Generator<Change<string>> {
    const whole = range(node)
    if (removed.has(node.kind)) yield change(whole[0], whole[1], ';', whole)
    if (node.kind === 'binary') {
      const [left, right] = [node.left as Node, node.right as Node]
      for (let token = left.end; token < right.start; token++) {
        const by = operators[tokenText(tokens, token).toUpperCase()]
        if (by !== undefined) yield change(tokens.start[token] ?? 0, tokens.start[token + 1] ?? 0, by, whole)
      }
    } else if (node.kind === 'unary' && node.operator === 'NOT') {
      const [from] = range(node.operand as Node)
      yield change(whole[0], from, '', whole)
    } else if (node.kind === 'literal' && isValue) {
      const by = otherLiteral(text.slice(...whole))
      if (by !== undefined) yield change(whole[0], whole[1], by, whole)
    }
    // Labels of CASE and indices choose; other values of them are mostly no program.
    for (const [field, child] of Object.entries(node))
      for (const one of Array.isArray(child) ? child : [child])
        if (isNode(one)) yield* visit(one, isValue && field !== 'labels' && field !== 'indices')
  }
  // `Node` is any node with its children by name; a statement is one of a closed union.
  for (const statement of tree.statements) yield* visit(statement as never, true)
}

/** Another value of a constant of the same type; none for texts and dates. */
function otherLiteral(text: string): string | undefined {
  if (/^true$/i.test(text)) return 'FALSE'
  if (/^false$/i.test(text)) return 'TRUE'
  if (/^\d[\d_]*$/.test(text)) return String(BigInt(text.replaceAll('_', '')) + 1n)
  if (/^\d[\d_]*\.\d+$/.test(text)) return `${Number(text.replaceAll('_', '')) + 1}`.replace(/^(\d+)$/, '$1.0')
  const time = /^(L?T(?:IME)?#)/i.exec(text)?.[1]
  if (time !== undefined) return /#[0_a-z]*$/i.test(text) ? `${time}1s` : `${time}0ms`
  return undefined
}

function oneLine(text: string): string {
  return shortened(text.replace(/\s+/g, ' ').trim(), 80)
}

function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

// ── LAD, FBD, GRAPH ─────────────────────────────────────────────────────────────────────────────────────────────────

const comparisonBoxes: Readonly<Record<string, string>> = { Lt: 'Le', Le: 'Lt', Gt: 'Ge', Ge: 'Gt', Eq: 'Ne', Ne: 'Eq' }
const contacts: ReadonlySet<string> = new Set(['Contact'])
const otherBoxes: Readonly<Record<string, string>> = {
  ...{ A: 'O', O: 'A', Add: 'Sub', Sub: 'Add', Mul: 'Div', Div: 'Mul', And: 'Or', Or: 'And' },
  ...{ PContact: 'NContact', NContact: 'PContact', SCoil: 'RCoil', RCoil: 'SCoil' },
}
const coils: ReadonlySet<string> = new Set(['Coil', 'SCoil', 'RCoil', 'PCoil', 'NCoil'])

function* graphChanges(graph: LogicNetwork): Generator<Change<LogicNetwork>> {
  const { nodes, wires } = graph
  const feedsRung = new Set(
    wires.flatMap(({ ends: [first, ...rest] }) =>
      first?.kind === 'pin' && rest.some(({ kind }) => kind === 'pin') ? [first.uId] : [],
    ),
  )
  const replaced = (i: number, node: NetworkNode): LogicNetwork => ({ ...graph, nodes: nodes.with(i, node) })
  for (const [i, node] of nodes.entries()) {
    const { uId } = node
    if (node.kind === 'operand') {
      const { operand } = node
      const by = operand.kind === 'literal' ? otherLiteral(operand.value) : undefined
      if (operand.kind !== 'literal' || by === undefined) continue
      yield {
        changed: replaced(i, { ...node, operand: { ...operand, value: by } }),
        uId,
        before: operand.value,
        after: by,
      }
      continue
    }
    const name = node.kind === 'call' ? `"${node.name}"` : node.name
    if (node.kind === 'part' && contacts.has(name)) {
      const isNegated = node.negated.includes('operand')
      const negated = isNegated ? node.negated.filter((pin) => pin !== 'operand') : [...node.negated, 'operand']
      const [before, after] = ['contact', 'negated contact']
      yield {
        changed: replaced(i, { ...node, negated }),
        ...{ uId, before: isNegated ? after : before, after: isNegated ? before : after },
      }
    }
    const by = node.kind === 'part' ? (comparisonBoxes[name] ?? otherBoxes[name]) : undefined
    if (node.kind === 'part' && by !== undefined)
      yield { changed: replaced(i, { ...node, name: by }), uId, before: name, after: by }
    if ((node.kind === 'call' || coils.has(name)) && !feedsRung.has(uId))
      yield { changed: withoutNode(graph, uId), uId, before: name, after: 'left out' }
  }
}

/** A network without a box, its wires, and what only it used. */
function withoutNode(graph: LogicNetwork, uId: number): LogicNetwork {
  const wires = graph.wires.flatMap((wire) => {
    const ends = wire.ends.filter((end) => !('uId' in end && end.kind !== 'operand' && end.uId === uId))
    return ends.length < 2 ? [] : [{ ...wire, ends }]
  })
  const used = new Set(wires.flatMap(({ ends }) => ends.flatMap((end) => (end.kind === 'operand' ? [end.uId] : []))))
  const nodes = graph.nodes.filter((one) => (one.kind === 'operand' ? used.has(one.uId) : one.uId !== uId))
  return { ...graph, nodes, wires }
}

function* chartChanges(chart: SequenceProgram): Generator<Change<SequenceProgram>> {
  for (const [i, sequence] of chart.sequences.entries()) {
    const put = (changed: typeof sequence) => ({ ...chart, sequences: chart.sequences.with(i, changed) })
    for (const [at, one] of sequence.transitions.entries()) {
      if (!one.graph) continue
      const element = `Transition ${one.number} "${one.name}"`
      for (const { changed: graph, ...rest } of graphChanges(one.graph))
        yield {
          ...rest,
          element,
          changed: put({ ...sequence, transitions: sequence.transitions.with(at, { ...one, graph }) }),
        }
    }
    for (const [at, step] of sequence.steps.entries())
      for (const [number, action] of step.actions.entries()) {
        const actions = step.actions.filter((_one, other) => other !== number)
        yield {
          ...{
            element: `Step ${step.number} "${step.name}"`,
            before: oneLine(`${action.qualifier} ${action.text}`),
            after: 'left out',
          },
          changed: put({ ...sequence, steps: sequence.steps.with(at, { ...step, actions }) }),
        }
      }
  }
}

// ── STL ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

const mnemonics: Readonly<Record<string, string>> = {
  ...{
    A: 'AN',
    AN: 'A',
    O: 'ON',
    ON: 'O',
    S: 'R',
    R: 'S',
    '+I': '-I',
    '-I': '+I',
    '+D': '-D',
    '-D': '+D',
    '+R': '-R',
    '-R': '+R',
  },
  ...{ '==I': '<>I', '<>I': '==I', '<I': '<=I', '<=I': '<I', '>I': '>=I', '>=I': '>I' },
  ...{ '==D': '<>D', '<>D': '==D', '<D': '<=D', '<=D': '<D', '>D': '>=D', '>=D': '>D' },
  ...{ '==R': '<>R', '<>R': '==R', '<R': '<=R', '<=R': '<R', '>R': '>=R', '>=R': '>R' },
}
const leftOut: ReadonlySet<string> = new Set(['=', 'S', 'R', 'T', 'CALL', 'UC', 'CC'])

function* listChanges(
  statements: readonly Statement[],
  places: readonly StatementPlace[],
): Generator<Change<readonly Statement[]>> {
  for (const [i, one] of statements.entries()) {
    const at = places[i] ?? { line: 1, column: 1 }
    const by = one.operand === undefined && /^[AO]N?$/.test(one.mnemonic) ? undefined : mnemonics[one.mnemonic]
    if (by !== undefined)
      yield { ...at, before: one.mnemonic, after: by, changed: statements.with(i, { ...one, mnemonic: by }) }
    if (leftOut.has(one.mnemonic)) {
      const { label } = one
      const empty: Statement = {
        mnemonic: 'NOP',
        operand: { kind: 'literal', scope: 'LiteralConstant', value: '0' },
        ...(label === undefined ? {} : { label }),
      }
      yield { ...at, before: one.mnemonic, after: 'left out', changed: statements.with(i, empty) }
    }
    const value = one.operand?.kind === 'literal' ? otherLiteral(one.operand.value) : undefined
    if (value !== undefined && one.operand?.kind === 'literal' && one.mnemonic === 'L')
      yield {
        ...{ ...at, before: `L ${one.operand.value}`, after: `L ${value}` },
        changed: statements.with(i, { ...one, operand: { ...one.operand, value } }),
      }
  }
}
