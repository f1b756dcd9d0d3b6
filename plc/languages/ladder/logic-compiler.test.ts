/** Networks of random conditions: power flows exactly where the condition is true. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Random, randomFrom } from '../../../test/random.ts'
import { FormatError } from '../../model/fault.ts'
import type { LogicNetwork, NetworkNode, WireEnd } from '../../model/logic-network.ts'
import { compileExpression } from './compile-expression.ts'
import { networkExpression } from './expression.ts'

type Condition =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: boolean }
  | { readonly kind: 'not'; readonly inner: Condition }
  | { readonly kind: 'AND' | 'XOR' | 'OR'; readonly items: readonly Condition[] }

const variables = ['a', 'b', 'c', 'd']
type Values = Readonly<Record<string, boolean>>

function randomCondition(random: Random, depth: number, kinds: readonly ('AND' | 'XOR' | 'OR')[]): Condition {
  const below = (count: number) => Math.floor(random() * count)
  const chosen = depth === 0 ? below(3) : below(9)
  if (chosen < 3) return { kind: 'name', name: variables[below(variables.length)]! }
  const inner = () => randomCondition(random, depth - 1, kinds)
  if (chosen === 3) return { kind: 'not', inner: inner() }
  if (chosen === 4 && below(3) === 0) return { kind: 'literal', value: below(2) === 0 }
  const items = Array.from({ length: 2 + below(2) }, inner)
  return { kind: kinds[below(kinds.length)]!, items }
}

function isTrue(condition: Condition, values: Values): boolean {
  switch (condition.kind) {
    case 'name':
      return values[condition.name]!
    case 'literal':
      return condition.value
    case 'not':
      return !isTrue(condition.inner, values)
    case 'AND':
      return condition.items.every((item) => isTrue(item, values))
    case 'OR':
      return condition.items.some((item) => isTrue(item, values))
    case 'XOR':
      return condition.items.filter((item) => isTrue(item, values)).length % 2 === 1
  }
}

/** As SCL binds: NOT, AND, XOR, OR. */
const strength = { OR: 1, XOR: 2, AND: 3, not: 4, name: 5, literal: 5 }

function textOf(condition: Condition, above = 0): string {
  const own = strength[condition.kind]
  const text =
    condition.kind === 'name'
      ? `#${condition.name}`
      : condition.kind === 'literal'
        ? `(${condition.value ? 'TRUE' : 'FALSE'})`
        : condition.kind === 'not'
          ? `NOT ${textOf(condition.inner, own)}`
          : condition.items.map((item) => textOf(item, own)).join(` ${condition.kind} `)
  return own <= above && own < 5 ? `(${text})` : text
}

/** What a network writes to the operand of its coil or assignment, element by element. */
function powerOf(network: LogicNetwork, values: Values): boolean {
  const nodes = new Map<number, NetworkNode>(network.nodes.map((node) => [node.uId, node]))
  const sources = new Map<string, WireEnd>()
  const targets = new Map<number, WireEnd>()
  for (const { ends } of network.wires)
    for (const [i, end] of ends.entries()) {
      if (end.kind === 'pin' && i > 0) sources.set(`${end.uId} ${end.pin}`, ends[0]!)
      if (end.kind === 'operand' && i > 0) targets.set(end.uId, ends[0]!)
    }
  // Operands of contacts and coils are at either end of their wire.
  const operandAt = (uId: number, pin: string): NetworkNode | undefined => {
    for (const { ends } of network.wires)
      if (ends.some((end) => end.kind === 'pin' && end.uId === uId && end.pin === pin))
        for (const end of ends) if (end.kind === 'operand') return nodes.get(end.uId)
    return undefined
  }
  const valueOfOperand = (node: NetworkNode | undefined): boolean => {
    assert.ok(node?.kind === 'operand')
    const { operand } = node
    if (operand.kind === 'literal') return /true|1/i.test(operand.value)
    assert.ok(operand.kind === 'symbol')
    return values[operand.path[0]!.name]!
  }
  const at = (end: WireEnd): boolean => {
    if (end.kind === 'powerrail') return true
    if (end.kind === 'operand') return valueOfOperand(nodes.get(end.uId))
    assert.ok(end.kind === 'pin')
    const node = nodes.get(end.uId)
    assert.ok(node?.kind === 'part', JSON.stringify(end))
    const result = output(node)
    return node.negated.includes(end.pin) ? !result : result
  }
  const input = (node: NetworkNode & { kind: 'part' }, pin: string): boolean => {
    const source = sources.get(`${node.uId} ${pin}`)
    assert.ok(source, `${node.name} ${pin}`)
    return at(source) !== node.negated.includes(pin)
  }
  const output = (node: NetworkNode & { kind: 'part' }): boolean => {
    if (node.name === 'Contact')
      return input(node, 'in') && valueOfOperand(operandAt(node.uId, 'operand')) !== node.negated.includes('operand')
    if (node.name === 'Not') return !input(node, 'in')
    const [{ value: count } = { value: '0' }] = node.templates
    const inputs = Array.from({ length: Number(count) }, (_, i) => input(node, `in${i + 1}`))
    if (node.name === 'A') return inputs.every(Boolean)
    if (node.name === 'O') return inputs.some(Boolean)
    assert.equal(node.name, 'X')
    return inputs.filter(Boolean).length % 2 === 1
  }
  const coil = network.nodes.find((node) => node.kind === 'part' && /^(Coil|Assign)$/.test(node.name))
  assert.ok(coil?.kind === 'part')
  return input(coil, 'in') !== coil.negated.includes('operand')
}

const allValues = Array.from(
  { length: 2 ** variables.length },
  (_, bits): Values => Object.fromEntries(variables.map((name, i) => [name, ((bits >> i) & 1) === 1])),
)

for (const language of ['LAD', 'FBD'] as const)
  test(`${language}: power flows to the coil where the condition is true, and where its text says so`, () => {
    const random = randomFrom(language === 'LAD' ? 3 : 4)
    let [compiled, refused] = [0, 0]
    for (let round = 0; round < 600; round++) {
      const kinds = round % 3 === 0 ? (['AND', 'OR', 'XOR'] as const) : (['AND', 'OR'] as const)
      const condition = randomCondition(random, 3, kinds)
      const text = `#y := ${textOf(condition)};`
      let network: LogicNetwork
      try {
        network = compileExpression(text, { language, names: { typeOf: () => 'Bool' } })
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        refused++
        continue
      }
      compiled++
      const shown = networkExpression(network, { language }).statements.join('\n')
      const again = compileExpression(shown, { language, names: { typeOf: () => 'Bool' } })
      for (const values of allValues) {
        assert.equal(powerOf(network, values), isTrue(condition, values), `${text} ${JSON.stringify(values)}`)
        assert.equal(powerOf(again, values), isTrue(condition, values), `${text} shown as ${shown}`)
      }
    }
    assert.ok(compiled > 400, `${compiled} compiled, ${refused} refused`)
  })

/** The text of the network, or the faults with their places. */
function outcome(text: string, language: 'LAD' | 'FBD'): string {
  const isNumber = (name: string | undefined) => name === 'n' || name === 'm'
  try {
    const network = compileExpression(text, {
      language,
      names: { typeOf: (of) => (of.kind === 'symbol' && isNumber(of.path[0]?.name) ? 'Int' : 'Bool') },
    })
    return networkExpression(network, { language }).statements.join(' ')
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return error.faults.map(({ line, column, message }) => `${line}:${column} ${message}`).join(' | ')
  }
}

const joined =
  'LAD cannot join two values with AND behind each other; put this first, write the network in FBD, or use a bit for it'
const noBit = 'P_TRIG needs a condition and the bit that remembers it: P_TRIG(#condition, #memory)'

test('LAD: inversions move to where the power flow can be inverted; what cannot be drawn is told at its place', () => {
  const cases: readonly (readonly [text: string, shown: string])[] = [
    ['#x := #a AND NOT (#b AND #c);', '#x := #a AND (NOT #b OR NOT #c);'],
    ['#x := #a AND NOT (#b OR #c);', '#x := #a AND NOT #b AND NOT #c;'],
    ['#x := #a AND NOT NOT #b;', '#x := #a AND #b;'],
    ['#x := NOT{in} #a;', '#x := NOT{in} #a;'],
    ['#x := NOT{in} NOT #a;', '#x := NOT{in} NOT #a;'],
    ['#x := NOT{out} (#a OR #b);', '#x := NOT{out} (#a OR #b);'],
    ['#x := NOT(#a);', '#x := NOT (#a);'],
    ['#x := NOT{pin} #a;', '1:7 NOT{pin} stands at an input of a box'],
    [
      'Sr(s := NOT{pin} (#a OR #b), r1 := #b, operand := #x);',
      'Sr(s := NOT{pin} (#a OR #b), r1 := #b, operand := #x);',
    ],
    // What begins at a box leads the row.
    ['#x := #a AND P_TRIG(#b, #m);', '#x := P_TRIG(#b, #m) AND #a;'],
    ['#x := #a AND O(in1 := #b, in2 := #c);', '#x := (#b OR #c) AND #a;'],
    ['#x := P_TRIG(#b, #m) AND P_TRIG(#c, #k);', `1:26 ${joined}`],
    ['wire#1 := NOT (#a OR #b);\n#x := #c AND wire#1;', '#x := NOT (#a OR #b) AND #c;'],
    ['wire#1 := #a;\n#x := (#b OR wire#1) AND wire#1;', `2:26 ${joined}`],
    ['wire#1 := #a;\n#x := #b AND (wire#1 OR wire#1 AND #c);', '#x := #a AND (TRUE OR #c) AND #b;'],
    ['wire#1 := #a;\nwire#2 := #b;\n#x := wire#1 AND wire#2;', `3:18 ${joined}`],
    ['wire#1 := #a;\n#x := wire#1;\n#y := NOT wire#1;', 'wire#1 := #a; #x := wire#1; #y := NOT (wire#1);'],
    ['#x := wire#9;', '1:7 wire#9 is not given before; write wire#9 := …; first'],
    ['#x := ENO;', '1:7 ENO needs a box in a statement before'],
    ['#x := RLO;', '1:7 RLO needs a coil in a statement before'],
    ['#x := P_TRIG(#a);', `1:7 ${noBit}`],
    ['#x := P_TRIG();', `1:7 ${noBit}`],
    ['#x := P_TRIG(#a, bit => #b);', '1:18 P_TRIG has no output bit'],
    ['#x := InRange(1, x => #n);', '1:18 InRange has no pin x; it has pre, min, in, max, out'],
    ['#x := RAIL;', '#x := TRUE;'],
    ['#x := #a OR OPEN;', '#x := #a OR OPEN;'],
    // A value at a pin is drawn as a row of its own.
    ['#n := Move(NOT #a);', '#n := Move((NOT #a));'],
    ['#n := Move((#m + 1));', '#n := Move(#m + 1);'],
    ['#n := Move(RAIL);', '#n := Move(RAIL);'],
    ['#n := Move(TRUE);', '#n := Move(TRUE);'],
    ['#x := (#n + 1) = 5;', '#x := #n + 1 = 5;'],
  ]
  for (const [text, shown] of cases) assert.equal(outcome(text, 'LAD'), shown, text)
})

test('FBD: an inversion is the circle at an input, and a wire begins at a box', () => {
  const wire = 'in FBD a wire begins at a box; write the operand or inversion where it is used'
  const cases: readonly (readonly [text: string, shown: string])[] = [
    ['#x := NOT{pin} #a;', '#x := NOT #a;'],
    ['#x := NOT{in} NOT #a;', '#x := #a;'],
    ['#x := #a AND NOT NOT #b;', '#x := #a AND #b;'],
    ['#x := NOT{out} (#a OR #b);', '#x := NOT{out} (#a OR #b);'],
    ['#x := NOT{out} #t.TON(IN := #a, PT := T#5s).Q;', '#x := NOT{out} #t.TON(IN := #a, PT := T#5s).Q;'],
    ['#x := A(in1 := #a, in2 := #b);', '#x := #a AND #b;'],
    ['#x := P_TRIG(#b, #m) AND N_TRIG(#c, #k);', '#x := P_TRIG(#b, #m) AND N_TRIG(#c, #k);'],
    ['#x := P_TRIG(#a);', `1:7 ${noBit}`],
    ['#x := P(#a);', '#x := P(#a, ???);'],
    ['#x := RAIL;', '#x := RAIL;'],
    ['#x := OPEN;', '#x := OPEN;'],
    ['#x := OPENBRANCH;', '#x := OPENBRANCH;'],
    ['#n := Move(NOT #a);', '#n := Move(NOT #a);'],
    ['#n := Move(RAIL);', '#n := Move(RAIL);'],
    ['#x := (#n + 1) = 5;', '#x := #n + 1 = 5;'],
    ['Sr(s := NOT (#a OR #b), r1 := #b, operand := #x);', 'Sr(s := NOT (#a OR #b), r1 := #b, operand := #x);'],
    ['wire#1 := #a;', `1:11 ${wire}`],
    ['wire#1 := NOT #a;', `1:11 ${wire}`],
  ]
  for (const [text, shown] of cases) assert.equal(outcome(text, 'FBD'), shown, text)
})

test('pins are found whatever their case, as an import of TIA Portal corrects it; others are refused', () => {
  for (const [text, written] of [
    ['SR(S := #a, R1 := #b, OPERAND := #x);', 'Sr(s := #a, r1 := #b, operand := #x);'],
    ['#x := rs(R := #a, S1 := #b, Operand := #c).Q;', '#x := Rs(r := #a, s1 := #b, operand := #c).q;'],
    ['#n := Add(IN1 := #n, In2 := 3);', '#n := #n + 3;'],
    ['#x := InRange(MIN := 1, IN := #n, MAX := 9);', '#x := InRange(1, #n, 9);'],
    ['Inc(OPERAND := #n);', 'Inc(operand := #n);'],
    ['S(OPERAND := #x) := #a;', 'S(#x) := #a;'],
    ['#x := P_TRIG(IN := #a, BIT := #b);', '#x := P_TRIG(#a, #b);'],
    ['#tmr.TON(in := #a, pt := T#1s, q => #x);', '#tmr.TON(IN := #a, PT := T#1s, Q => #x);'],
  ] as const)
    assert.equal(outcome(text, 'LAD'), written)
  assert.equal(outcome('SR(s := #a, r1 := #b, foo := #x);', 'LAD'), '1:23 Sr has no pin foo; it has s, r1, operand, q')
})
