import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { LogicNetwork, Operand, WireEnd } from '../../model/network.ts'
import { parseOperand } from '../../model/operand-reader.ts'
import { cardinality, NetworkBuilder, pinEnd, typeTemplate } from './build.ts'
import { canonicalNetwork, comparePins } from './canonical.ts'

function operand(text: string): Operand {
  return parseOperand(text) as Operand
}

/** `#run := (#start OR #run) AND NOT #stop`, and a timer of its own line. */
function sample(): LogicNetwork {
  const graph = new NetworkBuilder()
  const start = graph.part('Contact')
  graph.powerrail(start, 'in').input(start, 'operand', operand('#start'))
  const hold = graph.part('Contact')
  graph.powerrail(hold, 'in').input(hold, 'operand', operand('#run'))
  const either = graph.part('O', { templates: [cardinality(2)] })
  graph.connect(pinEnd(start, 'out'), pinEnd(either, 'in1')).connect(pinEnd(hold, 'out'), pinEnd(either, 'in2'))
  const stop = graph.part('Contact')
  graph
    .negate(stop, 'operand')
    .connect(pinEnd(either, 'out'), pinEnd(stop, 'in'))
    .input(stop, 'operand', operand('#stop'))
  const coil = graph.part('Coil')
  graph.connect(pinEnd(stop, 'out'), pinEnd(coil, 'in')).input(coil, 'operand', operand('#run'))
  const timer = graph.part('TON', {
    version: '1.0',
    instance: { scope: 'LocalVariable', path: [{ name: 'delay' }] },
    templates: [typeTemplate('time_type', 'Time')],
  })
  graph.connect(pinEnd(stop, 'out'), pinEnd(timer, 'IN')).input(timer, 'PT', operand('T#5s'))
  graph.output(timer, 'Q', operand('#late'))
  graph.open(timer, 'ET', 'output')
  return graph.graph()
}

test('a graph is numbered from 21: operands, boxes with their instance, wires, open connectors', () => {
  const graph = sample()
  assert.deepEqual(
    graph.nodes.map((node) => [node.uId, node.kind === 'operand' ? node.kind : node.name]),
    [
      [21, 'operand'],
      [22, 'operand'],
      [23, 'operand'],
      [24, 'operand'],
      [25, 'operand'],
      [26, 'operand'],
      [27, 'Contact'],
      [28, 'Contact'],
      [29, 'O'],
      [30, 'Contact'],
      [31, 'Coil'],
      [32, 'TON'],
    ],
  )
  const timer = graph.nodes.at(-1)
  assert.equal(timer?.kind === 'part' && timer.instance?.uId, 33)
  assert.deepEqual(graph.wires[0], {
    uId: 34,
    ends: [{ kind: 'powerrail' }, pinEnd(27, 'in'), pinEnd(28, 'in')],
  })
  assert.deepEqual(graph.wires.find(({ ends }) => ends.some((end) => end.kind === 'open'))?.ends, [
    pinEnd(32, 'ET'),
    { kind: 'open', uId: 46 },
  ])
})

test('a branch is one wire, and a connector stands on it once', () => {
  const graph = new NetworkBuilder()
  const [a, b, c] = [graph.part('Contact'), graph.part('Coil'), graph.part('Coil')]
  graph.connect(pinEnd(a, 'out'), pinEnd(b, 'in'))
  graph.connect(pinEnd(a, 'out'), pinEnd(c, 'in'), pinEnd(b, 'in'))
  assert.ok(graph.isConnected(c, 'in') && !graph.isConnected(a, 'in'))
  assert.deepEqual(
    graph.graph().wires.map(({ ends }) => ends),
    [[pinEnd(21, 'out'), pinEnd(22, 'in'), pinEnd(23, 'in')]],
  )
})

test('a second inversion takes the first away; what is not in the graph is refused', () => {
  const graph = new NetworkBuilder()
  const contact = graph.part('Contact')
  graph.negate(contact, 'operand').negate(contact, 'operand')
  const [node] = graph.graph().nodes
  assert.deepEqual(node?.kind === 'part' && node.negated, [])
  assert.throws(() => graph.negate(99, 'in'), RangeError)
  assert.throws(() => graph.connect(pinEnd(98, 'out'), pinEnd(contact, 'in')).graph(), RangeError)
})

test('pins are ordered by their number', () => {
  assert.deepEqual(['in10', 'in2', 'en', 'in1'].sort(comparePins), ['en', 'in1', 'in2', 'in10'])
})

/** The graph with other UIds, operands and wires in another order, a branch cut into several wires. */
function respelled(graph: LogicNetwork, shift: number, order: readonly number[]): LogicNetwork {
  const moved = (uId: number) => uId * 3 + shift
  const end = (from: WireEnd): WireEnd => ('uId' in from ? { ...from, uId: moved(from.uId) } : from)
  const shuffled = <T>(list: readonly T[]): T[] =>
    list
      .map((item, index) => ({ item, key: order[index % order.length] as number }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item)
  const boxes = graph.nodes.filter((node) => node.kind !== 'operand')
  const nodes = [...boxes, ...shuffled(graph.nodes.filter((node) => node.kind === 'operand'))]
  const wires = graph.wires.flatMap(({ uId, ends: [source, ...sinks] }) =>
    sinks.map((sink, index) => ({ uId: uId * 100 + index, ends: [end(source as WireEnd), end(sink)] })),
  )
  return { ...graph, nodes: nodes.map((node) => ({ ...node, uId: moved(node.uId) })), wires: shuffled(wires) }
}

test('two spellings of a network have the same canonical form, which is its own canonical form', () => {
  const graph = sample()
  const expected = canonicalNetwork(graph)
  assert.deepEqual(canonicalNetwork(expected), expected)
  fc.assert(
    fc.property(fc.nat(1000), fc.array(fc.nat(50), { minLength: 3, maxLength: 20 }), (shift, order) => {
      assert.deepEqual(canonicalNetwork(respelled(graph, shift, order)), expected)
    }),
  )
})

test('an open output compares as not connected; another network does not compare equal', () => {
  const graph = sample()
  const expected = canonicalNetwork(graph)
  const withoutOpen = { ...graph, wires: graph.wires.filter(({ ends }) => !ends.some((end) => end.kind === 'open')) }
  assert.deepEqual(canonicalNetwork(withoutOpen), expected)
  const swapped = graph.wires.map((wire) => ({
    ...wire,
    ends: wire.ends.map((end) => (end.kind === 'pin' && end.pin === 'in1' ? { ...end, pin: 'in3' } : end)),
  }))
  assert.notDeepEqual(canonicalNetwork({ ...graph, wires: swapped }), expected)
  assert.notDeepEqual(canonicalNetwork({ ...graph, wires: graph.wires.slice(1) }), expected)
})

test('boxes that nothing follows keep their order of evaluation', () => {
  const two = (first: string, second: string): LogicNetwork => {
    const graph = new NetworkBuilder()
    for (const name of [first, second]) {
      const coil = graph.part('Coil')
      graph.powerrail(coil, 'in').input(coil, 'operand', operand(name))
    }
    return graph.graph()
  }
  assert.notDeepEqual(canonicalNetwork(two('#a', '#b')), canonicalNetwork(two('#b', '#a')))
})

test('a chain of 50000 contacts and a ring are put in order', () => {
  const graph = new NetworkBuilder()
  let last = graph.part('Contact')
  for (let i = 1; i < 50_000; i++) {
    const next = graph.part('Contact')
    graph.connect(pinEnd(last, 'out'), pinEnd(next, 'in'))
    last = next
  }
  const [a, b] = [graph.part('Not'), graph.part('Not')]
  graph.connect(pinEnd(a, 'out'), pinEnd(b, 'in')).connect(pinEnd(b, 'out'), pinEnd(a, 'in'))
  assert.equal(canonicalNetwork(graph.graph()).nodes.length, 50_002)
})
