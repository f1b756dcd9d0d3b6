/**
 * Measures how work over REST grows with the size of the plant: the same requests to a plant of 200 blocks and 5 000
 * tags and to one of 2 000 blocks and 50 000 tags, each in a gateway of its own, which runs from `dist/` as users run
 * it. What concerns the whole plant should grow in line with it; what concerns one object or one page should not grow.
 *
 *   node --import tsx bench/scale.ts [last step]
 *
 * `BENCH_NODE_FLAGS` are given to the gateways, e.g. `--cpu-prof`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { program, tagTables } from './plant.ts'
import { median, report } from './report.ts'

const small = { blocks: 200, tags: 5_000 }
const large = { blocks: 2_000, tags: 50_000 }
const factor = large.blocks / small.blocks
/** How often what can be repeated is repeated; the median counts. */
const rounds = 7

/** What the steps look at of an answer. */
interface Answer {
  readonly state?: string
  readonly messages?: readonly unknown[]
}

class Plant {
  readonly #process: ChildProcess
  readonly #dir: string
  readonly #url: string
  readonly #key: string

  private constructor(process: ChildProcess, dir: string, url: string, key: string) {
    this.#process = process
    this.#dir = dir
    this.#url = url
    this.#key = key
  }

  /** Starts a gateway and lays the sources of a plant into its workspace. */
  static async start({ blocks, tags }: typeof small): Promise<Plant> {
    const dir = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'gantry-bench-'))
    const sources = join(dir, 'workspace/plant')
    await mkdir(join(sources, 'PLC tags'), { recursive: true })
    for (const { name, kind, text } of program(blocks, tags)) {
      const extension = kind === 'UDT' ? 'udt' : kind.endsWith('DB') ? 'db' : 'scl'
      await writeFile(join(sources, `${name}.${extension}`), text)
    }
    for (const { name, xml } of tagTables(tags)) await writeFile(join(sources, `PLC tags/${name}.xml`), xml)
    const main = fileURLToPath(new URL('../core/cli/gantry.mjs', import.meta.url))
    const flags = (process.env.BENCH_NODE_FLAGS ?? '').split(' ').filter(Boolean)
    const args = [...flags, main, 'serve', '--port', '0', '--data-dir', dir, '--log-level', 'error']
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(child.stdout!, 'data')) as [Buffer]
    const url = /http:\/\/[^ ]+/.exec(line.toString())?.[0]
    if (url === undefined) throw new Error(`the gateway says "${line}"`)
    return new Plant(child, dir, url, (await readFile(join(dir, 'api-key'), 'utf8')).trim())
  }

  async ask(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.#url}/api/${path}`, {
      method,
      headers: { 'x-api-key': this.#key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.slice(0, 500)}`)
    return answer.startsWith('{') ? (JSON.parse(answer) as Answer) : {}
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await ended
    await rm(this.#dir, { recursive: true, force: true })
  }
}

interface Step {
  readonly name: string
  /** Whether it is work on the whole plant, or on one object or page of it. */
  readonly of: 'plant' | 'one'
  /** Done before each round, not measured. */
  readonly before?: (plant: Plant, round: number) => Promise<unknown>
  readonly run: (plant: Plant, round: number) => Promise<unknown>
  /** It can be done only once. */
  readonly once?: true
}

const on = 'devices/PLC_1'
const changeBody = (plant: Plant, round: number) =>
  plant.ask('PUT', `${on}/blocks/Unit_7/content`, {
    code: `#count := #count + ${round + 2};\n#active := (#start OR #active) AND NOT #stop;`,
  })
const compile = async (plant: Plant) => {
  const { state, messages } = await plant.ask('POST', `${on}/actions/compile-sync`, {})
  if (state === 'Error') throw new Error(JSON.stringify(messages).slice(0, 1000))
}
const save = (plant: Plant) => plant.ask('POST', 'projects/actions/save-sync', {})
const read = (path: string) => (plant: Plant) => plant.ask('GET', path)

const all: readonly Step[] = [
  {
    name: 'import of its sources',
    of: 'plant',
    once: true,
    async before(plant) {
      await plant.ask('POST', 'projects/actions/create-sync', { name: 'Plant' })
      await plant.ask('POST', 'projects/devices/actions/add-sync', {
        orderNumber: '6ES7 518-4AX00-1AC0',
        name: 'PLC_1',
      })
    },
    run: (plant) => plant.ask('POST', `${on}/blocks/actions/import-sync`, { filePath: 'plant' }),
  },
  { name: 'first save', of: 'plant', once: true, run: save },
  { name: 'cold compile', of: 'plant', once: true, run: compile },
  {
    name: 'first cross-references of a block',
    of: 'plant',
    once: true,
    run: read(`${on}/blocks/Calc_7/cross-references`),
  },
  { name: 'change of one body', of: 'one', run: changeBody },
  { name: 'compile after one changed body', of: 'one', before: changeBody, run: compile },
  { name: 'compile of nothing new', of: 'one', run: compile },
  {
    name: 'cross-references after one changed body',
    of: 'one',
    before: changeBody,
    run: read(`${on}/blocks/Calc_7/cross-references`),
  },
  { name: 'cross-references again', of: 'one', run: read(`${on}/blocks/Calc_7/cross-references`) },
  { name: 'cross-references of a tag', of: 'one', run: read(`${on}/tag-tables/Tags_0/tags/Tag_7/cross-references`) },
  { name: 'save after one changed body', of: 'one', before: changeBody, run: save },
  { name: 'page of blocks', of: 'one', run: read(`${on}/blocks?limit=50`) },
  { name: 'page of all tags', of: 'one', run: read(`${on}/tags/all?limit=50`) },
  { name: 'page of the tags of a table', of: 'one', run: read(`${on}/tag-tables/Tags_0/tags?limit=50`) },
  { name: 'page of symbols', of: 'one', run: read(`${on}/program/symbols?limit=50`) },
  { name: 'one block as XML', of: 'one', run: read(`${on}/blocks/Unit_7/export-xml`) },
  { name: 'content of one block', of: 'one', run: read(`${on}/blocks/Unit_7/content`) },
  {
    name: 'import of its sources again',
    of: 'plant',
    once: true,
    run: (plant) => plant.ask('POST', `${on}/blocks/actions/import-sync`, { filePath: 'plant' }),
  },
  {
    name: 'open',
    of: 'plant',
    once: true,
    async before(plant) {
      await save(plant)
      await plant.ask('POST', 'projects/actions/close-sync', {})
    },
    run: (plant) => plant.ask('POST', 'projects/actions/open-sync', { path: 'Plant' }),
  },
]

const last = all.findIndex(({ name }) => name === process.argv[2])
const steps = last < 0 ? all : all.slice(0, last + 1)

/** Both plants take turns, so that other work on the machine slows both down. */
const plants = [await Plant.start(small), await Plant.start(large)] as const
try {
  for (const [index, { name, of, before, run, once: isOnce }] of steps.entries()) {
    const times: [number[], number[]] = [[], []]
    for (let round = 0; round < (isOnce ? 1 : rounds); round++)
      for (const [i, plant] of plants.entries()) {
        await before?.(plant, index * rounds + round)
        const begin = performance.now()
        await run(plant, index * rounds + round)
        times[i as 0 | 1].push(performance.now() - begin)
      }
    const [few, many] = [median(times[0]), median(times[1])]
    console.log(`${name}: ${few.toFixed(1)} and ${many.toFixed(1)} ms`)
    report(
      `  ${large.blocks} blocks / ${small.blocks} blocks`,
      many / few,
      of === 'plant' ? `<= ${1.2 * factor}` : '<= 2',
    )
  }
} finally {
  for (const plant of plants) await plant.stop()
}
