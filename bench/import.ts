/**
 * Measures the import of SimaticML (bytes to documents) against a bare fast-xml-parser parse of the same bytes, and its
 * peak memory as a multiple of the file size. Targets: >= 0.4 of the parser's rate; memory below 20 times the file.
 *
 *   node --import tsx bench/import.ts [folder]
 *
 * Without a folder it reads test/corpus.
 */
import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { XMLParser } from 'fast-xml-parser'
import { importFile } from '../plc/formats/import.ts'
import { publicDir } from '../test/corpus.ts'
import { report } from './report.ts'

const rounds = 7
/**
 * The file whose memory is measured is at least this large, in bytes. Real exports rarely are, so it contains the
 * objects of many.
 */
const largeFile = 20_000_000

const folder = process.argv[2] ?? publicDir

async function xmlFiles(): Promise<Buffer[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const paths = entries.filter((e) => e.isFile() && /\.xml$/i.test(e.name)).map((e) => join(e.parentPath, e.name))
  const files = await Promise.all(paths.sort().map((path) => readFile(path)))
  const imported = await Promise.all(files.map((bytes) => importFile(bytes)))
  return files.filter((_, index) => imported[index]!.format === 'simaticml' && imported[index]!.faults.length === 0)
}

async function fastest(files: readonly Buffer[], run: (bytes: Buffer) => unknown): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now()
    for (const bytes of files) await run(bytes)
    times.push(performance.now() - begin)
  }
  return Math.min(...times)
}

/**
 * Measures the peak resident memory while one large file is imported, beyond that of the process before, per byte of
 * the file.
 */
async function memoryOfLargeFile(): Promise<void> {
  const roots: string[] = []
  for (const bytes of await xmlFiles())
    for (const { xml } of (await importFile(bytes)).objects) if (xml !== undefined) roots.push(xml)
  const once = Buffer.byteLength(roots.join('\n'))
  const copies = Math.ceil(largeFile / once)
  const text = `<Document>${Array.from({ length: copies }, () => roots.join('\n')).join('\n')}</Document>`
  const bytes = Buffer.from(text)
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  const { objects } = await importFile(bytes)
  const peak = process.resourceUsage().maxRSS * 1024
  process.stdout.write(
    JSON.stringify({ ratio: (peak - before) / bytes.length, bytes: bytes.length, objects: objects.length }),
  )
}

if (process.argv[3] === '--memory') await memoryOfLargeFile()
else {
  const files = await xmlFiles()
  const size = files.reduce((sum, { length }) => sum + length, 0)
  const parser = new XMLParser({ ignoreAttributes: false })
  const parse = await fastest(files, (bytes) => parser.parse(bytes))
  const read = await fastest(files, (bytes) => importFile(bytes))
  report(`SimaticML files (${files.length}), MB`, size / 1e6, '')
  report('import, MB/s', size / read / 1000, '')
  report('fast-xml-parser, MB/s', size / parse / 1000, '')
  report('import / fast-xml-parser', parse / read, '>= 0.4')
  const script = fileURLToPath(import.meta.url)
  const child = spawnSync(process.execPath, ['--expose-gc', '--import', 'tsx', script, folder, '--memory'], {
    encoding: 'utf8',
  })
  const { ratio, bytes } = JSON.parse(child.stdout)
  report(`memory of one file of ${Math.round(bytes / 1e6)} MB, times its size`, ratio, '< 20')
}
