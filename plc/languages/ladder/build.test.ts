import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { LogicNetwork, WireEnd } from '../../model/logic-network.ts'
import type { Operand } from '../../model/operand.ts'
import { parseOperand } from '../../model/operand-reader.ts'
import { cardinality, NetworkBuilder, pinEnd, typeTemplate } from './build.ts'
import { canonicalNetwork, comparePins } from './canonical.ts'

function operand(text: string): Operand {
  return parseOperand(text) as Operand
}

/** `#run := (#start OR #run) AND NOT #stop`, and a timer on its own. */
function sample(): LogicNetwork {
  const network = new NetworkBuilder()
  const start = network.instruction('Contact')
  network.powerrail(start, 'in').input(start, 'operand', operand('#start'))
  const hold = network.instruction('Contact')
  network.powerrail(hold, 'in').input(hold, 'operand', operand('#run'))
  const either = network.instruction('O', { templates: [cardinality(2)] })
  network.connect(pinEnd(start, 'out'), pinEnd(either, 'in1')).connect(pinEnd(hold, 'out'), pinEnd(either, 'in2'))
  const stop = network.instruction('Contact')
  network
    .negate(stop, 'operand')
    .connect(pinEnd(either, 'out'), pinEnd(stop, 'in'))
    .input(stop, 'operand', operand('#stop'))
  const coil = network.instruction('Coil')
  network.connect(pinEnd(stop, 'out'), pinEnd(coil, 'in')).input(coil, 'operand', operand('#run'))
  const timer = network.instruction('TON', {
    version: '1.0',
    instance: { scope: 'LocalVariable', path: [{ name: 'delay' }] },
    templates: [typeTemplate('time_type', 'Time')],
  })
  network.connect(pinEnd(stop, 'out'), pinEnd(timer, 'IN')).input(timer, 'PT', operand('T#5s'))
  network.output(timer, 'Q', operand('#late'))
  network.open(timer, 'ET', 'output')
  return network.network()
}

test('a network is numbered from 21: operands, boxes with their instance, wires, open connectors', () => {
  const network = sample()
  assert.deepEqual(
    network.nodes.map((node) => [node.uId, node.kind === 'operand' ? node.kind : node.name]),
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
  const timer = network.nodes.at(-1)
  assert.equal(timer?.kind === 'part' && timer.instance?.uId, 33)
  assert.deepEqual(network.wires[0], {
    uId: 34,
    ends: [{ kind: 'powerrail' }, pinEnd(27, 'in'), pinEnd(28, 'in')],
  })
  assert.deepEqual(network.wires.find(({ ends }) => ends.some((end) => end.kind === 'open'))?.ends, [
    pinEnd(32, 'ET'),
    { kind: 'open', uId: 46 },
  ])
})

test('a branch is one wire, and a connector stands on it once', () => {
  const network = new NetworkBuilder()
  const [a, b, c] = [network.instruction('Contact'), network.instruction('Coil'), network.instruction('Coil')]
  network.connect(pinEnd(a, 'out'), pinEnd(b, 'in'))
  network.connect(pinEnd(a, 'out'), pinEnd(c, 'in'), pinEnd(b, 'in'))
  assert.ok(network.isConnected(c, 'in') && !network.isConnected(a, 'in'))
  assert.deepEqual(
    network.network().wires.map(({ ends }) => ends),
    [[pinEnd(21, 'out'), pinEnd(22, 'in'), pinEnd(23, 'in')]],
  )
})

test('a second inversion takes the first away; what is not in the network is refused', () => {
  const network = new NetworkBuilder()
  const contact = network.instruction('Contact')
  network.negate(contact, 'operand').negate(contact, 'operand')
  const [node] = network.network().nodes
  assert.deepEqual(node?.kind === 'part' && node.negated, [])
  assert.throws(() => network.negate(99, 'in'), RangeError)
  assert.throws(() => network.connect(pinEnd(98, 'out'), pinEnd(contact, 'in')).network(), RangeError)
})

test('pins are ordered by their number', () => {
  assert.deepEqual(['in10', 'in2', 'en', 'in1'].sort(comparePins), ['en', 'in1', 'in2', 'in10'])
})

/** The network with other UIds, operands and wires in another order, a branch cut into several wires. */
function respelled(network: LogicNetwork, shift: number, order: readonly number[]): LogicNetwork {
  const moved = (uId: number) => uId * 3 + shift
  const end = (from: WireEnd): WireEnd => ('uId' in from ? { ...from, uId: moved(from.uId) } : from)
  const shuffled = <T>(list: readonly T[]): T[] =>
    list
      .map((item, index) => ({ item, key: order[index % order.length] as number }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item)
  const boxes = network.nodes.filter((node) => node.kind !== 'operand')
  const nodes = [...boxes, ...shuffled(network.nodes.filter((node) => node.kind === 'operand'))]
  const wires = network.wires.flatMap(({ uId, ends: [source, ...sinks] }) =>
    sinks.map((sink, index) => ({ uId: uId * 100 + index, ends: [end(source as WireEnd), end(sink)] })),
  )
  return { ...network, nodes: nodes.map((node) => ({ ...node, uId: moved(node.uId) })), wires: shuffled(wires) }
}

test('two spellings of a network have the same canonical form, which is its own canonical form', () => {
  const network = sample()
  const expected = canonicalNetwork(network)
  assert.deepEqual(canonicalNetwork(expected), expected)
  fc.assert(
    fc.property(fc.nat(1000), fc.array(fc.nat(50), { minLength: 3, maxLength: 20 }), (shift, order) => {
      assert.deepEqual(canonicalNetwork(respelled(network, shift, order)), expected)
    }),
  )
})

test('an open output compares as not connected; another network does not compare equal', () => {
  const network = sample()
  const expected = canonicalNetwork(network)
  const withoutOpen = {
    ...network,
    wires: network.wires.filter(({ ends }) => !ends.some((end) => end.kind === 'open')),
  }
  assert.deepEqual(canonicalNetwork(withoutOpen), expected)
  const swapped = network.wires.map((wire) => ({
    ...wire,
    ends: wire.ends.map((end) => (end.kind === 'pin' && end.pin === 'in1' ? { ...end, pin: 'in3' } : end)),
  }))
  assert.notDeepEqual(canonicalNetwork({ ...network, wires: swapped }), expected)
  assert.notDeepEqual(canonicalNetwork({ ...network, wires: network.wires.slice(1) }), expected)
})

test('boxes that nothing follows keep their order of evaluation', () => {
  const two = (first: string, second: string): LogicNetwork => {
    const network = new NetworkBuilder()
    for (const name of [first, second]) {
      const coil = network.instruction('Coil')
      network.powerrail(coil, 'in').input(coil, 'operand', operand(name))
    }
    return network.network()
  }
  assert.notDeepEqual(canonicalNetwork(two('#a', '#b')), canonicalNetwork(two('#b', '#a')))
})

test('a chain of 50000 contacts and a ring are put in order', () => {
  const network = new NetworkBuilder()
  let last = network.instruction('Contact')
  for (let i = 1; i < 50_000; i++) {
    const next = network.instruction('Contact')
    network.connect(pinEnd(last, 'out'), pinEnd(next, 'in'))
    last = next
  }
  const [a, b] = [network.instruction('Not'), network.instruction('Not')]
  network.connect(pinEnd(a, 'out'), pinEnd(b, 'in')).connect(pinEnd(b, 'out'), pinEnd(a, 'in'))
  assert.equal(canonicalNetwork(network.network()).nodes.length, 50_002)
})
