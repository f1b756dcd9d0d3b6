/** Which calls are asked about, the question with what a trial run shows, and what each answer means. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '../contract/operation.ts'
import { isGatewayError, problem } from '../contract/problems.ts'
import type { SchemaBuilder } from '../contract/schema.ts'
import type { Gateway } from '../gateway.ts'
import { isDestructiveCall, requireConsent } from './confirmation.ts'
import type { Answer, Person, Question } from './tool-caller.ts'

const yes: Answer = { action: 'accept', content: { proceed: true } }
const operation = {
  id: 'shop.sell',
  title: 'Sell things',
  kind: 'command',
  input: (t: SchemaBuilder) =>
    t.Object({
      name: t.String(),
      pin: t.Optional(t.Secret('hash')),
      mark: t.Optional(t.String()),
      list: t.Optional(t.Array(t.Integer())),
      tree: t.Optional(t.Record(t.String(), t.String())),
      n: t.Optional(t.Number()),
    }),
  aliases: { pin: ['code'], name: ['what'] },
  http: [],
  mcp: { toolset: 'shop', destructive: true },
} as unknown as Operation

interface Trial {
  /** How the trial run ends; absent: not before it is cancelled. */
  readonly outcome?: unknown
  readonly answer?: Answer | Error
  readonly input?: Record<string, unknown>
  readonly isPlain?: true
  readonly isQuery?: true
  readonly kind?: string
  readonly signal?: AbortSignal
  readonly trusted?: string[]
}

/** Asks about one call. @returns the question, what was invoked, and how it ended */
async function ask({
  outcome,
  answer = yes,
  input = { name: 'a' },
  isPlain,
  isQuery,
  kind = 'job',
  signal,
  trusted = [],
}: Trial) {
  const questions: Question[] = []
  const invoked: unknown[] = []
  const cancelled: string[] = []
  const person: Person = {
    client: 'An editor',
    trusted: new Set(trusted),
    ask: async (question) => {
      questions.push(question)
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  const events = [
    { type: 'shop.sold', title: 'A thing was sold' },
    { type: 'shop.told', title: 'Somebody was told' },
  ]
  const gateway = {
    invoke: async (...given: unknown[]) => {
      invoked.push(given.slice(1))
      return {
        kind,
        job: { jobId: 'J1', settled: outcome === undefined ? new Promise(() => {}) : Promise.resolve(outcome) },
      }
    },
    jobs: {
      cancel: async (jobId: string) => {
        cancelled.push(jobId)
        throw new Error('it has ended')
      },
    },
    registry: { events },
  } as unknown as Gateway
  const call = isPlain
    ? { id: 'cancel_job', title: 'Cancel a job', input }
    : {
        id: operation.id,
        title: operation.title,
        input,
        operation: isQuery ? ({ ...operation, kind: 'query' } as Operation) : operation,
        expected: '*' as const,
      }
  const actor = { name: 'anna', access: 'admin' as const }
  const end = await requireConsent(call, { actor, person, ...(signal ? { signal } : {}) }, gateway).then(
    () => 'it may run',
    (error) => (isGatewayError(error) ? `${error.code}: ${error.message}` : String(error)),
  )
  return { lines: questions.map(({ message }) => message.split('\n')), questions, invoked, cancelled, end, person }
}

const done = (result: unknown) => ({ ok: true, result })
const linesOf = async (trial: Trial) => (await ask(trial)).lines[0]

test('what deletes, stops or overwrites is asked about, unless it only tries or is told not to overwrite', () => {
  const plain = { ...operation, mcp: { toolset: 'shop' } } as Operation
  const query = { ...plain, kind: 'query' } as Operation
  const acting = { ...operation, kind: 'query' } as Operation
  const hidden = { ...operation, mcp: false } as Operation
  for (const [one, input, isAsked] of [
    [operation, {}, true],
    [operation, { dryRun: true }, false],
    [operation, { DryRun: true }, false],
    [operation, { dryRun: 'true' }, true],
    [operation, { overwrite: false }, false],
    [operation, { Overwrite: 'false' }, true],
    [plain, {}, false],
    [plain, { overwrite: true }, true],
    [plain, { overwrite: undefined }, false],
    [plain, { overwrite: true, dryRun: true }, false],
    [query, { overwrite: true }, false],
    [acting, {}, true],
    [acting, { dryRun: true }, true],
    [hidden, {}, false],
  ] as const)
    assert.equal(isDestructiveCall(one, input), isAsked, JSON.stringify([one.kind, one.mcp, input]))
})

test('the question has the input without secrets, and what a trial run would do', async () => {
  const { questions, invoked, end } = await ask({ outcome: done({ events: [], files: [] }) })
  assert.deepEqual(questions, [
    {
      message: [
        'An editor wants to run shop.sell: Sell things.',
        'name: "a"',
        'A trial run shows no change in the project or its files.',
      ].join('\n'),
      requestedSchema: {
        type: 'object',
        properties: {
          proceed: { type: 'boolean', title: 'Do it', description: 'No leaves everything as it is.', default: false },
          always: { type: 'boolean', title: 'Do not ask about shop.sell again in this session', default: false },
        },
        required: ['proceed'],
      },
    },
  ])
  assert.deepEqual(invoked, [
    [{ name: 'a' }, { actor: { name: 'anna', access: 'admin' }, expected: '*', dryRun: true, mode: 'async' }],
  ])
  assert.equal(end, 'it may run')
  const input = {
    mark: 'x'.repeat(98),
    What: 'x'.repeat(99),
    CODE: 1234,
    pim: '1234',
    list: [1, 2],
    tree: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`f${n}`, 'a secret'])),
    n: 0.5,
    left: undefined,
  }
  assert.deepEqual(await linesOf({ outcome: done(undefined), input }), [
    'An editor wants to run shop.sell: Sell things.',
    `mark: "${'x'.repeat(98)}"`,
    `name: "${'x'.repeat(99)}… (101 characters)`,
    'pin: (secret)',
    'pim: (not shown)',
    'list: 2 entries',
    'tree: { f0, f1, f2, f3, f4, f5, f6, f7, f8, f9 }',
    'n: 0.5',
    'A trial run shows no change in the project or its files.',
  ])
})

test('events are counted by their titles with the names of what they are about; long lists are cut', async () => {
  const event = (type: string, data?: unknown) => ({ type, data })
  const events = [
    event('shop.sold', { name: 'a', deviceName: 'PLC_1' }),
    event('shop.told', { name: 3 }),
    event('shop.sold', { blockName: 'B' }),
    event('shop.sold', { deviceName: 'PLC_1' }),
    event('shop.sold'),
    event('other.done', { name: '' }),
    'no event',
  ]
  const files = [{ path: 'a/b.txt', change: 'removed' }, { path: 'x'.repeat(200), change: 'written' }, 'no file']
  const head = ['An editor wants to run shop.sell: Sell things.', 'name: "a"', 'A trial run shows what would happen:']
  assert.deepEqual(await linesOf({ outcome: done({ events, files }) }), [
    ...head,
    '- A thing was sold (4 times): a, B, PLC_1',
    '- Somebody was told',
    '- other.done',
    '- File, removed: "a/b.txt"',
    `- File, written: "${'x'.repeat(99)}… (202 characters)`,
  ])
  const named = (count: number) => Array.from({ length: count }, (_, n) => event('shop.sold', { name: `n${n}` }))
  assert.equal(
    (await linesOf({ outcome: done({ events: named(5) }) }))?.at(-1),
    '- A thing was sold (5 times): n0, n1, n2, n3, n4',
  )
  assert.equal(
    (await linesOf({ outcome: done({ events: named(6) }) }))?.at(-1),
    '- A thing was sold (6 times): n0, n1, n2, n3, n4, …',
  )
  const many = (count: number) => Array.from({ length: count }, (_, n) => ({ path: `${n}`, change: 'written' }))
  const twelve = await linesOf({ outcome: done({ files: many(12) }) })
  assert.deepEqual([twelve?.length, twelve?.at(-1)], [15, '- File, written: "11"'])
  const thirteen = await linesOf({ outcome: done({ files: many(14) }) })
  assert.deepEqual([thirteen?.length, thirteen?.slice(-2)], [16, ['- File, written: "11"', '- and 2 more']])
})

test('a tool, a query, and a call that runs at once are asked about without a trial run', async () => {
  const tool = await ask({ isPlain: true, input: { jobId: 'J1' } })
  assert.deepEqual(tool.lines, [['An editor wants to run cancel_job: Cancel a job.', 'jobId: "J1"']])
  const query = await ask({ isQuery: true })
  assert.deepEqual(query.lines, [['An editor wants to run shop.sell: Sell things.', 'name: "a"']])
  assert.deepEqual([tool.invoked, query.invoked], [[], []])
  assert.deepEqual((await ask({ kind: 'result' })).lines, query.lines)
})

test('only a yes lets a call run; a call that cannot succeed, or is left, is not asked about', async () => {
  const outcome = done({})
  const refused = (why: string) => `not_confirmed: shop.sell was not run: ${why}. Nothing was changed.`
  for (const [answer, end] of [
    [yes, 'it may run'],
    [{ action: 'accept', content: { proceed: true, always: true } }, 'it may run'],
    [{ action: 'accept', content: { proceed: 'true' } }, refused('the person said no')],
    [{ action: 'accept' }, refused('the person said no')],
    [{ action: 'decline', content: { proceed: true } }, refused('the person said no')],
    [{ action: 'cancel' }, refused('the person closed the question')],
    [new Error('timed out'), refused('the client gave no answer (timed out)')],
  ] as const) {
    const asked = await ask({ outcome, answer })
    assert.equal(asked.end, end)
    const isTrusted = !(answer instanceof Error) && 'content' in answer && 'always' in answer.content
    assert.deepEqual([...(asked.person.trusted ?? [])], isTrusted ? ['shop.sell'] : [])
  }
  const trusted = await ask({ trusted: ['shop.sell'] })
  assert.deepEqual([trusted.end, trusted.questions, trusted.invoked], ['it may run', [], []])
  const failing = await ask({ outcome: { ok: false, error: problem('not_found', 'There is no thing.') } })
  assert.deepEqual([failing.end, failing.questions], ['not_found: There is no thing.', []])
  const left = 'request_cancelled: The client cancelled the request.'
  for (const answer of [yes, new Error('closed')])
    assert.equal((await ask({ outcome, answer, signal: AbortSignal.abort() })).end, left)
  // While the trial runs: it is cancelled too.
  const abort = new AbortController()
  const leaving = ask({ signal: abort.signal })
  setImmediate(() => abort.abort())
  const { end, cancelled, questions } = await leaving
  assert.deepEqual([end, cancelled, questions], [left, ['J1'], []])
})

test('a trial run that takes too long is given up, and the question says so', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const asking = ask({})
  await new Promise(setImmediate)
  t.mock.timers.tick(5000)
  const { lines, cancelled, end } = await asking
  assert.deepEqual(lines[0]?.at(-1), 'A trial run did not end within 5 s, so what would happen is not known.')
  assert.deepEqual([cancelled, end], [['J1'], 'it may run'])
})
