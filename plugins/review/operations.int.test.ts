/** The operations of the review on a gateway. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { actor, builtInPlugins, openTestGateway } from '../../test/harness.ts'

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
    [
      { code: 'case-without-else', file: 'Scale.scl', line: 9 },
      { code: 'result-partly-assigned', file: 'Scale.scl', line: 9 },
    ],
  )
  const settings = await invoke('review.check', {
    path: 'plc',
    show: 'warning',
    config: 'rules: { case-without-else: off, result-partly-assigned: off }',
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

test('the open project, all of it or one PLC, is checked and documented without an export', async (t) => {
  const { gateway } = await openTestGateway(t, { pluginDirs: [builtInPlugins] })
  const invoke = async (id: string, input: Record<string, unknown>) => {
    const reply = await gateway.invoke(gateway.registry.operation(id)!, input, { actor: actor() })
    return (reply as { value: Record<string, unknown> }).value
  }
  await assert.rejects(invoke('review.check', {}), { code: 'no_project' })
  await assert.rejects(invoke('review.document', {}), { code: 'no_project' })
  await invoke('projects.create', { name: 'Plant' })
  await assert.rejects(invoke('review.check', {}), { code: 'unacceptable_content' })
  const content = { PLC_1: source, PLC_2: source.replace('1: #value := 10', '2: #value := 20') }
  for (const [deviceName, text] of Object.entries(content)) {
    await invoke('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: deviceName })
    await invoke('blocks.import', { deviceName, content: text })
  }
  const places = async (input: Record<string, unknown>) => {
    const { devices, findings } = await invoke('review.check', { show: 'warning', ...input })
    const found = findings as { code: string; file: string; line: number; device?: string }[]
    return {
      devices: (devices as { name: string }[]).map(({ name }) => name),
      cases: found
        .filter(({ code }) => code === 'case-without-else')
        .map(({ file, line, device = '' }) => `${device} ${file}:${line}`),
    }
  }
  const [first, second] = ['PLC_1/Program blocks/Scale.scl:9', 'PLC_2/Program blocks/Scale.scl:9']
  assert.deepEqual(await places({}), { devices: ['PLC_1', 'PLC_2'], cases: [`PLC_1 ${first}`, `PLC_2 ${second}`] })
  assert.deepEqual(await places({ deviceName: 'plc_2' }), { devices: ['PLC_2'], cases: [` ${second}`] })
  assert.deepEqual(await places({ path: 'device:PLC_1' }), { devices: ['PLC_1'], cases: [` ${first}`] })
  await assert.rejects(invoke('review.check', { deviceName: 'PLC_1', path: 'plc' }), { code: 'invalid_input' })
  await assert.rejects(invoke('review.check', { deviceName: 'PLC_3' }), { code: 'not_found' })
  const titleOf = async (input: Record<string, unknown>) => {
    const { text } = await invoke('review.document', { format: 'markdown', ...input })
    assert.match(String(text), /^## FC Scale/m)
    return /^# (.*)$/m.exec(String(text))?.[1]
  }
  assert.deepEqual(
    [await titleOf({}), await titleOf({ deviceName: 'PLC_2' }), await titleOf({ path: 'device:PLC_1' })],
    ['Plant', 'PLC\\_2', 'PLC\\_1'],
  )
})

test('two folders of the workspace are compared, as data and as a page', async (t) => {
  const { gateway } = await openTestGateway(t)
  const invoke = async (id: string, input: Record<string, unknown>) => {
    const reply = await gateway.invoke(gateway.registry.operation(id)!, input, { actor: actor() })
    return (reply as { value: Record<string, unknown> }).value
  }
  const [workspace] = gateway.workspace.roots
  for (const [path, text] of Object.entries({
    'old/Scale.scl': source,
    'new/Scale.scl': source.replace('10', '20').replace('mode : Int', 'mode : DInt'),
    'new/More.scl': source.replace('Scale', 'More'),
  })) {
    await mkdir(join(workspace!, path, '..'), { recursive: true })
    await writeFile(join(workspace!, path), text)
  }
  const found = await invoke('review.diff', { left: 'old', right: 'new' })
  assert.deepEqual(found.counts, { added: 1, removed: 0, changed: 1, written: 0, same: 0 })
  assert.equal(found.text, undefined)
  const [more, scale] = found.objects as { name: string; differences: { path: string }[] }[]
  assert.equal(more!.name, 'More')
  assert.ok(scale!.differences.some(({ path }) => path === 'Input.mode'))
  const page = await invoke('review.diff', { left: 'old', right: 'new', format: 'html', mostObjects: 1 })
  assert.match(page.text as string, /^<!doctype html>[\s\S]*class="changed"[\s\S]*<\/html>\n$/)
  assert.deepEqual([(page.objects as unknown[]).length, page.omitted], [1, 1])
  const same = await invoke('review.diff', { left: 'old', right: 'old', format: 'text' })
  assert.deepEqual([same.objects, same.text], [[], '0 added, 0 removed, 0 changed, 1 the same\n'])
  await assert.rejects(invoke('review.diff', { left: 'old', right: 'nowhere' }), { code: 'not_found' })
})
