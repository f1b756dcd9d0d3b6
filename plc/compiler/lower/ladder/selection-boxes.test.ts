/** Boxes that select by a number. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { instructionNetwork, runNetworks } from '../../../testing/lower-ladder.ts'

const members = { go: 'Bool', ok: 'Bool', k: 'Int', a: 'Int', b: 'Int', other: 'Int', x: 'Int', y: 'Int', z: 'Int' }

describe('Mux', () => {
  for (const name of ['Mux', 'MUX'])
    for (const [k, seen] of [
      [0, [7, true]],
      [1, [8, true]],
      [2, [9, false]],
      [-1, [9, false]],
    ] as const)
      it(`${name} ${k}`, () => {
        const run = runNetworks(members, [
          instructionNetwork([
            {
              name,
              card: 2,
              types: { value_type: 'Int' },
              in: { en: 'RAIL', K: '#k', IN0: '#a', IN1: '#b', INELSE: '#other' },
              out: { OUT: '#x' },
            },
            { name: 'Coil', in: { in: '0.eno', operand: '#ok' } },
          ]),
        ])
        for (const [member, value] of Object.entries({ k, a: 7, b: 8, other: 9 })) run.set(member, value)
        run.scan()
        assert.deepEqual([run.get('x'), run.get('ok')], seen)
      })
})

describe('Demux', () => {
  for (const [k, seen] of [
    [0, [7, 0, 0, true]],
    [1, [0, 7, 0, true]],
    [5, [0, 0, 7, false]],
  ] as const)
    it(`${k}`, () => {
      const run = runNetworks(members, [
        instructionNetwork([
          {
            name: 'DEMUX',
            card: 2,
            types: { value_type: 'Int' },
            in: { en: 'RAIL', K: '#k', IN: '#a' },
            out: { OUT0: '#x', OUT1: '#y', OUTELSE: '#z' },
          },
          { name: 'Coil', in: { in: '0.eno', operand: '#ok' } },
        ]),
      ])
      run.set('k', k)
      run.set('a', 7)
      run.scan()
      assert.deepEqual(
        ['x', 'y', 'z', 'ok'].map((name) => run.get(name)),
        seen,
      )
    })
})
