/**
 * Rules over the ways through a block: `uninitialised-temporary` where no way to a read assigns the temporary,
 * `temporary-partly-assigned` where some way does not, and `result-partly-assigned` for the value and the outputs of a
 * function (outputs of a function block keep their value).
 */
import { assignmentFindings, type Effect } from '../../../flow/assignment.ts'
import type { FlowEvent, FlowGraph, Outcome } from '../../../flow/graph.ts'
import type { Expression, Place } from '../../../ir/ir.ts'
import type { BlockContext } from '../block-context.ts'
import { placeText } from './block-facts.ts'
import { resultsOf } from './unassigned-results.ts'
import type { NotedPlace } from './watch.ts'

interface Followed {
  readonly name: string
  readonly isResult: boolean
}

/**
 * Reports each temporary once, at the place where the block reads it, and each result at the branch that leaves it out.
 * Call it after lowering the whole block.
 */
export function checkPathAssignments(context: BlockContext, graph: FlowGraph): void {
  const { watch } = context
  const variables = new Variables(context)
  if (variables.followed.length === 0) return
  const results = new Set(variables.followed.flatMap(({ isResult }, i) => (isResult ? [i] : [])))
  const found = assignmentFindings(graph, variables.followed.length, (event) => variables.effectsOf(event), results)
  for (const { variable, event, isNever, missing } of found.earlyReads) {
    const { name } = variables.followed[variable]!
    const noted = watch.places.get(event.node)
    const text = noted?.text ?? `#${name}`
    if (isNever)
      report(context, 'uninitialised-temporary', name, noted, `${text} is read before anything was assigned to it.`)
    else
      report(
        context,
        'temporary-partly-assigned',
        name,
        noted,
        `${text} is read here, but not assigned ${wayText(context, missing)}.`,
      )
  }
  const isAssigned = variables.assignedIn(graph.steps.flatMap(({ events }) => events))
  for (const { variable, missing } of found.open) {
    const { name } = variables.followed[variable]!
    // What is assigned nowhere is another rule's.
    if (!isAssigned.has(variable)) continue
    const isValue = name.toLowerCase() === context.block.name.toLowerCase()
    report(
      context,
      'result-partly-assigned',
      isValue ? 'Ret_Val' : name,
      missing && watch.places.get(missing.of),
      `${isValue ? `The value of the function "${name}"` : `Output #${name}`} is not assigned ${wayText(context, missing)}.`,
    )
  }
}

const hints = {
  'uninitialised-temporary': 'Temporaries hold no defined value at the beginning of a call: assign one first.',
  'temporary-partly-assigned':
    'Temporaries hold no defined value at the beginning of a call: assign it on every way, or give it a value first.',
  'result-partly-assigned': 'A function keeps no values: assign it on every way, or give it a value at the beginning.',
} as const

function report(
  context: BlockContext,
  code: keyof typeof hints,
  member: string,
  noted: NotedPlace | undefined,
  message: string,
): void {
  if (noted === undefined) context.reportMember(code, member, message, hints[code], 'warning')
  else
    context.diagnostics.push({
      code,
      severity: 'warning',
      object: context.block.name,
      member,
      ...noted.at,
      message,
      hint: hints[code],
    })
}

/** The way that leads past the assignment, in words. */
export function wayText({ watch }: BlockContext, outcome: Outcome | undefined): string {
  const noted = outcome && watch.places.get(outcome.of)
  if (outcome === undefined || noted === undefined) return 'on every way to it'
  const { text, at } = noted
  const place = at.line === undefined ? `network ${at.network}` : placeText(at)
  if ('isTrue' in outcome) return `when the condition of ${text} in ${place} is ${outcome.isTrue ? 'TRUE' : 'FALSE'}`
  if (outcome.branch === undefined)
    return outcome.of.otherwise.length === 0
      ? `when no label of the CASE in ${place} fits`
      : `in the ELSE of the CASE in ${place}`
  const labels = outcome.of.branches[outcome.branch]!.ranges.map(([from, to]) =>
    from === to ? `${from}` : `${from}..${to}`,
  )
  return `in the branch ${labels.join(', ')} of the CASE in ${place}`
}

/** Temporaries, and results of a function. */
class Variables {
  readonly followed: Followed[] = []
  readonly #locals = new Map<number, number>()
  /** Temporaries in the frame, in the order of their addresses. */
  readonly #framed: { readonly from: number; readonly end: number; readonly variable: number }[] = []

  /** Reads that are no use of a value. */
  readonly #kept: WeakSet<Expression>

  constructor(context: BlockContext) {
    const { temporaries, partlyWritten, framed } = context
    this.#kept = context.watch.kept
    for (const [local, name] of temporaries) if (!partlyWritten.has(local)) this.#local(local, name, false)
    for (const [local, name] of resultsOf(context)) if (!partlyWritten.has(local)) this.#local(local, name, true)
    for (const { name, from, size } of framed) {
      if (size === 0) continue
      this.#framed.push({ from, end: from + size, variable: this.followed.length })
      this.followed.push({ name, isResult: false })
    }
  }

  #local(local: number, name: string, isResult: boolean): void {
    this.#locals.set(local, this.followed.length)
    this.followed.push({ name, isResult })
  }

  effectsOf({ kind, node }: FlowEvent): Effect[] {
    if (kind === 'read') {
      if (this.#kept.has(node)) return []
      if (node.kind === 'local') return this.#read(this.#locals.get(node.local))
      if (node.kind === 'load') return this.#read(this.#inFrame(node.place))
      // Whatever takes the address of a temporary may write to it.
      return node.kind === 'address' ? written([this.#inFrame(node.place)]) : []
    }
    switch (node.kind) {
      case 'setLocal':
        return written([this.#locals.get(node.local)])
      case 'call':
        return written(node.results.map((local) => this.#locals.get(local)))
      case 'store':
      case 'clear':
        return written([this.#inFrame(node.place)])
      case 'copy':
        return [...this.#read(this.#inFrame(node.from)), ...written([this.#inFrame(node.to)])]
      default:
        return []
    }
  }

  /** The variables that any of the events assigns. */
  assignedIn(events: readonly FlowEvent[]): Set<number> {
    return new Set(
      events.flatMap((event) =>
        this.effectsOf(event).flatMap(({ variable, access }) => (access === 'write' ? [variable] : [])),
      ),
    )
  }

  #read(variable: number | undefined): Effect[] {
    return variable === undefined || this.followed[variable]!.isResult ? [] : [{ variable, access: 'read' }]
  }

  #inFrame({ base, offset }: Place): number | undefined {
    if (base.kind !== 'frame') return undefined
    let [low, high] = [0, this.#framed.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#framed[middle]!.from <= offset) low = middle + 1
      else high = middle
    }
    const last = this.#framed[low - 1]
    return last !== undefined && offset < last.end ? last.variable : undefined
  }
}

function written(variables: readonly (number | undefined)[]): Effect[] {
  return variables.flatMap((variable) => (variable === undefined ? [] : [{ variable, access: 'write' }]))
}
