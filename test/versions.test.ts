/** docs/versions.md and CHANGELOG.md say the versions that the code has. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pluginApiVersion } from '../core/plugins/plugin-check.ts'
import { backupFormat } from '../core/recovery/backup-reader.ts'
import { readFormats } from '../store/database.ts'
import { openTestGateway } from './harness.ts'
import { repositoryRoot } from './imports.ts'

const textOf = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8')
const { version } = JSON.parse(textOf('package.json')) as { version: string }
const told = new Map(
  [...textOf('docs/versions.md').matchAll(/^\| (.+?) \| ([\d.]+) \|/gm)].map(([, what, number]) => [what, number]),
)

test('the table of versions is true', async (t) => {
  const { call, dir } = await openTestGateway(t)
  await call('projects.create', { name: 'Plant' })
  await call('libraries.create-global', { name: 'Parts' })
  const formatOf = (folder: string) => {
    const path = join(dir, 'workspace', folder)
    const manifest = readdirSync(path).find((name) => /^(Plant|Parts)\.\w+$/.test(name))
    assert.ok(manifest, `no manifest in ${folder}`)
    return String(JSON.parse(readFileSync(join(path, manifest), 'utf8')).formatVersion)
  }
  assert.deepEqual(Object.fromEntries(told), {
    'Gantry: REST, MCP, command line': version,
    'plugin API': pluginApiVersion,
    'data directory': readFormats.at(-1),
    backups: String(backupFormat),
    'files of projects': formatOf('Plant'),
    'files of libraries': formatOf('Parts'),
    '`gantry.yml`, `*.test.yml`': '1.0.0',
  })
})

test('the changelog begins with the version of the package', () => {
  const [, newest] = /^## (.+)$/m.exec(textOf('CHANGELOG.md')) ?? []
  assert.equal(newest, version)
})
