/**
 * A body with every kind of statement, each of its words left out and doubled in turn: what is told, with its place,
 * and what is read another way (`fixtures/body.scl-damaged.txt`).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../../test/recorded.ts'
import { damagedSource, tableOfAnswers } from '../../testing/damage.ts'
import { changedLines } from '../../testing/outline.ts'
import { show } from '../../testing/scl-text.ts'
import { parseScl } from './parser.ts'

/** What is told of a body, then its statements. */
function read(text: string): { readonly told: string[]; readonly statements: string[] } {
  const { tree, diagnostics } = parseScl(text)
  const placeOf = (offset: number): string => {
    const lines = text.slice(0, offset).split('\n')
    return `${lines.length}:${(lines.at(-1) as string).length + 1}`
  }
  return {
    told: diagnostics.map(
      ({ code, start, end, message }) => `${placeOf(start)}-${placeOf(end).split(':')[1]} ${code} ${message}`,
    ),
    statements: tree.statements.map((statement) => show(tree.tokens, statement)),
  }
}

const text = fixtureText(import.meta.url, 'body.scl')
const whole = read(text)

test('the body is read to all it has', () => {
  assert.deepEqual(whole.told, [])
  assertRecorded(import.meta.url, 'body.scl-statements.txt', `${whole.statements.join('\n')}\n`)
})

test('a wrong word costs few faults, and the rest is read', () => {
  const answer = (damaged: string): string[] => {
    const { told, statements } = read(damaged)
    return [...told, ...changedLines(whole.statements, statements, 2)]
  }
  assertRecorded(import.meta.url, 'body.scl-damaged.txt', tableOfAnswers(damagedSource(text), answer))
})
