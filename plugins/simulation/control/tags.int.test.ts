/** Tags, time, forces, traces and diagnostics of a running program, through the operations and over HTTP. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails } from '../../../test/fails.ts'
import { actor } from '../../../test/harness.ts'
import { createServer, listen } from '../../../test/http-server.ts'
import { type Answer, loadProgram, openWithProgram } from '../../../test/simulation.ts'
import { until } from '../../../test/until.ts'
import { rejoinNames } from './tag-operations.ts'

const name = 'PLC_1'

test('tags are listed with their types and places, page by page', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call } = opened
  await call('simulation.connect', { name })
  const { instance, tags, total } = await call<Answer>('simulation.list-tags')
  assert.equal(instance, 'PLC_1')
  assert.equal(tags.length, total)
  const found = (wanted: string) => tags.find((tag: Answer) => tag.name === wanted)
  assert.deepEqual([found('Start').area, found('Start').dataType, found('Start').address], ['Input', 'Bool', '%I0.0'])
  assert.equal(found('Data.list[2]').primitiveType, 'Int16')
  const first = await call<Answer>('simulation.list-tags', { limit: 2 })
  const second = await call<Answer>('simulation.list-tags', { limit: 2, cursor: first.nextCursor })
  assert.deepEqual(
    [...first.tags, ...second.tags].map((tag: Answer) => tag.name),
    tags.slice(0, 4).map((tag: Answer) => tag.name),
  )
  const inputs = await call<Answer>('simulation.list-tags', { name, area: 'I' })
  assert(inputs.tags.every((tag: Answer) => tag.area === 'Input'))
  const refreshed = await call<Answer>('simulation.refresh-tags', { name })
  assert.equal(refreshed.total, total)
})

test('one tag is read by name, address, member and element; whole structures are JSON', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call } = opened
  const read = async (tagName: string) => (await call<Answer>('simulation.read-tag', { name, tagName })).value
  assert.equal(await read('Data.speed'), 1.5)
  assert.equal(await read('"Data".text'), 'abc')
  assert.deepEqual(await read('Data.motor'), { run: false, level: 7 })
  assert.deepEqual(await read('Data.list'), [0, 0, 0])
  assert.equal(await read('%MW10'), 0)
  const { quality, timestamp } = await call<Answer>('simulation.read-tag', { name, tagName: 'Start' })
  assert.deepEqual([quality, typeof timestamp], ['Good', 'string'])
  await fails(call('simulation.read-tag', { name, tagName: 'Data.speeed' }), 'not_found', /Did you mean "Data.speed"/)
})

test('an input that is written survives the update of the image', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call } = opened
  await call('simulation.run', { name })
  await call('simulation.write-tag', { name, tagName: 'Start', value: true })
  await call('simulation.advance', { name, cycles: 3 })
  const { tags } = await call<Answer>('simulation.read-tags', { name, tags: ['Start', 'Lamp', 'Data.count'] })
  assert.deepEqual(
    tags.map((tag: Answer) => tag.value),
    [true, true, 3],
  )
})

test('a wrong type or range is a 422 that names value and type, and a batch with one is not written at all', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call } = opened
  await fails(
    call('simulation.write-tag', { name, tagName: 'Setpoint', value: 40_000 }),
    'unacceptable_content',
    /40000.*Int/,
  )
  const dataType = 'Real'
  await fails(
    call('simulation.write-tag', { name, tagName: 'Setpoint', value: 4, dataType }),
    'unacceptable_content',
    /type Int \(Int16\), not Real/,
  )
  await call('simulation.write-tag', { name, tagName: 'Setpoint', value: 4, dataType: 'int16' })
  const tags = [
    { name: 'Setpoint', value: 5 },
    { name: 'Data.motor', value: { level: 'high' } },
    { tagName: 'Nothing', value: 1 },
  ]
  const error = await fails(call('simulation.write-tags', { name, tags }), 'unacceptable_content')
  assert.deepEqual(
    error.details.errors?.map(({ path }) => path),
    ['/tags/1/value', '/tags/2/name'],
  )
  assert.equal((await call<Answer>('simulation.read-tag', { name, tagName: 'Setpoint' })).value, 4)
  await fails(call('simulation.write-tags', { name, tags: [{ value: 1 }] }), 'invalid_input', /\/tags\/0\/name/)
})

test('a batch is written as a list or as an object, and read with what is not there marked Bad', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call } = opened
  await call('simulation.write-tags', { name, values: { Setpoint: 5, 'Data.list[2]': 6 } })
  await call('simulation.write-tags', { name, tags: [{ name: 'Data.motor', value: { run: true } }] })
  const read = await call<Answer>('simulation.read-tags', {
    name,
    tagNames: ['Setpoint', { name: 'Data.list[2]' }, 'Data.motor', 'Nothing'],
  })
  assert.deepEqual(
    read.tags.map((tag: Answer) => [tag.value, tag.quality]),
    [
      [5, 'Good'],
      [6, 'Good'],
      [{ run: true, level: 7 }, 'Good'],
      [null, 'Bad'],
    ],
  )
  assert.equal(read.bad, 1)
})

test('writing is for operators, and a dry run writes nothing', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call } = opened
  const write = { name, tagName: 'Setpoint', value: 9 }
  await fails(call('simulation.write-tag', write, { actor: actor('engineer') }), 'forbidden')
  const { result } = await call<Answer>('simulation.write-tag', { ...write, dryRun: true })
  assert.equal(result.value, 9)
  assert.equal((await call<Answer>('simulation.read-tag', { name, tagName: 'Setpoint' })).value, 0)
})

test('without a program there are no tags, and the answer says so', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call } = opened
  await call('simulation.create-instance', { name: 'Empty' })
  await fails(call('simulation.list-tags', { name: 'Empty' }), 'invalid_operating_state', /powered on/)
  await call('simulation.power-on', { name: 'Empty' })
  await fails(call('simulation.list-tags', { name: 'Empty' }), 'conflict', /no program/)
})

test('stepped time is advanced by cycles or milliseconds, in RUN only', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call } = opened
  await fails(call('simulation.advance', { name, cycles: 1 }), 'invalid_operating_state')
  await call('simulation.run', { name })
  await fails(call('simulation.advance', { name }), 'invalid_input', /cycles or milliseconds/)
  await fails(call('simulation.advance', { name, cycles: 1, milliseconds: 1 }), 'invalid_input')
  const before = (await call<Answer>('simulation.get-time', { name })).systemTime
  const { cycles, systemTime } = await call<Answer>('simulation.advance', { name, milliseconds: 1000 })
  assert.equal(cycles, 1000)
  assert.equal(Date.parse(systemTime) - Date.parse(before), 1000)
  assert.equal((await call<Answer>('simulation.read-tag', { name, tagName: 'Data.count' })).value, 1000)
  const statistics = await call<Answer>('simulation.get-statistics', { name })
  assert.equal(statistics.cycles, 1000)
})

test('an advance that is cancelled ends at a cycle control point, and the controller can be used on', async (t) => {
  const { opened, controller } = await openWithProgram(t)
  const { call } = opened
  await call('simulation.run', { name })
  const { jobId } = await call<Answer>('simulation.advance', { name, milliseconds: 1e12 }, { mode: 'async' })
  // The run has begun when cycles are counted.
  await until(() => controller.statistics.cycles > 0, 'it runs')
  await call('jobs.cancel', { jobId })
  const stopped = await call<Answer>('simulation.stop-instance', { name })
  assert.equal(stopped.state, 'Stop')
  assert.equal((await call<Answer>('jobs.get', { jobId })).status, 'Cancelled')
  assert((await call<Answer>('simulation.read-tag', { name, tagName: 'Data.count' })).value > 0)
})

test('time is set, and its mode is kept with the configuration', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call } = opened
  const set = await call<Answer>('simulation.set-time', {
    name,
    cycleTimeMs: 10,
    systemTime: '2030-01-02T03:04:05.000Z',
  })
  assert.deepEqual([set.mode, set.cycleTimeMs, set.systemTime], ['stepped', 10, '2030-01-02T03:04:05.000Z'])
  await fails(call('simulation.set-time', { name, mode: 'stepped', factor: 2 }), 'invalid_input', /factor.*real time/)
  await fails(call('simulation.set-time', { name, systemTime: '2300-01-01T00:00:00Z' }), 'invalid_input', /1970/)
  await call('simulation.set-time', { name, factor: 10 })
  const { time } = await call<Answer>('simulation.get-instance-config', { name })
  assert.deepEqual(time, { mode: 'real', factor: 10 })
  await call('simulation.run', { name })
  await fails(call('simulation.advance', { name, cycles: 1 }), 'conflict', /real time/)
})

test('forces hold against writes until they are taken away', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call } = opened
  await call('simulation.run', { name })
  const forces = [
    { tag: 'Start', value: true },
    { address: '%QB5', value: '16#A5' },
  ]
  const set = await call<Answer>('simulation.set-forces', { name, forces })
  assert.deepEqual(
    set.forces.map((force: Answer) => [force.tag, force.value]),
    [
      ['Start', true],
      ['%QB5', 0xa5],
    ],
  )
  await call('simulation.write-tag', { name, tagName: 'Start', value: false })
  await call('simulation.advance', { name, cycles: 2 })
  assert.equal((await call<Answer>('simulation.read-tag', { name, tagName: 'Lamp' })).value, true)
  assert.deepEqual((await call<Answer>('simulation.get-forces', { name })).forces, set.forces)
  assert.equal((await call<Answer>('simulation.remove-forces', { name })).removed, 2)
  await call('simulation.write-tag', { name, tagName: 'Start', value: false })
  await call('simulation.advance', { name, cycles: 2 })
  assert.equal((await call<Answer>('simulation.read-tag', { name, tagName: 'Lamp' })).value, false)
  const flag = [{ tag: 'Setpoint', value: 1 }]
  await fails(call('simulation.set-forces', { name, forces: flag }), 'unacceptable_content', /\/forces\/0.*neither/)
})

test('a trace records every cycle and is told as JSON or CSV', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call } = opened
  await fails(call('simulation.get-trace', { name }), 'conflict', /start a trace/)
  await call('simulation.start-trace', { name, tags: ['Data.count', 'Lamp'], samples: 5 })
  await call('simulation.run', { name })
  await call('simulation.advance', { name, cycles: 10 })
  assert.equal((await call<Answer>('simulation.stop-trace', { name })).stopped, true)
  const { tags, samples, total } = await call<Answer>('simulation.get-trace', { name })
  assert.deepEqual(tags, ['Data.count', 'Lamp'])
  assert.equal(total, 5)
  assert.deepEqual(
    samples.map((sample: Answer) => sample.values),
    [6, 7, 8, 9, 10].map((count) => [count, false]),
  )
  const csv = await call<string>('simulation.get-trace', { name, format: 'csv', limit: 2 })
  const lines = csv.trimEnd().split('\r\n')
  assert.equal(lines[0], 'cycle,time,Data.count,Lamp')
  assert.equal(lines.length, 3)
  assert.match(lines[2] ?? '', /,10,0$/)
})

test('the diagnostics buffer says what happened, newest first, and can be filtered', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call } = opened
  await call('simulation.run', { name })
  await call('simulation.stop-instance', { name })
  const { entries, total } = await call<Answer>('simulation.get-diagnostics', { name })
  assert(total >= 3)
  assert(entries[0].number > entries[1].number)
  const changes = await call<Answer>('simulation.get-diagnostics', { name, code: 'mode-change', limit: 1 })
  assert.equal(changes.entries.length, 1)
  assert(changes.total > 1)
  assert.equal((await call<Answer>('simulation.get-diagnostics', { name, severity: 'error' })).total, 0)
})

test('names in a query string keep their commas', () => {
  assert.deepEqual(rejoinNames(['Start', 'Data.list[1', '2]', '"a', 'b".c']), ['Start', 'Data.list[1,2]', '"a,b".c'])
  assert.deepEqual(rejoinNames(['a[1', '2']), ['a[1,2'])
})

test('chosen tags are followed over HTTP: first all, then what changes; CSV comes for Accept', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call, gateway } = opened
  const key = gateway.createdKey ?? ''
  const app = await createServer(gateway)
  t.after(() => app.close())
  const url = await listen(app, { port: 0 })
  const headers = { 'X-API-Key': key }
  await call('simulation.run', { name })
  await call('simulation.connect', { name })
  const abort = new AbortController()
  const tags = 'tags=Setpoint,Data.list%5B1%5D&intervalMs=10'
  const response = await fetch(`${url}/api/simulation/tags/stream?${tags}`, { headers, signal: abort.signal })
  assert.equal(response.status, 200)
  const messages = eventsOf(response)
  assert.deepEqual(await messages.next(), ['Setpoint 0', 'Data.list[1] 0'])
  await call('simulation.write-tag', { tagName: 'Setpoint', value: 77 })
  assert.deepEqual(await messages.next(), ['Setpoint 77'])
  abort.abort()
  const wrong = await fetch(`${url}/api/simulation/instances/PLC_1/tags/stream?tags=Nope`, { headers })
  assert.equal(wrong.status, 404)
  await wrong.body?.cancel()

  await call('simulation.start-trace', { name, tags: ['Setpoint'] })
  await call('simulation.advance', { name, cycles: 1 })
  const csv = await fetch(`${url}/api/simulation/instances/PLC_1/trace`, {
    headers: { ...headers, Accept: 'text/csv' },
  })
  assert.match(csv.headers.get('content-type') ?? '', /text\/csv/)
  assert.match(await csv.text(), /^cycle,time,Setpoint\r\n/)
  const json = await fetch(`${url}/api/simulation/instances/PLC_1/trace`, { headers })
  assert.match(json.headers.get('content-type') ?? '', /json/)
  assert.equal(((await json.json()) as Answer).total, 1)
  const address = await fetch(`${url}/api/simulation/tags/${encodeURIComponent('%MW10')}`, { headers })
  assert.equal(((await address.json()) as Answer).value, 77)
  // The stream ends with its instance.
  const rest = eventsOf(await fetch(`${url}/api/simulation/tags/stream?tags=Setpoint`, { headers }))
  await rest.next()
  await call('simulation.delete-instance', { name, force: true })
  await assert.rejects(async () => {
    for (;;) await rest.next()
  }, /the stream ended: The instance was deleted\./)
})

/** The `tags` events of a response: `name value` of each tag. */
function eventsOf(response: Response) {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    async next(): Promise<string[]> {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const block = text.slice(0, end)
          text = text.slice(end + 2)
          const data = /^data: (.*)$/m.exec(block)?.[1]
          if (block.includes('event: end')) throw new Error(`the stream ended: ${JSON.parse(data ?? '').reason}`)
          if (!block.includes('event: tags') || data === undefined) continue
          return (JSON.parse(data) as Answer).tags.map((tag: Answer) => `${tag.name} ${tag.value}`)
        }
        const { value, done } = await reader.read()
        if (done) throw new Error('the stream ended')
        text += value
      }
    },
  }
}

test('another program has other tags at once', async (t) => {
  const { opened } = await openWithProgram(t)
  const { call } = opened
  await loadProgram(opened, name, 'ORGANIZATION_BLOCK "OB1"\nBEGIN\n  ;\nEND_ORGANIZATION_BLOCK\n', {
    Other: 'Int at %MW20',
  })
  const { tags } = await call<Answer>('simulation.list-tags', { name })
  assert.deepEqual(
    tags.map((tag: Answer) => tag.name),
    ['Other'],
  )
  await fails(call('simulation.read-tag', { name, tagName: 'Start' }), 'not_found')
})
