/** What is drawn of the ways of a sequence means the same ways when the compiler follows it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { flowOf } from '../compiler/lower/sequence-flow.ts'
import type { Sequence } from '../model/sequence.ts'
import { drawFlow, type Way } from './chart-flow.ts'

const sorted = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)

/** The flow as the compiler sees it, and what could not be drawn. */
function drawn(steps: readonly number[], ways: readonly Way[]) {
  const faults: string[] = []
  const flow = drawFlow(steps, ways, (index, message) => faults.push(`${index}: ${message}`))
  const sequence: Sequence = {
    title: {},
    comment: {},
    steps: steps.map((number, i) => ({ number, name: `S${number}`, isInitial: i === 0, comment: {}, actions: [] })),
    transitions: ways.map(({ number }) => ({ number, name: `T${number}`, comment: {}, language: 'LAD' })),
    ...flow,
  }
  const followed = flowOf(sequence)
  return { ...flow, faults: [...faults, ...followed.faults], transitions: followed.transitions }
}

const way = (number: number, from: readonly number[], to: readonly number[], isJump = false): Way => ({
  number,
  from,
  to,
  isJump,
})

test('several transitions of a step are an alternative branch, joined where they meet', () => {
  const { branches, connections, faults } = drawn(
    [1, 2, 3, 4],
    [way(1, [1], [2]), way(2, [1], [3]), way(3, [2], [4]), way(4, [3], [4]), way(5, [4], [1])],
  )
  assert.deepEqual(faults, [])
  assert.deepEqual(
    branches.map(({ type, cardinality }) => [type, cardinality]),
    [
      ['AltBegin', 2],
      ['AltEnd', 2],
    ],
  )
  assert.deepEqual(
    connections.filter(({ link }) => link === 'Jump'),
    [{ from: { kind: 'transition', number: 5 }, to: { kind: 'step', number: 1 }, link: 'Jump' }],
  )
})

test('several steps of a transition are a simultaneous branch, with an alternative behind its end', () => {
  const { branches, faults, transitions } = drawn(
    [1, 2, 3, 4],
    [way(1, [1], [2, 3]), way(2, [2, 3], [4]), way(3, [3, 2], [1]), way(4, [4], [])],
  )
  assert.deepEqual(faults, [])
  assert.deepEqual(
    branches.map(({ type }) => type),
    ['SimEnd', 'AltBegin', 'SimBegin'],
  )
  assert.deepEqual(
    transitions.map(({ transition, from, to }) => [transition.number, sorted(from), sorted(to)]),
    [
      [1, [1], [2, 3]],
      [4, [4], []],
      [2, [2, 3], [4]],
      [3, [2, 3], [1]],
    ],
  )
})

test('a step that leaves alone and together with others cannot be drawn', () => {
  const { faults } = drawn([1, 2, 3], [way(1, [1], [2]), way(2, [1, 2], [3])])
  assert.match(faults.join(), /put a step between/)
  assert.match(drawn([1, 2, 3], [way(1, [1], [2, 3], true)]).faults.join(), /a jump leads to one step/)
})

test('random ways are drawn as they are', () => {
  const steps = [1, 2, 3, 4, 5, 6]
  // Each step leaves in one group; the ways of a group lead anywhere.
  const groups = fc
    .array(fc.integer({ min: 0, max: 3 }), { minLength: 6, maxLength: 6 })
    .map((marks) =>
      [0, 1, 2, 3].map((mark) => steps.filter((_, i) => marks[i] === mark)).filter((one) => one.length > 0),
    )
  const targets = fc.array(
    fc.record({ to: fc.subarray(steps, { maxLength: 3 }), group: fc.nat(), isJump: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 10,
    },
  )
  fc.assert(
    fc.property(groups, targets, (all, list) => {
      const ways = list.map(({ to, group, isJump }, i) =>
        way(i + 1, all[group % all.length]!, to, isJump && to.length === 1),
      )
      const { faults, transitions } = drawn(steps, ways)
      assert.deepEqual(faults, [])
      const found = new Map(transitions.map(({ transition, from, to }) => [transition.number, { from, to }]))
      for (const { number, from, to } of ways) {
        assert.deepEqual(sorted(found.get(number)!.from), sorted(from))
        assert.deepEqual(sorted(found.get(number)!.to), sorted(to))
      }
    }),
    { numRuns: 300 },
  )
})
