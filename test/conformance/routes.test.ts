/**
 * The routes of the specification (`specification.tsv`): each one is called, and what it does is read back through
 * another route; each one refuses what it cannot do as documented; by all ways the same. The tables are in the files of
 * this folder, one subject each.
 */
// In a process of its own: it changes the environment.
import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { docsPlugin } from '../../core/docs/operations.ts'
import { Mask } from '../answers.ts'
import { builtInPlugins } from '../harness.ts'
import { serveMcp } from '../mcp.ts'
import { buildPlant } from './plant.ts'
import { RecordedAnswers } from './recorded.ts'
import { Runner } from './run.ts'
import { subjects, wire } from './subjects.ts'

const rows = (await readFile(new URL('./specification.tsv', import.meta.url), 'utf8'))
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((row) => row.split('\t') as [group: string, method: string, path: string, description: string])
/**
 * For work on one table: `CONFORMANCE=Libraries node --import tsx --test test/conformance/routes.test.ts`. The subjects
 * before it run too, since its answers show what they left in the plant; only its own faults count.
 */
const only = process.env.CONFORMANCE === undefined ? undefined : new RegExp(process.env.CONFORMANCE)
const nameOf = (route: string) => route.replace(/\?.*$/, '')
const specified = rows.map(([, method, path]) => nameOf(`${method} ${path}`))

/** A dialog program that chooses at once. */
async function chooseAtOnce(t: TestContext, dir: string): Promise<void> {
  const bin = join(dir, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'zenity'), `#!/bin/sh\necho '${dir}/workspace/chosen'\n`)
  await chmod(join(bin, 'zenity'), 0o755)
  const { PATH, DISPLAY } = process.env
  Object.assign(process.env, { PATH: `${bin}${delimiter}${PATH}`, DISPLAY: DISPLAY ?? ':0' })
  t.after(() => {
    process.env.PATH = PATH
    if (DISPLAY === undefined) delete process.env.DISPLAY
  })
}

test('each row of the specification stands in one table, with its effect', () => {
  const all = Object.values(subjects).flat()
  const tested = [...all.flatMap(({ routes }) => routes), ...wire].map(nameOf)
  assert.equal(specified.length, 317)
  assert.deepEqual([...tested].sort(), [...specified].sort())
  for (const { routes, effect, shows } of all)
    assert.ok((effect === undefined) !== (shows === undefined), `${routes[0]} has one of effect and shows`)
})

test('every route of the specification does what it says, and refuses as documented, by all ways', async (t) => {
  const served = await serveMcp(t, {
    pluginDirs: [builtInPlugins],
    corePlugins: [docsPlugin, (await import('../../core/mcp/operations.ts')).mcpPlugin],
    withoutEngine: false,
  })
  const at = served
  await chooseAtOnce(t, at.dir)
  await at.call('settings.change', { limits: { requestsPerSecond: 100_000 } })
  await at.call('instance.launch')
  await buildPlant(at, await readFile(new URL('../../examples/mixer.csv', import.meta.url), 'utf8'))
  const { client } = await served.connect('streamable-http')
  const runner = new Runner(at, { ...served, client })
  const done: string[] = []
  const faults: string[] = []
  const mask = new Mask(at.dir)
  const isMeant = (subject: string) => only === undefined || only.test(subject)
  const last = Object.keys(subjects).findLastIndex(isMeant)
  assert.ok(last >= 0, `No subject is called ${only?.source}: ${Object.keys(subjects).join(', ')}`)
  for (const [subject, cases] of Object.entries(subjects).slice(0, last + 1)) {
    const begin = process.cpuUsage()
    const recorded = await RecordedAnswers.of(subject, mask)
    for (const row of cases) {
      try {
        await runner.check(row, recorded)
        done.push(...row.routes)
      } catch (error) {
        if (isMeant(subject))
          faults.push(`${row.routes[0]}\n    ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    if (!isMeant(subject)) continue
    await recorded.end()
    t.diagnostic(
      `${subject}: ${cases.length} operations, ${Math.round(process.cpuUsage(begin).user / 1000)} ms of work`,
    )
  }
  if (only !== undefined) return assert.deepEqual(faults, [], faults.join('\n'))
  await speaksOverSse(served)
  done.push(...wire)
  assert.deepEqual(faults, [], faults.join('\n'))
  t.diagnostic(`${done.length} of ${rows.length}`)
  assert.equal(done.length, rows.length)
})

/** The two routes of MCP over server-sent events: a session begins with the stream, and messages are answered on it. */
async function speaksOverSse({ connect, request }: Awaited<ReturnType<typeof serveMcp>>): Promise<void> {
  const { client } = await connect('sse')
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === 'call_operation'))
  const { sessions } = (await (await request('/mcp/sessions')).json()) as { sessions: { transport: string }[] }
  assert.ok(
    sessions.some(({ transport }) => transport === 'sse'),
    JSON.stringify(sessions),
  )
  const strange = await request('/mcp/messages?sessionId=nothing', {
    method: 'POST',
    json: { jsonrpc: '2.0', id: 1, method: 'ping' },
  })
  assert.equal(strange.status, 404)
  const refused = await request('/mcp/sse', { headers: { 'x-api-key': 'wrong' } })
  assert.equal(refused.status, 401)
}
