/**
 * Runs the whole test suite: every `*.test.ts` below core, store, plc, plugins, examples and test. Arguments are passed
 * to node:test (`npm test -- --test-name-pattern=…`); paths among them replace the default set, `--random` takes new
 * seeds (test/seed.ts).
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const roots = ['core', 'store', 'plc', 'plugins', 'examples', 'test']

async function testFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries.filter((e) => e.isFile() && e.name.endsWith('.test.ts')).map((e) => join(e.parentPath, e.name))
}

const given = process.argv.slice(2)
const paths = given.filter((arg) => !arg.startsWith('-') && existsSync(arg))
const options = given.filter((arg) => !paths.includes(arg) && arg !== '--random')
const files = paths.length > 0 ? paths : (await Promise.all(roots.filter(existsSync).map(testFiles))).flat().sort()

const child = spawn(
  process.execPath,
  [
    '--import',
    'tsx',
    '--import',
    './test/seed.ts',
    '--test',
    '--test-concurrency=2',
    '--test-reporter=spec',
    ...options,
    ...files,
  ],
  { stdio: 'inherit', env: given.includes('--random') ? { ...process.env, GANTRY_SEED: 'random' } : process.env },
)
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
