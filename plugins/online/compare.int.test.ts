/** Comparing the project with a controller, over the operations. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestGateway } from '../../test/harness.ts'
import { type Answer, plc, sampleProgram, withDownload } from '../../test/online.ts'

const change = (at: TestGateway, content: string) => at.call('blocks.import', { ...plc, content, overwrite: true })

/** One object of the sample program with a part of its text replaced. */
function edited(keyword: string, name: string, from: string | RegExp, to: string): string {
  const source = new RegExp(`${keyword} "${name}"[\\s\\S]*?END_${keyword}`).exec(sampleProgram)?.[0]
  assert(from === '' || source?.replace(from, to) !== source, `${name} has no ${from}`)
  return `${source?.replace(from, to)}\n`
}

/** Objects that are not equal: name, state, what differs. */
async function differences(at: TestGateway): Promise<unknown[]> {
  const { objects } = await at.call<Answer>('online.compare', { ...plc, only: 'differences' })
  return objects.map(({ name, status, differences: what }: Answer) => [name, status, ...what])
}

test('right after a download everything is equal', async (t) => {
  const { at } = await withDownload(t)
  const all = await at.call<Answer>('online.compare', plc)
  assert.deepEqual(all.counts, { equal: 7, differs: 0, onlyOffline: 0, onlyOnline: 0 })
  assert.deepEqual([all.identical, all.objects.length, all.program.offline], [true, 7, all.program.online])
  assert.deepEqual(
    all.folders.map(({ path, status }: Answer) => [path, status]),
    [
      ['Empty', 'equal'],
      ['Empty/Inner', 'equal'],
    ],
  )
  assert.deepEqual(await differences(at), [])
})

test('what a change of an object changes is told; taken back, everything is equal', async (t) => {
  const { at } = await withDownload(t)
  const edits = [
    ['code', 'FUNCTION_BLOCK', 'Counter', '+ #step', '- #step'],
    ['comments', 'FUNCTION_BLOCK', 'Counter', '// counts', '// adds up'],
    ['comments', 'FUNCTION_BLOCK', 'Counter', '// how far', '// width'],
    ['interface', 'FUNCTION_BLOCK', 'Counter', 'total : DInt', 'total : LInt'],
    ['startValues', 'FUNCTION_BLOCK', 'Counter', ':= 1;', ':= 2;'],
    ['properties', 'FUNCTION_BLOCK', 'Counter', 'VERSION : 0.1', 'VERSION : 0.2'],
    ['text', 'FUNCTION_BLOCK', 'Counter', '#total := ', '#total  :=  '],
    ['startValues', 'DATA_BLOCK', 'Data', ':= 10', ':= 11'],
    ['interface', 'TYPE', 'Motor', 'run : Bool', 'runs : Bool'],
  ] as const
  const changes: [told: unknown[], make: () => Promise<unknown>][] = [
    ...edits.map(([what, keyword, name, from, to]): (typeof changes)[number] => [
      [[name, 'differs', what]],
      () => change(at, edited(keyword, name, from, to)),
    ]),
    [
      [
        ['First', 'onlyOffline'],
        ['Data', 'differs', 'text', 'number'],
      ],
      async () => {
        await at.call('blocks.delete', { ...plc, blockName: 'Data', force: true })
        await change(at, 'DATA_BLOCK "First" VAR x : Int; END_VAR BEGIN END_DATA_BLOCK')
        await change(at, edited('DATA_BLOCK', 'Data', '', ''))
      },
    ],
    [
      [
        ['Main', 'differs', 'text'],
        ['DATA', 'differs', 'text', 'name'],
      ],
      () => at.call('blocks.rename', { ...plc, blockName: 'Data', newName: 'DATA' }),
    ],
    [
      [['Main', 'differs', 'properties']],
      () => change(at, edited('ORGANIZATION_BLOCK', 'Main', 'VERSION', "{ EventClass := 'Startup' }\nVERSION")),
    ],
    [
      [['Main', 'differs', 'code', 'interface', 'properties', 'kind']],
      async () => {
        await at.call('blocks.delete', { ...plc, blockName: 'Main', force: true })
        await change(at, 'FUNCTION "Main" : Void\nBEGIN\nEND_FUNCTION\n')
      },
    ],
    [[['Motor', 'onlyOnline']], () => at.call('types.delete', { ...plc, udtName: 'Motor', force: true })],
  ]
  for (const [told, make] of changes) {
    await make()
    assert.deepEqual(await differences(at), told)
    while ((await differences(at)).length > 0) await at.call('history.undo')
  }
})

test('blocks of one side, numbers, folders and spelling are told', async (t) => {
  const { at } = await withDownload(t)
  await at.call('blocks.delete', { ...plc, blockName: 'Counter_DB', force: true })
  await change(at, `FUNCTION "Extra" : Void\nBEGIN\nEND_FUNCTION\n`)
  await at.call('blocks.create-folder', { ...plc, path: 'Mine' })
  await at.call('blocks.delete-folder', { ...plc, path: 'Empty/Inner' })
  await at.call('blocks.import', {
    ...plc,
    content: edited('DATA_BLOCK', 'Data', '', '\n'),
    folder: 'Mine',
    overwrite: true,
  })
  const compared = await at.call<Answer>('online.compare', { ...plc, only: 'differences' })
  assert.deepEqual(compared.counts, { equal: 5, differs: 1, onlyOffline: 1, onlyOnline: 1 })
  const found = Object.fromEntries(compared.objects.map(({ name, ...rest }: Answer) => [name, rest]))
  assert.deepEqual([found.Data.status, found.Data.differences.includes('folder')], ['differs', true])
  assert.deepEqual([found.Data.offline.folder, found.Data.online.folder], ['Mine', ''])
  assert.deepEqual([found.Extra.status, found.Extra.online], ['onlyOffline', undefined])
  assert.deepEqual([found.Counter_DB.status, found.Counter_DB.offline], ['onlyOnline', undefined])
  assert.deepEqual(
    compared.folders.map(({ path, status }: Answer) => [path, status]),
    [
      ['Mine', 'onlyOffline'],
      ['Empty/Inner', 'onlyOnline'],
    ],
  )
  assert.equal(compared.program.offline, undefined)
})

test('tag tables: tags, constants, or comments alone', async (t) => {
  const { at } = await withDownload(t)
  const table = { ...plc, tableName: 'Default tag table' }
  await at.call('tags.update', { ...table, tagName: 'Start', comment: 'green button' })
  assert.deepEqual(await differences(at), [['Default tag table', 'differs', 'comments']])
  await at.call('tags.update', { ...table, tagName: 'Start', logicalAddress: '%I0.7' })
  assert.deepEqual(await differences(at), [['Default tag table', 'differs', 'tags', 'comments']])
  await at.call('tags.update-constant', { ...table, constantName: 'Most', value: '99' })
  assert.deepEqual(await differences(at), [['Default tag table', 'differs', 'tags', 'constants', 'comments']])
})

test('rows of watch tables', async (t) => {
  const { at } = await withDownload(t)
  await at.call('watch-tables.add-entries', { ...plc, tableName: 'Watch', entries: [{ name: 'Start' }] })
  assert.deepEqual(await differences(at), [['Watch', 'differs', 'rows']])
})
