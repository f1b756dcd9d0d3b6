/** Where a block uses its own members. */
import { forEachOperand, rootOf } from '../languages/scl/operands.ts'
import type { Expression } from '../languages/scl/syntax.ts'
import { TokenKind } from '../languages/scl/tokens.ts'
import type { MessagePlace } from '../model/message-place.ts'
import type { ImportedObject } from '../model/object.ts'
import { placesOfStatements } from '../model/statement.ts'
import type { Use } from '../uses/use.ts'
import { usesOfNetwork } from '../uses/uses-of.ts'
import type { SclCode } from './scl-code.ts'

/** A use of a member of the own interface. */
export interface LocalUse {
  readonly access: Use['access']
  readonly place: MessagePlace
  /** In SCL: the whole operand is the member itself, not a part of it. */
  readonly isWhole?: boolean
}

/** A use in SCL: few rules ask for its place, which has to be counted. */
class SclUse implements LocalUse {
  readonly access: Use['access']
  readonly isWhole: boolean
  readonly #code: SclCode
  readonly #root: Expression

  constructor(code: SclCode, root: Expression, operand: Expression, access: Use['access']) {
    this.access = access
    this.isWhole = operand.kind === 'name'
    this.#code = code
    this.#root = root
  }

  get place(): MessagePlace {
    return this.#code.placeOf(this.#root)
  }
}

/** Returns the uses by the name of the member in lower case. */
export function localUsesOf(object: ImportedObject, scl: readonly SclCode[]): Map<string, LocalUse[]> {
  const found = new Map<string, LocalUse[]>()
  const names = new Set(object.interface.flatMap(({ members }) => members.map(({ name }) => name.toLowerCase())))
  const add = (name: string, use: LocalUse) => {
    const key = name.toLowerCase()
    const list = found.get(key)
    if (list) list.push(use)
    else found.set(key, [use])
  }
  for (const code of scl)
    forEachOperand(code.body, (operand, access) => {
      const root = rootOf(operand)
      if (root === undefined) return
      const kind = code.kindAt(root.start)
      if (kind !== TokenKind.LocalName && kind !== TokenKind.Identifier) return
      const name = code.nameAt(root.start)
      if (kind === TokenKind.Identifier && !names.has(name.toLowerCase())) return
      add(name, new SclUse(code, root, operand, access))
    })
  for (const network of object.networks) {
    const { graph, statements, chart } = network
    if (!graph && !statements && !chart) continue
    // The walk over names of the program finds those of the block when they are given as such.
    for (const { name, access, place, isBare } of usesOfNetwork(asGlobal(network), []))
      if (names.has(name.toLowerCase()) && (isBare === true || access === 'Instance')) add(name, { access, place })
    const places = placesOfStatements(network)
    for (const [at, { call }] of (statements ?? []).entries())
      if (call?.target === 'multiInstance')
        add(call.name, { access: 'Call', place: { network: network.number, ...places[at] } })
    for (const { number, name: step, actions } of chart?.sequences.flatMap(({ steps }) => steps) ?? [])
      for (const { text } of actions)
        for (const [, name = ''] of text.matchAll(/#"?([\p{L}\p{N}_]+)/gu)) {
          const place = { network: network.number, element: `Step ${number} "${step}"` }
          add(name, { access: 'ReadWrite', place })
        }
  }
  return found
}

/** The network with its local names as names of unknown scope, and without those of the program. */
function asGlobal<T>(value: T): T {
  if (Array.isArray(value)) return value.map(asGlobal) as T
  if (value === null || typeof value !== 'object') return value
  const { kind, scope, name } = value as { kind?: string; scope?: string; name?: string }
  if (kind === 'constant' && scope === 'LocalConstant') return { kind: 'symbol', scope: 'Undef', path: [{ name }] } as T
  const out: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) if (key !== 'kept') out[key] = asGlobal(inner)
  // Instances have no kind; the walk takes theirs only when it is of the program.
  if (scope === 'LocalVariable') out.scope = kind === undefined ? 'GlobalVariable' : 'Undef'
  else if (scope === 'GlobalVariable' || scope === 'Undef') out.scope = 'PredefinedVariable'
  return out as T
}
