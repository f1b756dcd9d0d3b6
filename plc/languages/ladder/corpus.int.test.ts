/** Converts every LAD and FBD network of the corpus to text, and the text back to the same network. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { publicDir } from '../../../test/corpus.ts'
import { importFile } from '../../formats/import.ts'
import type { LogicNetwork } from '../../model/logic-network.ts'
import type { Network } from '../../model/object.ts'
import type { Operand } from '../../model/operand.ts'
import { canonicalNetwork } from './canonical.ts'
import { compileExpression } from './compile-expression.ts'
import { networkExpression } from './expression.ts'
import type { CallableBlock, ProgramNames } from './program-names.ts'

interface Found {
  readonly file: string
  readonly language: 'LAD' | 'FBD'
  readonly graph: LogicNetwork
}

function* logicNetworksOf(network: Network): Generator<{ language: string; graph?: LogicNetwork }> {
  yield network
  const { chart } = network
  if (chart === undefined) return
  yield* [...chart.before, ...chart.after]
  for (const { transitions, steps } of chart.sequences) {
    yield* transitions
    for (const { supervision, interlock } of steps) for (const one of [supervision, interlock]) if (one) yield one
  }
}

async function findNetworks(): Promise<Found[]> {
  const found: Found[] = []
  for (const entry of readdirSync(publicDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.xml')) continue
    const file = path.join(entry.parentPath, entry.name)
    const { objects } = await importFile(readFileSync(file))
    for (const { networks } of objects)
      for (const network of networks)
        for (const { language, graph } of logicNetworksOf(network))
          if (graph !== undefined && (language === 'LAD' || language === 'FBD'))
            found.push({ file: path.relative(publicDir, file), language, graph })
  }
  return found
}

/** What a text cannot contain and the program would know: constants, and the interfaces of called blocks. */
function namesOf({ nodes }: LogicNetwork): ProgramNames {
  const constants = new Set<string>()
  const visit = (operand: Operand): void => {
    if (operand.kind === 'constant') constants.add(`${operand.scope === 'LocalConstant'} ${operand.name}`)
    if (operand.kind === 'symbol') for (const { indices } of operand.path) indices?.forEach(visit)
  }
  const blocks = new Map<string, CallableBlock>()
  for (const node of nodes) {
    if (node.kind === 'operand') visit(node.operand)
    if (node.kind === 'call')
      blocks.set(node.name, { name: node.name, blockType: node.blockType as 'FB' | 'FC', parameters: node.parameters })
  }
  return { isConstant: (name, isLocal) => constants.has(`${isLocal} ${name}`), block: (name) => blocks.get(name) }
}

/** The network without what no text shows: comments, numbers of called blocks, uninterpreted parts. */
function bare(graph: LogicNetwork): LogicNetwork {
  const nodes = graph.nodes.map((node) => {
    if (node.kind === 'operand') return node
    const { comment: _comment, kept: _kept, ...rest } = node
    if (rest.kind === 'part') return rest
    const { blockNumber: _number, ...call } = rest
    return call
  })
  return { ...graph, nodes }
}

test('every network of the corpus is shown whole, and its text is the same network', async (t) => {
  const found = await findNetworks()
  let named = 0
  for (const { file, language, graph } of found) {
    const readable = networkExpression(graph, { language })
    assert.ok(readable.isComplete, `${file}: ${readable.statements.join('\n')}`)
    if (readable.statements.some((statement) => statement.includes('wire#'))) named++
    const text = networkExpression(graph, { language, detail: 'exact' }).statements
    const again = compileExpression(text.join('\n'), { language, names: namesOf(graph) })
    assert.deepEqual(canonicalNetwork(again), canonicalNetwork(bare(graph)), `${file}:\n${text.join('\n')}`)
  }
  assert.ok(found.length > 0)
  t.diagnostic(`${found.length} networks, all of them whole; ${named} need named wires`)
})
