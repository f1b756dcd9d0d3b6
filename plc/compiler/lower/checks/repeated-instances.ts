/**
 * Rule `instance-called-twice`: two calls of one instance both run in one pass through the block. The branches of one
 * IF or CASE exclude each other, and so may the conditions of two of them: these are not meant.
 */
import type { BlockContext } from '../block-context.ts'
import { placeText } from './block-facts.ts'
import type { Branch, InstanceCall } from './watch.ts'

/** Reports each call of an instance that an earlier one precedes. */
export function checkRepeatedInstances(context: BlockContext): void {
  if (context.watch.hasJumps) return
  const byInstance = new Map<string, InstanceCall[]>()
  for (const call of context.watch.calls) {
    const key = call.instance.toLowerCase()
    const list = byInstance.get(key)
    if (list) list.push(call)
    else byInstance.set(key, [call])
  }
  for (const calls of byInstance.values()) {
    // Only the nearest calls are compared: each of a long row of calls is reported once.
    for (const [i, call] of calls.entries()) {
      const before = calls[i - 1]
      if (before === undefined || !runTogether(before.branch, call.branch)) continue
      const { instance, instruction, at } = call
      context.diagnostics.push({
        code: 'instance-called-twice',
        severity: instruction === undefined ? 'information' : 'warning',
        object: context.block.name,
        ...at,
        message: `${instance} is called here and in ${placeText(before.at)}, both in one cycle.`,
        hint:
          instruction === undefined
            ? 'Both calls work on the same data. Give each an instance of its own, unless that is meant.'
            : `A ${instruction} is called once in a cycle: give each call an instance of its own.`,
      })
    }
  }
}

/** Whether one of the branches is around the other, and nothing in the inner one leaves it. */
function runTogether(one: Branch, other: Branch): boolean {
  return isInside(one, other) || isInside(other, one)
}

function isInside(inner: Branch, outer: Branch): boolean {
  for (let at: Branch | undefined = inner; at !== undefined; at = at.parent) {
    if (at === outer) return true
    if (at.leaves) return false
  }
  return false
}
