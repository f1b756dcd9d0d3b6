import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unwrittenDifferences } from './unwritten-differences.ts'

test('what differs is named by the operand or instruction that it is of, inside lists by its number', () => {
  const literal = (type?: string) => ({
    kind: 'operand',
    uId: 1,
    operand: { kind: 'literal', scope: 'LiteralConstant', value: '5.0', ...(type === undefined ? {} : { type }) },
  })
  const box = (version: string, disabledEno?: boolean) => ({
    ...{ kind: 'part', uId: 2, name: 'Move', version, negated: [], templates: [{ name: 'Card', value: '1' }] },
    ...(disabledEno === undefined ? {} : { disabledEno }),
  })
  const wires = (pin: string) => [{ uId: 3, ends: [{ kind: 'powerrail' }, { kind: 'pin', uId: 2, pin }] }]
  const network = (nodes: unknown[], pin = 'en') => ({ labels: [], nodes, wires: wires(pin) })
  const same = network([literal('Real'), box('1.0')])
  assert.deepEqual(unwrittenDifferences(same, same), { left: [], right: [] })
  assert.deepEqual(
    unwrittenDifferences(network([literal('Real'), box('1.0')]), network([literal(), box('1.1', true)])),
    {
      left: ['5.0: type Real', 'Move: version 1.0', 'Move: disabledEno (none)'],
      right: ['5.0: type (none)', 'Move: version 1.1', 'Move: disabledEno true'],
    },
  )
  assert.deepEqual(unwrittenDifferences(network([], 'en'), network([], 'in')), {
    left: ['wires 1 ends 2 pin en'],
    right: ['wires 1 ends 2 pin in'],
  })
  const many = (value: number) => network(Array.from({ length: 50 }, () => ({ ...box('1.0'), comment: value })))
  assert.equal(unwrittenDifferences(many(1), many(2)).left.length, 20)
})
