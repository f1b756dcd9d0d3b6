/** Tags of a running controller. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testController } from '../../../test/controller.ts'
import { readTags, writeTags } from './batch.ts'
import { resolveTag } from './resolve.ts'
import { traceColumns } from './trace-columns.ts'
import { traceCsv } from './trace-csv.ts'
import { watchTags } from './watch.ts'

const source = `
DATA_BLOCK "Data"
VAR
  count : DInt;
  double : DInt;
  list : Array[1..3] of Struct
    speed : Real;
    name : String[20];
  END_STRUCT;
END_VAR
BEGIN
  list[2].name := 'middle';
END_DATA_BLOCK
DATA_BLOCK "T1_DB"
TON_TIME
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  "T1_DB".TON(IN := "Start", PT := T#5ms);
  "Lamp" := "T1_DB".Q;
  "Data".count := "Data".count + 1;
  "Data".double := "Data".count * 2;
END_ORGANIZATION_BLOCK
`
const tags = { Start: 'Bool at %I0.0', Lamp: 'Bool at %Q0.0' }

test('inputs that are written hold over cycles; members of timers, structures and texts are read', async (t) => {
  const { controller, load } = await testController(t)
  await load(source, tags)
  await controller.change('run')
  const values = async (...names: string[]) => (await readTags(controller, names)).map(({ value }) => value)
  await writeTags(controller, [
    { name: 'Start', value: true },
    { name: 'Data.list[2]', value: { speed: 0.1 } },
  ])
  await controller.advance({ cycles: 4 })
  assert.deepEqual(await values('Start', 'Lamp', 'T1_DB.ET', 'T1_DB.PT', '%I0.0'), [
    true,
    false,
    'T#3ms',
    'T#5ms',
    true,
  ])
  await controller.advance({ cycles: 4 })
  assert.deepEqual(await values('Lamp', 'T1_DB.Q'), [true, true])
  assert.deepEqual(await values('Data.list[2]', 'Data.list[2].name[1]'), [{ speed: 0.1, name: 'middle' }, 'm'])
})

test('a batch is of one scan boundary while the program runs as fast as it can', async (t) => {
  const { controller, load } = await testController(t, { time: { mode: 'real', factor: 1 } })
  await load(source, tags)
  await controller.change('run')
  for (let i = 0; i < 200; i++) {
    const [count, double] = await readTags(controller, ['Data.count', 'Data.double'])
    assert.equal(double?.value, 2 * Number(count?.value))
    assert.equal(count?.timestamp, double?.timestamp)
  }
})

test('a watch tells what the program changes, also after another program is loaded', async (t) => {
  const { controller, load } = await testController(t)
  await load(source, tags)
  await controller.change('run')
  const end = new AbortController()
  const watch = watchTags(controller, ['Data.count', 'Lamp'], { intervalMs: 10 }, end.signal)
  const next = async () => ((await watch.next()).value ?? []).map(({ name, value }) => [name, value])
  assert.deepEqual(await next(), [
    ['Data.count', 0],
    ['Lamp', false],
  ])
  await controller.advance({ cycles: 3 })
  assert.deepEqual(await next(), [['Data.count', 3]])
  await controller.change('stop')
  await load(
    source.replace('count : DInt;', 'before : LReal; count : Int;').replace('double : DInt', 'double : Int'),
    tags,
  )
  await controller.change('run')
  await controller.advance({ cycles: 1 })
  assert.deepEqual(await next(), [['Data.count', 1]])
  end.abort()
  await watch.return()
})

test('a trace of every cycle becomes a table', async (t) => {
  const { controller, load } = await testController(t)
  await load(source, tags)
  await controller.change('run')
  assert.ok(controller.program)
  const { ranges, columns } = traceColumns(controller.program, ['Data.count', 'Lamp'])
  await controller.startTrace({ ranges, samples: 10, everyCycles: 1 })
  await controller.advance({ cycles: 3 })
  let text = ''
  for await (const piece of traceCsv(await controller.trace(), columns)) text += piece
  const rows = text
    .trim()
    .split('\r\n')
    .map((row) => row.split(','))
  assert.deepEqual(rows[0], ['cycle', 'time', 'Data.count', 'Lamp'])
  assert.deepEqual(
    rows.slice(1).map(([, , count, lamp]) => [count, lamp]),
    [
      ['1', '0'],
      ['2', '0'],
      ['3', '0'],
    ],
  )
  assert.equal(resolveTag(controller.program, 'data.COUNT').name, 'Data.count')
})
