/**
 * Rules about timers (docs/plc-semantics.md#timers): `timer-in-loop` for one that a loop calls several times in a
 * cycle,
 * `timer-not-always-called` for one that some way through the block leaves out.
 */
import { assignmentFindings } from '../../../flow/assignment.ts'
import type { FlowEvent, FlowGraph } from '../../../flow/graph.ts'
import type { SourceSite } from '../../../ir/ir.ts'
import type { BlockContext } from '../block-context.ts'
import { wayText } from './path-assignments.ts'
import type { TimerCall } from './watch.ts'

/** Reports each timer once for each rule. Call it after lowering the whole block. */
export function checkTimerCalls(context: BlockContext, graph: FlowGraph): void {
  const { watch, sites, block } = context
  if (watch.timers.length === 0) return
  const byPlace = new Map(watch.timers.map((call) => [placeOf(call.at), call]))
  const numbers = new Map<string, number>()
  const first: TimerCall[] = []
  const called = new Map<FlowEvent, number>()
  const looping = new Set<number>()
  for (const { events, loops } of graph.steps)
    for (const event of events) {
      const { node } = event
      if (node.kind !== 'call') continue
      const site = sites[node.site]
      const call = site && byPlace.get(placeOf(site))
      if (call === undefined) continue
      const key = call.instance.toLowerCase()
      const number = numbers.get(key) ?? first.push(call) - 1
      numbers.set(key, number)
      called.set(event, number)
      if (loops.length === 0 || looping.has(number)) continue
      looping.add(number)
      context.diagnostics.push({
        code: 'timer-in-loop',
        severity: 'warning',
        object: block.name,
        ...call.at,
        message: `${call.instance} is called in a loop: each round works on the same ${call.instruction}.`,
        hint: 'Use an array of timers with the run variable as its index, or call it behind the loop.',
      })
    }
  const { open } = assignmentFindings(
    graph,
    first.length,
    (event) => {
      const variable = called.get(event)
      return variable === undefined ? [] : [{ variable, access: 'write' }]
    },
    new Set(first.keys()),
  )
  for (const { variable, missing } of open) {
    const { instance, instruction, at } = first[variable]!
    if (looping.has(variable)) continue
    context.diagnostics.push({
      code: 'timer-not-always-called',
      severity: 'information',
      object: block.name,
      ...at,
      message: `${instance} is not called ${wayText(context, missing)}: then its outputs stay as they are.`,
      hint: `Call the ${instruction} in every cycle, and put the condition at IN.`,
    })
  }
}

function placeOf({ network, line, column, uId }: SourceSite): string {
  return `${network} ${line ?? ''} ${column ?? ''} ${uId ?? ''}`
}
