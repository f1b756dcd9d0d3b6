/**
 * NORM_X, SCALE_X, IN_RANGE and OUT_RANGE with constants and variables of several types as limits and values, beside
 * plain arithmetic of numbers.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSource } from '../../../testing/lower-source.ts'

/** Operands with their values; whole constants are beside real ones and variables. */
const operands: Readonly<Record<string, number>> = {
  '0': 0,
  '2.5': 2.5,
  '-10': -10,
  '40': 40,
  '#i': 7,
  '#d': -3,
  '#x': 12.25,
}
const variables = 'i : Int := 7; d : DInt := -3; x : Real := 12.25;'
const isWhole = (operand: string) => operand !== '2.5' && operand !== '#x'

/** All pairs of limits that differ, with a value each. */
const triples = Object.keys(operands).flatMap((low) =>
  Object.keys(operands).flatMap((high) =>
    low === high ? [] : Object.keys(operands).map((value) => [low, value, high] as const),
  ),
)

function results(type: string, call: (low: string, value: string, high: string) => string, of = triples) {
  const body = of.map((one, i) => `#r[${i}] := ${call(...one)};`).join('\n')
  const run = runSource(
    `FUNCTION_BLOCK "Main"\nVAR r : Array[0..${of.length - 1}] of ${type}; ${variables} END_VAR\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`,
  )
  run.scan()
  assert.deepEqual(run.faults, [])
  return of.map((_one, i) => run.get(`r[${i}]`) as number)
}

const values = (triple: readonly string[]) => triple.map((one) => operands[one] as number) as [number, number, number]

test('NORM_X', () => {
  const found = results('Real', (low, value, high) => `NORM_X(MIN := ${low}, VALUE := ${value}, MAX := ${high})`)
  for (const [i, triple] of triples.entries()) {
    const [low, value, high] = values(triple)
    const wanted = (value - low) / (high - low)
    assert.ok(Math.abs((found[i] as number) - wanted) <= 1e-5 * Math.max(1, Math.abs(wanted)), `${triple}: ${found[i]}`)
  }
})

test('SCALE_X has the type of its limits: whole ones round', () => {
  const of = triples.filter(([, value]) => value === '2.5' || value === '#x' || value === '0')
  const found = results('LReal', (low, value, high) => `SCALE_X(MIN := ${low}, VALUE := ${value}, MAX := ${high})`, of)
  for (const [i, triple] of of.entries()) {
    const [low, value, high] = values(triple)
    const exact = value * (high - low) + low
    // To the nearest whole number, of two the even one.
    const [below, half] = [Math.floor(exact), exact - Math.floor(exact) === 0.5]
    const rounded = half ? below + (below & 1) : Math.round(exact)
    const wanted = isWhole(triple[0]) && isWhole(triple[2]) ? rounded : exact
    assert.ok(Math.abs((found[i] as number) - wanted) <= 1e-4, `${triple}: ${found[i]}, not ${wanted}`)
  }
})

test('IN_RANGE and OUT_RANGE', () => {
  for (const [name, isInside] of [
    ['IN_RANGE', true],
    ['OUT_RANGE', false],
  ] as const) {
    const found = results('Bool', (low, value, high) => `${name}(MIN := ${low}, IN := ${value}, MAX := ${high})`)
    for (const [i, triple] of triples.entries()) {
      const [low, value, high] = values(triple)
      assert.equal(found[i] === 1, (low <= value && value <= high) === isInside, `${name} ${triple}`)
    }
  }
})
