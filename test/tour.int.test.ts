// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { packageDir } from '../core/boot/running-code.ts'

test('the tour does the main job over plain HTTP, across a SIGKILL', async () => {
  const fixtures = fileURLToPath(new URL('./fixtures/ikea-vyatka-sorting', import.meta.url))
  // With the committed fixtures; `npm run tour` (CI runs it too) imports the whole program of the corpus.
  const child = spawn('bash', ['examples/tour.sh'], { cwd: packageDir, env: { ...process.env, PROGRAM: fixtures } })
  let output = ''
  child.stdout.on('data', (data) => {
    output += data
  })
  child.stderr.on('data', (data) => {
    output += data
  })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  assert.equal(code, 0, output)
  assert.match(output, /audit verify: the chain is whole/)
})
