import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../test/folder.ts'
import { codeTables, mcpPrompts } from '../index.ts'
import { localPlugins } from './local-plugins.ts'

test('plugins of folders give what they contribute; each that cannot be used says why', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-local-')
  const make = async (name: string, text?: string) => {
    await mkdir(join(dir, name))
    if (text !== undefined) await writeFile(join(dir, name, 'index.mjs'), text)
    return join(dir, name)
  }
  const check = (name: string) =>
    `export default ({ definePlugin, extend }, { codeTables }) => definePlugin({ name: '${name}', version: '1.0.0', extensions: [extend(codeTables, { title: '${name}', codes: async () => new Map() })] })`
  const folders = [
    await make('good', check('good')),
    await make('empty'),
    await make('throws', 'throw new Error("as tested")'),
    await make(
      'wrong',
      "export default { name: 'wrong', version: '1.0.0', extensions: [{ point: 'core.code-tables', value: {} }] }",
    ),
    await make('second', check('second')),
    join(dir, 'absent'),
  ]
  const { faults, extensions } = await localPlugins([...folders, folders[0]!])
  assert.deepEqual(
    faults.map(({ folder, reason }) => [
      folder.slice(dir.length + 1),
      reason.replaceAll(dir, '<dir>').replaceAll('\\', '/'),
    ]),
    [
      ['empty', 'there is no index.ts, index.js or index.mjs in it'],
      ['throws', 'as tested (<dir>/throws/index.mjs:1:7)'],
      ['absent', 'there is no such folder'],
      [
        'wrong',
        'plugin "wrong": extensions[0] (core.code-tables).title is missing: it must be text; extensions[0] (core.code-tables).codes is missing: it must be a function',
      ],
    ],
  )
  assert.equal(extensions(codeTables).length, 2)
  assert.deepEqual(extensions(mcpPrompts), [])
  await writeFile(join(dir, 'empty/index.mjs'), check('empty'))
  assert.equal((await localPlugins([join(dir, 'empty')])).extensions(codeTables).length, 1)
  assert.deepEqual((await localPlugins([])).faults, [])
})
