/** Several controllers advance together: for a time, for steps, until a condition; refused when one of them cannot. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails } from '../../../test/fails.ts'
import { openNetwork } from '../../../test/network.ts'
import type { Answer } from '../../../test/simulation.ts'

const source = `
DATA_BLOCK "Data"
VAR
  n : Int;
  w : Word;
  wait : Time;
  half : Real;
  list : Array[1..2] of Int;
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  "Data".n := "Data".n + 1;
  "Data".w := INT_TO_WORD("Data".n);
  "Data".wait := DINT_TO_TIME("Data".n * 500);
  "Data".half := INT_TO_REAL("Data".n) / 10.0;
  "Data".list[2] := "Data".n;
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
  // A value is given as for a write, in any form of its type.
  const ends: unknown[] = []
  for (const [tag, value, operator] of [
    ['n', '7', '='],
    ['w', '16#0008', '='],
    ['w', '9', '>='],
    ['wait', 5000, '='],
    ['half', '1.1', '='],
    ['list', [0, 12], '='],
    ['list[2]', '12', '<>'],
  ] as const) {
    const condition = { instance: 'B', tag: `Data.${tag}`, value, operator }
    ends.push((await advance({ instances: ['B'], steps: 2, until: condition })).end, ...(await read('B', 'Data.n')))
  }
  const met = 'condition'
  assert.deepEqual(ends, [met, 7, met, 8, met, 9, met, 10, met, 11, met, 12, met, 13])
  const refusedUntil = (condition: Answer) => advance({ instances: ['B'], until: condition })
  await fails(refusedUntil({ tag: 'Data.n', value: 'six' }), 'unacceptable_content', /"six" is no value of Int/)
  await fails(refusedUntil({ tag: 'Data.wait', value: 'T#1s', operator: '>' }), 'invalid_input', /Time.*not >/)
  await fails(refusedUntil({ tag: 'Data.list', value: [1, 2], operator: '<' }), 'invalid_input', /not </)
  // A dry run says what will be.
  const dry = await advance({ milliseconds: 20, dryRun: true })
  const wet = await advance({ milliseconds: 20 })
  assert.deepEqual(dry, { dryRun: true, result: wet, events: dry.events })
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
