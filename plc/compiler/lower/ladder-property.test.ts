import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  expressionNetwork,
  type InstructionSpec,
  instructionNetwork,
  networkDiagnostics,
  runNetworks,
} from '../../testing/lower-ladder.ts'
import { logicNetwork } from '../../testing/model-arbitraries.ts'

const names = ['a', 'b', 'c', 'd'] as const
type Values = Readonly<Record<(typeof names)[number], boolean>>
const members = { a: 'Bool', b: 'Bool', c: 'Bool', d: 'Bool', q: 'Bool', x: 'Int', y: 'Int', m: 'Bool' }

interface Term {
  readonly text: string
  value(values: Values): boolean
}

const { term } = fc.letrec<{ term: Term }>((tie) => ({
  term: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...names).map((name): Term => ({ text: `#${name}`, value: (values) => values[name] })),
    fc.constantFrom(...names).map((name): Term => ({ text: `NOT #${name}`, value: (values) => !values[name] })),
    tie('term').map((one): Term => ({ text: `NOT (${one.text})`, value: (values) => !one.value(values) })),
    fc.tuple(tie('term'), tie('term'), fc.constantFrom('AND', 'OR')).map(
      ([left, right, operator]): Term => ({
        text: `(${left.text}) ${operator} (${right.text})`,
        value: (values) =>
          operator === 'AND' ? left.value(values) && right.value(values) : left.value(values) || right.value(values),
      }),
    ),
  ),
}))

test('a rung gives what its expression says, for all values of its operands', () => {
  fc.assert(
    fc.property(term, fc.constantFrom('LAD' as const, 'FBD' as const), (one, language) => {
      const run = runNetworks(members, [expressionNetwork(members, `#q := ${one.text};`, language)])
      for (let bits = 0; bits < 16; bits++) {
        const values = Object.fromEntries(names.map((name, i) => [name, ((bits >> i) & 1) === 1])) as Values
        for (const name of names) run.set(name, values[name])
        run.scan()
        assert.equal(run.get('q'), one.value(values), JSON.stringify(values))
      }
    }),
    { numRuns: 100 },
  )
})

test('networks of any form give code or diagnostics', () => {
  fc.assert(
    fc.property(logicNetwork, (network) => {
      networkDiagnostics(members, [network])
    }),
  )
})

const operands = ['#a', '#b', '#x', '#y', '1', 'T#1s', 'RAIL', '#nobody', '%T1', 'TRUE']
const known =
  'Contact Coil O A X Not PBox NBox PContact Sr Rs Eq InRange SCoil RCoil PCoil Move Add Sub Calc Convert Round Inc SEL TON CoilTON Sd SdCoil Jump ReturnTrue'
const pins = 'in in1 in2 en pre operand bit min max value s r r1 s1 tv timer label IN PT G IN0 IN1'.split(' ')

test('parts with anything at their pins give code that runs, or diagnostics', () => {
  const part = (count: number): fc.Arbitrary<InstructionSpec> =>
    fc.record({
      name: fc.constantFrom(...known.split(' ')),
      in: fc.dictionary(
        fc.constantFrom(...pins),
        fc.oneof(
          fc.constantFrom(...operands),
          fc.tuple(fc.nat(count - 1), fc.constantFrom('out', 'eno', 'q', 'Q', 'out1')).map(([i, pin]) => `${i}.${pin}`),
        ),
      ),
      out: fc.dictionary(
        fc.constantFrom('out', 'out1', 'OUT', 'q', 'Q', 'eno'),
        fc.constantFrom('#q', '#x', '#m', '5'),
      ),
      negated: fc.subarray(['in', 'en', 'operand', 'out', 'in1', 'eno']),
      types: fc.dictionary(
        fc.constantFrom('SrcType', 'DestType', 'value_type'),
        fc.constantFrom('Int', 'Real', 'Bool', '?'),
      ),
    })
  fc.assert(
    fc.property(fc.array(part(4), { minLength: 4, maxLength: 4 }), (parts) => {
      const network = instructionNetwork(parts)
      const isWrong = networkDiagnostics(members, [network]).some(({ severity }) => severity === 'error')
      if (!isWrong) runNetworks(members, [network]).scan()
    }),
    { numRuns: 500 },
  )
})
