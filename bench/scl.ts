/**
 * Measures SCL text -> tokens -> tree, in MB/s as a ratio to acorn parsing JavaScript of the same size. Target: >= 0.5.
 * The SCL is the MIT licensed sample project of the tests, repeated; the JavaScript is a library as distributed, with
 * comments.
 *
 *   node --import tsx bench/scl.ts [path of other .scl files]
 */
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'acorn'
import { readSource } from '../plc/formats/source/read.ts'
import { lex } from '../plc/languages/scl/lexer.ts'
import { parseScl } from '../plc/languages/scl/parser.ts'
import { median, report } from './report.ts'

const rounds = 25

interface Program {
  readonly text: string
}

async function programs(dir: string): Promise<Program[]> {
  const found: Program[] = []
  for (const file of await readdir(dir, { recursive: true })) {
    if (!file.toLowerCase().endsWith('.scl')) continue
    const { blocks } = readSource((await readFile(join(dir, file), 'utf8')).replace(/^\uFEFF/, ''))
    for (const { object } of blocks)
      for (const { text, language } of object.networks)
        if (language === 'SCL' && text !== undefined) found.push({ text })
  }
  return found
}

/** Milliseconds of one run: the median of several. */
function time(run: () => void): number {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now()
    run()
    times.push(performance.now() - begin)
  }
  return median(times)
}

const library = createRequire(import.meta.url).resolve('fast-check')
const script = await readFile(library, 'utf8')
const samples = await programs(
  process.argv[2] ?? fileURLToPath(new URL('../test/fixtures/ikea-vyatka-sorting', import.meta.url)),
)
const sampleBytes = samples.reduce((sum, { text }) => sum + text.length, 0)
if (sampleBytes === 0) throw new Error('no SCL found')
const work: Program[] = []
for (let bytes = 0, i = 0; bytes < script.length; i++) {
  const sample = samples[i % samples.length] as Program
  work.push(sample)
  bytes += sample.text.length
}
const bytes = work.reduce((sum, { text }) => sum + text.length, 0)

const javascript = time(() => {
  parse(script, { ecmaVersion: 'latest', sourceType: 'module' })
})
const tokens = time(() => {
  for (const { text } of work) lex(text)
})
const tree = time(() => {
  for (const { text } of work) parseScl(text)
})
const rate = (size: number, ms: number) => size / 1000 / ms

report('acorn, MB/s', rate(script.length, javascript), '')
report('SCL tokens, MB/s', rate(bytes, tokens), '')
report('SCL tree, MB/s', rate(bytes, tree), '')
report('SCL tree / acorn', rate(bytes, tree) / rate(script.length, javascript), '>= 0.5')
