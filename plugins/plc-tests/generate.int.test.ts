/** `plc-tests.generate` over REST and MCP: from the loaded design spec, from a recorded trace, and wrong input. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { mcpPlugin } from '../../core/mcp/operations.ts'
import { specWith } from '../../test/design-spec/specs.ts'
import { builtInPlugins } from '../../test/harness.ts'
import { serveMcp } from '../../test/mcp.ts'
import { endsOf, runProgramTests } from '../../test/program-tests.ts'
import { assertRecorded } from '../../test/recorded.ts'
import { loadProgram, sampleProgram } from '../../test/simulation.ts'

interface Made {
  readonly files: readonly { readonly name: string; readonly content: string; readonly cases: number }[]
  readonly warnings: readonly string[]
}

test('tests are made of the loaded spec and of a trace, the same by both ways, and they pass', async (t) => {
  const at = await serveMcp(t, { pluginDirs: [builtInPlugins], corePlugins: [mcpPlugin], durability: 'os' })
  const { client } = await at.connect('streamable-http')
  const rest = async (json: unknown) => {
    const answer = await at.request('/api/plc-tests/actions/generate', { method: 'POST', json })
    return { status: answer.status, body: (await answer.json()) as Made & { code?: string; detail?: string } }
  }
  const tool = async (input: unknown) => {
    const call = { name: 'call_operation', arguments: { operation: 'plc-tests.generate', input } }
    return (await client.callTool(call)) as CallToolResult & { structuredContent: Made & { code?: string } }
  }
  /** The input is refused by both ways with one code, and the words say what is wrong. */
  const refused = async (input: unknown, status: number, code: string, words: RegExp) => {
    const { status: got, body } = await rest(input)
    assert.deepEqual([got, body.code], [status, code], JSON.stringify(body))
    assert.match(JSON.stringify(body), words)
    const { isError, structuredContent } = await tool(input)
    assert.deepEqual([isError, structuredContent.code], [true, code])
  }

  await refused({ from: 'design-spec' }, 409, 'conflict', /No design spec is loaded/)
  await refused({ from: 'trace' }, 400, 'invalid_input', /instanceName/)
  await refused({ from: 'trace', instanceName: 'Nobody' }, 404, 'not_found', /Nobody/)
  await refused({ from: 'thin air' }, 400, 'invalid_input', /design-spec/)
  await refused({ from: 'design-spec', phases: [] }, 400, 'invalid_input', /phases/)
  await refused({}, 400, 'invalid_input', /from/)

  await at.call('projects.create', { name: 'Plant' })
  await at.call('design-spec.load', { file: { fileName: 'plant.csv', content: specWith() } })
  const spec = await rest({ from: 'design-spec' })
  assert.equal(spec.status, 200, JSON.stringify(spec.body))
  assert.deepEqual(
    spec.body.files.map(({ name, cases }) => [name, cases > 3]),
    [['FB_Fill.test.yml', true]],
  )
  const [written] = spec.body.files
  const told = [...spec.body.warnings.map((one) => `${one}\n`), '\n', written!.content].join('')
  assertRecorded(import.meta.url, 'made-from-spec.txt', told)
  assert.deepEqual((await tool({ from: 'design-spec' })).structuredContent, spec.body)
  await refused({ from: 'design-spec', phases: ['Empty'] }, 404, 'not_found', /Empty/)

  const name = 'PLC_1'
  const config = { time: { mode: 'stepped', cycleTimeMs: 10 }, startup: 'Stop', maximumCycleTimeMs: 6000 }
  const address = { cpuType: 'CPU1515', ipAddress: '192.168.0.1' }
  await at.call('simulation.create-instance', { name, ...address, config })
  await at.call('simulation.power-on', { name })
  await loadProgram(at, name)
  const input = { from: 'trace', instanceName: name }
  await refused(input, 409, 'conflict', /start a trace/)
  await at.call('simulation.start-trace', { name, tags: ['Start', 'Lamp', 'Data.count'], samples: 100 })
  await at.call('simulation.run', { name })
  await at.call('simulation.advance', { name, cycles: 1 })
  await refused(input, 422, 'unacceptable_content', /fewer than two samples/)
  for (const value of [true, false]) {
    await at.call('simulation.write-tag', { name, tagName: 'Start', value })
    await at.call('simulation.advance', { name, cycles: 3 })
  }
  await at.call('simulation.stop-trace', { name })
  await refused({ ...input, inputs: ['Nothing*'] }, 422, 'unacceptable_content', /no tag of the trace is an input/)
  const trace = await rest(input)
  assert.equal(trace.status, 200, JSON.stringify(trace.body))
  assert.deepEqual((await tool(input)).structuredContent, trace.body)

  // The program that was recorded passes; one that does something else fails.
  const tags =
    'Name,Path,Data Type,Logical Address\nStart,Tags,Bool,%I0.0\nLamp,Tags,Bool,%Q0.0\nSetpoint,Tags,Int,%MW10\n'
  const [file] = trace.body.files
  const files = { 'Tags.csv': tags, 'Sample.scl': sampleProgram, [file!.name]: file!.content }
  const passed = await runProgramTests(files)
  assert.deepEqual(passed.faults, [])
  assert.deepEqual(
    endsOf(passed.results).map((one) => one.replace(/^.*: /, '')),
    ['passed'],
  )
  const broken = sampleProgram.replace('"Lamp" := "Start"', '"Lamp" := NOT "Start"')
  const failed = await runProgramTests({ ...files, 'Sample.scl': broken })
  assert.match(endsOf(failed.results).join('\n'), /: failed; .*Lamp/)
})
