/** Assignments whose value nothing reads: on every way behind them the variable is assigned again, or not used. */
import type { FlowEvent, FlowGraph, Step } from './graph.ts'
import { inFlowOrder } from './order.ts'

/** What an event does to variables; `readsAll`: to all that `isShared` names. */
export interface Uses {
  readonly reads: readonly number[]
  readonly writes: readonly number[]
  readonly readsShared: boolean
}

export interface DeadStore {
  readonly variable: number
  readonly event: FlowEvent
  /** The assignment that comes next, where one does and is near. */
  readonly next: FlowEvent | undefined
  /** Nothing branches between the two. */
  readonly isInStep: boolean
}

/** An event with its variables as bits. */
interface Marked {
  readonly event: FlowEvent
  readonly writes: readonly number[]
  readonly written: bigint
  readonly read: bigint
}

/**
 * Finds assignments without effect of the variables `0 … count - 1`.
 * @param isShared whether others read a variable: called blocks, and everything behind the end of the block
 */
export function deadStores(
  graph: FlowGraph,
  count: number,
  usesOf: (event: FlowEvent) => Uses,
  isShared: (variable: number) => boolean,
): DeadStore[] {
  // Against the flow, the ways back of loops apart.
  const order = inFlowOrder(graph).reverse()
  const shared = bitsOf(Array.from({ length: count }, (_, i) => i).filter(isShared))
  const uses = new Map<FlowEvent, Uses>()
  /** Of each step its events that use a variable, the last one first. */
  const marked = new Map<Step, Marked[]>()
  for (const step of order)
    for (const event of step.events) {
      const use = usesOf(event)
      if (use.reads.length + use.writes.length === 0 && !use.readsShared) continue
      uses.set(event, use)
      const read = bitsOf(use.reads) | (use.readsShared ? shared : 0n)
      const one = { event, writes: use.writes, written: bitsOf(use.writes), read }
      const known = marked.get(step)
      if (known) known.push(one)
      else marked.set(step, [one])
    }
  for (const events of marked.values()) events.reverse()
  const before = new Map<Step, bigint>()
  /** Passes over a step from its end; `look` gets what is needed behind each assignment. */
  const through = (step: Step, look?: (one: Marked, needed: bigint) => void): bigint => {
    let needed = step === graph.end ? shared : 0n
    if (step !== graph.end) for (const { to } of step.out) needed |= before.get(to) ?? 0n
    for (const one of marked.get(step) ?? []) {
      if (one.written !== 0n) {
        look?.(one, needed)
        needed &= ~one.written
      }
      needed |= one.read
    }
    return needed
  }
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    for (const step of order) {
      const needed = through(step)
      if (needed === before.get(step)) continue
      before.set(step, needed)
      isChanged = true
    }
  }
  const found: DeadStore[] = []
  for (const step of order) {
    /** The next assignment of each variable in the step: it is passed from its end. */
    const nextIn = new Map<number, FlowEvent>()
    through(step, ({ event, writes, written }, needed) => {
      const own = new Set(writes)
      if ((written & ~needed) !== 0n)
        for (const variable of own)
          if ((needed & (1n << BigInt(variable))) === 0n) {
            const next = nextIn.get(variable)
            found.push({
              variable,
              event,
              next: next ?? nextBehind(step, uses, variable),
              isInStep: next !== undefined,
            })
          }
      for (const variable of own) nextIn.set(variable, event)
    })
  }
  return found.reverse()
}

function bitsOf(variables: readonly number[]): bigint {
  let bits = 0n
  for (const variable of variables) bits |= 1n << BigInt(variable)
  return bits
}

/** Most events that are looked through for the assignment that comes next: it is only for the message. */
const mostEvents = 1000

/** The assignment that the flow comes to next behind a step, if it is near. */
function nextBehind(step: Step, uses: ReadonlyMap<FlowEvent, Uses>, variable: number): FlowEvent | undefined {
  const seen = new Set<Step>(step.out.map(({ to }) => to))
  let looked = 0
  for (const { events, out } of seen) {
    for (const event of events) {
      if (uses.get(event)?.writes.includes(variable)) return event
      if (++looked > mostEvents) return undefined
    }
    for (const { to } of out) seen.add(to)
    if (seen.size > mostEvents) return undefined
  }
  return undefined
}
