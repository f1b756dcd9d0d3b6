import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../../test/folder.ts'
import { openTestGateway } from '../../test/harness.ts'
import type { GatewayError } from '../contract/problems.ts'

const counterPlugins = fileURLToPath(new URL('../fixtures/plugins', import.meta.url))

/** A plugin whose hooks record their calls; some are asynchronous, and the counter's name can make them fail. */
const source = `
const later = () => new Promise((resolve) => setImmediate(resolve))
const thenable = { then(resolve) { setImmediate(() => resolve('ignored')) } }
const fails = (name, where) => { if (name === where) throw new Error(where) }
export const calls = []
export default ({ definePlugin }) => definePlugin({
  name: 'watcher',
  version: '1.0.0',
  hooks: [
    { on: '*', before({ name }) { calls.push('before 1'); fails(name, 'before 1') }, after({ name }) { calls.push('after 1'); fails(name, 'after 1') } },
    { on: 'counter.add*',
      async before({ name }) { await later(); calls.push('before 2'); fails(name, 'before 2') },
      after({ name }, result, ctx) { calls.push('after 2, ' + ctx.emitted.length + ' events'); return thenable } },
    { on: 'counter.add*', before({ name }) { calls.push('before 3'); fails(name, 'before 3') }, async after({ name }) { await later(); calls.push('after 3'); fails(name, 'after 3') } },
    { on: 'other.*', before() { calls.push('never') } },
  ],
})`

async function open(t: TestContext, checkOutputs: boolean) {
  const dir = await temporaryFolder(t, 'gantry-hooks-')
  const file = join(dir, 'watcher', 'index.mjs')
  await mkdir(join(dir, 'watcher'))
  await writeFile(file, source)
  const gateway = await openTestGateway(t, { pluginDirs: [counterPlugins, dir], checkOutputs })
  const { calls } = (await import(file)) as { calls: string[] }
  return { ...gateway, calls }
}

for (const checkOutputs of [false, true]) {
  test(`hooks run in order around a command, those that wait and those that do not (outputs ${checkOutputs ? '' : 'not '}checked)`, async (t) => {
    const { call, calls } = await open(t, checkOutputs)
    for (const operation of ['counter.add', 'counter.add-then']) {
      calls.length = 0
      await call(operation, { name: 'a', ...(operation === 'counter.add' ? {} : { after: 'sleep', ms: 1 }) })
      assert.deepEqual(
        calls,
        ['before 1', 'before 2', 'before 3', 'after 1', 'after 2, 1 events', 'after 3'],
        operation,
      )
    }
    await Promise.all(Array.from({ length: 20 }, () => call('counter.add', { name: 'many' })))
    assert.deepEqual(await call('counter.get', { name: 'many' }), { name: 'many', value: 20 })
  })

  test(`a hook that throws undoes the command (outputs ${checkOutputs ? '' : 'not '}checked)`, async (t) => {
    const { call, gateway } = await open(t, checkOutputs)
    for (const where of ['before 1', 'before 2', 'before 3', 'after 1', 'after 3']) {
      await assert.rejects(
        call('counter.add', { name: where }),
        (error: GatewayError) => error.code === 'internal_error',
      )
      assert.equal(gateway.jobs.running, undefined, where)
      // A query has hooks of its own, which would throw for this name.
      await call('counter.add', { name: 'next' })
    }
    const { value } = await call<{ value: number }>('counter.get', { name: 'next' })
    assert.equal(value, 5)
    const counters = gateway.state.snapshot().get('counter.counters')
    assert.deepEqual(
      counters?.map(([name]) => name),
      ['next'],
    )
  })
}
