/**
 * What operations answer is described: a schema that allows anything would give clients `unknown` or `Any`. The places
 * where an answer is free are listed here, each with the reason.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestGateway } from '../../test/harness.ts'
import type { PlainSchema } from '../contract/schema.ts'
import { mcpPlugin } from '../mcp/operations.ts'
import { buildOpenApi } from './openapi.ts'
import { docsPlugin } from './operations.ts'

/** Places by component, with `[]` for entries of a list and `*` for values of a map, and why they are free. */
const free: Readonly<Record<string, string>> = {
  'Fault.allowed': 'what a field takes: texts, numbers, a range',
  'Fault.value': 'what a client gave',
  'jobs.get.result.result': 'the answer of whichever operation the job ran',
}

/** Not described yet; entries are only taken away. */
const undescribed: readonly string[] = [
  'alarms.get-definitions.result.alarms[]',
  'alarms.get-definitions.result.classes[]',
  'alarms.get-definitions.result.supervisions[]',
  'alarms.get-definitions.result.textLists[]',
  'alarms.list-log.result.entries[].values[].value',
  'alarms.list-pending.result.alarms[].values[].value',
  'alarms.set-definitions.result.alarms[]',
  'alarms.set-definitions.result.classes[]',
  'alarms.set-definitions.result.supervisions[]',
  'alarms.set-definitions.result.textLists[]',
  'assistant.approve.result.approval.input.*',
  'assistant.chat.result.approval.input.*',
  'assistant.list-approvals.result.approvals[].input.*',
  'assistant.reject.result.approval.input.*',
  'audit.answer.result.answer',
  'audit.list.result.entries[].commit',
  'audit.list.result.entries[].data',
  'audit.replay.result.differences[].recorded',
  'audit.replay.result.differences[].replayed',
  'audit.state.result.entries[].value',
  'audit.state.result.value',
  'block-generation.read-specification.result.specification',
  'block-generation.schema.result.content',
  'block-generation.schema.result.design',
  'block-generation.schema.result.examples',
  'block-generation.schema.result.graph',
  'block-generation.schema.result.member',
  'block-generation.schema.result.specification',
  'block-templates.generate.result.parameters',
  'block-templates.get.result.example',
  'block-templates.get.result.parameters',
  'blocks.content.result.networks[].chart',
  'blocks.content.result.networks[].graph',
  'blocks.content.result.networks[].parts[]',
  'blocks.content.result.networks[].statements[]',
  'design-spec.verify-phases.result.phases[].failures[].differences[].actual',
  'design-spec.verify-phases.result.phases[].failures[].differences[].expected',
  'design-spec.verify-phases.result.phases[].failures[].trace[].state.*',
  'design-spec.verify-phases.result.phases[].failures[].trace[].written.*',
  'design-spec.verify-phases.result.phases[].transitions[].inputs.*',
  'docs.describe-route.result.body',
  'docs.describe-route.result.parameters[].default',
  'docs.describe-route.result.responses[].schema',
  'hardware.details.result.interfaces[]',
  'hardware.details.result.modules[].parameters.*',
  'hardware.details.result.station',
  'hardware.modules.result.modules[].parameters.*',
  'hardware.move-module.result.parameters.*',
  'hardware.plug-module.result.parameters.*',
  'hardware.replace-module.result.parameters.*',
  'hardware.update-module.result.parameters.*',
  'history.content.result.constants[]',
  'history.content.result.interface[]',
  'history.content.result.networks[]',
  'history.content.result.tags[]',
  'history.undoable.result.commands[].laterJobs[]',
  'hmi.detailed-library-types.result.libraryTypes[].items[].properties.*',
  'hmi.list-objects.result.objects[].properties.*',
  'hmi.screen-details.result.objects[].properties.*',
  'hmi.screen-values.result.objects[].values[].raw',
  'hmi.screen-values.result.objects[].values[].value',
  'hmi.show-object.result.properties.*',
  'hmi.write-variable.result.value',
  'jobs.cancel.result.error',
  'jobs.cancel.result.input',
  'jobs.cancel.result.result',
  'jobs.execute-batch.result.results[].result',
  'jobs.execute-sync.result.error',
  'jobs.execute-sync.result.input',
  'jobs.execute-sync.result.result',
  'jobs.get.result.error',
  'jobs.get.result.input',
  'jobs.list.result.jobs[].error',
  'libraries.compare.result.left',
  'libraries.compare.result.right',
  'mcp.config.result.clients[].config',
  'mcp.get-session.result',
  'mcp.instance.result.projects[]',
  'mcp.list-sessions.result.sessions[]',
  'online.explain-value.result.value',
  'online.explain-value.result.writers[].because[]',
  'online.explain-value.result.writers[].condition',
  'online.get-modifying.result.rows[].value',
  'online.list-forces.result.forces[].value',
  'online.modify-watch-table.result.rows[].raw',
  'online.network-values.result.operands[].value',
  'online.network-values.result.pins[].value',
  'online.read-force-table.result.rows[].raw',
  'online.read-watch-table.result.rows[].raw',
  'online.replace-forces.result.forces[].value',
  'online.start-forcing.result.forces[].value',
  'online.start-modifying.result.rows[].value',
  'online.stop-forcing.result.forces[].value',
  'pipelines.get.result.steps[].params.*',
  'pipelines.get.result.variables.*',
  'pipelines.instantiate-template.result.steps[].params.*',
  'pipelines.instantiate-template.result.variables.*',
  'plc-tests.get-harness-results.result.results[].steps[].assertions[].actualValue',
  'plc-tests.get-harness-results.result.results[].steps[].assertions[].expectedValue',
  'plc-tests.get-harness-test.result.setup.*',
  'plc-tests.get-harness-test.result.steps[].assert.*.expected',
  'plc-tests.get-harness-test.result.steps[].assert.*.notEqual',
  'plc-tests.get-harness-test.result.steps[].write.*',
  'plc-tests.get-harness-test.result.teardown.*',
  'plc-tests.run-harness-tests.result.results[].steps[].assertions[].actualValue',
  'plc-tests.run-harness-tests.result.results[].steps[].assertions[].expectedValue',
  'plc-tests.run.result.results[].trace[].values[]',
  'projects.inspect.result.controllers[].interfaces[]',
  'projects.overview.result.devices[].blocks[]',
  'projects.overview.result.devices[].deviceItems[]',
  'projects.overview.result.devices[].tagTables[]',
  'projects.overview.result.devices[].udts[]',
  'review.get-rule.result.options[].value',
  'review.list-rules.result.rules[].options[].value',
  'simulation.configure-instance.result.connections[]',
  'simulation.configure-instance.result.hardwareInterrupts[]',
  'simulation.configure-instance.result.processImagePartitions',
  'simulation.get-forces.result.forces[].value',
  'simulation.get-instance-config.result.connections[]',
  'simulation.get-instance-config.result.hardwareInterrupts[]',
  'simulation.get-instance-config.result.processImagePartitions',
  'simulation.get-instance.result.config.connections[]',
  'simulation.get-instance.result.config.hardwareInterrupts[]',
  'simulation.get-instance.result.config.processImagePartitions',
  'simulation.get-trace.result.samples[].values[]',
  'simulation.raise-event.result.information.*',
  'simulation.read-tag.result.value',
  'simulation.read-tags.result.tags[].value',
  'simulation.set-forces.result.forces[].value',
  'simulation.write-tag.result.value',
  'simulation.write-tags.result.tags[].value',
  'tags.import-csv.result.errors[]',
  'tags.import-xlsx.result.errors[]',
  'tags.import.result.errors[]',
]

/** The places in a schema that allow any JSON, references not followed. */
function freePlaces(schema: PlainSchema, place: string): string[] {
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => (list as readonly PlainSchema[]) ?? [])
  if (parts.length > 0) return parts.flatMap((part) => freePlaces(part, place))
  if (schema.$ref !== undefined || schema.enum !== undefined || schema.const !== undefined) return []
  const { properties = {}, patternProperties = {}, additionalProperties } = schema
  const values = Object.values(patternProperties)
  // Without any word of its fields an object may hold everything.
  if (schema.type === 'object' && !schema.properties && values.length === 0 && additionalProperties !== false)
    values.push(typeof additionalProperties === 'object' ? additionalProperties : {})
  if (schema.type === undefined && !schema.properties) return [place]
  return [
    ...Object.entries(properties).flatMap(([name, field]) => freePlaces(field, `${place}.${name}`)),
    ...values.flatMap((value) => freePlaces(value, `${place}.*`)),
    ...(schema.type === 'array' ? freePlaces(schema.items ?? {}, `${place}[]`) : []),
  ]
}

test('every part of every answer has a type, but where it is free for a reason', async (t) => {
  const { gateway } = await openTestGateway(t, { corePlugins: [docsPlugin, mcpPlugin] })
  const { components } = await buildOpenApi(gateway.registry, { version: '1.2.3' })
  const schemas = JSON.parse(JSON.stringify(components.schemas)) as Record<string, PlainSchema>
  // A component that only inputs lead to is none of an answer.
  const reached = new Set(Object.keys(schemas).filter((name) => name.endsWith('.result')))
  for (const name of reached)
    for (const [, other] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      reached.add(other!)
  const second = [...reached].filter((name) => name.includes('.') && !name.endsWith('.result'))
  assert.deepEqual(second, [], 'a name stands for one type in all plugins')
  const found = [...reached].flatMap((name) => freePlaces(schemas[name]!, name)).sort()
  const known = new Set([...Object.keys(free), ...undescribed])
  const more = found.filter((place) => !known.delete(place))
  assert.deepEqual(more, [], 'give these a type (`t.Named` for one that is shared or recursive)')
  assert.deepEqual([...known], [], 'take these from the list: they have a type')
})
