/**
 * Runs the tests: every `*.test.ts` below the roots, or below the given folders and files. Other arguments are passed
 * to node:test (`npm test -- --test-name-pattern=…`); `--random` uses new seeds (test/seed.ts).
 */
import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const roots = ['core', 'examples', 'lib', 'plc', 'plugins', 'store', 'test']

async function testFiles(path: string): Promise<string[]> {
  if (statSync(path).isFile()) return [path]
  const entries = await readdir(path, { withFileTypes: true, recursive: true })
  return entries.filter((e) => e.isFile() && e.name.endsWith('.test.ts')).map((e) => join(e.parentPath, e.name))
}

const given = process.argv.slice(2)
const paths = given.filter((arg) => !arg.startsWith('-') && existsSync(arg))
const options = given.filter((arg) => !paths.includes(arg) && arg !== '--random')
const files = (await Promise.all((paths.length > 0 ? paths : roots).map(testFiles))).flat().sort()

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
