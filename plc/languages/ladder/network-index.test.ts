import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instructionNetwork, networkDiagnostics, runNetworks } from '../../testing/lower-ladder.ts'
import { networkExpression } from './expression.ts'

test('pins in another case than TIA Portal writes are the same pins: in texts, and when the program runs', () => {
  const members = { a: 'Bool', b: 'Bool', q: 'Bool', x: 'Int', y: 'Int' }
  const network = instructionNetwork([
    { name: 'Contact', in: { IN: 'RAIL', Operand: '#a' }, negated: ['OPERAND'] },
    { name: 'Coil', in: { In: '0.OUT', operand: '#q' } },
    { name: 'Add', card: 2, types: { SrcType: 'Int' }, in: { EN: 'RAIL', IN1: '#x', In2: '2' }, out: { OUT: '#y' } },
  ])
  assert.deepEqual(networkDiagnostics(members, [network]), [])
  assert.deepEqual(networkExpression(network, { language: 'LAD' }).statements, ['#q := NOT #a;', '#y := #x + 2;'])
  const run = runNetworks(members, [network])
  run.set('x', 5)
  run.scan()
  assert.deepEqual([run.get('q'), run.get('y')], [true, 7])
})
