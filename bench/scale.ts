/**
 * Measures how work over REST grows with the size of the plant: the same requests to a plant of 200 blocks, 5 000
 * tags, 20 devices and 10 screens, and to one ten times as large, each in a gateway of its own, which runs from
 * `dist/` as users run it. What concerns the whole plant should grow in line with it; what concerns one object or one
 * page should not grow.
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
import { gridScreen } from '../test/hmi-screens.ts'
import { program, tagTables } from './plant.ts'
import { median, report } from './report.ts'

const small = { blocks: 200, tags: 5_000, devices: 20, screens: 10 }
const large = { blocks: 2_000, tags: 50_000, devices: 200, screens: 100 }
const factor = large.blocks / small.blocks
/** How often what can be repeated is repeated; the median counts. */
const rounds = 7

/** What the steps look at of an answer. */
interface Answer {
  readonly state?: string
  readonly messages?: readonly unknown[]
}

class Plant {
  readonly size: typeof small
  readonly #dir: string
  #process: ChildProcess | undefined
  #url = ''
  #key = ''

  private constructor(size: typeof small, dir: string) {
    this.size = size
    this.#dir = dir
  }

  /** Starts a gateway and lays the sources of a plant into its workspace. */
  static async start(size: typeof small): Promise<Plant> {
    const { blocks, tags, screens } = size
    const dir = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'gantry-bench-'))
    const sources = join(dir, 'workspace/plant')
    await mkdir(join(sources, 'PLC tags'), { recursive: true })
    for (const { name, kind, text } of program(blocks, tags)) {
      const extension = kind === 'UDT' ? 'udt' : kind.endsWith('DB') ? 'db' : 'scl'
      await writeFile(join(sources, `${name}.${extension}`), text)
    }
    for (const { name, xml } of tagTables(tags)) await writeFile(join(sources, `PLC tags/${name}.xml`), xml)
    await mkdir(join(dir, 'workspace/screens'))
    for (let i = 0; i < screens; i++)
      await writeFile(join(dir, `workspace/screens/Screen_${i}.xml`), gridScreen(`Screen_${i}`, 50, 10))
    const plant = new Plant(size, dir)
    await plant.run()
    return plant
  }

  /** Starts the gateway, and waits until it answers. */
  async run(): Promise<void> {
    const main = fileURLToPath(new URL('../core/cli/gantry.mjs', import.meta.url))
    const flags = (process.env.BENCH_NODE_FLAGS ?? '').split(' ').filter(Boolean)
    const args = [...flags, main, 'serve', '--port', '0', '--data-dir', this.#dir, '--log-level', 'error']
    this.#process = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(this.#process.stdout!, 'data')) as [Buffer]
    const url = /http:\/\/[^ ]+/.exec(line.toString())?.[0]
    if (url === undefined) throw new Error(`the gateway says "${line}"`)
    this.#url = url
    this.#key = (await readFile(join(this.#dir, 'api-key'), 'utf8')).trim()
  }

  /** Resident set of the gateway and its engineering instance, MB. */
  async memory(): Promise<number> {
    const { process: own } = (await this.ask('GET', 'health/diagnostics')) as { process: { memoryBytes: number } }
    const { memory } = (await this.ask('GET', 'instance/diagnostics')) as { memory: { residentBytes: number } }
    return (own.memoryBytes + memory.residentBytes) / 1e6
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

  /** Ends the gateway; its files stay. */
  async end(): Promise<void> {
    const ended = once(this.#process!, 'exit')
    this.#process!.kill('SIGTERM')
    await ended
  }

  async stop(): Promise<void> {
    await this.end()
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
  {
    name: 'devices added, one by one',
    of: 'plant',
    once: true,
    async run(plant) {
      for (let i = 1; i < plant.size.devices; i++)
        await plant.ask('POST', 'projects/devices/actions/add-sync', {
          orderNumber: '6ES7 155-6AU01-0BN0',
          name: `Station_${i}`,
        })
    },
  },
  {
    name: 'import of the screens',
    of: 'plant',
    once: true,
    before: (plant) =>
      plant.ask('POST', 'projects/devices/actions/add-sync', { orderNumber: '6AV2 124-0MC01-0AX0', name: 'Panel' }),
    run: (plant) => plant.ask('POST', 'devices/Panel/hmi/actions/import', { filePath: 'screens' }),
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
  { name: 'block tree', of: 'plant', run: read(`${on}/blocks/tree`) },
  { name: 'overview of the project', of: 'plant', run: read('projects/overview') },
  { name: 'page of devices', of: 'one', run: read('projects/devices?limit=50') },
  { name: 'list of all screens', of: 'one', run: read('hmi/screens?limit=10') },
  {
    name: 'index for the search',
    of: 'plant',
    once: true,
    run: (plant) => plant.ask('POST', 'projects/actions/index'),
  },
  { name: 'search', of: 'plant', run: read('projects/search?q=Unit_7&limit=20') },
  {
    name: 'check of the program (review)',
    of: 'plant',
    once: true,
    run: (plant) => plant.ask('POST', 'review/actions/check', { path: 'plant', mostFindings: 10 }),
  },
  {
    name: 'restart to the first answer of the plant',
    of: 'plant',
    once: true,
    async before(plant) {
      await save(plant)
      await plant.end()
    },
    async run(plant) {
      await plant.run()
      await plant.ask('GET', `${on}/blocks?limit=1`)
    },
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
    const [memory, more] = [await plants[0].memory().catch(() => 0), await plants[1].memory().catch(() => 0)]
    console.log(`  memory ${memory.toFixed(0)} and ${more.toFixed(0)} MB`)
    report(
      `  ${large.blocks} blocks / ${small.blocks} blocks`,
      many / few,
      of === 'plant' ? `<= ${1.2 * factor}` : '<= 2',
    )
  }
} finally {
  for (const plant of plants) await plant.stop()
}
