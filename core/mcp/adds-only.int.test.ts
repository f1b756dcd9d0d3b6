/** A change that only adds is not asked about; one that replaces, deletes or acts on a controller is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInPlugins } from '../../test/harness.ts'
import { serveMcp, textOf } from '../../test/mcp.ts'
import { mcpPlugin } from './operations.ts'

const block = (name: string, value: number) =>
  `FUNCTION "${name}" : Int\nBEGIN\n  #${name} := ${value};\nEND_FUNCTION\n`

test('an import of what is new is not asked about, one that replaces something is', async (t) => {
  const { connect } = await serveMcp(t, { pluginDirs: [builtInPlugins], corePlugins: [mcpPlugin] })
  let asked: string[] = []
  const { client } = await connect('streamable-http', {
    onQuestion: ({ params }) => {
      asked.push(params.message.split(':')[0]!)
      return { action: 'accept', content: { proceed: true } }
    },
  })
  async function asks(times: number, operation: string, input: Record<string, unknown>) {
    asked = []
    const result = await client.callTool({ name: 'call_operation', arguments: { operation, input } })
    assert.ok(!result.isError, `${operation}: ${textOf(result)}`)
    assert.equal(asked.length, times, `${operation} ${JSON.stringify(input)}`)
  }
  const on = { deviceName: 'PLC_1' }
  await asks(0, 'projects.create', { name: 'P' })
  await asks(0, 'devices.add', { orderNumber: '6ES7 511-1AK02-0AB0', name: 'PLC_1' })
  await asks(0, 'blocks.import', { ...on, content: block('A', 1) })
  await asks(0, 'blocks.import', { ...on, content: block('B', 1), compile: true })
  await asks(1, 'blocks.import', { ...on, content: block('B', 2) })
  await asks(1, 'blocks.import', { ...on, content: `${block('B', 3)}${block('C', 1)}` })
  await asks(0, 'blocks.import-and-generate', { ...on, content: block('D', 1) })
  const tag = { name: 'Start', dataType: 'Bool', logicalAddress: '%I0.0' }
  await asks(0, 'tags.import', { ...on, tags: [tag] })
  await asks(1, 'tags.import', { ...on, tags: [{ ...tag, logicalAddress: '%I0.1' }] })
  await asks(1, 'blocks.update-content', { ...on, blockName: 'A', code: '#A := 5;' })
  await asks(1, 'blocks.delete', { ...on, blockName: 'A' })
  await asks(0, 'simulation.create-instance', { name: 'S', ipAddress: '192.168.0.1' })
  await asks(0, 'projects.simulation-support', { enabled: true })
  await asks(0, 'simulation.power-on', { name: 'S' })
  await asks(0, 'blocks.create', { ...on, name: 'Main', type: 'OB', code: ';', compile: true })
  await asks(1, 'online.download', { ...on, compile: true })
  await asks(1, 'projects.close', { save: true })
})
