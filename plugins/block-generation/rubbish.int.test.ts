/** Rubbish in specifications and designs is refused with a clear problem, or taken; it never breaks anything. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isGatewayError } from '../../core/contract/problems.ts'
import { openPlant } from '../../test/plant.ts'
import { designExample } from './design/schema.ts'
import { examples } from './schema.ts'

// biome-ignore lint/suspicious/noExplicitAny: any value of JSON
type Json = any

const rubbish = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    -1,
    0,
    1e300,
    '',
    ' ',
    '"',
    '%I0.0',
    '#',
    ':=',
    'END_IF',
    '\u0000',
    '\uD800',
    'ä"b',
    '//',
    '(*',
  ),
  fc.constantFrom<Json>('TRUE', 'x'.repeat(5000), 'T#9s', '(((((', '#a.b.c', 'Array[0..1] of Struct', '"".x', [], {}, [
    [],
  ]),
  fc.string({ maxLength: 12 }),
  fc.jsonValue({ maxDepth: 2 }),
)

/** All places of a value, as paths. */
function places(value: Json, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (value === null || typeof value !== 'object') return [path]
  return [path, ...Object.entries(value).flatMap(([key, one]) => places(one, [...path, key]))].filter(
    (one) => one.length > 0,
  )
}

function replaced(value: Json, path: readonly (string | number)[], by: Json): Json {
  const copy = structuredClone(value)
  const last = path.at(-1)!
  let at = copy
  for (const step of path.slice(0, -1)) at = at[step]
  at[last] = by
  return copy
}

const changed = (original: Json) =>
  fc.array(fc.tuple(fc.nat(), rubbish), { minLength: 1, maxLength: 2 }).map((edits) =>
    edits.reduce((value, [at, by]) => {
      const all = places(value)
      return all.length === 0 ? value : replaced(value, all[at % all.length]!, by)
    }, original),
  )

test('rubbish is refused with a problem of the client, or taken', async (t) => {
  const at = await openPlant(t)
  const codes = new Set<string>()
  const attempt = async (id: string, input: Json) => {
    try {
      await at.call(`block-generation.${id}`, input)
      codes.add('taken')
    } catch (error) {
      if (!isGatewayError(error)) throw error
      codes.add(error.code)
      assert.ok(
        ['invalid_input', 'unacceptable_content', 'conflict'].includes(error.code),
        `${error.code}: ${error.message} ${error.stack} ${JSON.stringify(error.cause)}`,
      )
      assert.ok(error.message.length > 0)
    }
  }
  const specifications = fc.constantFrom(...Object.values(examples)).chain((one) => changed(one))
  await fc.assert(
    fc.asyncProperty(specifications, (specification) => attempt('generate-only', { specification })),
    { numRuns: 400 },
  )
  await fc.assert(
    fc.asyncProperty(changed(designExample), (design) =>
      attempt('generate-from-design', { deviceName: 'PLC_1', design, dryRun: true }),
    ),
    { numRuns: 150 },
  )
  assert.deepEqual([...codes].sort().slice(0, 2), ['invalid_input', 'taken'])
  const { total } = await at.call<{ total: number }>('blocks.list', { deviceName: 'PLC_1' })
  assert.equal(total, 0)
})
