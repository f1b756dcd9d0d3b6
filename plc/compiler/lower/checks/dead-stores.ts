/**
 * Rule `dead-store`: a value is assigned, and overwritten or given up before anything reads it. A constant that a later
 * branch replaces is a value for the beginning, and not meant; nor are results of calls, which have to be put
 * somewhere.
 */

import { Accesses, accessKey } from '../../../flow/accesses.ts'
import type { FlowEvent, FlowGraph } from '../../../flow/graph.ts'
import { deadStores, type Uses } from '../../../flow/liveness.ts'
import type { Expression, Statement } from '../../../ir/ir.ts'
import type { BlockContext } from '../block-context.ts'
import { placeText } from './block-facts.ts'
import { isOwnLocal, isTaken } from './unassigned-results.ts'

/** Reports each such assignment. Call it after lowering the whole block. */
export function checkDeadStores(context: BlockContext, graph: FlowGraph): void {
  const { watch, block } = context
  const variables = new Variables(context, graph)
  if (variables.count === 0) return
  const isOwn = isOwnLocal(context)
  const found = deadStores(
    graph,
    variables.count,
    (event) => variables.usesOf(event),
    (variable) => variables.isShared(variable),
  )
  for (const { variable, event, next, isInStep } of found) {
    const { node } = event
    const noted = watch.places.get(node)
    if (noted === undefined || (node.kind !== 'setLocal' && node.kind !== 'store')) continue
    // An output that LAD assigns twice is a rule of its own, and so is what is read nowhere.
    if (noted.at.uId !== undefined && variables.isOutput(variable)) continue
    if (!variables.isRead(variable) && !variables.isShared(variable)) continue
    const isConstant = node.value.kind === 'constant'
    if (isTaken(node.value, isOwn) || isMemberOfCall(node.value) || (isConstant && !isInStep)) continue
    // The next round of a loop assigns it again: that is no other assignment.
    const other = next && next !== event ? watch.places.get(next.node) : undefined
    if (next !== undefined && next !== event && other === undefined) continue
    const where = other && (other.at.line === undefined ? `network ${other.at.network}` : placeText(other.at))
    context.diagnostics.push({
      code: 'dead-store',
      severity: 'warning',
      object: block.name,
      ...noted.at,
      message:
        where === undefined
          ? `Nothing reads what ${noted.text} gets here.`
          : `What ${noted.text} gets here is overwritten in ${where} before anything reads it.`,
      hint: 'Delete the assignment, or use the value: one of the two is probably meant for another variable.',
    })
  }
}

/** The output of an instance after its call. */
function isMemberOfCall(value: Expression): boolean {
  return value.kind === 'load' && value.place.base.kind === 'pointer'
}

type Store = Extract<Statement, { kind: 'store' }>

/** Registers of the source, and variables with a known place that are only read and assigned as a whole. */
class Variables {
  count = 0
  readonly #locals = new Map<number, number>()
  readonly #places = new Map<string, number>()
  readonly #shared = new Set<number>()
  readonly #outputs = new Set<number>()
  readonly #read = new Set<number>()

  constructor(context: BlockContext, { steps }: FlowGraph) {
    const { temporaries, partlyWritten, signature } = context
    const results =
      context.block.kind === 'FC' ? signature.results.map((_one, i) => signature.parameters.length + i) : []
    for (const local of [...temporaries.keys(), ...results]) {
      if (partlyWritten.has(local)) continue
      if (results.includes(local)) this.#shared.add(this.count)
      this.#locals.set(local, this.count++)
    }
    const accesses = new Accesses()
    const stores = new Map<string, Store>()
    /** Only what is assigned at two places can be overwritten: all else is read behind the end of the block. */
    const twice = new Set<string>()
    for (const { events } of steps)
      for (const event of events) {
        accesses.add(event)
        if (event.node.kind !== 'store') continue
        const key = accessKey(event.node) ?? ''
        if (stores.has(key)) twice.add(key)
        stores.set(key, event.node)
      }
    const plain = accesses.plain()
    for (const [key, { place }] of stores) {
      if (!plain.has(key) || !twice.has(key)) continue
      const { base } = place
      if (base.kind === 'area' && (base.area === 'PI' || base.area === 'PQ')) continue
      if (base.kind === 'area' && base.area === 'Q') this.#outputs.add(this.count)
      this.#shared.add(this.count)
      this.#places.set(key, this.count++)
    }
    for (const { events } of steps)
      for (const event of events) for (const variable of this.usesOf(event).reads) this.#read.add(variable)
  }

  isShared(variable: number): boolean {
    return this.#shared.has(variable)
  }

  isOutput(variable: number): boolean {
    return this.#outputs.has(variable)
  }

  isRead(variable: number): boolean {
    return this.#read.has(variable)
  }

  usesOf({ kind, node }: FlowEvent): Uses {
    const of = (variable: number | undefined) => (variable === undefined ? [] : [variable])
    const none = { reads: [], writes: [], readsShared: false }
    if (kind === 'read') {
      if (node.kind === 'local') return { ...none, reads: of(this.#locals.get(node.local)) }
      if (node.kind !== 'load') return none
      // What a pointer leads to may be any variable.
      if (node.place.base.kind === 'pointer') return { ...none, readsShared: true }
      return { ...none, reads: of(this.#places.get(accessKey(node) ?? '')) }
    }
    switch (node.kind) {
      case 'setLocal':
        return { ...none, writes: of(this.#locals.get(node.local)) }
      case 'store':
        return node.place.base.kind === 'pointer'
          ? { ...none, readsShared: true }
          : { ...none, writes: of(this.#places.get(accessKey(node) ?? '')) }
      case 'call':
        return { ...none, writes: node.results.flatMap((local) => of(this.#locals.get(local))), readsShared: true }
      case 'routine':
      case 'copy':
        return { ...none, readsShared: true }
      default:
        return none
    }
  }
}
