/** Rule `recursive-call`: a block calls itself, directly or through others. */
import type { Diagnostic, Program } from '../../../program/program.ts'
import type { BlockFacts, FactCall } from './block-facts.ts'

/**
 * Returns a warning for each block of a cycle, with the shortest path that leads back to it.
 * @param facts by the name of the block in lower case
 */
export function recursiveCalls(program: Program, facts: ReadonlyMap<string, BlockFacts>): Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const nameOf = (key: string) => `"${program.blocks.get(key)?.name ?? key}"`
  const left = withoutEnds(facts)
  for (const key of left) {
    const way = wayBack(key, facts, left)
    const [call] = way ?? []
    if (!way || !call) continue
    const { block: _block, ...place } = call
    const names = way.map(({ block }) => nameOf(block.toLowerCase()))
    diagnostics.push({
      code: 'recursive-call',
      severity: 'warning',
      object: program.blocks.get(key)?.name ?? key,
      ...place,
      message:
        names.length === 1
          ? `${nameOf(key)} calls itself.`
          : `${nameOf(key)} calls itself: ${[nameOf(key), ...names].join(' > ')}.`,
      hint: 'Make sure that the calls end: the depth of calls is limited. A loop needs no depth.',
    })
  }
  return diagnostics
}

/**
 * Blocks that can be in a cycle: blocks without calls and blocks without callers are removed repeatedly until there are
 * none.
 */
function withoutEnds(facts: ReadonlyMap<string, BlockFacts>): Set<string> {
  const callees = new Map<string, string[]>()
  const callers = new Map<string, string[]>([...facts.keys()].map((key) => [key, []]))
  for (const [key, { calls }] of facts) {
    const known = calls.map(({ block }) => block.toLowerCase()).filter((block) => facts.has(block))
    callees.set(key, known)
    for (const block of known) callers.get(block)?.push(key)
  }
  const left = new Set(facts.keys())
  const trim = (out: ReadonlyMap<string, readonly string[]>, back: ReadonlyMap<string, readonly string[]>) => {
    const count = new Map([...left].map((key) => [key, (out.get(key) ?? []).filter((one) => left.has(one)).length]))
    const ends = [...left].filter((key) => count.get(key) === 0)
    for (let key = ends.pop(); key !== undefined; key = ends.pop()) {
      left.delete(key)
      for (const other of back.get(key) ?? []) {
        const rest = (count.get(other) ?? 0) - 1
        count.set(other, rest)
        if (rest === 0) ends.push(other)
      }
    }
  }
  trim(callees, callers)
  trim(callers, callees)
  return left
}

/** The shortest chain of calls from a block back to it. */
function wayBack(
  start: string,
  facts: ReadonlyMap<string, BlockFacts>,
  left: ReadonlySet<string>,
): FactCall[] | undefined {
  /** For each reached block, the call that reached it and the calling block. */
  const reached = new Map<string, { readonly from: string; readonly call: FactCall }>()
  const queue = [start]
  for (const from of queue)
    for (const call of facts.get(from)?.calls ?? []) {
      const key = call.block.toLowerCase()
      if (!left.has(key) || reached.has(key)) continue
      reached.set(key, { from, call })
      if (key !== start) {
        queue.push(key)
        continue
      }
      const way: FactCall[] = []
      for (
        let step = reached.get(start);
        step !== undefined;
        step = step.from === start ? undefined : reached.get(step.from)
      )
        way.unshift(step.call)
      return way
    }
  return undefined
}
