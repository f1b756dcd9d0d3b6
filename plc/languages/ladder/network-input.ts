/** Networks as clients send them: the shape of plc/model/logic-network.ts, where empty lists may be missing. */

import { isObject } from '../../../lib/is-object.ts'
import { defined } from '../../../lib/optional.ts'
import { FormatError, type FormatFault } from '../../model/fault.ts'
import type { Kept } from '../../model/kept.ts'
import type { LogicNetwork, NetworkLabel, NetworkNode, Wire, WireEnd } from '../../model/logic-network.ts'
import type { Operand, PathComponent } from '../../model/operand.ts'
import { parseOperand } from '../../model/operand-reader.ts'
import type { ProgramNames } from './program-names.ts'

const endKinds = ['powerrail', 'pin', 'operand', 'open', 'openbranch'] as const
const operandKinds = ['symbol', 'literal', 'constant', 'address', 'label'] as const
const symbolScopes = ['GlobalVariable', 'LocalVariable', 'Undef', 'PredefinedVariable'] as const
const constantScopes = ['GlobalConstant', 'LocalConstant', 'NamedValueConstant'] as const
const literalScopes = ['LiteralConstant', 'TypedConstant', 'AddressConstant', 'AlarmConstant'] as const
const accesses = ['Periphery', 'QualityInformation'] as const

/**
 * Reads a network. An operand may be given as its text (`"operand": "#run"`).
 * @param at path of the value in the input
 * @throws FormatError with every fault, `path` names its place
 */
export function networkOfInput(value: unknown, at: string, names: ProgramNames = {}): LogicNetwork {
  const reader = new NetworkReader(names)
  const network = reader.network(value, at)
  if (reader.faults.length > 0) throw new FormatError(reader.faults)
  return network
}

type Entry = Readonly<Record<string, unknown>>

class NetworkReader {
  readonly faults: FormatFault[] = []
  readonly #names: ProgramNames
  readonly #kinds = new Map<number, string>()

  constructor(names: ProgramNames) {
    this.#names = names
  }

  network(value: unknown, at: string): LogicNetwork {
    const entry = this.#object(value, at)
    const labels = this.#list(entry.labels, `${at}/labels`).map((item, i) => this.#label(item, `${at}/labels/${i}`))
    const nodes = this.#list(entry.nodes, `${at}/nodes`).map((item, i) => this.#node(item, `${at}/nodes/${i}`))
    const wires = this.#list(entry.wires, `${at}/wires`).map((item, i) => this.#wire(item, `${at}/wires/${i}`, i))
    if (nodes.length === 0 && this.faults.length === 0) this.#fault(`${at}/nodes`, 'a network needs at least one node')
    return { labels, nodes, wires, ...this.#kept(entry, at) }
  }

  #label(value: unknown, at: string): NetworkLabel {
    if (typeof value === 'string') return { name: value }
    const entry = this.#object(value, at)
    return {
      name: this.#text(entry, 'name', at),
      ...this.#optional(entry, at, { comment: 'texts' }),
      ...this.#kept(entry, at),
    }
  }

  #node(value: unknown, at: string): NetworkNode {
    const entry = this.#object(value, at)
    const uId = this.#number(entry.uId, `${at}/uId`)
    if (this.#kinds.has(uId)) this.#fault(`${at}/uId`, `the number ${uId} is given to two nodes`)
    const kind = entry.kind
    this.#kinds.set(uId, String(kind))
    if (kind === 'operand') return { kind, uId, operand: this.#operand(entry.operand, `${at}/operand`) }
    const box = {
      uId,
      name: this.#text(entry, 'name', at),
      negated: this.#texts(entry.negated, `${at}/negated`),
      invisible: this.#texts(entry.invisible, `${at}/invisible`),
      ...this.#optional(entry, at, { comment: 'texts' }),
      ...this.#kept(entry, at),
    }
    if (kind === 'call') {
      const blockType = this.#text(entry, 'blockType', at)
      const parameters = this.#list(entry.parameters, `${at}/parameters`).map((item, i) => {
        const parameter = this.#object(item, `${at}/parameters/${i}`)
        const place = `${at}/parameters/${i}`
        const more = this.#optional(parameter, place, { section: 'string', type: 'string' })
        return { name: this.#text(parameter, 'name', place), ...more, ...this.#kept(parameter, place) }
      })
      const more = this.#optional(entry, at, { blockNumber: 'number' })
      return { ...box, kind, blockType, parameters, ...more, ...this.#instance(entry, at) }
    }
    if (kind !== 'part') this.#fault(`${at}/kind`, `must be operand, part or call`)
    const templates = this.#list(entry.templates, `${at}/templates`).map((item, i) => {
      const template = this.#object(item, `${at}/templates/${i}`)
      const place = `${at}/templates/${i}`
      return {
        name: this.#text(template, 'name', place),
        type: this.#text(template, 'type', place),
        value: String(template.value ?? ''),
      }
    })
    const automaticTyped = this.#texts(entry.automaticTyped, `${at}/automaticTyped`)
    const more = this.#optional(entry, at, { version: 'string', equation: 'string', disabledEno: 'boolean' })
    return { ...box, kind: 'part', templates, automaticTyped, ...more, ...this.#instance(entry, at) }
  }

  #instance({ instance }: Entry, at: string): object {
    if (instance === undefined) return {}
    const operand = this.#operand(
      typeof instance === 'string' ? instance : { ...this.#object(instance, `${at}/instance`), kind: 'symbol' },
      `${at}/instance`,
    )
    if (operand.kind !== 'symbol') {
      this.#fault(`${at}/instance`, 'must be a data block or a member: "DB", #instance')
      return {}
    }
    return { instance: { scope: operand.scope, path: operand.path } }
  }

  #operand(value: unknown, at: string): Operand {
    if (typeof value === 'string') {
      const operand = parseOperand(value, this.#names)
      if (operand === undefined)
        this.#fault(at, `${JSON.stringify(value)} is no operand: #local, "global", %I0.0 or a literal`)
      return operand ?? { kind: 'literal', scope: 'LiteralConstant', value }
    }
    const entry = this.#object(value, at)
    const kind = operandKinds.find((known) => known === entry.kind)
    if (kind === undefined) this.#fault(`${at}/kind`, `must be one of ${operandKinds.join(', ')}`)
    const more = this.#kept(entry, at)
    switch (kind) {
      case 'symbol': {
        const scope = symbolScopes.find((known) => known === entry.scope)
        if (scope === undefined) this.#fault(`${at}/scope`, `must be one of ${symbolScopes.join(', ')}`)
        const path = this.#list(entry.path, `${at}/path`)
        if (path.length === 0) this.#fault(`${at}/path`, 'needs at least one component')
        const components = path.map((item, i) => this.#component(item, `${at}/path/${i}`))
        return { kind, scope: scope ?? 'Undef', path: components, ...more }
      }
      case 'constant': {
        const scope = constantScopes.find((known) => known === entry.scope)
        if (scope === undefined) this.#fault(`${at}/scope`, `must be one of ${constantScopes.join(', ')}`)
        return { kind, scope: scope ?? 'GlobalConstant', name: this.#text(entry, 'name', at), ...more }
      }
      case 'label':
        return { kind, name: this.#text(entry, 'name', at), ...more }
      case 'address': {
        const numbers = this.#optional(entry, at, { blockNumber: 'number', bitOffset: 'number' })
        return { kind, area: this.#text(entry, 'area', at), type: this.#text(entry, 'type', at), ...numbers, ...more }
      }
      default: {
        const scope = literalScopes.find((known) => known === entry.scope) ?? 'LiteralConstant'
        const type = this.#optional(entry, at, { type: 'string' })
        return { kind: 'literal', scope, value: this.#text(entry, 'value', at), ...type, ...more }
      }
    }
  }

  #component(value: unknown, at: string): PathComponent {
    const entry = this.#object(value, at)
    const access = accesses.find((known) => known === entry.access)
    const indices =
      entry.indices === undefined
        ? {}
        : {
            indices: this.#list(entry.indices, `${at}/indices`).map((item, i) =>
              this.#operand(item, `${at}/indices/${i}`),
            ),
          }
    return {
      name: this.#text(entry, 'name', at),
      ...indices,
      ...this.#optional(entry, at, { slice: 'string' }),
      ...defined({ access }),
      ...this.#kept(entry, at),
    }
  }

  #wire(value: unknown, at: string, index: number): Wire {
    const entry = this.#object(value, at)
    const ends = this.#list(entry.ends, `${at}/ends`).map((item, i) => this.#end(item, `${at}/ends/${i}`))
    if (ends.length < 2) this.#fault(`${at}/ends`, 'a wire needs a source and at least one sink')
    return {
      uId: entry.uId === undefined ? index : this.#number(entry.uId, `${at}/uId`),
      ends,
      ...this.#kept(entry, at),
    }
  }

  #end(value: unknown, at: string): WireEnd {
    const entry = this.#object(value, at)
    const kind = endKinds.find((known) => known === entry.kind)
    if (kind === undefined) this.#fault(`${at}/kind`, `must be one of ${endKinds.join(', ')}`)
    if (kind === undefined || kind === 'powerrail' || kind === 'openbranch') return { kind: kind ?? 'powerrail' }
    if (kind === 'open') return { kind, uId: entry.uId === undefined ? 0 : this.#number(entry.uId, `${at}/uId`) }
    const uId = this.#number(entry.uId, `${at}/uId`)
    const target = this.#kinds.get(uId)
    if (target === undefined) this.#fault(`${at}/uId`, `there is no node ${uId}`)
    else if ((target === 'operand') !== (kind === 'operand'))
      this.#fault(
        `${at}/kind`,
        `node ${uId} is ${target === 'operand' ? 'an operand: use the kind operand' : 'a box: use the kind pin with its name'}`,
      )
    return kind === 'operand' ? { kind, uId } : { kind, uId, pin: this.#text(entry, 'pin', at) }
  }

  #object(value: unknown, at: string): Entry {
    if (isObject(value)) return value as Entry
    this.#fault(at, 'must be an object')
    return {}
  }

  #list(value: unknown, at: string): readonly unknown[] {
    if (value === undefined) return []
    if (Array.isArray(value)) return value
    this.#fault(at, 'must be a list')
    return []
  }

  #texts(value: unknown, at: string): string[] {
    return this.#list(value, at).map((item, i) => {
      if (typeof item !== 'string') this.#fault(`${at}/${i}`, 'must be text')
      return String(item)
    })
  }

  #text(entry: Entry, field: string, at: string): string {
    const value = entry[field]
    if (typeof value === 'string' && value !== '') return value
    this.#fault(`${at}/${field}`, value === undefined ? 'is missing' : 'must be text')
    return ''
  }

  #number(value: unknown, at: string): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
    this.#fault(at, 'must be a whole number')
    return -1 - this.faults.length
  }

  /** Checks optional fields, each of its type. */
  #optional(
    entry: Entry,
    at: string,
    fields: Readonly<Record<string, 'string' | 'number' | 'boolean' | 'texts'>>,
  ): object {
    const found: Record<string, unknown> = {}
    for (const [field, type] of Object.entries(fields)) {
      const value = entry[field]
      if (value === undefined) continue
      const isRight = type === 'texts' ? isTexts(value) : typeof value === type
      if (isRight) found[field] = value
      else
        this.#fault(
          `${at}/${field}`,
          type === 'texts' ? 'must be texts by culture: { "en-US": "…" }' : `must be a ${type}`,
        )
    }
    return found
  }

  /** Content that an answer showed as kept is taken back unchanged. */
  #kept({ kept }: Entry, at: string): { kept?: Kept } {
    if (kept === undefined) return {}
    const { attributes, elements } = this.#object(kept, `${at}/kept`)
    const isElement = (item: unknown): item is { at: number; xml: string } =>
      item !== null &&
      typeof item === 'object' &&
      Number.isInteger((item as Entry).at) &&
      typeof (item as Entry).xml === 'string'
    const isRight =
      (attributes === undefined || isTexts(attributes)) &&
      (elements === undefined || (Array.isArray(elements) && elements.every(isElement)))
    if (!isRight) {
      this.#fault(`${at}/kept`, 'must be { attributes, elements: [{ at, xml }] }')
      return {}
    }
    return {
      kept: {
        ...(attributes === undefined ? {} : { attributes: attributes as Record<string, string> }),
        ...(elements === undefined ? {} : { elements: elements as { at: number; xml: string }[] }),
      },
    }
  }

  #fault(path: string, message: string): void {
    if (this.faults.length < 100)
      this.faults.push({ code: 'edit', message: `${path}: ${message}`, path, line: 1, column: 1 })
  }
}

function isTexts(value: unknown): value is Record<string, string> {
  return (
    value !== null &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.values(value).every((text) => typeof text === 'string')
  )
}
