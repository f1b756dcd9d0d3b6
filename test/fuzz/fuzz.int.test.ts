/**
 * Rubbish for every operation and every importer: it is refused with a problem or taken; never an internal error, never
 * work without end. What is sent follows from a seed. `FUZZ_ROUNDS` (calls of each route, changed copies of each file)
 * and `FUZZ_SEED` make the long form: `FUZZ_ROUNDS=200 FUZZ_SEED=7 node --import tsx --test
 * test/fuzz/fuzz.int.test.ts`.
 */
// In a process of its own: it takes as long as a group.
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { accessLevels } from '../../core/contract/access.ts'
import { isGatewayError } from '../../core/contract/problems.ts'
import type { PlainSchema } from '../../core/contract/schema.ts'
import { docsPlugin } from '../../core/docs/operations.ts'
import { mcpPlugin } from '../../core/mcp/operations.ts'
import { plc } from '../conformance/case.ts'
import { buildPlant, hmi, table } from '../conformance/plant.ts'
import { gsdFile, gsdFileName } from '../gsd-file.ts'
import { builtInPlugins } from '../harness.ts'
import { serveMcp } from '../mcp.ts'
import { randomFrom } from '../random.ts'
import { mutant } from './mutants.ts'
import { objectFor, oneOf, textValue, valueFor } from './values.ts'

const rounds = Number(process.env.FUZZ_ROUNDS ?? 2)
const seed = Number(process.env.FUZZ_SEED ?? 1)
/**
 * Processor time of the process from which a call is told as slow, s. It fails nothing: a number of cycles in a test
 * file may ask for it. A call without end fails by the limit of the request, or of the test file.
 */
const slowWork = 2
/** Growth of the heap after the first round that is told as a leak, bytes. */
const mostGrowth = 256 * 1024 * 1024

/** They would lock the test out, or end what it needs: tried with what the input schema refuses alone. */
const notReally =
  /^(settings\.|security\.|instance\.|projects\.(close|open|create)|system\.|backup|audit\.replay|log\.)/

interface Described {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: PlainSchema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: PlainSchema }>> }
  readonly 'x-operation'?: string
}

async function servePlant(t: TestContext) {
  const at = await serveMcp(t, { pluginDirs: [builtInPlugins], corePlugins: [docsPlugin, mcpPlugin], durability: 'os' })
  await buildPlant(at, await readFile(new URL('../../examples/mixer.csv', import.meta.url), 'utf8'))
  return at
}

/** Seconds of processor time that something took. */
async function workOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

test('rubbish for every route of the OpenAPI document, with keys of every level', async (t) => {
  const at = await servePlant(t)
  const keys = accessLevels.map((access) => ({ name: `test ${access}`, access, key: `a-key-of-level-${access}` }))
  await at.call('settings.change', { security: { apiKeys: { add: keys } }, limits: { requestsPerSecond: 100_000 } })
  const document = (await (await at.request('/openapi.json')).json()) as {
    paths: Record<string, Record<string, Described>>
  }
  const random = randomFrom(seed)
  let heapBefore = 0
  const counts = new Map<number, number>()
  const faults: string[] = []
  for (let round = 0; round < rounds; round++) {
    // What is loaded at its first use, and the caches, are there after the first round.
    if (round <= 1) heapBefore = heapUsed()
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, described] of Object.entries(methods)) {
        const route = at.gateway.registry.routes.find(
          (one) => one.path.replace('*}', '}') === path && one.method === method.toUpperCase(),
        )
        if (route === undefined) continue
        const { operation } = route
        const body = objectFor(schemaOf(described), random) as Record<string, unknown>
        const isTried = operation.kind === 'command' && (notReally.test(operation.id) || random() < 0.5)
        if (isTried) body.dryRun = true
        const query = new URLSearchParams()
        let url = path
        for (const { name, in: place, schema } of described.parameters ?? []) {
          // Headers are common to all routes, as references.
          if (schema === undefined) continue
          const value = valueFor(schema, random)
          const text = typeof value === 'string' ? wellFormed(value) : (JSON.stringify(value) ?? '')
          if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(text || '-'))
          else if (place === 'query' && random() < 0.5) query.set(name, text)
        }
        if (isTried && (method === 'delete' || method === 'get')) query.set('dryRun', 'true')
        const key = random() < 0.8 ? 'admin' : oneOf(random, accessLevels)
        const hasBody = method !== 'get' && method !== 'delete'
        const init: RequestInit = {
          method: method.toUpperCase(),
          headers: { 'x-api-key': `a-key-of-level-${key}`, 'content-type': 'application/json', 'x-group-id': 'fuzz' },
          signal: AbortSignal.timeout(120_000),
          ...(hasBody ? { body: random() < 0.02 ? textValue(random) : JSON.stringify(body) } : {}),
        }
        const told = `seed ${seed}, round ${round}: ${method.toUpperCase()} ${url}?${query} ${JSON.stringify(body).slice(0, 600)}`
        try {
          const work = await workOf(async () => {
            const response = await fetch(`${at.url}${url}${query.size > 0 ? `?${query}` : ''}`, init)
            counts.set(response.status, (counts.get(response.status) ?? 0) + 1)
            // Streams have no end: their head is enough.
            if (response.headers.get('content-type')?.startsWith('text/event-stream')) await response.body?.cancel()
            else {
              const text = await response.text()
              // This gateway has no engineering instance, and says so.
              if (response.status >= 500 && !text.includes('"code":"not_available"'))
                faults.push(`${told}\n  ${response.status} ${text.slice(0, 500)}`)
            }
          })
          if (work > slowWork && !isSlowByNature.test(operation.id))
            t.diagnostic(`${told}\n  took ${work.toFixed(1)} s of work`)
        } catch (error) {
          faults.push(`${told}\n  ${String(error)}`)
        }
      }
  }
  const failed = (
    await at.call<{ jobs: { error?: { code: string }; command: string; jobId: string }[] }>('jobs.list', {
      status: 'Failed',
      limit: 1000,
    })
  ).jobs
  for (const { error, command, jobId } of failed)
    if (error?.code === 'internal_error') faults.push(`job ${jobId} of ${command}: ${JSON.stringify(error)}`)
  const grown = heapUsed() - heapBefore
  t.diagnostic(
    `${[...counts]
      .sort(([a], [b]) => a - b)
      .map(([status, n]) => `${status}: ${n}`)
      .join(', ')}; heap ${(grown / 1e6).toFixed(0)} MB more`,
  )
  assert.deepEqual(faults, [], faults.join('\n'))
  assert.ok(grown < mostGrowth + rounds * 1e6, `the heap has grown by ${grown} bytes`)
  assert.ok((counts.get(200) ?? 0) > 50 * rounds, 'few calls got through')
})

/** They compile, test or verify everything there is: their work is that of the plant, not of the input. */
const isSlowByNature =
  /^(plc-tests|review|audit|blocks\.compile|block-templates|online\.download|projects\.(create|open|archive))/

const schemaOf = ({ requestBody }: Described): PlainSchema => requestBody?.content['application/json']?.schema ?? {}

/** A text that can be in an address: half of a surrogate pair cannot. */
const wellFormed = (text: string) => Buffer.from(text).toString()

/** Bytes of the heap after a collection. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

test('changed copies of real files for every importer', async (t) => {
  const at = await servePlant(t)
  const { call, dir } = at
  const text = async (operation: string, input: object) =>
    String((await call<{ content: string }>(operation, { ...input })).content)
  const spec = await readFile(new URL('../../examples/mixer.csv', import.meta.url), 'utf8')
  const scl = await readFile(new URL('../../examples/tank.scl', import.meta.url), 'utf8')
  const ladder = await readFile(new URL('../fixtures/ikea-vyatka-sorting/Main.xml', import.meta.url), 'utf8')
  const csv =
    'Name,Path,Data Type,Logical Address,Comment\nSensor,Spare,Bool,%I5.0,limit switch\nLevel,Spare,Int,%IW6,\n'
  const tests =
    'block: Level\ncases:\n  - name: empty\n    given: { fill: false }\n    steps: [{ run: 1 cycles, expect: { isFull: false } }]\n'
  const zap = await readFile(join(dir, 'workspace/Line.zap19'))
  await call('tags.export-xlsx', { ...table, exportPath: 'tags.xlsx', overwrite: true })
  const xlsx = await readFile(join(dir, 'workspace/tags.xlsx'))
  await mkdir(join(dir, 'workspace/tested'))
  await writeFile(join(dir, 'workspace/tested/tank.scl'), scl)
  const upload = (fileName: string) => (content: string) => ({ file: { fileName, content } })
  const inWorkspace = (path: string, more: object) => async (content: string) => {
    await mkdir(join(dir, 'workspace', path, '..'), { recursive: true })
    await writeFile(join(dir, 'workspace', path), content)
    return more
  }
  const importers: [operation: string, sample: string, input: (content: string) => object | Promise<object>][] = [
    ['blocks.import', scl, (content) => ({ ...plc, content })],
    ['blocks.import', ladder, (content) => ({ ...plc, content })],
    [
      'blocks.import',
      await text('blocks.export', { ...plc, blockName: 'Counter', format: 'sd' }),
      (content) => ({ ...plc, content }),
    ],
    ['blocks.import-and-generate', scl, (content) => ({ ...plc, content })],
    [
      'types.import',
      'TYPE "T"\nSTRUCT\n x : Array[0..3] of Int := [1, 2, 3, 4];\nEND_STRUCT;\nEND_TYPE\n',
      (content) => ({ ...plc, content }),
    ],
    ['tags.import-csv', csv, (content) => ({ ...table, content })],
    [
      'watch-tables.import',
      await text('watch-tables.export', { ...plc, tableName: 'Watch' }),
      (content) => ({ ...plc, content }),
    ],
    [
      'cax.import-hardware',
      await text('cax.export-hardware', { ...plc, scope: 'project' }),
      (content) => ({ content }),
    ],
    [
      'hmi.import',
      await text('hmi.export', { ...hmi, kind: 'screen', name: 'Home' }),
      (content) => ({ ...hmi, content }),
    ],
    [
      'hmi.import',
      await text('hmi.export', { ...hmi, kind: 'text-list', name: 'One' }),
      (content) => ({ ...hmi, content }),
    ],
    ['design-spec.load', spec, upload('mixer.csv')],
    ['design-spec.load-separate', spec.slice(spec.indexOf('PhaseType')), (logic) => ({ logic })],
    [
      'simulation.import-legacy',
      JSON.stringify([{ InstanceName: 'X', CPUType: 'CPU1515' }]),
      (content) => ({ content }),
    ],
    ['devices.catalog-cache-build', gsdFile, inWorkspace(`gsd/${gsdFileName}`, {})],
    ['plc-tests.run', tests, inWorkspace('tested/a.test.yml', { path: 'tested' })],
  ]
  const binary: [operation: string, sample: Buffer, input: (content: Buffer) => object][] = [
    ['tags.import-xlsx', xlsx, (content) => ({ ...table, contentBase64: content.toString('base64') })],
    [
      'projects.create-from-archive',
      zap,
      (content) => ({
        file: { fileName: 'Line.zap19', contentBase64: content.toString('base64') },
        targetDirectory: 'fuzz',
      }),
    ],
  ]
  const random = randomFrom(seed)
  const faults: string[] = []
  const ends = new Map<string, number>()
  const attempt = async (operation: string, input: object, told: () => string) => {
    const kind = at.gateway.registry.operation(operation)!.kind
    let end = 'taken'
    const work = await workOf(async () => {
      try {
        await call(operation, { ...input }, kind === 'command' ? { dryRun: true } : {})
      } catch (error) {
        end = isGatewayError(error) ? error.code : 'no problem'
        if (!isGatewayError(error) || error.code === 'internal_error')
          faults.push(`${operation}: ${String(error)}\n${told()}`)
      }
    })
    if (work > slowWork) t.diagnostic(`${operation} took ${work.toFixed(1)} s of work\n${told()}`)
    ends.set(end, (ends.get(end) ?? 0) + 1)
  }
  for (const [operation, sample, made] of importers)
    for (let i = 0; i < 6 * rounds; i++) {
      const content = i === 0 ? sample : mutant(sample, random)
      await attempt(operation, await made(content), () => `seed ${seed}, copy ${i}:\n${content.slice(0, 1500)}`)
    }
  for (const [operation, sample, made] of binary)
    for (let i = 0; i < 6 * rounds; i++) {
      const content = Buffer.from(sample)
      for (let n = i === 0 ? 0 : 1 + random() * 6; n > 0; n--)
        content[Math.floor(random() * content.length)] = random() * 256
      const cut = random() < 0.2 ? content.subarray(0, random() * content.length) : content
      await attempt(operation, made(cut), () => `seed ${seed}, copy ${i}`)
    }
  t.diagnostic([...ends].map(([end, n]) => `${end}: ${n}`).join(', '))
  assert.deepEqual(faults, [], faults.join('\n'))
  assert.ok((ends.get('taken') ?? 0) > importers.length, 'the samples themselves are taken')
})
