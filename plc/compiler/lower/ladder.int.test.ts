import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { publicDir, publicFolders } from '../../../test/corpus.ts'
import { fixtureObjects, objectsIn, type RealObject } from '../../../test/corpus-objects.ts'
import { linkProgram } from '../../program/link-program.ts'
import { compileBlock } from '../codegen/function.ts'
import { lowerBlock } from './lower-block.ts'

interface Outcome {
  networks: number
  readonly blocks: { readonly name: string; readonly isLowered: boolean }[]
  /** Diagnostics by code. */
  readonly codes: Map<string, number>
}

/** Lowers the LAD and FBD networks of all blocks of one program; those without errors are generated too. */
function lowerAll(objects: readonly RealObject[]): Outcome {
  const program = linkProgram(
    objects.map(({ object }) => ({ object })),
    [],
  )
  const outcome: Outcome = { networks: 0, blocks: [], codes: new Map() }
  for (const block of program.blocks.values()) {
    const networks = block.networks.filter(({ graph }) => graph !== undefined)
    if (networks.length === 0) continue
    outcome.networks += networks.length
    const { code, diagnostics } = lowerBlock(program, { ...block, networks })
    if (code) compileBlock(code)
    outcome.blocks.push({ name: block.name, isLowered: code !== undefined })
    for (const one of diagnostics) {
      // A diagnostic about the interface may have no node.
      const graph = networks.find(({ number }) => number === one.network)?.graph
      assert.ok(graph ?? one.member, `${one.code} without a network, or in another one`)
      outcome.codes.set(one.code, (outcome.codes.get(one.code) ?? 0) + 1)
    }
    assert.equal(
      code === undefined,
      diagnostics.some(({ severity }) => severity === 'error'),
    )
  }
  return outcome
}

function show(name: string, { networks, blocks, codes }: Outcome): string {
  const lowered = blocks.filter(({ isLowered }) => isLowered).length
  const list = [...codes].sort((a, b) => b[1] - a[1]).map(([code, count]) => `${code} ${count}`)
  return `${name}: ${networks} networks, ${lowered} of ${blocks.length} blocks; ${list.join(', ')}`
}

test('every LAD and FBD network of the fixtures is lowered or has a diagnostic', async (t) => {
  const outcome = lowerAll(await fixtureObjects())
  assert.ok(outcome.networks > 0)
  t.diagnostic(show('fixtures', outcome))
})

test('every LAD and FBD network of the corpus is lowered or has a diagnostic', async (t) => {
  let networks = 0
  for (const folder of publicFolders) {
    const outcome = lowerAll(await objectsIn(path.join(publicDir, folder)))
    networks += outcome.networks
    if (outcome.networks > 0) t.diagnostic(show(folder, outcome))
    // Real programs contain no errors: the remaining diagnostics are about missing objects, or unsupported
    // instructions.
    for (const code of outcome.codes.keys()) assert.ok(explained.has(code), `${folder}: ${code}`)
  }
  assert.ok(networks > 300, `${networks} networks`)
})

/** Codes for objects missing around the blocks of the corpus, unsupported instructions, and warnings. */
const explained: ReadonlySet<string> = new Set([
  'undeclared',
  'unknown-member',
  'unknown-part',
  'lossy-conversion',
  'unsupported-operand',
  'unused-temporary',
  'uninitialised-temporary',
  'temporary-partly-assigned',
  'result-partly-assigned',
  'dead-store',
  'narrow-product',
  // A block that calls one timer in two networks.
  'instance-called-twice',
])
