/** A zip is imported as a folder; files of other kinds are named. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { ZipFile } from 'yazl'
import { served } from '../../../test/hmi.ts'
import { fbSource, openPlant } from '../../../test/plant.ts'

async function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [path, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), path)
  zip.end()
  return buffer(zip.outputStream)
}

test('the folders of a zip are those of the program; what is no zip or has nothing to import is refused', async (t) => {
  const { call, dir, gateway } = await openPlant(t)
  const { url, key } = await served(t, gateway)
  const send = async (content: Buffer, name = 'export.zip') => {
    const body = new FormData()
    body.set('file', new Blob([new Uint8Array(content)]), name)
    const path = `${url}/api/devices/PLC_1/blocks/actions/import-sync`
    const answer = await fetch(path, { method: 'POST', headers: { 'X-API-Key': key }, body })
    // biome-ignore lint/suspicious/noExplicitAny: an answer or a problem
    return { status: answer.status, body: (await answer.json()) as any }
  }
  const { status, body } = await send(
    await zipOf({
      'PLC_1/Program blocks/Line/A.scl': fbSource('A'),
      'PLC_1/Program blocks/B.scl': fbSource('B'),
      'PLC_1/readme.txt': 'nothing',
      'PLC_1/PLC tags/Motors.CSV': 'Name;Data Type;Logical Address',
    }),
  )
  assert.deepEqual([status, body.created], [200, 2])
  assert.deepEqual(body.files, [
    { path: 'PLC_1/Program blocks/B.scl', status: 'imported' },
    { path: 'PLC_1/Program blocks/Line/A.scl', status: 'imported' },
    {
      path: 'PLC_1/PLC tags/Motors.CSV',
      status: 'ignored',
      message:
        'A table of tags is imported with POST /api/devices/{deviceName}/tag-tables/{tableName}/actions/import-csv-sync.',
    },
    { path: 'PLC_1/readme.txt', status: 'ignored' },
  ])
  const { blocks } = await call<{ blocks: { name: string; folder: string }[] }>('blocks.list', { deviceName: 'PLC_1' })
  assert.deepEqual(
    blocks.map(({ name, folder }) => [name, folder]),
    [
      ['A', 'Line'],
      ['B', ''],
    ],
  )
  // A zip in the workspace is the same.
  await writeFile(join(dir, 'workspace/more.zip'), await zipOf({ 'PLC_1/Program blocks/C.scl': fbSource('C') }))
  const { objects } = await call<{ objects: unknown[] }>('blocks.import', { deviceName: 'PLC_1', filePath: 'more.zip' })
  assert.deepEqual(objects, [
    { name: 'C', kind: 'FB', number: 3, action: 'created', file: 'PLC_1/Program blocks/C.scl' },
  ])
  // A source that is not UTF-8 says that its code page was guessed.
  const ansi = Buffer.from(fbSource('Größe'), 'latin1')
  assert.deepEqual((await send(ansi, 'ansi.scl')).body.warnings, [
    'ansi.scl: the file is not UTF-8: it is read as Windows-1252 (ANSI of western Europe); letters of other languages come out wrong',
  ])
  const nothing = await send(await zipOf({ 'readme.txt': 'nothing' }))
  assert.deepEqual([nothing.status, nothing.body.code], [422, 'unacceptable_content'])
  assert.match(nothing.body.detail, /holds no file to import/)
  assert.equal((await send(Buffer.from('no zip'))).body.code, 'unacceptable_content')
  assert.match((await send(await zipOf({ 'P/P.ap19': 'x' }))).body.detail, /project of TIA Portal/)
})

test('a file that another operation takes is refused with its name', async (t) => {
  const { call } = await openPlant(t)
  const answers: unknown[] = []
  for (const [operation, content] of [
    ['blocks.import', '<CAEXFile FileName="a.aml"/>'],
    ['types.import', '"Start","%I0.0","Bool","Start button"'],
    ['tags.import', '<Document><SW.Blocks.FB ID="0"/></Document>'],
    ['tags.import', 'nothing that is known'],
  ] as const)
    answers.push(
      await call(operation, { deviceName: 'PLC_1', content }).catch(({ message, details }) => [
        message,
        details.suggestion,
      ]),
    )
  assert.deepEqual(answers, [
    [
      '"content" is hardware as AML. content: the root element is <CAEXFile>, SimaticML files begin with <Document>. Nothing was imported.',
      'POST /api/projects/devices/actions/import-hardware-sync',
    ],
    [
      '"content" is a list of tags (.csv, .sdf, .asc, <Tagtable>). content: this is neither SimaticML (<Document>…) nor an external source or SIMATIC SD (FUNCTION_BLOCK, FUNCTION, ORGANIZATION_BLOCK, DATA_BLOCK or TYPE first). Nothing was imported.',
      'POST /api/devices/{deviceName}/tag-tables/{tableName}/actions/import-csv-sync',
    ],
    [
      '"content" is SimaticML, SIMATIC SD or a source of a PLC program. The file is not JSON: line 1, column 1: expected a value, found "<".',
      'POST /api/devices/{deviceName}/blocks/actions/import-sync',
    ],
    ['The file is not JSON: line 1, column 1: expected a value, found "n".', undefined],
  ])
})
