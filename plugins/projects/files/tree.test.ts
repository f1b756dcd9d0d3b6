import assert from 'node:assert/strict'
import { basename, dirname } from 'node:path'
import { test } from 'node:test'
import type { QueryContext } from '../../../core/index.ts'
import { fails } from '../../../test/fails.ts'
import { openTestGateway } from '../../../test/harness.ts'
import { readTree } from './tree.ts'

type FileReader = QueryContext['files']

/** The folders of a project with so many devices; counts how often it is asked, and how often one has to wait. */
function projectOf(devices: number) {
  const asked = { lists: 0, rounds: 0 }
  let round: Promise<void> | undefined
  const entry = (folder: string, name: string, isDirectory: boolean) => ({
    name,
    path: `${folder}/${name}`,
    isDirectory,
  })
  const names = Array.from({ length: devices }, (_, i) => `PLC_${i}`)
  const list: FileReader['list'] = async (path) => {
    asked.lists++
    if (round === undefined) {
      asked.rounds++
      round = new Promise((resolve) => setImmediate(resolve))
    }
    await round
    round = undefined
    const folder = path.replaceAll('\\', '/')
    if (folder === '/p') return [entry(folder, 'P.gantry', false), entry(folder, 'devices', true)]
    if (basename(folder) === 'devices') return names.map((name) => entry(folder, name, true))
    if (basename(dirname(folder)) === 'devices')
      return [entry(folder, 'blocks', true), entry(folder, 'device.json', false)]
    return [entry(folder, 'Main.scl', false)]
  }
  return { files: { list } as FileReader, asked }
}

test('a project is read in as many rounds as its folders are deep, each folder once', async () => {
  for (const devices of [2, 200]) {
    const { files, asked } = projectOf(devices)
    const tree = await readTree(files, '/p')
    assert.deepEqual(asked, { lists: 2 + 2 * devices, rounds: 4 })
    assert.equal(tree.files.length, 1 + 2 * devices)
    assert.equal(tree.folders.length, 1 + 2 * devices)
    assert.deepEqual(tree.files, [...tree.files].sort())
  }
})

test('a save after one change writes the files of that change, however many there are', async (t) => {
  for (const devices of [3, 12]) {
    const g = await openTestGateway(t)
    await g.call('projects.create', { name: 'P' })
    for (let i = 0; i < devices; i++)
      await g.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: `PLC_${i}` })
    await g.call('projects.save')
    await g.call('devices.configure-network', { deviceName: 'PLC_1', ipAddress: '192.168.7.1' })
    const { written, unchanged } = await g.call<{ written: number; unchanged: number }>('projects.save')
    assert.deepEqual([written, unchanged], [1, devices])
  }
})

/** A folder with these files. */
function filesOf(...paths: string[]): FileReader {
  const list = async (path: string) => {
    const folder = path.replaceAll('\\', '/')
    const prefix = `${folder}/`
    const below = paths.filter((path) => `root/${path}`.startsWith(prefix))
    const names = new Set(below.map((path) => `root/${path}`.slice(prefix.length).split('/')[0] ?? ''))
    return [...names].map((name) => {
      const isDirectory = !paths.includes(`${folder}/${name}`.slice('root/'.length))
      return { name, isDirectory, modifiedAt: isDirectory ? undefined : '2026-01-01T00:00:00Z' }
    })
  }
  return { list } as unknown as FileReader
}

test('files and folders, sorted; what is of others or of an interrupted save is told apart', async () => {
  const tree = await readTree(
    filesOf(
      'b.json',
      'a/z.json',
      'a/b/c.json',
      'a/.git/HEAD',
      'node_modules/x.js',
      'b.json.0123456789ab.tmp',
      'c.tmp',
      'a/d.0123456789ab.tmp/x.json',
    ),
    'root',
  )
  assert.deepEqual(tree, {
    files: ['a/b/c.json', 'a/z.json', 'b.json', 'c.tmp'],
    ...{ folders: ['a', 'a/b'], foreign: ['', 'a'], leftovers: ['b.json.0123456789ab.tmp', 'a/d.0123456789ab.tmp'] },
    modifiedAt: new Map(['b.json', 'c.tmp', 'a/z.json', 'a/b/c.json'].map((path) => [path, Date.UTC(2026, 0, 1)])),
  })
})

test('40 folders deep is a project, 41 is a wrong folder', async () => {
  const deep = (folders: number) => readTree(filesOf(`${'d/'.repeat(folders)}file`), 'root')
  assert.equal((await deep(40)).files.length, 1)
  await fails(deep(41), 'invalid_input', /nested more than 40 folders deep/)
})

test('100 000 files are a project, one more is a wrong folder', async () => {
  const many = (count: number) => {
    const entries = Array.from({ length: count }, (_, i) => ({ name: `f${i}`, isDirectory: false }))
    return readTree({ list: async () => entries } as unknown as FileReader, 'root')
  }
  assert.equal((await many(100_000)).files.length, 100_000)
  await fails(many(100_001), 'payload_too_large', /^"root" holds more than 100000 files; name the folder of a project/)
})
