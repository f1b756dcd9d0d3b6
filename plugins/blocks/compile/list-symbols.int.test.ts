import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined } from '../../../core/index.ts'
import { fails } from '../../../test/fails.ts'
import { openTestGateway } from '../../../test/harness.ts'

interface Page {
  symbols: { name: string; dataType: string; area: string; offset?: number; elements?: number; isRetentive: boolean }[]
  programHash: string
  isCurrent: boolean
  nextCursor?: string
}

const device = { deviceName: 'PLC_1' }
const source = `TYPE "Axis"\nSTRUCT\n  on : Bool;\n  list : Array[0..1, 0..1] of Int;\nEND_STRUCT;\nEND_TYPE
DATA_BLOCK "Data"\n{ S7_Optimized_Access := 'TRUE' }\nVAR RETAIN\n  count : DInt; // pieces\nEND_VAR\nVAR\n  axes : Array[1..2] of "Axis";\nEND_VAR\nBEGIN\nEND_DATA_BLOCK
ORGANIZATION_BLOCK "Main"\nVAR_TEMP\n  i : Int;\n  copy : "Axis";\nEND_VAR\nBEGIN\n  #i := 1;\n  #copy := "Data".axes[#i];\n  "Data".axes[2] := #copy;\nEND_ORGANIZATION_BLOCK\n`

test('symbols of the compiled program: pages, arrays one level at a time, temporaries', async (t) => {
  const at = await openTestGateway(t)
  await at.call('projects.create', { name: 'Line', path: `${at.dir}/workspace` })
  await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', ...device })
  const list = (more: Record<string, unknown> = {}) =>
    at.call<Page>('blocks.list-program-symbols', { ...device, ...more })
  const rows = async (more: Record<string, unknown> = {}) =>
    (await list(more)).symbols.map(({ name, dataType, area, offset }) => [name, dataType, area, offset])

  await fails(list(), 'conflict', /not compiled/)
  await at.call('blocks.import', { ...device, content: source })
  const { programHash } = await at.call<{ programHash: string }>('blocks.compile-device', device)
  const data = await rows({ q: 'data.' })
  assert.deepEqual(data, [
    ['Data.count', 'DInt', 'DB', 0],
    ['Data.axes', 'Array[1..2] of Axis', 'DB', 4],
  ])
  assert.deepEqual(
    (await rows({ q: 'PIECES' })).map(([name]) => name),
    ['Data.count'],
  )
  assert.deepEqual(await rows({ q: '#' }), [
    ['Main.#copy', 'Axis', 'Temp', 0],
    ['Main.#Initial_Call', 'Bool', 'Temp', undefined],
    ['Main.#Remanence', 'Bool', 'Temp', undefined],
    ['Main.#i', 'Int', 'Temp', undefined],
  ])
  assert.deepEqual(await rows({ parent: 'Data.axes' }), [
    ['Data.axes[1].on', 'Bool', 'DB', 4],
    ['Data.axes[1].list', 'Array[0..1, 0..1] of Int', 'DB', 6],
    ['Data.axes[2].on', 'Bool', 'DB', 14],
    ['Data.axes[2].list', 'Array[0..1, 0..1] of Int', 'DB', 16],
  ])
  assert.deepEqual((await rows({ parent: '"Data".axes[2].list' })).at(-1), ['Data.axes[2].list[1,1]', 'Int', 'DB', 22])
  await fails(list({ parent: 'Data.count' }), 'not_found', /no array/)

  const all = await list()
  assert.deepEqual([all.programHash, all.isCurrent, all.nextCursor], [programHash, true, undefined])
  const names: string[] = []
  let cursor: string | undefined
  do {
    const page: Page = await list({ limit: 2, ...defined({ cursor }) })
    assert.ok(page.symbols.length <= 2)
    names.push(...page.symbols.map(({ name }) => name))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  assert.deepEqual(
    names,
    all.symbols.map(({ name }) => name),
  )
  assert.deepEqual(
    all.symbols.filter(({ isRetentive }) => isRetentive).map(({ name }) => name),
    ['Data.count'],
  )
  await fails(list({ cursor: 'abc-1' }), 'invalid_input', /cursor/)

  await at.call('blocks.import', { ...device, content: source.replace('count : DInt', 'count : LInt') })
  assert.equal((await list()).isCurrent, false)
  await at.call('blocks.import', { ...device, content: source.replace('#i := 1', '#i := none') })
  await at.call('blocks.compile-device', device)
  await fails(list(), 'conflict', /1 errors|errors/)
})
