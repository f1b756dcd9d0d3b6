/**
 * Measures opening a project of TIA Portal: reading an archive to the files of its programs, against unpacking the same
 * archive and hashing what is in it. The archive of the corpus has 12 MB of content.
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
import { unpackEntry } from '../plugins/projects/archive.task.ts'
import { unpackLimits } from '../plugins/projects/archive-limits.ts'
import { largeArchive } from '../test/tia-files.ts'
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

const works: Readonly<Record<string, (bytes: Buffer) => void>> = {
  open: (bytes) => void projectFiles(readTiaProject(bytes), 'V20'),
  unpack: (bytes) => void createHash('sha256').update(bytes).digest(),
}

async function run(work: (bytes: Buffer) => void, count: number): Promise<Run> {
  const before = process.memoryUsage.rss()
  const times: number[] = []
  let size = 0
  for (let i = 0; i < count; i++) {
    const start = performance.now()
    const packed = { archive: await readFile(largeArchive), entry: 'System/PEData.plf', limits: unpackLimits }
    const bytes = await unpackEntry(packed)
    work(bytes)
    times.push(performance.now() - start)
    size = bytes.length
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
  const unpacked: number[] = []
  // In turns, so that what else the machine does meets both.
  for (let i = 0; i < rounds; i++) {
    opened.push(await runInProcess('open', 1))
    unpacked.push((await runInProcess('unpack', 1)).times[0]!)
  }
  const base = median(unpacked)
  const first = opened.map(({ times }) => times[0]!)
  const { size } = opened[0]!
  report('open an archive / unpack and hash it: median', median(first) / base, '<= 5')
  report('open an archive / unpack and hash it: slowest', Math.max(...first) / base, '')
  const { times } = await runInProcess('open', rounds)
  const warm = await runInProcess('unpack', rounds)
  report('the same in a process that did it before', median(times.slice(1)) / median(warm.times.slice(1)), '')
  report('MB of the project file', size / 1e6, '')
  report(
    'peak of memory above the start / size of the project file',
    Math.max(...opened.map(({ peak }) => peak)) / size,
    '<= 6',
  )
}
