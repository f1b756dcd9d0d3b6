/** Several controllers advance together: for a time, for steps, until a condition; refused when one of them cannot. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails } from '../../test/fails.ts'
import { openNetwork } from '../../test/network.ts'
import type { Answer } from '../../test/simulation.ts'

const source = `
DATA_BLOCK "Data"
VAR
  n : Int;
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  "Data".n := "Data".n + 1;
  IF "Data".n = 40 THEN STP(); END_IF;
END_ORGANIZATION_BLOCK
`

test('controllers with different cycles advance by the smallest one, to the same virtual time', async (t) => {
  const { call, read } = await openNetwork(t, {
    A: { ipAddress: '192.168.10.1', source, config: { time: { mode: 'stepped', cycleTimeMs: 2 } } },
    B: { ipAddress: '192.168.10.2', source, config: { time: { mode: 'stepped', cycleTimeMs: 5 } } },
  })
  const advance = (input: Answer) => call<Answer>('simulation.advance-together', input)
  const { steps, stepMs, end, instances } = await advance({ milliseconds: 20 })
  assert.deepEqual([steps, stepMs, end], [10, 2, 'steps'])
  assert.deepEqual(
    instances.map(({ name, cycles }: Answer) => [name, cycles]),
    [
      ['A', 10],
      ['B', 4],
    ],
  )
  const until = { instance: 'b', tag: 'Data.n', operator: '>=', value: 6 }
  assert.equal((await advance({ instances: ['B', 'A'], until })).end, 'condition')
  assert.deepEqual(await read('B', 'Data.n'), [6])
  // A program that goes to STOP ends the advance of all.
  const stopped = await advance({ milliseconds: 1000 })
  assert.deepEqual([stopped.end, stopped.instances.map(({ state }: Answer) => state)], ['state', ['Stop', 'Run']])
  await fails(advance({ instances: ['A', 'B'], steps: 1 }), 'invalid_operating_state', /"A".*must be in Run/)
  await fails(advance({ instances: ['B', 'B'], steps: 1 }), 'invalid_input', /listed twice/)
  await fails(advance({ instances: ['B'] }), 'invalid_input', /give milliseconds, steps or until/)
  await fails(advance({ instances: ['B'], until: { tag: 'Data.m', value: 1 } }), 'not_found', /Data\.n/)
  await call('simulation.set-time', { name: 'B', mode: 'real' })
  await fails(advance({ instances: ['B'], steps: 1 }), 'conflict', /real time/)
})
