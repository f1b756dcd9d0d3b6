/** Refusing an input takes work in line with its size, for every list that an operation takes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isGatewayError, mostFaults } from '../core/problems.ts'
import { buildSchema, type PlainSchema } from '../core/schema.ts'
import { openTestGateway } from '../core/testing/index.ts'
import { compileInput } from '../core/validation.ts'
import { countedWork } from './counted-work.ts'

/** Makes an input with `n` entries at one place of a schema. */
type Fill = (n: number) => unknown

/** Each kind of wrong entry of a list in turn. */
const wrongItem = (i: number) => [i, null, `%${i}%`, { [`nmae${i}`]: i }, [i]][i % 5]
const unknownNames: Fill = (n) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`nmae${i}`, i]))

/** The fillings of every list, map and object in a schema, each with its place. */
function* fillings(schema: PlainSchema, path = ''): Generator<{ place: string; fill: Fill }> {
  if (schema.items) {
    yield { place: `${path}[]`, fill: (n) => Array.from({ length: n }, (_, i) => wrongItem(i)) }
    for (const { place, fill } of fillings(schema.items, `${path}[]`)) yield { place, fill: (n) => [fill(n)] }
  }
  if (schema.properties || schema.patternProperties) yield { place: `${path} unknown names`, fill: unknownNames }
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    for (const { place, fill } of fillings(property, `${path}/${name}`))
      yield { place, fill: (n) => ({ [name]: fill(n) }) }
  for (const option of schema.anyOf ?? []) yield* fillings(option, path)
}

test('the work to refuse an input is in line with its size, and at most 50 faults are told', async (t) => {
  const { gateway, close } = await openTestGateway()
  t.after(close)
  let places = 0
  for (const operation of gateway.registry.operations) {
    const reader = await compileInput(operation)
    for (const { place, fill } of fillings(await buildSchema(operation.input))) {
      const refuse = (input: unknown) => {
        try {
          reader.read(input as Record<string, unknown>)
        } catch (error) {
          assert(isGatewayError(error), `${operation.id} ${place}: ${String(error)}`)
          const { errors = [] } = error.details
          assert(errors.length <= mostFaults + 1, `${operation.id} ${place}: ${errors.length} faults`)
          if (errors.length > mostFaults) assert.match(errors.at(-1)!.message, /^and \d+ more$/)
        }
      }
      const [small, large] = [fill(1000), fill(4000)]
      refuse(small)
      const few = await countedWork(() => refuse(small))
      const many = await countedWork(() => refuse(large))
      // What does not depend on the size is below a thousand blocks an entry of the smaller one.
      assert(many < 5 * few + 5000, `${operation.id} ${place}: ${few} for 1000 entries, ${many} for 4000`)
      places++
    }
  }
  t.diagnostic(`${places} places`)
})
