/**
 * Runs every benchmark of this folder one after the other, each in its own process. `npm run bench -- http lane` runs
 * only those two.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const all = [
  'store-append',
  'store-replay',
  'store-open',
  'lane',
  'http',
  'mcp',
  'startup',
  'long-log',
  'scl',
  'import',
  'bulk-import',
  'aml',
  'tia',
  'undo',
  'language-server',
  'compile',
  'check',
  'program-tests',
  'plc',
  'simulation',
  'controller',
  'scale',
  'hmi',
  'studio',
]
const chosen = process.argv.slice(2)
for (const name of chosen.length > 0 ? chosen : all) {
  console.log(`\n${name}`)
  const script = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', script], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
