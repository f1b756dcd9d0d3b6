/**
 * A network as expressions, each of its words left out and doubled in turn, and single statements: what is told, with
 * its place, and what is read another way (`fixtures/*.txt`).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../../test/recorded.ts'
import { FormatError } from '../../model/fault.ts'
import { calledBlocks } from '../../testing/called-blocks.ts'
import { damagedSource, tableOfAnswers } from '../../testing/damage.ts'
import { changedLines } from '../../testing/outline.ts'
import { compileExpression } from './compile-expression.ts'
import { networkExpression } from './expression.ts'
import type { ProgramNames } from './program-names.ts'

const typesOfNames: Readonly<Record<string, string>> = {
  ...{
    n: 'Int',
    m: 'Int',
    r: 'Real',
    t: 'Time',
    tmr: 'TON_TIME',
    run: 'Bool',
    a: 'Bool',
    b: 'Bool',
    w: 'Word',
    d: 'DInt',
  },
  ...{ u: 'ULInt', s: 'String', big: 'LInt', date: 'Date' },
}
const names: ProgramNames = {
  typeOf: (operand) => (operand.kind === 'symbol' ? typesOfNames[operand.path.at(-1)?.name ?? ''] : undefined),
  block: (name) => calledBlocks[name],
}
const text = fixtureText(import.meta.url, 'network.txt')

type Language = 'LAD' | 'FBD'

/** The faults, or the statements that the network is written as again. */
function read(given: string, language: Language): { readonly faults: string[]; readonly statements: string[] } {
  try {
    const network = compileExpression(given, { language, names })
    const { statements } = networkExpression(network, { language })
    return { faults: [], statements: statements.flatMap((one) => one.split('\n')) }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { faults: error.faults.map(({ line, column, message }) => `${line}:${column} ${message}`), statements: [] }
  }
}

for (const language of ['LAD', 'FBD'] as const)
  test(`${language}: the network is written as it was read`, () => {
    const { faults, statements } = read(text, language)
    assert.deepEqual(faults, [])
    assertRecorded(import.meta.url, `network-${language}.txt`, `${statements.join('\n')}\n`)
  })

test('a wrong word is told with its place, or read with that difference', () => {
  const whole = read(text, 'LAD')
  const answer = (damaged: string): readonly string[] => {
    const { faults, statements } = read(damaged, 'LAD')
    return faults.length > 0 ? faults : changedLines(whole.statements, statements, 2)
  }
  assertRecorded(import.meta.url, 'network-damaged.txt', tableOfAnswers(damagedSource(text), answer))
})

test('single statements: how each is written again, or what is told of it', () => {
  const rows = fixtureText(import.meta.url, 'statements.txt')
    .trimEnd()
    .split('\n')
    .flatMap((given) => {
      const { faults, statements } = read(given, 'LAD')
      return [given, ...faults.map((one) => `  ! ${one}`), ...statements.map((one) => `  ${one}`)]
    })
  assertRecorded(import.meta.url, 'statements-read.txt', `${rows.join('\n')}\n`)
})
