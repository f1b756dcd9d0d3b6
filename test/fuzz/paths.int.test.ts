/**
 * Paths of every kind for every field that takes one (`path-fields.ts`), for real: each call is taken or refused with a
 * problem that says why, nothing is looked for on another computer, and nothing is written outside of the workspace.
 * The fields come from the operations, the strings from a seed; `FUZZ_PATHS` strings, `FUZZ_SEED`.
 */
// In a process of its own: it watches node:fs.
import assert from 'node:assert/strict'
import { copyFile, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { packageDir } from '../../core/boot/running-code.ts'
import { docsPlugin } from '../../core/docs/operations.ts'
import { absolutePath } from '../../core/files/path-rules.ts'
import { mcpPlugin } from '../../core/mcp/operations.ts'
import { pathBelow } from '../../lib/path-below.ts'
import { buildPlant, hmi } from '../conformance/plant.ts'
import { builtInPlugins } from '../harness.ts'
import { serveMcp, testKey } from '../mcp.ts'
import { smallArchive } from '../tia-files.ts'
import { type PathField, pathFields, tiaArchive } from './path-fields.ts'
import { otherComputer, pathRows, pathStrings } from './path-strings.ts'
import { type FileCall, watchFiles } from './watched-files.ts'

const strings = Number(process.env.FUZZ_PATHS ?? 2000)
const seed = Number(process.env.FUZZ_SEED ?? 1)
const isWindows = process.platform === 'win32'

/** Calls that only look, or work on what is open. All others change what is there, or give its content. */
const looks =
  /^(l?stat|access|exists|realpath|fstat|close|read$|write$|fsync|futimes|statfs|ftruncate|fdatasync|fchmod|fchown|toNamespacedPath)/

const isWithin = (folder: string, path: string) => pathBelow(folder, path) !== undefined

/** A file call that no path of a client may lead to. */
function isOutside({ name, path }: FileCall, dir: string): boolean {
  const whole = isWindows ? path.replace(/^\\\\\?\\(?=[a-z]:\\)/i, '') : path
  if (/^(\\\\|\/\/)/.test(whole) || whole.includes(otherComputer)) return !isWithin(dir, whole)
  if (looks.test(name.replace(/Sync$/, ''))) return false
  // The gateway loads its own parts when they are first needed.
  if (/^(readFile|open|createReadStream|readdir)(Sync)?$/.test(name) && isWithin(packageDir, whole)) return false
  // Folders that the gateway makes for itself have a name that nobody can foresee.
  if (/^gantry-\w+-/.test(pathBelow(tmpdir(), whole) ?? '') && !whole.startsWith(`${dir}-`)) return false
  return !isWithin(dir, whole)
}

interface Answer {
  readonly status: number
  readonly code?: string
  readonly detail?: string
  readonly suggestion?: string
  readonly errors?: readonly { readonly path: string }[]
}

async function serve(t: TestContext) {
  const at = await serveMcp(t, { pluginDirs: [builtInPlugins], corePlugins: [docsPlugin, mcpPlugin], durability: 'os' })
  await buildPlant(at, await readFile(new URL('../../examples/mixer.csv', import.meta.url), 'utf8'))
  await at.call('hmi.create-connection', { ...hmi, name: 'Line_1' })
  await at.call('projects.save')
  await at.call('libraries.archive-global', { archivePath: 'Shared.zal19' })
  await copyFile(smallArchive, join(at.dir, 'workspace', tiaArchive))
  const workspace = at.gateway.workspace.roots[0]!
  const fields = await pathFields(at)

  /** The project of the plant is open, unless the operation wants none. */
  async function prepare({ operation: { id } }: PathField): Promise<void> {
    const wantsNone = /^projects\.(create|open)/.test(id)
    const name = await at.call('projects.overview').then(
      ({ projectName }) => projectName,
      () => undefined,
    )
    if (name !== undefined && (wantsNone || name !== 'Line')) await at.call('projects.close', { force: true })
    if (!wantsNone && name !== 'Line') await at.call('projects.open', { path: 'Line' })
  }

  /** Calls an operation as a client over HTTP does. */
  async function send(field: PathField, value: string): Promise<Answer> {
    await prepare(field)
    const { operation } = field
    const input = field.input(value)
    // A dialog is a query that cannot be a job.
    const isDialog = operation.id.startsWith('system.browse')
    const query = new URLSearchParams(Object.entries(input).map(([name, one]): [string, string] => [name, String(one)]))
    // Not by a socket: fetch cannot connect under Wine.
    const response = await at.app.inject({
      headers: { 'x-api-key': testKey, host: new URL(at.url).host },
      ...(isDialog
        ? { method: 'GET', url: `${operation.http[0]!.path}?${query}` }
        : { method: 'POST', url: '/api/jobs/execute-sync', payload: { command: operation.id, input } }),
    })
    const { statusCode: status } = response
    return { status, ...(status < 400 ? {} : response.json<Omit<Answer, 'status'>>()) }
  }
  return { ...at, workspace, fields, send }
}

/** They look for other things before the path: all settings at once, a block with diagnostics. */
const notReached = new Set(['settings.save', 'blocks.export-diagnostics'])

/** A dialog that opens would wait for somebody. */
function opensDialog({ operation }: PathField, path: string, workspace: string): boolean {
  if (!operation.id.startsWith('system.browse')) return false
  try {
    absolutePath(path, [workspace])
    return true
  } catch {
    return false
  }
}

const told = ({ operation, at }: PathField, path: string) => `${operation.id} ${at.join('/')} ${JSON.stringify(path)}`

type Served = Awaited<ReturnType<typeof serve>>

async function everyRow(t: TestContext, { send, fields, workspace, dir }: Served) {
  const before = (await readdir(dir)).sort()
  const files = fields.filter(({ isFile, operation }) => isFile && !notReached.has(operation.id))
  t.diagnostic(`${files.length} fields of files and folders, ${fields.length} in all`)
  assert.ok(files.length > 50)
  const outside: string[] = []
  const stop = watchFiles((call) => {
    if (isOutside(call, dir)) outside.push(`${call.name} ${call.path}`)
  })
  const wrong: string[] = []
  let n = 0
  for (const { path, onWindows, elsewhere } of pathRows(workspace)) {
    const code = isWindows ? onWindows : elsewhere
    // Each field meets the first row, and each row several fields.
    for (const field of files.filter((_, i) => n === 0 || i % 10 === n % 10)) {
      if (opensDialog(field, path, workspace)) continue
      const answer = await send(field, path)
      // What the field itself allows may be asked before: `.xlsx` at the end.
      const isNamed = answer.status === 400 && answer.errors?.some((one) => one.path === `/${field.at.join('/')}`)
      const isRight = code === undefined ? answer.status < 500 : answer.code === code && answer.suggestion
      if (!isRight && !isNamed) wrong.push(`${told(field, path)}: ${JSON.stringify(answer)}`)
    }
    n++
  }
  stop()
  assert.deepEqual(wrong, [], wrong.join('\n'))
  assert.deepEqual(outside, [])
  assert.deepEqual((await readdir(dir)).sort(), before)
}

async function anyPath(t: TestContext, { send, fields, workspace, dir }: Served) {
  const before = (await readdir(dir)).sort()
  const given = fc.sample(pathStrings(workspace), { numRuns: strings, seed })
  let current = ''
  let looked = 0
  const outside = new Set<string>()
  const stop = watchFiles((call) => {
    if (isOutside(call, dir)) outside.add(`${current}: ${call.name} ${call.path}`)
    else if (!isWithin(dir, call.path) && !isWithin(tmpdir(), call.path)) looked++
  })
  const counts = new Map<number, number>()
  const faults: string[] = []
  for (const [i, path] of given.entries()) {
    const field = fields[i % fields.length]!
    if (opensDialog(field, path, workspace)) continue
    current = told(field, path)
    const answer = await send(field, path).catch((error: unknown) => ({ status: 0, detail: String(error) }))
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
    if (answer.status >= 500 || answer.status === 0)
      faults.push(`seed ${seed}: ${current}\n  ${JSON.stringify(answer)}`)
  }
  stop()
  const statuses = [...counts].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`)
  t.diagnostic(`${given.length} strings, ${fields.length} fields; ${statuses.join(', ')}; ${looked} looks elsewhere`)
  assert.deepEqual(faults, [], faults.join('\n'))
  assert.deepEqual([...outside], [])
  assert.deepEqual((await readdir(dir)).sort(), before)
  for (const status of [200, 400, 403, 404]) assert.ok((counts.get(status) ?? 0) > 0, `no answer was ${status}`)
}

test('paths of clients', async (t) => {
  const at = await serve(t)
  await t.test('every row of the path rules, for the fields that are paths of the workspace', (t) => everyRow(t, at))
  await t.test('any path for any field', (t) => anyPath(t, at))
})
