/** Networks with every sign, and with rare connections, as SIMATIC SD: the rungs, or why there are none; read again. */
import { test } from 'node:test'
import { assertRecorded } from '../../../test/recorded.ts'
import type { LogicNetwork } from '../../model/logic-network.ts'
import { networkLines } from '../../testing/network-lines.ts'
import { gates, oddNetworks, signs, titles } from '../../testing/sign-networks.ts'
import { logicLosses } from './compare.ts'
import { readSd } from './read.ts'
import { NotExpressible, writeRungs } from './rung-write.ts'

function told(network: LogicNetwork, language: string): string[] {
  try {
    const lines = writeRungs(network, language, { textId: () => 'MLC_1' })
    const text = `FUNCTION "F" : Void\n    { S7_Language := "${language}" }\n    NETWORK\n${lines.map((line) => `        ${line}\n`).join('')}    END_NETWORK\nEND_FUNCTION\n`
    const { blocks, faults, warnings } = readSd(text, { resources: new Map([['MLC_1', { 'en-US': 'why' }]]) })
    const [read] = blocks
    return [
      ...lines,
      ...faults.map(({ message }) => `! ${message}`),
      ...warnings.map(({ message }) => `? ${message}`),
      ...(read === undefined ? [] : logicLosses(network, read.object.networks[0]?.graph).map((one) => `lost: ${one}`)),
    ]
  } catch (error) {
    if (!(error instanceof NotExpressible)) throw error
    return [`refused: ${error.message}`]
  }
}

test('every sign and title, and what is rare, is written as rungs and read again', () => {
  const networks: Readonly<Record<string, LogicNetwork>> = {
    signs: signs().network(),
    titles: titles().network(),
    gates: gates().network(),
    ...oddNetworks(),
  }
  const lines = Object.entries(networks).flatMap(([name, network]) => {
    const [ladder, diagram] = [told(network, 'LAD'), told(network, 'FBD')]
    const isSame =
      ladder.join('\n').replaceAll(' wire#powerrail', '') === diagram.join('\n').replaceAll(' wire#powerrail', '')
    return [`── ${name}, LAD`, ...ladder, ...(isSame ? ['FBD the same'] : [`── ${name}, FBD`, ...diagram])]
  })
  assertRecorded(import.meta.url, 'networks.txt', `${lines.join('\n')}\n`)
})

/** Rungs of FBD and LAD that lead on, join, negate and call in all ways. */
const rungs: readonly string[] = [
  'RUNG NOT #a\nCoil( #y )\nEND_RUNG',
  'RUNG #a\nEND_RUNG wire#w1\nRUNG NOT wire#w1\nCoil( #y )\nEND_RUNG',
  'RUNG NOT #a\nEND_RUNG wire#w1\nRUNG\nA( in1 := wire#w1, in2 := NOT wire#w1 )\nCoil( #y )\nEND_RUNG',
  'RUNG NOT #a\nEND_RUNG wire#w1\nRUNG #b\nEND_RUNG wire#w1\nRUNG wire#w1\nCoil( #y )\nEND_RUNG',
  'RUNG wire#w1\nEND_RUNG wire#w2\nRUNG wire#w2\nCoil( #y )\nEND_RUNG\nRUNG #a\nEND_RUNG wire#w1',
  'RUNG wire#w1\nEND_RUNG wire#w2\nRUNG wire#w2\nEND_RUNG wire#w1\nRUNG wire#w1\nCoil( #y )\nEND_RUNG',
  'RUNG #a\nNOT Coil( #y )\nEND_RUNG',
  'RUNG\nNOT Coil( #y )\nEND_RUNG',
  'RUNG #a\nLabel( x )\nEND_RUNG',
  'RUNG #a\n5( in := #b )\nEND_RUNG',
  'RUNG #a\n%MW2( in := #b )\nEND_RUNG',
  'RUNG #a\nTON( IN := #b )\nEND_RUNG',
  'RUNG #a\n#t.TON( PT := T#1s )\nCoil( #y )\nEND_RUNG',
  'RUNG #a\n{ S7_MLC := "MLC_1"; S7_GenerateENO := "TRUE" }\nMove( in := #x, out1 => #z )\nEND_RUNG',
  'RUNG #a\n{ DisableENO := "true"; S7_Expression := "in1 + 1" }\nCalculate( in1 := #x, out => #z )\nEND_RUNG',
  'RUNG wire#powerrail\nwire#w1\nContact( #a )\nwire#w2\nCoil( #y )\nEND_RUNG\nRUNG wire#w1\nContact( #b )\nEND_RUNG wire#w2',
  'RUNG wire#powerrail\nContact( #a )\nwire#w1\nwire#w2\nCoil( #y )\nEND_RUNG\nRUNG wire#w2\nCoil( #x )\nEND_RUNG',
]

test('rungs lead on, join and negate as they are written', () => {
  const lines = rungs.flatMap((rung) => {
    const text = `FUNCTION "F" : Void\n{ S7_Language := "FBD" }\nNETWORK\n${rung}\nEND_NETWORK\nEND_FUNCTION\n`
    const { blocks, faults, warnings } = readSd(text, { resources: new Map([['MLC_1', { 'en-US': 'why' }]]) })
    return [
      rung.replaceAll('\n', ' '),
      ...faults.map(({ line, column, message }) => `  ! ${line}:${column} ${message}`),
      ...warnings.map(({ message }) => `  ? ${message}`),
      ...networkLines(blocks[0]?.object.networks[0]?.graph).map((line) => `  ${line}`),
    ]
  })
  assertRecorded(import.meta.url, 'rungs.txt', `${lines.join('\n')}\n`)
})
