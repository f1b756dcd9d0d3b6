/** Runs one row of the tables by every way, and takes back what it did. */
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { isGatewayError } from '../../core/contract/problems.ts'
import type { TestGateway } from '../harness.ts'
import { type Answer, type Call, type Case, contains, gone, type Input, type Made, type World } from './case.ts'
import type { RecordedAnswers } from './recorded.ts'
import { asCompat, comparable, type Outcome, type Served, type Way, waysTo } from './ways.ts'

export const madeOf = async (made: Made | undefined, world: World): Promise<Input> =>
  typeof made === 'function' ? made(world) : (made ?? {})

/** Nothing of this kind is kept, so nothing is to take back. */
const nothingToDo = ['nothing_to_undo', 'cannot_undo', 'no_project', 'undo_conflict']

export class Runner {
  readonly #at: TestGateway
  readonly #served: Served
  readonly #world: World

  constructor(at: TestGateway, served: Served) {
    this.#at = at
    this.#served = served
    this.#world = { dir: at.dir, call: (id, input) => at.call(id, { ...input }) }
  }

  /** Asserts everything that a row of the tables says. */
  async check(row: Case, recorded: RecordedAnswers): Promise<void> {
    const ways = waysTo(this.#served, row.routes)
    await this.#succeeds(row, ways, row.isWide ? undefined : recorded)
    await this.#isRefused(row, ways, row.isWide ? undefined : recorded)
  }

  async #succeeds(row: Case, ways: readonly Way[], recorded: RecordedAnswers | undefined): Promise<void> {
    const [route] = row.routes as [string, ...string[]]
    const outcomes: [name: string, outcome: Outcome][] = []
    const once = async ([name, call]: Way) => {
      await this.#at.gateway.flushRecords()
      const outcome = await call(await madeOf(row.input, this.#world))
      assert.equal(outcome.code, undefined, `${name}: ${outcome.code}: ${outcome.detail}`)
      outcomes.push([name, outcome])
      if (outcomes.length === 1) contains(outcome.value, row.answer ?? (() => true), `${name} answers`)
      if (row.effect) {
        const shown = await this.#shows(row.effect, name)
        if (outcomes.length === 1) recorded?.check(route, 'effect', shown, row.varies)
      }
    }
    // A query changes nothing: all ways see the same state.
    if (row.effect) for (const way of ways) await this.#undone(row.before, row.after, () => once(way))
    else
      await this.#undone(row.before, row.after, async () => {
        for (const way of ways) await once(way)
      })
    const [[first, { value }]] = outcomes as [[string, Outcome], ...[string, Outcome][]]
    const wanted = comparable(value, row.varies)
    const inCompat = comparable(asCompat(value), row.varies)
    for (const [name, outcome] of outcomes) {
      const got = comparable(outcome.value, row.varies)
      if (isDeepStrictEqual(got, wanted) || isDeepStrictEqual(got, inCompat)) continue
      assert.deepEqual(got, name.startsWith('/compat') ? inCompat : wanted, `${name} answers as ${first}`)
    }
    recorded?.check(route, 'answer', value, row.varies)
  }

  async #shows([route, input, expected]: NonNullable<Case['effect']>, after: string): Promise<unknown> {
    const [[, read]] = waysTo(this.#served, [route]) as [Way, ...Way[]]
    const { code, detail, value } = await read(await madeOf(input, this.#world))
    if (expected === gone) {
      assert.equal(code, 'not_found', `${route} after ${after}`)
      return detail
    }
    assert.equal(code, undefined, `${route} after ${after}: ${code}: ${detail}`)
    contains(value, expected, `${route} after ${after}`)
    return value
  }

  async #isRefused(row: Case, ways: readonly Way[], recorded: RecordedAnswers | undefined): Promise<void> {
    const [route] = row.routes as [string, ...string[]]
    const [code, input, before, after] = row.refused ?? ['invalid_input', undefined]
    const details = new Set<string | undefined>()
    await this.#undone(before, after, async () => {
      for (const [name, call] of ways) {
        const given = input === undefined ? await madeOf(row.input, this.#world) : await madeOf(input, this.#world)
        const outcome = await call(input === undefined ? { ...given, unknownField: '1' } : given)
        const text = `${name}: ${outcome.code}: ${outcome.detail ?? JSON.stringify(outcome.value)?.slice(0, 500)}`
        assert.equal(outcome.code, code, text)
        assert.equal(outcome.status, await this.#statusOf(code), text)
        if (recorded && name === ways[0]?.[0]) {
          const {
            type: _type,
            title: _title,
            instance: _instance,
            message: _message,
            ...more
          } = outcome.value as Answer
          recorded.check(
            route,
            'problem',
            { status: outcome.status, code, detail: outcome.detail, ...more },
            row.varies,
          )
        }
        // MCP says calls of tools where the others say routes; /compat adds the place in a text.
        if (!/^(MCP|\/compat)/.test(name)) details.add(outcome.detail)
      }
    })
    assert.ok(details.size <= 1, `twins tell the same: ${[...details].join(' | ')}`)
  }

  /** The documented status of a code. */
  async #statusOf(code: string): Promise<number> {
    const response = await this.#served.request(`/api/errors/${code}`, { headers: { accept: 'application/json' } })
    const { status } = (await response.json()) as { status: number }
    return status
  }

  /** Does something, then takes back the commands since, and does what else brings the plant back. */
  async #undone(
    before: readonly Call[] | undefined,
    after: readonly Call[] | undefined,
    work: () => Promise<void>,
  ): Promise<void> {
    const { mark } = await this.#at.call<{ mark: number }>('history.undoable', { limit: 1 })
    try {
      await this.#all(before)
      await work()
    } finally {
      await this.#at.call('history.undo', { since: mark, skip: true }).catch((error: unknown) => {
        if (!isGatewayError(error) || !nothingToDo.includes(error.code)) throw error
      })
      await this.#all(after)
    }
  }

  async #all(calls: readonly Call[] = []): Promise<void> {
    for (const [operation, input] of calls) {
      await this.#at.call(operation, { ...(await madeOf(input, this.#world)) }).catch((error: unknown) => {
        throw new Error(`${operation}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
      })
    }
  }
}
