/**
 * The main use as an AI tool does it: project, device, import of a real program, design spec, save, close; over each
 * HTTP transport.
 */
import assert from 'node:assert/strict'
import { cp, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { builtInPlugins } from '../../test/harness.ts'
import { serveMcp, textOf } from '../../test/mcp.ts'
import { docsPlugin } from '../docs/operations.ts'
import { mcpPlugin } from './operations.ts'

const program = fileURLToPath(new URL('../../test/fixtures/ikea-vyatka-sorting', import.meta.url))
const spec = fileURLToPath(new URL('../../examples/mixer.csv', import.meta.url))

for (const kind of ['streamable-http', 'sse'] as const) {
  test(`${kind}: the main job`, async (t) => {
    const { connect, dir } = await serveMcp(t, { pluginDirs: [builtInPlugins], corePlugins: [docsPlugin, mcpPlugin] })
    await cp(program, `${dir}/workspace/program`, { recursive: true })
    const { client } = await connect(kind)
    // From here on the client knows the output schemas and refuses results that do not match.
    const listed = new Set((await client.listTools()).tools.map((tool) => tool.name))
    const call = async <T = Record<string, unknown>>(
      operation: string,
      args: Record<string, unknown> = {},
    ): Promise<T> => {
      const name = operation.replace(/[.-]/g, '_')
      const result = listed.has(name)
        ? await client.callTool({ name, arguments: args })
        : await client.callTool({ name: 'call_operation', arguments: { operation, input: args } })
      assert(!result.isError, `${operation}: ${textOf(result)}`)
      return (result.structuredContent ?? JSON.parse(textOf(result))) as T
    }
    const early = await client.callTool({ name: 'devices_add', arguments: { orderNumber: '6ES7 515-2AM02-0AB0' } })
    assert.match(textOf(early), /^no_project: /)

    assert.equal((await call('projects.create', { name: 'Sorting', version: 'V16' })).name, 'Sorting')
    assert.equal((await call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })).name, 'PLC_1')
    const begun = await client.callTool({
      name: 'call_operation',
      arguments: { operation: 'blocks.import', input: { deviceName: 'PLC_1', filePath: 'program' }, async: true },
    })
    const { jobId } = begun.structuredContent as { jobId: string }
    const job = await call<{ status: string; result: { imported: number } }>('get_job', { jobId, wait: 25 })
    assert.equal(job.status, 'Completed', JSON.stringify(job))
    assert(job.result.imported >= 10)
    const { blocks } = await call<{ blocks: { name: string }[] }>('blocks.list', { deviceName: 'PLC_1' })
    assert(blocks.some((block) => block.name === 'FB_Ramp'))
    assert.equal((await call('blocks.content', { deviceName: 'plc_1', blockName: 'fb_ramp' })).name, 'FB_Ramp')
    const exported = await client.callTool({
      name: 'call_operation',
      arguments: { operation: 'blocks.export-xml', input: { deviceName: 'PLC_1', blockName: 'FB_Ramp' } },
    })
    assert.match(textOf(exported), /<SW\.Blocks\.FB /)
    const resource = await client.readResource({ uri: 'gantry://devices/PLC_1/blocks/Adder' })
    assert.match((resource.contents[0] as { text: string }).text, /FUNCTION/)

    await call('design-spec.load', { file: { fileName: 'mixer.csv', content: await readFile(spec, 'utf8') } })
    const generated = await client.callTool({
      name: 'call_operation',
      arguments: { operation: 'design-spec.generate', input: { phase: 'Mix' } },
    })
    assert.match(textOf(generated), /CASE/)
    const faulty = await client.callTool({
      name: 'design_spec_load',
      arguments: { file: { fileName: 'x.csv', content: '[CmTypes]\nNo;Header\n' } },
    })
    assert.match(textOf(faulty), /^unacceptable_content: [\s\S]*line 2/)

    await call('projects.save')
    const { resources } = await client.listResources()
    assert(resources.length > 3)
    for (const { uri } of resources)
      assert(((await client.readResource({ uri })).contents[0] as { text: string }).text.length > 20, uri)
    await call('projects.close')
  })
}
