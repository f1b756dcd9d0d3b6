/** Networks with every sign, and with rare connections, as SIMATIC SD: the rungs, or why there are none; read again. */
import { test } from 'node:test'
import { assertRecorded } from '../../../test/recorded.ts'
import type { LogicNetwork } from '../../model/logic-network.ts'
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
