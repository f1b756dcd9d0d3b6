/** Every operation that takes a secret: no part of its input shows one, and none reaches the log in the clear. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdsSecrets, mapSecrets } from '../core/access/secrets.ts'
import type { PlainSchema } from '../core/contract/schema.ts'
import { shownInput } from '../core/input/shown-input.ts'
import { compileInput } from '../core/input/validation.ts'
import { openTestGateway } from './harness.ts'

const sentinel = 'S3ntinel-never-shown'

/** A value with every field of a schema, each alternative of it in turn, and the sentinel in each secret. */
function filled(schema: PlainSchema): unknown[] {
  if (schema['x-secret']) return [sentinel]
  if (schema.anyOf) return schema.anyOf.flatMap(filled)
  if (schema.items) return [filled(schema.items)]
  if (schema['x-input-of'])
    return [{ name: 'anna', password: sentinel, Password: sentinel, providers: [{ apiKey: sentinel }], any: sentinel }]
  if (schema.patternProperties) return [{ one: filled(Object.values(schema.patternProperties)[0]!)[0] }]
  if (schema.properties === undefined) return [schema.enum?.[0] ?? 'security.create-user']
  const fields = Object.entries(schema.properties).map(([name, field]) => [name, filled(field)] as const)
  const most = Math.max(...fields.map(([, values]) => values.length))
  return Array.from({ length: most }, (_, at) =>
    Object.fromEntries(fields.map(([name, values]) => [name, values[at % values.length]])),
  )
}

test('the inputs of all operations', async (t) => {
  const { gateway } = await openTestGateway(t)
  let secrets = 0
  for (const operation of gateway.registry.operations) {
    const { schema } = await compileInput(operation)
    if (!holdsSecrets(schema)) continue
    for (const input of filled(schema) as Record<string, unknown>[]) {
      // An alternative without one, e.g. null.
      if (!JSON.stringify(input).includes(sentinel)) continue
      const shown = JSON.stringify(await shownInput(gateway.registry, operation, input))
      assert.ok(!shown.includes(sentinel), `${operation.id}: ${shown}`)
      // A batch refuses what takes a secret (`not_in_batch`), and a call as a job is protected as that operation's.
      if (JSON.stringify(schema).includes('"x-input-of"')) continue
      secrets++
      const kept = JSON.stringify(await mapSecrets(input, schema, () => 'kept'))
      assert.ok(!kept.includes(sentinel), `${operation.id}: ${kept}`)
    }
  }
  assert.ok(secrets > 10, `${secrets} inputs with secrets`)
})
