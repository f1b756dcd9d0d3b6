/** `gantry test`, `check` and `doc` with a gateway that does the work. */
// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { docsPlugin } from '../../core/docs/operations.ts'
import { commandLine } from '../../test/command-line.ts'
import { builtInPlugins } from '../../test/harness.ts'
import { serveMcp, testKey } from '../../test/mcp.ts'
import { writeWorkspace } from '../../test/plant.ts'

const source = 'FUNCTION "Add" : Int\nVAR_INPUT\n  x : Int;\nEND_VAR\nBEGIN\n  #Add := #x + 1;\nEND_FUNCTION\n'
const tests =
  'block: Add\ncases:\n  - name: adds\n    given: { x: 1 }\n    steps:\n      - run: 1 cycle\n      - expect: { Add: 2 }\n'

test('test, check and doc work on a folder of the workspace of a gateway', async (t) => {
  const at = await serveMcp(t, { pluginDirs: [builtInPlugins], corePlugins: [docsPlugin], durability: 'os' })
  await writeWorkspace(at, { 'plant/Add.scl': source, 'plant/a.test.yml': tests })
  const env = { ...process.env, GANTRY_API_KEY: testKey }
  const cli = (...args: string[]) =>
    promisify(execFile)(process.execPath, [...commandLine, ...args, '--url', at.url], { env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }) as { code: number; stdout: string; stderr: string },
    )
  const ran = await cli('test', 'plant')
  assert.deepEqual(ran, {
    ...{ code: 0, stderr: '' },
    stdout: '1 passed, 0 failed, 0 with errors\n',
  })
  assert.match((await cli('test', 'plant', '--format', 'junit')).stdout, /<testcase name="adds"/)
  const local = await cli('test', 'plant', '--mutate')
  assert.deepEqual([local.code, /--mutate works here; leave out --url/.test(local.stderr)], [2, true])
  assert.equal((await cli('check', 'plant', '--fail-on', 'error')).code, 0)
  const document = await cli('doc', 'plant', '--format', 'markdown')
  assert.deepEqual([document.code, document.stdout.startsWith('# plant\n')], [0, true], document.stderr)
  for (const command of ['test', 'check', 'doc']) {
    const { code, stderr } = await cli(command, 'nowhere')
    assert.deepEqual([code, /nothing at "nowhere"/.test(stderr)], [3, true], `${command}: ${stderr}`)
  }
})
