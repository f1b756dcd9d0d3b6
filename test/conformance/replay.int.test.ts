/** A session that has called every command is replayed with the same results, and taken back to its beginning. */
// In a process of its own: it takes as long as a group.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { isGatewayError } from '../../core/contract/problems.ts'
import { docsPlugin } from '../../core/docs/operations.ts'
import { sampleOf } from '../../core/docs/samples.ts'
import { compileInput } from '../../core/input/validation.ts'
import { mcpPlugin } from '../../core/mcp/operations.ts'
import { replaySession } from '../../core/recovery/replay.ts'
import { contentHash } from '../content-hash.ts'
import { builtInPlugins, openTestGateway } from '../harness.ts'
import { buildPlant } from './plant.ts'
import { madeOf } from './run.ts'
import { subjects } from './subjects.ts'
import { routeOf } from './ways.ts'

const options = { pluginDirs: [builtInPlugins], corePlugins: [docsPlugin, mcpPlugin], durability: 'os' as const }
/** They end the session, or what it works with. */
const last = /^(projects\.(close|open|create|create-from-archive)|instance\.)/
/** They say that they cannot be taken back; what they leave holds its device or its library in place. */
const staying = /^security\.|^libraries\.(create|open|close)-global$/
const stays = /(Passwords and what they protect are not taken back|It opened or closed a library)/

interface Step {
  readonly command: string
  readonly canUndo: boolean
  readonly reason?: string
  readonly code?: string
  readonly remains: readonly string[]
}

test('every command in one session: the replay has no other result, and undo ends at the first state', async (t) => {
  const at = await openTestGateway(t, options)
  const session = at.gateway.sessionSeq
  const { gateway } = at
  await buildPlant(at, await readFile(new URL('../../examples/mixer.csv', import.meta.url), 'utf8'))
  const first = contentHash(gateway.state)
  const { mark: begin } = await at.call<{ mark: number }>('history.undoable', { limit: 1 })
  const world = { dir: at.dir, call: (id: string, input?: object) => at.call(id, { ...input }) }
  const called = new Set<string>()
  const call = (id: string, input: object) => {
    called.add(id)
    return at.call(id, { ...input }).catch((error: unknown) => {
      // A refusal is a result too; an internal error is none.
      assert.ok(isGatewayError(error) && error.code !== 'internal_error', `${id}: ${String(error)}`)
    })
  }
  const whole = async (left: RegExp) => {
    for (const row of Object.values(subjects).flat()) {
      const { operation } = routeOf(gateway, row.routes[0]!)
      const isLeft = (id: string) => last.test(id) || left.test(id)
      if (operation.kind !== 'command' || isLeft(operation.id)) continue
      for (const [id, input] of row.before ?? []) if (!isLeft(id)) await call(id, await madeOf(input, world))
      await call(operation.id, await madeOf(row.input, world).catch(() => ({})))
    }
  }
  // Nothing is taken back in between: later commands meet what earlier ones have left, or are refused because of it.
  await whole(staying)
  assert.notEqual(contentHash(gateway.state), first)
  const done = await at.call<{ jobs: Step[]; warnings: string[] }>('history.undo', { since: begin, skip: true })
  assert.equal(contentHash(gateway.state), first, 'undo of all of it')
  // What stays says so: no command is passed over in silence.
  const { commands: steps, mark } = await at.call<{ commands: Step[]; mark: number }>('history.undoable', {
    since: begin,
    limit: 500,
  })
  const untouched = steps.filter(({ command, canUndo }) => canUndo && command !== 'history.undo')
  assert.deepEqual(
    untouched.map(({ command }) => command),
    [],
    'still to be taken back',
  )
  for (const { command, reason } of steps.filter(({ code }) => code === 'cannot_undo'))
    assert.ok(reason && done.warnings.some((warning) => warning.startsWith(`${command} (`)), command)
  await whole(/^(?!security\.|libraries\.)/)
  const { commands: later } = await at.call<{ commands: Step[] }>('history.undoable', { since: mark, limit: 500 })
  const told = later.filter(({ command }) => staying.test(command))
  assert.ok(told.length > 5, String(told.length))
  for (const step of told) {
    const texts = [step.reason ?? '', ...step.remains]
    assert.ok(
      step.canUndo || step.code === 'undo_conflict' || texts.some((text) => stays.test(text)),
      JSON.stringify(step),
    )
  }
  // What the specification does not have: with the example of its page, or made-up values that it may refuse.
  for (const operation of gateway.registry.operations) {
    if (operation.kind !== 'command' || called.has(operation.id) || last.test(operation.id)) continue
    const { schema } = await compileInput(operation)
    const sample = (schema.required ?? []).map((name) => [name, sampleOf(schema.properties![name]!, name)])
    await call(operation.id, { ...Object.fromEntries(sample), ...(operation.example as object | undefined) })
  }
  const commands = gateway.registry.operations.filter(({ kind, id }) => kind === 'command' && !last.test(id))
  assert.deepEqual(
    commands.filter(({ id }) => !called.has(id)).map(({ id }) => id),
    [],
  )
  await gateway.close(2000)
  const report = await replaySession({ dataDir: join(at.dir, 'data'), version: '0.0.0-test', ...options }, session)
  t.diagnostic(`${commands.length} commands; ${report.same} jobs the same, ${report.skipped} skipped`)
  assert.deepEqual(report.differences, [])
  assert.ok(report.same > 250, String(report.same))
})
