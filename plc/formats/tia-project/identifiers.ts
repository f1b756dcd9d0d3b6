/**
 * The identifiers that a block's code uses, by the reference ids that its networks and tokens hold: tags, data block
 * members, local variables, constants, called blocks and instructions.
 */
import type { Instance } from '../../model/instance.ts'
import type { CallParameter } from '../../model/logic-network.ts'
import type { Operand, PathComponent, SymbolOperand } from '../../model/operand.ts'
import { child, childrenOf, type XmlElement } from '../simaticml/xml.ts'
import type { StoredObject } from './object.ts'
import { parsePayload, plainName } from './payload.ts'
import type { TiaStore } from './store.ts'

/** A called block. */
export interface Callee {
  /** Its reference id. */
  readonly id: string
  readonly name: string
  readonly blockType: string
  readonly number?: number
}

/** An index leads to an identifier, whose index can lead to another one. */
const mostNested = 16

/** An identifier: an element of a table, or an object of its own (older versions). */
interface Entry {
  /** `SimpleAccess`, `Instruction`, `FCBlock` … */
  readonly kind: string
  readonly name: string
  /** Number of a block. */
  readonly number?: number
  readonly blockType?: string
  readonly element?: XmlElement
  /** What an instruction is made of for each family of controllers: XML. */
  readonly families?: string
}

export class Identifiers {
  readonly #entries = new Map<string, Entry>()
  readonly #parameters = new Map<string, CallParameter[]>()
  readonly #problems: string[] = []
  /** Family of the controller, `S71500`. */
  readonly #family: string

  constructor(store: TiaStore, block: StoredObject, family: string) {
    this.#family = family
    const containers = new Set([
      ...store.related(block, 'CoreObject2IdentContainer'),
      ...store.sources('IdentContainerInverse', block),
    ])
    for (const container of containers) {
      for (const object of store.sources('IdentCoreObjectsInverse', container)) this.#addObject(object)
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
    return this.#entry(id)?.kind
  }
  /** Its name as it is shown; the last one of a path. */
  name(id: string | undefined): string | undefined {
    return this.#entry(id)?.name
  }

  /** The operand, undefined where its kind is not known. */
  operand(id: string | undefined, nested = 0): Operand | undefined {
    const entry = this.#entry(id)
    if (!entry || nested > mostNested) return undefined
    const { kind, name, element } = entry
    switch (kind) {
      case 'SimpleAccess':
        return name === '' ? undefined : symbol(element, 'GlobalVariable', [{ name }])
      // A member of a tag whose type is a structure.
      case 'StructuredTagAccess':
      case 'GlobalAccess':
        return this.#path(element, 'GlobalVariable', nested) ?? this.#address(element)
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
      case 'Label':
        return { kind: 'label', name }
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
    const entry = this.#entry(id)
    if (id === undefined || (entry?.kind !== 'FCBlock' && entry?.kind !== 'FBBlock')) return undefined
    const { name, number } = entry
    return { id, name, blockType: entry.blockType ?? entry.kind.slice(0, 2), ...(number ? { number } : {}) }
  }
  /** The block whose interface a call knows by this id. */
  calleeOf(interfaceId: string | undefined): Callee | undefined {
    return this.callee(child(this.#entry(interfaceId)?.element, 'BIID')?.attributes.TORID)
  }
  /** The entry of an instruction in the instruction library. */
  libraryEntry(id: string | undefined): string | undefined {
    return child(this.#entry(id)?.element, 'INSTD')?.attributes.V
  }
  /** The parameters of a called block, as its caller knows them. */
  parameters(calleeId: string | undefined): readonly CallParameter[] {
    return (calleeId === undefined ? undefined : this.#parameters.get(calleeId)) ?? []
  }
  /** The template values of an instruction at a place: `time_type` → `Time`. */
  templates(id: string | undefined, uId: string | undefined): { name: string; type: string; value: string }[] {
    const entry = this.#entry(id)
    const uses = childrenOf(child(child(entry?.element, 'INSTD'), 'IUS'), 'IU')
    const use = uses.find(({ attributes }) => attributes.UId === uId) ?? uses[0]
    const values = childrenOf(use, 'TV').map(({ attributes: { N, V, T } }) => ({
      name: N ?? '',
      type: T === undefined ? 'Type' : T.charAt(0).toUpperCase() + T.slice(1),
      value: V ?? '',
    }))
    return values.length > 0 ? values : this.#familyTemplates(entry)
  }

  #entry(id: string | undefined): Entry | undefined {
    return id === undefined ? undefined : this.#entries.get(id)
  }

  #addObject(object: StoredObject): void {
    const id = object.value('IIdentData', 'RefId')
    if (id === undefined) return
    const number = object.value('ITypeOperandData', 'Number')
    const blockType = object.value('ITypeOperandData', 'BlockType')
    const families = object.blob('IGenericInterfaceData', 'PLCArray')?.toString('utf8')
    this.#entries.set(String(id), {
      kind: object.type.replace(/Data$/, ''),
      name: object.text('IIdentData', 'Name') ?? '',
      ...(typeof number === 'number' ? { number } : {}),
      ...(typeof blockType === 'string' ? { blockType } : {}),
      ...(families ? { families } : {}),
    })
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
      const own = child(element, 'ID')?.attributes
      if (own?.RID === undefined) continue
      const block = child(element, 'TOD')?.attributes
      const families = child(element, 'INSTD')?.attributes.PLC
      this.#entries.set(own.RID, {
        kind: element.name,
        name: plainName(own.N),
        ...(block?.N ? { number: Number(block.N) } : {}),
        ...(block?.BT ? { blockType: block.BT } : {}),
        element,
        ...(families ? { families } : {}),
      })
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

  /** Types that an instruction has on this family of controllers, where there is only one choice. */
  #familyTemplates(entry: Entry | undefined): { name: string; type: string; value: string }[] {
    const root = entry?.families && parsePayload(Buffer.from(entry.families))
    if (!root) return []
    const target = childrenOf(root, 'Target').find(({ attributes }) =>
      attributes.Name?.split(',').includes(this.#family),
    )
    return childrenOf(child(target, 'BlockReference'), 'TypeSelector').flatMap((selector) => {
      const value = child(selector, 'SelectedTypes')?.text.trim() ?? ''
      return value === '' || /[,; ]/.test(value) ? [] : [{ name: selector.attributes.Name ?? '', type: 'Type', value }]
    })
  }

  #path(element: XmlElement | undefined, scope: SymbolOperand['scope'], nested: number): SymbolOperand | undefined {
    const path: PathComponent[] = []
    for (const { attributes } of childrenOf(child(child(element, 'SSD'), 'AOS'), 'AO')) {
      const name = plainName(attributes.N)
      const ids = (attributes.RIDI ?? '').split(/[,; ]+/).filter((id) => id !== '')
      const indices = ids.map((id) => this.operand(id, nested + 1))
      if (indices.some((index) => index === undefined)) return undefined
      path.push(indices.length > 0 ? { name, indices: indices as Operand[] } : { name })
    }
    return path.length === 0 ? undefined : symbol(element, scope, path)
  }
  /** A place of a data block without a name: its block and its bit. */
  #address(element: XmlElement | undefined): Operand | undefined {
    const block = this.#entry(child(element, 'BAD')?.attributes.BIRID)
    const place = child(element, 'SSD')
    const offset = Number(place?.attributes.AO)
    const type = typeName(child(element, 'OD')?.attributes.T ?? child(child(element, 'OD'), 'TD')?.attributes.T)
    if (!block?.number || !Number.isInteger(offset) || type === undefined) return undefined
    // A place with names that were not understood is no address.
    if (childrenOf(child(place, 'AOS'), 'AO').length > 0) return undefined
    return { kind: 'address', area: 'DB', type, blockNumber: block.number, bitOffset: offset }
  }
}

function symbol(
  element: XmlElement | undefined,
  scope: SymbolOperand['scope'],
  path: readonly PathComponent[],
): SymbolOperand | undefined {
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

function literal(element: XmlElement | undefined): Operand | undefined {
  const constant = child(child(element, 'CD'), 'CB')?.attributes
  if (constant?.SV === undefined) return undefined
  const value = plainName(constant.SV)
  // A value with a prefix of its own (T#5s, 16#FF of any type) is without a type, as TIA Portal exports it.
  return /^[A-Za-z_]+#/.test(value)
    ? { kind: 'literal', scope: 'TypedConstant', value }
    : { kind: 'literal', scope: 'LiteralConstant', value, ...(constant.T ? { type: constant.T } : {}) }
}
