/**
 * Measures opening a project of TIA Portal: reading an archive to the files of its programs, against unpacking the same
 * archive and hashing what is in it. The archive of the corpus has 12 MB of content.
 *
 * Target: <= 5; memory <= 6 x the project file.
 */
import { createHash } from 'node:crypto'
import { projectFiles } from '../plc/formats/tia-project/files.ts'
import { readTiaProject } from '../plc/formats/tia-project/project.ts'
import { largeArchive, projectFileOf } from '../test/tia-files.ts'
import { median, report } from './report.ts'

const rounds = 7

async function timeOf(work: (bytes: Buffer) => void): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < rounds; i++) {
    const start = performance.now()
    work(await projectFileOf(largeArchive))
    times.push(performance.now() - start)
  }
  return median(times)
}

const before = process.memoryUsage.rss()
let size = 0
const open = await timeOf((bytes) => {
  size = bytes.length
  projectFiles(readTiaProject(bytes), 'V20')
})
const peak = process.resourceUsage().maxRSS * 1024
const base = await timeOf((bytes) => {
  createHash('sha256').update(bytes).digest()
})
report('open an archive / unpack and hash it', open / base, '<= 5')
report('MB of the project file', size / 1e6, '')
report('peak of memory above the start / size of the project file', (peak - before) / size, '<= 6')
