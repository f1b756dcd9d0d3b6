/**
 * Programs with one mistake, whose line ends with `(*!*)`, each beside a corrected one: the check finds the mistake at
 * that line by its rule, and nothing at all in the corrected program.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkProgram } from '../review/check.ts'
import { defaultConfig } from '../review/config.ts'
import { rules } from '../review/rules.ts'

export interface Planted {
  readonly name: string
  readonly code: string
  readonly wrong: string
  readonly right: string
  /** Extension of the file. */
  readonly as?: 'scl' | 'awl' | 's7dcl'
  /** Other rules that rightly find something in the wrong program too. */
  readonly beside?: readonly string[]
}

const mark = '(*!*)'

/** SIMATIC SD has its comments in another file. */
const undocumented = {
  ...defaultConfig,
  rules: new Map(
    rules
      .filter(({ group }) => group === 'documentation')
      .map(({ code }) => [code, { severity: 'off' as const, options: {} }]),
  ),
}

async function findingsIn(text: string, as: string) {
  const bytes = Buffer.from(text.replaceAll(mark, ''))
  const { findings } = await checkProgram(
    [{ path: `tested.${as}`, bytes }],
    [],
    as === 's7dcl' ? undocumented : defaultConfig,
  )
  return findings.map(({ code, line, message }) => ({ code, line, message }))
}

/** Tests one mistake. */
export function testPlanted({ name, code, wrong, right, as = 'scl', beside = [] }: Planted): void {
  test(`${name}: ${code}`, async () => {
    const at = wrong.split('\n').flatMap((line, i) => (line.includes(mark) ? [i + 1] : []))
    assert.ok(at.length > 0, 'the wrong line is marked')
    const found = (await findingsIn(wrong, as)).filter((one) => !beside.includes(one.code))
    assert.deepEqual(
      found.map((one) => ({ code: one.code, line: one.line })),
      at.map((line) => ({ code, line })),
      found.map(({ message }) => message).join('\n'),
    )
    assert.deepEqual(await findingsIn(right, as), [])
  })
}
