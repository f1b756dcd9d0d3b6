import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLogicNetwork } from '../formats/simaticml/flgnet-read.ts'
import { parseXml, XmlFaults } from '../formats/simaticml/xml.ts'
import type { LogicNetwork } from '../model/logic-network.ts'
import { expressionNetwork, networkDiagnostics } from '../testing/lower-ladder.ts'
import { diagnosticCodes } from './codes.ts'
import { ladderCodes } from './ladder-codes.ts'

const members = { a: 'Bool', b: 'Bool', q: 'Bool', x: 'Int', y: 'Int', d: 'DInt' }

function networkOf(example: string, language: 'LAD' | 'FBD'): LogicNetwork {
  if (!example.startsWith('<')) return expressionNetwork(members, example, language)
  const faults = new XmlFaults(example)
  const network = readLogicNetwork(parseXml(example), faults)
  assert.deepEqual(faults.faults, [])
  return network
}

for (const language of ['LAD', 'FBD'] as const)
  for (const [code, { fails, passes, severity }] of Object.entries(ladderCodes))
    test(`${code} has an example in ${language} that fails with it alone and one that passes`, () => {
      const told = networkDiagnostics(members, [networkOf(fails, language)])
      assert.deepEqual(
        told.map((one) => [one.code, one.severity]),
        [[code, severity]],
      )
      assert.deepEqual(networkDiagnostics(members, [networkOf(passes, language)]), [])
      assert.ok(diagnosticCodes.has(code))
    })
