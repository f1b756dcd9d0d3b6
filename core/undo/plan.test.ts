/** What an undo would do, and what is in its way, on a state of a few collections. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Collection, collection, ownedBy, ownerKind } from '../contract/collection.ts'
import type { GatewayHandle } from '../contract/context.ts'
import type { Operation } from '../contract/operation.ts'
import { isGatewayError } from '../contract/problems.ts'
import type { UndoCheck } from '../contract/undo-check.ts'
import { undone } from '../contract/undone.ts'
import type { ActiveJob } from '../log/active-job.ts'
import { State } from '../state/state.ts'
import { checkUndo, planUndo } from './plan.ts'
import { entitiesOf, type Step, Steps, takenBack } from './steps.ts'

interface Item {
  readonly name?: string
  readonly shelf?: string
  readonly opened?: number
}
const shelfKind = ownerKind('shop.shelf', 'shop.racks')
const shelves = collection<Item>('shop.racks', {}, [], 'project')
const items = collection<Item>(
  'shop.price-copies',
  { byShelf: ({ shelf }) => shelf },
  [ownedBy(shelfKind, 'byShelf')],
  {
    apart: ['opened'],
  },
)
const reports = collection<Item>(
  'shop.reports',
  { byShelf: ({ shelf }) => shelf },
  [ownedBy(shelfKind, 'byShelf')],
  'apart',
)
const labels = collection<Item>(
  'shop.labels',
  { byShelf: ({ shelf }) => shelf },
  [ownedBy(shelfKind, 'byShelf')],
  'attached',
)
const doors = collection<Item>('shop.doors', {}, [], { final: 'A door was built.' })
const shops = collection<Item>('shop.shops', {}, [], { final: 'Another shop was opened.', barrier: true })

/** A state, and commands that set and remove entries of it. */
function open(limits?: ConstructorParameters<typeof Steps>[1]) {
  const state = new State()
  for (const one of [shelves, items, reports, labels, doors, shops]) state.register(one as Collection<unknown>)
  state.reductions.on(
    'shop.set',
    (write, data) => {
      const [definition, key, value] = data as [Collection<unknown>, string, unknown]
      if (value === undefined) write(definition).delete(key)
      else write(definition).set(key, value)
    },
    'shop',
  )
  const warnings: unknown[] = []
  const gateway = {
    state,
    sessionSeq: 1,
    plugins: [],
    registry: { operation: () => undefined },
    log: { warn: (fields: { err: Error }, text: string) => warnings.push([fields.err.message, text]) },
    store: { log: {}, index: { find: async () => [] as number[] } },
  }
  const steps = new Steps(gateway as unknown as GatewayHandle, limits)
  let seq = 0
  type Change = readonly [Collection<Item>, string, Item?]
  /** Runs a command `shop.<name>`. */
  const run = (
    name: string,
    changes: readonly Change[],
    more: { emitted?: object[]; files?: number; declared?: object } = {},
  ) => {
    const overlay = state.overlay()
    for (const change of changes)
      overlay.fold(change, { type: 'shop.set', jobId: undefined, actor: undefined, time: 0 })
    overlay.merge()
    seq++
    const job = {
      jobId: `J${seq}`,
      acceptedSeq: 10 * seq,
      createdAt: 1000 * seq,
      startedAt: seq % 2 ? 1000 * seq + 1 : undefined,
      actor: { name: 'anna', access: 'admin' },
      operation: { id: `shop.${name}`, kind: 'command', ...more.declared } as unknown as Operation,
      options: seq === 2 ? { group: 'turn' } : {},
    } as unknown as ActiveJob
    steps.note(job, overlay, (more.emitted ?? []) as never, more.files ?? 0)
    return `J${seq}`
  }
  const plan = async (...jobs: string[]) => {
    const all = await steps.all()
    return planUndo(
      state,
      all.filter(({ jobId }) => jobs.includes(jobId)),
      all,
    )
  }
  const refusal = async (...jobs: string[]) => {
    try {
      await plan(...jobs)
    } catch (error) {
      assert.ok(isGatewayError(error), String(error))
      const { errors, extra, suggestion } = error.details
      return { code: error.code, message: error.message, errors, extra, suggestion }
    }
    return assert.fail('it was not refused')
  }
  return { state, steps, run, plan, refusal, gateway, warnings }
}

test('entries go back to what they were before the first command, without the fields that are no content', async () => {
  const { run, plan } = open()
  const first = run('add', [
    [shelves, 's', { name: 'S' }],
    [items, 's/a', { name: 'A', shelf: 's', opened: 1 }],
    [items, 's/b', { name: 'B', shelf: 's' }],
  ])
  const opened = run('open', [[items, 's/a', { name: 'A', shelf: 's', opened: 2 }]])
  assert.deepEqual((await plan(opened)).entries, [], 'nothing of it is content')
  const second = run('rename', [
    [items, 's/a', { name: 'AA', shelf: 's', opened: 3 }],
    [items, 's/b'],
  ])
  assert.deepEqual((await plan(second)).entries, [
    { collection: items.id, key: 's/a', value: { name: 'A', shelf: 's' } },
    { collection: items.id, key: 's/b', value: { name: 'B', shelf: 's' } },
  ])
  const whole = await plan(first, opened, second)
  assert.deepEqual(
    whole.steps.map(({ jobId }) => jobId),
    [first, opened, second],
  )
  // What is gone already needs no change.
  assert.deepEqual(whole.entries, [
    { collection: shelves.id, key: 's', value: undefined },
    { collection: items.id, key: 's/a', value: undefined },
  ])
})

test('what later work made of an entry stands in the way, with the jobs that did', async () => {
  const { run, refusal } = open()
  run('shelf', [[shelves, 's', { name: 'S' }]])
  const add = run('add', [
    [items, 's/a', { name: 'A', shelf: 's' }],
    [items, 's/b', { shelf: 's' }],
  ])
  const change = run('change', [[items, 's/a', { name: 'AA', shelf: 's' }]])
  const remove = run('remove', [[items, 's/b']])
  const later = (jobId: string, command: string, time: string) => ({ jobId, command, actor: 'anna', time })
  assert.deepEqual(await refusal(add), {
    code: 'undo_conflict',
    message: `Later work stands in the way: price copy "AA" was changed, by job ${change} (shop.change).`,
    errors: [
      { path: '/shop.price-copies/s/a', message: `price copy "AA" was changed, by job ${change} (shop.change)` },
    ],
    extra: { laterJobs: [later(change, 'shop.change', '1970-01-01T00:00:03.001Z')] },
    suggestion: `POST /api/history/undo { "jobId": "${change}" } first.`,
  })
  // Without a name an entry is told by its key, after those with one.
  const put = run('put', [
    [items, 's/b', { shelf: 's', opened: 1 }],
    [items, 's/c', { name: 'C', shelf: 's' }],
  ])
  const again = run('change', [[items, 's/b', { shelf: 't' }]])
  run('remove', [[items, 's/c']])
  const { message, errors, extra } = await refusal(put)
  assert.equal(message, `Later work stands in the way: price copy "b" was changed, by job ${again} (shop.change).`)
  assert.deepEqual([errors?.length, (extra as { laterJobs: unknown[] }).laterJobs.length], [1, 1])
  const both = await refusal(add, remove)
  assert.equal(
    both.message,
    `Later work stands in the way: price copy "AA" was changed, by job ${change} (shop.change) (and 1 more).`,
  )
  assert.deepEqual(
    both.errors?.map(({ path, message: text }) => [path, text]),
    [
      ['/shop.price-copies/s/a', `price copy "AA" was changed, by job ${change} (shop.change)`],
      ['/shop.price-copies/s/b', `price copy "b" was changed, by job ${again} (shop.change)`],
    ],
  )
  const between = await refusal(put, run('change', [[items, 's/b', { shelf: 's' }]]))
  assert.equal(
    between.message,
    `Later work stands in the way: price copy "b" was changed in between, by job ${again} (shop.change).`,
  )
})

test('an owner does not go with what later work put into it; what is no content goes with it, and nothing comes back without it', async () => {
  const { run, plan, refusal } = open()
  const shelf = run('shelf', [[shelves, 's', { name: 'S' }]])
  run('report', [[reports, 'r', { shelf: 's' }]])
  assert.deepEqual((await plan(shelf)).entries, [
    { collection: shelves.id, key: 's', value: undefined },
    { collection: reports.id, key: 'r', value: undefined },
  ])
  const put = run('put', [[items, 's/a', { name: 'A', shelf: 's' }]])
  assert.equal(
    (await refusal(shelf)).message,
    `Later work stands in the way: price copy "A" is in it, by job ${put} (shop.put).`,
  )
  assert.deepEqual(
    (await plan(shelf, put)).entries.map(({ collection: id, key }) => `${id} ${key}`),
    ['shop.racks s', 'shop.price-copies s/a', 'shop.reports r'],
  )
  const take = run('take', [[items, 's/a']])
  const clear = run('clear', [
    [shelves, 's'],
    [reports, 'r'],
  ])
  assert.equal(
    (await refusal(take)).message,
    `Later work stands in the way: rack "s" is gone, by job ${clear} (shop.clear).`,
  )
  assert.deepEqual((await plan(take, clear)).entries.length, 2)
  assert.deepEqual((await plan(put)).entries, [])
})

test('what is attached to an owner comes back with it, and only with it', async () => {
  const { run, plan } = open()
  run('label', [
    [shelves, 's', { name: 'S' }],
    [labels, 'l', { shelf: 's', name: 'L' }],
    [labels, 'm', { shelf: 's' }],
  ])
  const tear = run('tear', [
    [labels, 'm'],
    [items, 's/a', { name: 'A', shelf: 's' }],
  ])
  assert.deepEqual((await plan(tear)).attached, [])
  const clear = run('clear', [
    [shelves, 's'],
    [items, 's/a'],
    [labels, 'l'],
    [reports, 'r'],
  ])
  const both = await plan(tear, clear)
  assert.deepEqual(
    [both.entries.map(({ key }) => key), both.attached],
    [['s'], [{ collection: labels.id, key: 'l', value: { shelf: 's', name: 'L' } }]],
  )
  run('back', [
    [shelves, 's', { name: 'S' }],
    [labels, 'l', { shelf: 's', name: 'new' }],
  ])
  assert.deepEqual((await plan(clear)).attached, [], 'it has a label already')
})

test('of the commands that changed an entry one that was not taken back is told, else any', async () => {
  const { run, refusal } = open()
  const put = run('put', [[items, 'a', { name: 'A' }]])
  const change = run('change', [[items, 'a', { name: 'B' }]])
  const event = (kind: 'undo' | 'redo', ...jobs: string[]) => ({
    emitted: [{ type: undone.type, data: { kind, jobs, versions: {}, entries: [] } }],
  })
  const other = run('other', [[items, 'a', { name: 'C' }]])
  run('undo', [[items, 'a', { name: 'B' }]], event('undo', other))
  assert.match((await refusal(put)).message, new RegExp(`price copy "B" was changed, by job ${change} `))
  // Something outside the commands that are kept.
  const { run: again, refusal: refused, state } = open()
  again('base', [[items, 'a', { name: 'Y' }]])
  const first = again('put', [[items, 'a', { name: 'A' }]])
  const undo = again('undo', [[items, 'a', { name: 'Z' }]], event('undo', 'J0'))
  assert.match((await refused(first)).message, new RegExp(`by job ${undo} \\(shop\\.undo\\)`))
  const overlay = state.overlay()
  overlay.fold([items, 'a', undefined], { type: 'shop.set', jobId: undefined, actor: undefined, time: 0 })
  overlay.merge()
  const gone = await refused(first)
  assert.deepEqual(
    [gone.message.includes('"A" is gone'), gone.suggestion],
    [true, `POST /api/history/undo { "jobId": "${undo}" } first.`],
  )
})

test('what cannot be taken back says why, also what was done before it', async () => {
  const { run, refusal, plan, steps } = open()
  const put = run('put', [[items, 'a', { name: 'A' }]])
  const door = run('door', [
    [doors, 'd', { name: 'D' }],
    [items, 'b', { name: 'B' }],
  ])
  const paint = run('paint', [[doors, 'd', { name: 'E' }]])
  assert.deepEqual(await refusal(door), {
    code: 'cannot_undo',
    message: `Job ${door} (shop.door) cannot be taken back: A door was built.`,
    errors: [{ path: `/jobs/${door}`, message: 'shop.door: A door was built.' }],
    extra: undefined,
    suggestion: undefined,
  })
  assert.equal((await plan(paint)).entries.length, 1, 'only a door that comes or goes is final')
  const close = run('close', [
    [shops, 'x', { name: 'X' }],
    [doors, 'd'],
  ])
  const both = await refusal(door, paint, close)
  assert.equal(both.message, `Job ${door} (shop.door) cannot be taken back: A door was built. (and 1 more commands)`)
  assert.deepEqual(
    both.errors?.map(({ message }) => message),
    ['shop.door: A door was built.', 'shop.close: Another shop was opened.'],
  )
  assert.equal(
    (await refusal(put)).message,
    `Job ${put} (shop.put) cannot be taken back any more: Another shop was opened. (job ${close}, shop.close)`,
  )
  assert.equal((await plan(run('put', [[items, 'c', {}]]))).entries.length, 1, 'what comes after it can')
  assert.deepEqual(
    (await steps.all()).map(({ jobId, isBarrier, final }) => [jobId, isBarrier, final !== undefined]),
    [
      [put, false, false],
      [door, false, true],
      [paint, false, false],
      [close, true, true],
      ['J5', false, false],
    ],
  )
})

test('the checks of plugins look at what an undo would leave', async () => {
  const { run, plan, state, steps } = open()
  const put = run('put', [[items, 's/a', { name: 'A' }]])
  const planned = await plan(put)
  const all = await steps.all()
  const seen: unknown[] = []
  const check: UndoCheck = (_ctx, entries) => {
    seen.push(entries)
    return [{ collection: items.id, key: 's/a', reason: 'has its name now' }]
  }
  const view = (...checks: UndoCheck[]) => ({ read: state.read, extensions: () => checks as never })
  checkUndo(
    state,
    planned,
    all,
    view(() => []),
  )
  assert.throws(
    () =>
      checkUndo(
        state,
        planned,
        all,
        view(() => [], check),
      ),
    /Later work stands in the way: price copy "A" has its name now\.$/,
  )
  assert.deepEqual(seen, [planned.entries])
})

test('a step is what changed the project or left something; its facts are those of its job', async () => {
  const { run, steps } = open()
  run('report', [[reports, 'r', { name: 'R' }]])
  run('nothing', [])
  run('put', [[items, 'a', { name: 'A' }]], {
    emitted: [
      { type: 'shop.put', data: {}, entity: 'item/a' },
      { type: 'shop.put', data: {}, entity: 'item/a' },
      { type: 'history.taken', data: {}, entity: 'snapshot/1' },
      { type: 'shop.told', data: {} },
    ],
    files: 2,
  })
  run('export', [], { files: 1 })
  run('call', [], { declared: { live: true } })
  run('ring', [[items, 'b', { name: 'B' }]], { declared: { live: true, lasting: 'It rang.' } })
  run('look', [[items, 'c', { name: 'C' }]], { declared: { live: true, lasting: false } })
  run('ask', [[items, 'd', { name: 'D' }]], { declared: { kind: 'query', live: true } })
  const told = (await steps.all()).map(({ changes, attached: _attached, ...step }) => ({
    ...step,
    changes: [...changes.keys()],
  }))
  const step = (n: number, name: string, more: object) => ({
    jobId: `J${n}`,
    seq: 10 * n,
    command: `shop.${name}`,
    actor: 'anna',
    time: 1000 * n + (n % 2),
    kind: 'command',
    takes: [],
    entities: [],
    lasting: [],
    isBarrier: false,
    changes: [items.id],
    ...more,
  })
  const files = (what: string) => `It wrote or removed ${what}; what is on the disk stays.`
  assert.deepEqual(told, [
    step(3, 'put', { entities: ['item/a'], lasting: [files('2 files')] }),
    step(4, 'export', { changes: [], lasting: [files('a file')], final: files('a file') }),
    step(5, 'call', {
      changes: [],
      lasting: ['It acts on more than the project.'],
      final: 'It acts on more than the project.',
    }),
    step(6, 'ring', { lasting: ['It rang.'], final: 'It rang.' }),
    step(7, 'look', {}),
    step(8, 'ask', {}),
  ])
  assert.equal(steps.knownFrom, 0)
})

test('the last commands are kept, as many as the limits allow, and lost ones are forgotten', async () => {
  const kept = async (
    limits: { commands: number; steps: number; entries: number },
    before = (_: ReturnType<typeof open>) => {},
  ) => {
    const at = open({ ...limits })
    for (let n = 0; n < 4; n++)
      at.run('put', [
        [items, `${n}`, {}],
        [items, `${n}x`, {}],
      ])
    before(at)
    return [(await at.steps.all()).map(({ jobId }) => jobId).join(' '), at.steps.knownFrom]
  }
  const many = 1000
  assert.deepEqual(await kept({ commands: many, steps: many, entries: 8 }), ['J1 J2 J3 J4', 0])
  assert.deepEqual(await kept({ commands: many, steps: many, entries: 7 }), ['J2 J3 J4', 20])
  assert.deepEqual(await kept({ commands: 4, steps: 4, entries: many }), ['J1 J2 J3 J4', 0])
  assert.deepEqual(await kept({ commands: 3, steps: many, entries: many }), ['J2 J3 J4', 20])
  assert.deepEqual(await kept({ commands: many, steps: 2, entries: many }), ['J3 J4', 30])
  assert.deepEqual(await kept({ commands: 0, steps: 0, entries: 0 }), ['J4', 40], 'the last one always')
  const take = (at: ReturnType<typeof open>) => {
    const data = { kind: 'undo', jobs: ['J4'], versions: {}, entries: [] }
    at.run('undo', [[items, '3']], { emitted: [{ type: undone.type, data }] })
  }
  assert.deepEqual(await kept({ commands: 4, steps: 5, entries: many }, take), ['J1 J2 J3 J4 J5', 0])
  const lose = (at: ReturnType<typeof open>) => {
    at.steps.forget('J4')
    at.steps.forget('J4')
    at.steps.forget('J9')
    at.run('put', [
      [items, 'new', {}],
      [items, 'newer', {}],
    ])
  }
  assert.deepEqual(await kept({ commands: 4, steps: 4, entries: 8 }, lose), ['J1 J2 J3 J5', 0])
})

test('a log that cannot be read leaves what this run did', async () => {
  const { steps, gateway, run, warnings } = open()
  run('put', [[items, 'a', {}]])
  let reads = 0
  gateway.store.index.find = async () => {
    reads++
    throw new Error('The records are lost.')
  }
  const ended = AbortSignal.abort(new Error('too late'))
  await assert.rejects(steps.all(ended), /too late/)
  assert.deepEqual([steps.unknown, warnings, reads], [undefined, [], 1])
  for (let n = 0; n < 2; n++)
    assert.deepEqual(
      (await steps.all()).map(({ jobId }) => jobId),
      ['J1'],
    )
  assert.deepEqual(
    [steps.unknown, steps.knownFrom, reads],
    ['The commands before the start of the gateway cannot be told from the log: The records are lost.', 1, 2],
  )
  assert.deepEqual(warnings, [['The records are lost.', 'the commands of earlier runs cannot be told']])
})

test('an undo that is itself taken back takes nothing back any more', () => {
  const step = (jobId: string, kind: Step['kind'], takes: string[] = [], entities: string[] = []) =>
    ({ jobId, kind, takes, entities }) as unknown as Step
  const steps = [
    step('a', 'command', [], ['x', 'y']),
    step('b', 'command', [], ['x']),
    step('undo-b', 'undo', ['b']),
    step('undo-a', 'undo', ['a']),
    step('redo-a', 'redo', ['undo-a']),
    step('undo-a-again', 'undo', ['a'], ['y']),
    step('undo-b-again', 'undo', ['b']),
  ]
  assert.deepEqual(
    [...takenBack(steps)],
    [
      ['b', 'undo-b-again'],
      ['a', 'undo-a-again'],
      ['undo-a', 'redo-a'],
    ],
  )
  assert.deepEqual(
    [...entitiesOf(steps)],
    [
      ['y', ['undo-a-again', 'a']],
      ['x', ['b', 'a']],
    ],
  )
})
