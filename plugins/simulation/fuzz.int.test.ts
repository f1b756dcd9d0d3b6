/** Checks that any request to the plugin gets a result or a problem of the table, and never fails the gateway. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compileInput, isGatewayError } from '../../core/index.ts'
import { openWithProgram } from '../../test/simulation.ts'
import simulation from './index.ts'

/** Values that are valid somewhere, and values that are valid nowhere. */
const values = fc.oneof(
  fc.constantFrom<unknown>(
    'PLC_1',
    'plc_1',
    'X1',
    'Data.list[2]',
    '%MW10',
    'Start',
    '%I0.0',
    'Data.motor',
    '16#FF',
    'T#1s',
    '"',
  ),
  fc.constantFrom<unknown>(
    '192.168.0.1',
    '255.255.255.0',
    '10.0.0.1',
    'CPU1515',
    'real',
    'stepped',
    'csv',
    '2026-01-01T00:00:00Z',
  ),
  fc.constantFrom<unknown>(['Start', 'Data.speed'], [{ tag: 'Start', value: true }], [{ name: 'Setpoint', value: 3 }], {
    Start: true,
  }),
  fc.constantFrom<unknown>(
    [{ ipAddress: '10.0.0.1' }],
    [{ name: 'PLC_9', network: [{ ipAddress: '10.0.0.9' }] }],
    null,
    {},
  ),
  fc.integer({ min: -2, max: 40 }),
  fc.double(),
  fc.boolean(),
  fc.string(),
  fc.jsonValue({ maxDepth: 2 }),
)

test('no input makes an operation fail in an unexpected way', async (t) => {
  const { opened } = await openWithProgram(t)
  // Operations that would leave nothing to request.
  const last = ['simulation.delete-instance', 'simulation.power-off', 'simulation.stop']
  const operations = (simulation.operations ?? []).filter(({ id, kind }) => kind !== 'stream' && !last.includes(id))
  await opened.call('simulation.connect', { name: 'PLC_1' })
  const fields = new Map<string, string[]>()
  for (const operation of operations)
    fields.set(operation.id, Object.keys((await compileInput(operation)).schema.properties ?? {}))
  const calls = fc.constantFrom(...operations.map(({ id }) => id)).chain((id) => {
    const names = fields.get(id) ?? []
    const input =
      names.length === 0 ? fc.constant({}) : fc.dictionary(fc.constantFrom(...names), values, { maxKeys: 3 })
    return fc.tuple(fc.constant(id), input, fc.boolean())
  })
  const codes = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(calls, async ([id, input, isNamed]) => {
      // Another program may use a randomly chosen port.
      if (id.endsWith('runtime-port') || id.endsWith('configure-runtime') || 'communicationPort' in input) return
      const named = isNamed && fields.get(id)?.includes('name') ? { name: 'PLC_1', ...input } : input
      try {
        await opened.call(id, named)
        codes.set('ok', (codes.get('ok') ?? 0) + 1)
      } catch (error) {
        assert(isGatewayError(error), `${id} ${JSON.stringify(named)}: ${String(error)}`)
        assert.notEqual(error.code, 'internal_error', `${id} ${JSON.stringify(named)}: ${String(error.cause)}`)
        codes.set(error.code, (codes.get(error.code) ?? 0) + 1)
      }
    }),
    { numRuns: Number(process.env.GANTRY_RUNS ?? 400) },
  )
  t.diagnostic(JSON.stringify(Object.fromEntries(codes)))
  // The gateway still works.
  const { total } = await opened.call<{ total: number }>('simulation.list-instances')
  assert(total >= 0)
})
