/**
 * Measures opening a project of TIA Portal: reading an archive to the files of its programs, against unpacking the same
 * archive with the zip library's streams and hashing what is in it. The archive of the corpus has 12 MB of content. The
 * gateway's own unpacking is faster than the streams, and is the second base.
 *
 * Each opening is the first of a process of its own, as it is for users: nothing is compiled or kept from an opening
 * before. The slowest counts as well. The last figure is that of a process that has opened the project before.
 *
 * Target: <= 5; memory <= 6 x the project file.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { projectFiles } from '../plc/formats/tia-project/files.ts'
import { readTiaProject } from '../plc/formats/tia-project/project.ts'
import { unpackEntry } from '../plugins/projects/archive/archive.task.ts'
import { unpackLimits } from '../plugins/projects/archive/archive-limits.ts'
import { largeArchive, projectFileOf } from '../test/tia-files.ts'
import { median, report } from './report.ts'

const rounds = 7

interface Run {
  /** Bytes of the project file. */
  readonly size: number
  /** Milliseconds of each opening in the process, the first one first. */
  readonly times: readonly number[]
  /** Peak of memory above what the process had before the first opening, bytes. */
  readonly peak: number
}

/** Each gives the bytes of the project file. */
const works: Readonly<Record<string, () => Promise<Buffer>>> = {
  open: async () => {
    const bytes = await unpack()
    projectFiles(readTiaProject(bytes), 'V20')
    return bytes
  },
  streams: async () => hashed(await projectFileOf(largeArchive)),
  unpack: async () => hashed(await unpack()),
}

const unpack = async () =>
  unpackEntry({ archive: await readFile(largeArchive), entry: 'System/PEData.plf', limits: unpackLimits })

function hashed(bytes: Buffer): Buffer {
  createHash('sha256').update(bytes).digest()
  return bytes
}

async function run(work: () => Promise<Buffer>, count: number): Promise<Run> {
  const before = process.memoryUsage.rss()
  const times: number[] = []
  let size = 0
  for (let i = 0; i < count; i++) {
    const start = performance.now()
    size = (await work()).length
    times.push(performance.now() - start)
  }
  return { size, times, peak: process.resourceUsage().maxRSS * 1024 - before }
}

async function runInProcess(work: string, count: number): Promise<Run> {
  const file = fileURLToPath(import.meta.url)
  const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, file, work, String(count)])
  return JSON.parse(stdout) as Run
}

const [given, count = '1'] = process.argv.slice(2)
const work = given === undefined ? undefined : works[given]
if (work) console.log(JSON.stringify(await run(work, Number(count))))
else {
  const opened: Run[] = []
  const bases: Record<'streams' | 'unpack', number[]> = { streams: [], unpack: [] }
  // In turns, so that what else the machine does meets all.
  for (let i = 0; i < rounds; i++) {
    opened.push(await runInProcess('open', 1))
    for (const base of ['streams', 'unpack'] as const) bases[base].push((await runInProcess(base, 1)).times[0]!)
  }
  const first = opened.map(({ times }) => times[0]!)
  const { size } = opened[0]!
  report('open an archive / unpack and hash it: median', median(first) / median(bases.streams), '<= 5')
  report('open an archive / unpack and hash it: slowest', Math.max(...first) / median(bases.streams), '')
  report("open an archive / the gateway's own unpacking, and hash", median(first) / median(bases.unpack), '')
  const { times } = await runInProcess('open', rounds)
  const warm = await runInProcess('streams', rounds)
  report(
    'open / unpack and hash in a process that did it before',
    median(times.slice(1)) / median(warm.times.slice(1)),
    '',
  )
  report('MB of the project file', size / 1e6, '')
  report(
    'peak of memory above the start / size of the project file',
    Math.max(...opened.map(({ peak }) => peak)) / size,
    '<= 6',
  )
}
