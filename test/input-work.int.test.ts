/** Refusing an input takes work in line with its size, for every list that an operation takes. */
// In a process of its own: it counts the work of the process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isGatewayError, mostFaults } from '../core/contract/problems.ts'
import { buildSchema, type PlainSchema } from '../core/contract/schema.ts'
import { compileInput, type InputReader } from '../core/input/validation.ts'
import { openTestGateway } from '../core/testing/index.ts'
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

/** A place of an operation's input. */
interface Place {
  readonly name: string
  readonly fill: Fill
  readonly reader: InputReader
}

/** Reads an input that is refused or taken, with at most so many faults. */
function refuse({ name, reader }: Place, input: unknown): void {
  try {
    reader.read(input as Record<string, unknown>)
  } catch (error) {
    assert(isGatewayError(error), `${name}: ${String(error)}`)
    const { errors = [] } = error.details
    assert(errors.length <= mostFaults + 1, `${name}: ${errors.length} faults`)
    if (errors.length > mostFaults) assert.match(errors.at(-1)!.message, /^and \d+ more$/, name)
  }
}

/** Runs with 250 and with 1000 entries at each place; tells the counts when the work grows faster than the entries. */
async function excess(places: readonly Place[]): Promise<string | undefined> {
  const run = (size: number) => {
    const inputs = places.map(({ fill }) => fill(size))
    return () => {
      for (const [i, place] of places.entries()) refuse(place, inputs[i])
    }
  }
  run(250)()
  const [few = 0, many = 0] = await countedWork(run(250), run(1000))
  // Four times as much, and something for sorting. A pair of loops over the entries of one place alone is above that.
  return many < 4.5 * few + 1000 ? undefined : `${few} for 250 entries, ${many} for 1000`
}

test('the work to refuse an input is in line with its size, and at most 50 faults are told', async (t) => {
  const { gateway, close } = await openTestGateway()
  t.after(close)
  const places: Place[] = []
  for (const operation of gateway.registry.operations) {
    const reader = await compileInput(operation)
    for (const { place, fill } of fillings(await buildSchema(operation.input)))
      places.push({ name: `${operation.id} ${place}`, fill, reader })
  }
  // Counting costs more than refusing, so ten places are counted together, and alone only when they are too much.
  for (let i = 0; i < places.length; i += 10) {
    const together = places.slice(i, i + 10)
    if (!(await excess(together))) continue
    for (const place of together) assert.equal(await excess([place]), undefined, place.name)
    assert.fail(`together: ${together.map(({ name }) => name)}`)
  }
  t.diagnostic(`${places.length} places`)
})
