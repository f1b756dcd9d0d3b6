/** Boxes that select by a number. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { instructionNetwork, networkDiagnostics, runNetworks } from '../../../testing/lower-ladder.ts'

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

describe('the type of the values of LIMIT and SEL', () => {
  const typed = { go: 'Bool', a: 'Int', d: 'DInt', w: 'Word', s: 'SInt', r: 'Real' }
  const boxes = {
    LIMIT: (value: string) => ({ MN: value, IN: value, MX: value }),
    SEL: (value: string) => ({ G: '#go', IN0: value, IN1: value }),
  }
  const network = (name: keyof typeof boxes, value_type: string, value: string, out: string) =>
    instructionNetwork([{ name, types: { value_type }, in: { en: 'RAIL', ...boxes[name](value) }, out: { OUT: out } }])

  for (const name of ['LIMIT', 'SEL'] as const)
    it(`${name}: values are taken in the type of the box`, () => {
      const told = (value_type: string, value: string, out: string) =>
        networkDiagnostics(typed, [network(name, value_type, value, out)]).map(({ code }) => code)
      const values = name === 'LIMIT' ? 3 : 2
      assert.deepEqual(told('Int', '#a', '#a'), [])
      assert.deepEqual(told('DInt', '#a', '#d'), [])
      assert.deepEqual(told('Real', '#d', '#r'), [])
      assert.deepEqual(told('SInt', '#a', '#a'), Array(values).fill('lossy-conversion'))
      assert.deepEqual(told('Int', '#r', '#a'), Array(values).fill('lossy-conversion'))
      assert.deepEqual(told('Real', '#w', '#r'), Array(values).fill('type-mismatch'))
      // 300 as SInt is 44.
      const run = runNetworks(typed, [network(name, 'SInt', '#a', '#d')])
      run.set('a', 300)
      run.scan()
      assert.equal(run.get('d'), 44)
    })
})
