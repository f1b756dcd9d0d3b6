/**
 * The identifiers that a block's code uses, by the reference ids that its networks and tokens hold: tags, data block
 * members, local variables, constants, called blocks and instructions.
 */
import type { Instance } from '../../model/instance.ts'
import type { Operand, PathComponent, SymbolOperand } from '../../model/operand.ts'
import type { CallParameter } from '../../model/logic-network.ts'
import { child, childrenOf, type XmlElement } from '../simaticml/xml.ts'
import type { StoredObject } from './object.ts'
import { parsePayload, plainName } from './payload.ts'
import type { TiaStore } from './store.ts'

/** A called block. */
export interface Callee {
  readonly name: string
  readonly blockType: string
  readonly number?: number
}

/** An index leads to an identifier, whose index can lead to another one. */
const mostNested = 16

export class Identifiers {
  readonly #elements = new Map<string, XmlElement>()
  /** Names of identifiers that are objects of their own (V14). */
  readonly #names = new Map<string, string>()
  readonly #parameters = new Map<string, CallParameter[]>()
  readonly #problems: string[] = []

  constructor(store: TiaStore, block: StoredObject) {
    const containers = new Set([
      ...store.related(block, 'CoreObject2IdentContainer'),
      ...store.sources('IdentContainerInverse', block),
    ])
    for (const container of containers) {
      for (const object of store.sources('IdentCoreObjectsInverse', container)) {
        const id = object.value('IIdentData', 'RefId')
        if (id !== undefined) this.#names.set(String(id), object.text('IIdentData', 'Name') ?? '')
      }
      const parts = new Set([
        ...store.related(container, 'IdentParts'),
        ...store.listed(container),
        ...store.sources('IdentPartsInverse', container),
      ])
      for (const part of parts) if (part.type === 'IdentPartData') this.#addPart(part)
    }
  }

  /** What of the identifiers could not be read. */
  get problems(): readonly string[] {
    return this.#problems
  }

  /** Kind of an identifier (`SimpleAccess`, `Instruction` …), undefined for an unknown one. */
  kind(id: string | undefined): string | undefined {
    return id === undefined ? undefined : this.#elements.get(id)?.name
  }
  /** Its name as it is shown; the last one of a path. */
  name(id: string | undefined): string | undefined {
    if (id === undefined) return undefined
    const element = this.#elements.get(id)
    return element ? plainName(child(element, 'ID')?.attributes.N) : this.#names.get(id)
  }

  /** The operand, undefined where its kind is not known. */
  operand(id: string | undefined, nested = 0): Operand | undefined {
    const element = id === undefined ? undefined : this.#elements.get(id)
    if (!element || nested > mostNested) return undefined
    const name = plainName(child(element, 'ID')?.attributes.N)
    switch (element.name) {
      case 'SimpleAccess':
        return name === '' ? undefined : this.#symbol(element, 'GlobalVariable', [{ name }])
      case 'GlobalAccess':
        return this.#path(element, 'GlobalVariable', nested)
      case 'InterfaceAccess':
      case 'MultInstAccess':
        return this.#path(element, 'LocalVariable', nested)
      case 'AufDBBlock':
      case 'DepDBBlock':
        return { kind: 'symbol', scope: 'GlobalVariable', path: [{ name }] }
      case 'LiteralConstant':
        return literal(element)
      case 'GlobalConstant':
        return { kind: 'constant', scope: 'GlobalConstant', name }
      case 'LocalConstant':
        return { kind: 'constant', scope: 'LocalConstant', name }
      default:
        return undefined
    }
  }

  /** The instance of a call. */
  instance(id: string | undefined): Instance | undefined {
    const operand = this.operand(id)
    return operand?.kind === 'symbol' ? { scope: operand.scope, path: operand.path } : undefined
  }

  /** The block that is called. */
  callee(id: string | undefined): Callee | undefined {
    const element = id === undefined ? undefined : this.#elements.get(id)
    if (element?.name !== 'FCBlock' && element?.name !== 'FBBlock') return undefined
    const data = child(element, 'TOD')?.attributes
    const number = Number(data?.N)
    return {
      name: plainName(child(element, 'ID')?.attributes.N),
      blockType: data?.BT ?? element.name.slice(0, 2),
      ...(Number.isInteger(number) && number > 0 ? { number } : {}),
    }
  }
  /** The parameters of a called block, as its caller knows them. */
  parameters(calleeId: string | undefined): readonly CallParameter[] {
    return (calleeId === undefined ? undefined : this.#parameters.get(calleeId)) ?? []
  }
  /** The template values of an instruction at a place: `time_type` → `Time`. */
  templates(id: string | undefined, uId: string | undefined): { name: string; type: string; value: string }[] {
    const element = id === undefined ? undefined : this.#elements.get(id)
    const uses = childrenOf(child(child(element, 'INSTD'), 'IUS'), 'IU')
    const use = uses.find(({ attributes }) => attributes.UId === uId) ?? uses[0]
    return childrenOf(use, 'TV').map(({ attributes: { N, V, T } }) => ({
      name: N ?? '',
      type: T === undefined ? 'Type' : T.charAt(0).toUpperCase() + T.slice(1),
      value: V ?? '',
    }))
  }
  /** Whether an instruction is a system function block (`FB`), function (`FC`), or code in place (`Sequence`). */
  implementation(id: string | undefined): string | undefined {
    const element = id === undefined ? undefined : this.#elements.get(id)
    return childrenOf(child(child(element, 'INSTD'), 'IUS'), 'IU')[0]?.attributes.I
  }

  #addPart(part: StoredObject): void {
    let root: XmlElement | undefined
    try {
      root = parsePayload(part.blob('IIdentPartData', 'PayLoad'))
    } catch (error) {
      this.#problems.push(`identifiers of ${part.name || 'a block'}: ${(error as Error).message}`)
      return
    }
    for (const element of root?.children ?? []) {
      const id = child(element, 'ID')?.attributes.RID
      if (id === undefined) continue
      this.#elements.set(id, element)
      if (element.name === 'BlockInterfaceInfo') this.#addParameters(element)
    }
  }
  #addParameters(element: XmlElement): void {
    const data = child(element, 'BIID')
    const callee = data?.attributes.TORID
    if (callee === undefined) return
    this.#parameters.set(
      callee,
      childrenOf(child(data, 'BPIL'), 'BPI').map((parameter) => ({
        name: plainName(parameter.attributes.N),
        ...(parameter.attributes.S ? { section: parameter.attributes.S } : {}),
        ...withType(parameter.attributes.OST ?? child(parameter, 'TD')?.attributes.T),
      })),
    )
  }

  #symbol(element: XmlElement, scope: SymbolOperand['scope'], path: readonly PathComponent[]): SymbolOperand | undefined {
    const modifier = child(element, 'SSD')?.attributes.AM
    const simple = child(element, 'SAD')?.attributes.SAM
    if (modifier === undefined && (simple === undefined || simple === 'None')) return { kind: 'symbol', scope, path }
    const last = path.at(-1)!
    if (modifier !== undefined && /^[xbwd]\d+$/i.test(modifier))
      return { kind: 'symbol', scope, path: [...path.slice(0, -1), { ...last, slice: modifier.toLowerCase() }] }
    if (/^Periph/i.test(simple ?? modifier ?? ''))
      return { kind: 'symbol', scope, path: [...path.slice(0, -1), { ...last, access: 'Periphery' }] }
    return undefined
  }
  #path(element: XmlElement, scope: SymbolOperand['scope'], nested: number): SymbolOperand | undefined {
    const path: PathComponent[] = []
    for (const { attributes } of childrenOf(child(child(element, 'SSD'), 'AOS'), 'AO')) {
      const name = plainName(attributes.N)
      const ids = (attributes.RIDI ?? '').split(/[,; ]+/).filter((id) => id !== '')
      const indices = ids.map((id) => this.operand(id, nested + 1))
      if (indices.some((index) => index === undefined)) return undefined
      path.push(indices.length > 0 ? { name, indices: indices as Operand[] } : { name })
    }
    return path.length === 0 ? undefined : this.#symbol(element, scope, path)
  }
}

/** `Int:33554437:Int` → `Int`; types of the program are quoted. */
export function typeName(reference: string | undefined): string | undefined {
  const [, kind, number, name] = /^([^:]*):(-?\d+):(.*)$/s.exec(reference ?? '') ?? []
  if (name === undefined || name === '') return undefined
  // Numbers of the program's own types have the highest bit.
  return kind?.startsWith('Block_') && Number(number) < 0 ? `"${name}"` : name
}

function withType(reference: string | undefined): { type?: string } {
  const type = typeName(reference)
  return type === undefined ? {} : { type }
}

function literal(element: XmlElement): Operand | undefined {
  const constant = child(child(element, 'CD'), 'CB')?.attributes
  if (constant?.SV === undefined) return undefined
  const value = plainName(constant.SV)
  // A value with a prefix of its own (T#5s, 16#FF of any type) stands without a type, as TIA Portal exports it.
  return /^[A-Za-z_]+#/.test(value)
    ? { kind: 'literal', scope: 'TypedConstant', value }
    : { kind: 'literal', scope: 'LiteralConstant', value, ...(constant.T ? { type: constant.T } : {}) }
}
