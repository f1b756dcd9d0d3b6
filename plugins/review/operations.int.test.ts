/** The operations of the review on a gateway. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { actor, openTestGateway } from '../../test/harness.ts'

const source = `FUNCTION "Scale" : Void
VAR_INPUT
  mode : Int;
END_VAR
VAR_OUTPUT
  value : Int;
END_VAR
BEGIN
  CASE #mode OF
    1: #value := 10;
  END_CASE;
END_FUNCTION
`

test('a folder of the workspace is checked, and the open project is not touched', async (t) => {
  const { gateway } = await openTestGateway(t)
  const invoke = async (id: string, input: Record<string, unknown>) => {
    const reply = await gateway.invoke(gateway.registry.operation(id)!, input, { actor: actor() })
    return (reply as { value: Record<string, unknown> }).value
  }
  const [workspace] = gateway.workspace.roots
  const folder = join(workspace!, 'plc')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'Scale.scl'), source)
  const found = await invoke('review.check', { path: 'plc', show: 'warning', failOn: 'warning' })
  assert.equal(found.failed, true)
  assert.deepEqual(
    (found.findings as { code: string; file: string; line: number }[]).map(({ code, file, line }) => ({
      code,
      file,
      line,
    })),
    [{ code: 'case-without-else', file: 'Scale.scl', line: 9 }],
  )
  const settings = await invoke('review.check', {
    path: 'plc',
    show: 'warning',
    config: 'rules: { case-without-else: off }',
  })
  assert.deepEqual([settings.findings, settings.failed], [[], false])
  const limited = await invoke('review.check', { path: 'plc', mostFindings: 1 })
  assert.equal((limited.findings as unknown[]).length, 1)
  assert.ok((limited.omitted as number) > 0)
  await assert.rejects(invoke('review.check', { path: 'nowhere' }), { code: 'not_found' })
  await mkdir(join(workspace!, 'empty'))
  await assert.rejects(invoke('review.check', { path: 'empty' }), { code: 'unacceptable_content' })
  await assert.rejects(
    invoke('review.check', { path: 'plc', config: 'rules: 1' }),
    (error: Error & { details: { errors: unknown[] } }) => {
      assert.deepEqual(error.details.errors, [
        {
          path: '/config',
          line: 1,
          column: 8,
          message: '"rules" has the codes of rules with off, information, warning, error or options.',
        },
      ])
      return true
    },
  )
  const rule = await invoke('review.get-rule', { code: 'case-without-else' })
  assert.match(String(rule.fails), /CASE #x OF/)
  await assert.rejects(invoke('review.get-rule', { code: 'case-without-els' }), { code: 'not_found' })
})
