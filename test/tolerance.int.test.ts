/**
 * Over all operations: what models and scripts send otherwise than declared is understood, everywhere in the same way.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { isGatewayError } from '../core/contract/problems.ts'
import type { PlainSchema } from '../core/contract/schema.ts'
import { sampleOf } from '../core/docs/samples.ts'
import { compileInput } from '../core/input/validation.ts'
import { actor, openTestGateway } from './harness.ts'
import { openPlant } from './plant.ts'

/** Every field of a schema with a value, so that each is tried. */
function everyField(schema: PlainSchema): Record<string, unknown> {
  const fields = Object.entries(schema.properties ?? {}).filter(([, field]) => !field['x-upload'])
  return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(field, name)]))
}

/** The same value as careless clients write it: numbers, booleans, lists and objects as text. */
const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** A word of a list in another case; other values as they are. */
function otherCase(value: unknown, schema: PlainSchema): unknown {
  return typeof value === 'string' && schema.enum ? value.toUpperCase() : value
}

/** True where a text has a meaning of its own. */
const takesText = (schema: PlainSchema): boolean =>
  schema.anyOf?.some(takesText) ??
  (schema.type === undefined || ([schema.type].flat().includes('string') && schema.enum === undefined))

test('numbers, booleans, lists and objects as text, and words in another case, are read in every operation', async (t) => {
  const { gateway } = await openTestGateway(t)
  const counts = { text: 0, words: 0 }
  for (const operation of gateway.registry.operations) {
    const reader = await compileInput(operation)
    const sample = everyField(reader.schema)
    let wanted: Record<string, unknown>
    try {
      wanted = reader.read(sample)
    } catch {
      // A made-up value does not match a pattern: only what is required is tried.
      const required = new Set(reader.schema.required)
      for (const name of Object.keys(sample)) if (!required.has(name)) delete sample[name]
      try {
        wanted = reader.read(sample)
      } catch {
        continue
      }
    }
    for (const [name, value] of Object.entries(sample)) {
      const schema = reader.schema.properties![name]!
      if (!takesText(schema)) {
        assert.deepEqual(reader.read({ ...sample, [name]: asText(value) }), wanted, `${operation.id} ${name} as text`)
        counts.text++
      }
      const word = otherCase(value, schema)
      if (word === value) continue
      assert.deepEqual(reader.read({ ...sample, [name]: word }), wanted, `${operation.id} ${name} in capitals`)
      counts.words++
    }
  }
  assert.ok(counts.text > 150 && counts.words > 15, JSON.stringify(counts))
})

test('device stands for deviceName, and name for what an operation is about, in every operation', async (t) => {
  const { gateway } = await openTestGateway(t)
  const counts = { device: 0, name: 0 }
  for (const operation of gateway.registry.operations) {
    const reader = await compileInput(operation)
    const { properties = {}, required = [] } = reader.schema
    const sample = Object.fromEntries(required.map((name) => [name, sampleOf(properties[name]!, name)]))
    const same = (spelling: string, field: string) => {
      const { [field]: value, ...others } = sample
      const read = (input: Record<string, unknown>) => {
        try {
          return reader.read(input)
        } catch (error) {
          // A made-up value may be refused, but then the same field is.
          assert.ok(isGatewayError(error))
          return error.details.errors
        }
      }
      assert.deepEqual(read({ ...others, [spelling]: value }), read(sample), `${operation.id}: ${spelling}`)
    }
    if (required.includes('deviceName') && !properties.device) {
      same('device', 'deviceName')
      counts.device++
    }
    if (required.includes('device') && !properties.deviceName) same('deviceName', 'device')
    const subject = required.findLast((field) => /^(?!new).*Name$/.test(field))
    const isTaken = properties.name || Object.values(operation.aliases ?? {}).some((names) => names.includes('name'))
    // What is described beside the subject has the name in its description.
    const isDescribed = required.some((field) => properties[field]?.properties?.name !== undefined)
    if (subject !== undefined && !isTaken && !isDescribed) {
      same('name', subject)
      counts.name++
    }
  }
  assert.ok(counts.device > 100 && counts.name > 60, JSON.stringify(counts))
})

test('an error for a device that does not exist names those that do, in every operation', async (t) => {
  const { gateway, call: run } = await openPlant(t)
  const spec = await readFile(new URL('../examples/mixer.csv', import.meta.url), 'utf8')
  await run('design-spec.load', { file: { fileName: 'mixer.csv', content: spec } })
  let count = 0
  for (const operation of gateway.registry.operations) {
    const { schema } = await compileInput(operation)
    const field = ['deviceName', 'device'].find((name) => schema.required?.includes(name))
    if (field === undefined || operation.kind === 'stream') continue
    const example = (operation.id === 'design-spec.generate-and-import' ? { phase: 'Mix' } : operation.example) ?? {}
    const required = (schema.required ?? []).map((name) => [name, sampleOf(schema.properties![name]!, name)])
    const input = { ...Object.fromEntries(required), ...example, [field]: 'PLC_2' }
    const call = operation.kind === 'command' ? { actor: actor(), dryRun: true } : { actor: actor() }
    await assert.rejects(gateway.invoke(operation, input, call), (error: Error) => {
      if (!isGatewayError(error)) throw error
      assert.match(error.message, /PLC_1/, `${operation.id}: ${error.code}: ${error.message}`)
      return true
    })
    count++
  }
  assert.ok(count > 100, String(count))
})
