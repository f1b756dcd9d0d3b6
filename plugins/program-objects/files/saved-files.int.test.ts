import assert from 'node:assert/strict'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { TestGateway } from '../../../test/harness.ts'
import { openTestGateway } from '../../../test/harness.ts'
import { dbXml, fails, fbSource, openPlant, writeWorkspace } from '../../../test/plant.ts'

/** A project as it was saved before attributes stood beside each object. */
const formatOne = fileURLToPath(new URL('../../../test/fixtures/saved-format-1/Plant', import.meta.url))
const on = { deviceName: 'PLC_1' }
const cyclicSource =
  'ORGANIZATION_BLOCK "Fast"\nVERSION : 0.1\n   VAR_INPUT \n      Event_Count : Int;\n   END_VAR\n\nBEGIN\n\t;\nEND_ORGANIZATION_BLOCK\n\n'

/** All files below a folder with their bytes. */
async function treeOf(folder: string): Promise<Record<string, string>> {
  const tree: Record<string, string> = {}
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name)
      tree[path.slice(folder.length + 1).replaceAll('\\', '/')] = await readFile(path, 'latin1')
    }
  return tree
}

/** Paths whose content differs, or that only one of the trees has. */
function changed(a: Record<string, string>, b: Record<string, string>): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((path) => a[path] !== b[path]).sort()
}

/** What clients see of everything that is saved. */
async function stateOf({ call }: TestGateway) {
  const lists = ['blocks.list', 'types.list', 'tags.list-tables', 'watch-tables.list', 'blocks.list-sources']
  const trees = ['blocks.tree', 'types.tree', 'tags.table-tree']
  return Promise.all([...lists, ...trees].map((id) => call(id, on)))
}

const plantFolder = ({ dir }: TestGateway) => join(dir, 'workspace/Plant')

test('a project of format 1 opens as it was, and is saved with one file of attributes for each object', async (t) => {
  const gateway = await openTestGateway(t)
  const { call } = gateway
  const folder = plantFolder(gateway)
  await cp(formatOne, folder, { recursive: true })
  const opened = await call<{ warnings: string[] }>('projects.open', { path: 'Plant' })
  assert.deepEqual(opened.warnings, [])
  const { blocks } = await call<{ blocks: { name: string; number: number; folder: string; modifiedDate: string }[] }>(
    'blocks.list',
    on,
  )
  assert.deepEqual(
    blocks.map(({ name, number, folder: where, modifiedDate }) => [name, number, where, modifiedDate]),
    [
      ['A', 7, 'F.scl/Inner', '2026-11-22T17:00:42.322Z'],
      ['B', 1, 'F.scl/Inner', '2026-11-22T17:00:42.539Z'],
      ['Fast', 30, '', '2026-11-22T17:00:42.567Z'],
      ['Motor', 1, 'F.scl/Inner', '2026-11-22T17:00:42.199Z'],
    ],
  )
  const before = await stateOf(gateway)
  await call('projects.save')
  const tree = await treeOf(folder)
  assert.deepEqual(Object.keys(tree).sort(), [
    'Plant.gantry',
    'devices/PLC_1/blocks/Empty/Deeper/.folder.json',
    'devices/PLC_1/blocks/F%2Escl/Inner/A.xml',
    'devices/PLC_1/blocks/F%2Escl/Inner/A.xml.json',
    'devices/PLC_1/blocks/F%2Escl/Inner/B.xml',
    'devices/PLC_1/blocks/F%2Escl/Inner/B.xml.json',
    'devices/PLC_1/blocks/F%2Escl/Inner/Motor.scl',
    'devices/PLC_1/blocks/F%2Escl/Inner/Motor.scl.json',
    'devices/PLC_1/blocks/Fast.scl',
    'devices/PLC_1/blocks/Fast.scl.json',
    'devices/PLC_1/device.json',
    'devices/PLC_1/sources/S/index%2Ejson',
    'devices/PLC_1/sources/S/index%2Ejson.json',
    'devices/PLC_1/tags/T/Line.xml',
    'devices/PLC_1/tags/T/Line.xml.json',
    'devices/PLC_1/types/Point.udt',
    'devices/PLC_1/types/Point.udt.json',
    'devices/PLC_1/watch-tables/Look.xml',
    'devices/PLC_1/watch-tables/Look.xml.json',
  ])
  assert.deepEqual(JSON.parse(tree['devices/PLC_1/blocks/Fast.scl.json'] as string), {
    id: 'Jp-WExaYlPl.1',
    number: 30,
    autoNumber: true,
    secondaryType: 'CyclicInterrupt',
    createdAt: '2026-11-22T17:00:42.567Z',
  })
  for (const [path, text] of Object.entries(tree)) assert.doesNotMatch(text, /sha256|modifiedAt/, path)
  await call('projects.close')
  await call('projects.open', { path: 'Plant' })
  // Texts that were there already were not written again: they have the times of their files.
  const dates = /"modifiedDate":"[^"]*"/g
  const undated = (state: unknown) => JSON.stringify(state).replace(dates, '')
  assert.equal(undated(await stateOf(gateway)), undated(before))
  assert.equal((await call('projects.save')).written, 0)
})

test('saved twice the trees are byte-equal; the edit of a block touches one file, a new block adds its own', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  const folder = plantFolder(gateway)
  await writeWorkspace(gateway, { 'a.scl': fbSource('A'), 'b.scl': fbSource('B'), 'ob.scl': cyclicSource })
  for (const file of ['b', 'a', 'ob'])
    await call('blocks.import', { ...on, filePath: `${file}.scl`, folder: 'Motors', overwrite: true })
  await call('devices.configure-network', { ...on, ipAddress: '192.168.0.7' })
  await call('projects.save')
  const first = await treeOf(folder)
  // Opened again, everything is made anew in another order, and the same files come of it.
  await call('projects.close')
  await call('projects.open', { path: 'Plant' })
  await call('projects.save', { path: 'copy/Plant' })
  assert.deepEqual(await treeOf(join(gateway.dir, 'workspace/copy/Plant')), first)

  await writeWorkspace(gateway, { 'a.scl': fbSource('A', '#out := 42;'), 'c.scl': fbSource('C') })
  await call('blocks.import', { ...on, filePath: 'a.scl', overwrite: true })
  await call('projects.save')
  const second = await treeOf(join(gateway.dir, 'workspace/copy/Plant'))
  assert.deepEqual(changed(first, second), ['devices/PLC_1/blocks/Motors/A.scl'])
  await call('blocks.import', { ...on, filePath: 'c.scl', folder: 'Motors' })
  await call('projects.save')
  assert.deepEqual(changed(second, await treeOf(join(gateway.dir, 'workspace/copy/Plant'))), [
    'devices/PLC_1/blocks/Motors/C.scl',
    'devices/PLC_1/blocks/Motors/C.scl.json',
  ])
})

test('merge conflicts in any file, and JSON that is none, are named with file and line', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  const folder = plantFolder(gateway)
  await writeWorkspace(gateway, { 'a.scl': fbSource('A') })
  await call('blocks.import', { ...on, filePath: 'a.scl' })
  await call('blocks.add-source-from-text', { ...on, sourceName: 'S.scl', content: fbSource('S') })
  await call('projects.save')
  await call('projects.close')
  const conflict = (ours: string, theirs: string) => `<<<<<<< HEAD\n${ours}\n=======\n${theirs}\n>>>>>>> other\n`
  const files = {
    'Plant.gantry': (text: string) => text.replace(/ {2}"author".*\n/, (line) => conflict(line.trimEnd(), line)),
    'devices/PLC_1/blocks/A.scl': (text: string) => text.replace('BEGIN\n', `BEGIN\n(*\n${conflict('1', '2')}*)\n`),
    'devices/PLC_1/blocks/A.scl.json': (text: string) => text.replace('{\n', `{\n${conflict('"number": 1', '')}`),
    'devices/PLC_1/device.json': (text: string) => text.replace('{\n', `{\n${conflict('', '')}`),
    'devices/PLC_1/sources/S.scl': (text: string) => `${conflict('a', 'b')}${text}${conflict('c', 'd')}`,
  }
  const whole = await treeOf(folder)
  const lines: Record<string, number[]> = {}
  for (const [path, edit] of Object.entries(files)) {
    const edited = edit(whole[path] as string)
    lines[path] = edited.split('\n').flatMap((line, i) => (line.startsWith('<<<<<<<') ? [i + 1] : []))
    assert.notDeepEqual(lines[path], [])
    await writeFile(join(folder, path), edited, 'latin1')
    // Each by itself is told, whatever reads it.
    const alone = await fails(call('projects.open', { path: 'Plant' }), 'unacceptable_content', /merge conflict/)
    assert.ok(alone.details.errors?.some((fault) => fault.path === path && fault.line === lines[path]?.[0]))
  }
  const { details } = await fails(call('projects.open', { path: 'Plant' }), 'unacceptable_content', /merge conflicts/)
  const told: Record<string, (number | undefined)[]> = {}
  for (const { path = '', line } of details.errors ?? []) told[path] = [...(told[path] ?? []), line]
  assert.deepEqual(told, lines)
  assert.equal((await call('projects.list')).total, 0)

  for (const [path, text] of Object.entries(whole)) await writeFile(join(folder, path), text, 'latin1')
  for (const path of ['Plant.gantry', 'devices/PLC_1/device.json', 'devices/PLC_1/blocks/A.scl.json']) {
    await writeFile(join(folder, path), (whole[path] as string).replace('\n}', ',\n}'), 'latin1')
    const error = await fails(call('projects.open', { path: 'Plant' }), 'unacceptable_content', /comma|JSON/)
    const [fault] = error.details.errors ?? []
    assert.deepEqual([fault?.path, fault?.line], [path, (whole[path] as string).trimEnd().split('\n').length])
    await writeFile(join(folder, path), whole[path] as string, 'latin1')
  }
  assert.deepEqual((await call<{ warnings: string[] }>('projects.open', { path: 'Plant' })).warnings, [])
})

test('what stands beside a text may be written, copied and left behind by hand', async (t) => {
  const gateway = await openPlant(t)
  const { call } = gateway
  const base = join(plantFolder(gateway), 'devices/PLC_1/blocks')
  await writeWorkspace(gateway, { 'a.scl': fbSource('A'), 'b.scl': fbSource('B'), 'x.xml': dbXml('X', 5) })
  for (const file of ['a.scl', 'b.scl', 'x.xml']) await call('blocks.import', { ...on, filePath: file })
  await call('projects.save')
  await call('projects.close')
  // An organization block with nothing but its class and number, as a person writes it.
  await writeFile(join(base, 'Slow.scl'), cyclicSource.replace('Fast', 'Slow'))
  await writeFile(join(base, 'Slow.scl.json'), '{ "number": 33, "secondaryType": "CyclicInterrupt" }')
  // A copy keeps what it was copied with, but is an object of its own.
  await writeFile(join(base, 'A2.scl'), fbSource('A2'))
  await cp(join(base, 'A.scl.json'), join(base, 'A2.scl.json'))
  await rm(join(base, 'B.scl'))
  // A fixed number that was edited in the text counts.
  await writeFile(join(base, 'X.xml'), (await readFile(join(base, 'X.xml'), 'utf8')).replace('>5<', '>6<'))
  const { warnings } = await call<{ warnings: string[] }>('projects.open', { path: 'Plant' })
  const { blocks } = await call<{ blocks: { name: string; number: number }[] }>('blocks.list', on)
  assert.deepEqual(
    blocks.map(({ name, number }) => [name, number]),
    [
      ['A', 1],
      ['A2', 2],
      ['Slow', 33],
      ['X', 6],
    ],
  )
  assert.equal(warnings.length, 2)
  assert.match(warnings.join('\n'), /B\.scl\.json describes B\.scl, which is not there/)
  assert.match(warnings.join('\n'), /A2\.scl: number 1 is taken.*"A2" got 2/)
  await call('projects.save')
  const ids = ['A', 'A2', 'Slow'].map(
    async (name) => JSON.parse(await readFile(join(base, `${name}.scl.json`), 'utf8')).id as string,
  )
  assert.equal(new Set(await Promise.all(ids)).size, 3)

  await call('projects.close')
  await writeFile(join(base, 'A.scl.json'), '{ "nubmer": 1 }')
  const error = await fails(call('projects.open', { path: 'Plant' }), 'unacceptable_content', /nubmer/)
  assert.equal(error.details.errors?.[0]?.path, 'devices/PLC_1/blocks/A.scl.json#/nubmer')
})
