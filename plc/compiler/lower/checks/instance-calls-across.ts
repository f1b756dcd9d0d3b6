/**
 * Rule `instance-called-twice` over the program: two blocks that both run in a cycle call the same instance, which lies
 * in a data block. Calls under a condition are not meant, nor blocks of the startup and blocks that no organization
 * block reaches.
 */
import { defined } from '../../../../lib/optional.ts'
import type { Diagnostic, Program } from '../../../program/program.ts'
import type { BlockContext } from '../block-context.ts'
import { type BlockFacts, type FactInstanceCall, placeText } from './block-facts.ts'
import { runningBlocks } from './running-blocks.ts'

/** The instances in data blocks that a block calls whenever it runs, each once. Call it after lowering the block. */
export function factInstanceCalls(context: BlockContext): FactInstanceCall[] {
  const { calls, hasJumps } = context.watch
  if (hasJumps) return []
  const found = new Map<string, FactInstanceCall>()
  for (const { instance, instruction, branch, at } of calls) {
    const key = instance.toLowerCase()
    if (!instance.startsWith('"') || branch.parent !== undefined || branch.leaves || found.has(key)) continue
    const { network, line, column, uId } = at
    found.set(key, {
      instance,
      network,
      ...defined({ instruction, line, column, uId }),
    })
  }
  return [...found.values()]
}

/** Returns a diagnostic for each instance that a block before calls too. */
export function instancesAcrossBlocks(program: Program, facts: ReadonlyMap<string, BlockFacts>): Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const before = new Map<string, { readonly block: string; readonly call: FactInstanceCall }>()
  const running = runningBlocks(program, facts)
  for (const [key, { instances = [] }] of facts) {
    if (instances.length === 0 || !running.has(key)) continue
    const block = program.blocks.get(key)?.name ?? key
    for (const call of instances) {
      const { instance, instruction, ...place } = call
      const other = before.get(instance.toLowerCase())
      if (other === undefined) {
        before.set(instance.toLowerCase(), { block, call })
        continue
      }
      diagnostics.push({
        code: 'instance-called-twice',
        severity: instruction === undefined ? 'information' : 'warning',
        object: block,
        ...place,
        message: `${instance} is called here and in "${other.block}" (${placeText(other.call)}), both in one cycle.`,
        hint:
          instruction === undefined
            ? 'Both calls work on the same data. Give each an instance of its own, unless that is meant.'
            : `A ${instruction} is called once in a cycle: give each call an instance of its own.`,
      })
    }
  }
  return diagnostics
}
