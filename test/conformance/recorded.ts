/**
 * What every route answers, whole: `answers/<subject>.yaml` holds the answer of each call of the tables, what the route
 * of its effect shows then, and the problem of the call that fails. A change of an answer shows as a diff of these
 * files; `UPDATE_SNAPSHOTS=1` writes them again.
 */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { packageDir } from '../../core/boot/running-code.ts'
import { isObject } from '../../lib/is-object.ts'
import type { Mask } from '../answers.ts'
import { comparable } from './ways.ts'

/** Lists and texts are recorded up to here, with the number of what follows. */
const mostEntries = 12
const longestText = 2000

export class RecordedAnswers {
  readonly #file: string
  readonly #mask: Mask
  readonly #before: Record<string, Record<string, unknown>>
  readonly #now: Record<string, Record<string, unknown>> = {}

  private constructor(file: string, mask: Mask, before: Record<string, Record<string, unknown>>) {
    this.#file = file
    this.#mask = mask
    this.#before = before
  }

  /** The recorded answers of a subject of the specification. */
  static async of(subject: string, mask: Mask): Promise<RecordedAnswers> {
    const name = subject
      .toLowerCase()
      .replace(/[^a-z]+/g, '-')
      .replace(/^-|-$/g, '')
    const file = join(packageDir, 'test/conformance/answers', `${name}.yaml`)
    const text = await readFile(file, 'utf8').catch(() => '')
    return new RecordedAnswers(file, mask, parse(text) ?? {})
  }

  /** Asserts that a value is the recorded one. @param varies fields that are different each time */
  check(route: string, what: 'answer' | 'effect' | 'problem', value: unknown, varies?: readonly string[]): void {
    const now = JSON.parse(JSON.stringify(shortened(this.#mask.of(comparable(value, varies))) ?? null))
    this.#now[route] = { ...this.#now[route], [what]: now }
    if (process.env.UPDATE_SNAPSHOTS) return
    assert.deepEqual(now, this.#before[route]?.[what], `the ${what} of ${route} as recorded`)
  }

  /** Ends a subject: nothing is recorded that is not called any more. */
  async end(): Promise<void> {
    if (process.env.UPDATE_SNAPSHOTS) await writeFile(this.#file, stringify(this.#now, { lineWidth: 120 }))
    else assert.deepEqual(Object.keys(this.#before).sort(), Object.keys(this.#now).sort())
  }
}

function shortened(value: unknown): unknown {
  // How many operations there are is no part of an answer.
  if (typeof value === 'string') value = value.replace(/^(There is no operation .*) and \d+ more\.$/, '$1 and others.')
  if (typeof value === 'string' && value.length > longestText)
    return `${value.slice(0, longestText)}… and ${value.length - longestText} more characters`
  if (Array.isArray(value)) {
    const some = value.slice(0, mostEntries).map(shortened)
    return value.length > mostEntries ? [...some, `… and ${value.length - mostEntries} more`] : some
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]))
}
