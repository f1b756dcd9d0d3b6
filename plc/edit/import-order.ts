/**
 * The order in which the objects of an import are stored: an object comes after those it is made of, as an engineering
 * tool needs it.
 */
import { isBuiltInType } from '../model/names.ts'
import type { ImportedObject, InterfaceMember, InterfaceSection } from '../model/object.ts'

/** Names of other objects of the program that an object needs. */
export interface Needs {
  /** Types in its interface and the type it is an instance of. It cannot be compiled without them. */
  readonly types: readonly string[]
  /** Blocks it calls. */
  readonly calls: readonly string[]
  /** Types in its interface without quotes that are not built into the language: of the system, or of nowhere. */
  readonly plainTypes: readonly PlainType[]
}

/** A type without quotes, and the first member that is declared with it. */
export interface PlainType {
  readonly type: string
  /** `Static.motor.state`. */
  readonly member: string
}

/** Lists what an object needs; names are without quotes, each once. */
export function needsOf(object: ImportedObject): Needs {
  const types = new Set<string>()
  for (const section of object.interface) addTypes(section, types)
  for (const tag of object.tags ?? []) addQuoted(tag.dataType, types)
  if (object.kind === 'InstanceDB' && object.instanceOf !== undefined && !isSystemType(object, object.instanceOf))
    types.add(object.instanceOf)
  const calls = new Set<string>()
  for (const { parts, text, language } of object.networks) {
    for (const { blockName } of parts) if (blockName !== undefined) calls.add(blockName)
    if (text === undefined) continue
    const called = language === 'SCL' ? /"([^"\n]+)"\s*\(/g : /\b(?:CALL|UC|CC)\s+"([^"\n]+)"/gi
    for (const match of text.matchAll(called)) calls.add(match[1] as string)
  }
  return { types: [...types], calls: [...calls], plainTypes: plainTypesOf(object) }
}

function plainTypesOf({ interface: sections, instanceOf, tags }: ImportedObject): PlainType[] {
  const found = new Map<string, PlainType>()
  // The interface of an instance is a copy of its type's.
  const pending = (instanceOf === undefined ? sections : []).flatMap(({ section, members }) =>
    members.map((member) => ({ member, path: `${section}.${member.name}` })),
  )
  for (const { dataType, name } of tags ?? []) addPlain(found, dataType, name)
  for (let at = pending.pop(); at; at = pending.pop()) {
    const { member, path } = at
    // Types with a version are those of a library.
    if (member.version === undefined && member.informative !== true) addPlain(found, member.dataType, path)
    for (const inner of member.members) pending.push({ member: inner, path: `${path}.${inner.name}` })
  }
  return [...found.values()].reverse()
}

function addPlain(found: Map<string, PlainType>, dataType: string, member: string): void {
  const type = dataType
    .replace(/^\s*(?:array\b[^\]]*\]\s*of\s+)+/i, '')
    .replace(/^\s*ref_to\s+/i, '')
    .trim()
  const name = /^[\p{L}_][\p{L}\p{N}_]*/u.exec(type)?.[0]
  // `_.unit.Type` is a name of the program.
  if (name === undefined || name === '_' || isBuiltInType(name)) return
  found.set(name.toUpperCase(), { type: name, member })
}

function addTypes({ members, base }: InterfaceSection, types: Set<string>): void {
  const pending: InterfaceMember[] = [...members]
  for (let member = pending.pop(); member; member = pending.pop()) {
    addQuoted(member.dataType, types)
    pending.push(...member.members)
  }
  for (const section of base ?? []) addTypes(section, types)
}

/** Types of the program are in quotes, those of the system are not (docs/formats.md#interface). */
function addQuoted(dataType: string, types: Set<string>): void {
  // The limits of an array may be constants in quotes: only the text after OF is a type.
  const type = /^\s*array\b[\s\S]*\]\s*of\b/i.test(dataType) ? dataType.replace(/^[\s\S]*\]\s*of\b/i, '') : dataType
  const name = /"([^"]+)"/.exec(type)?.[1]
  if (name !== undefined) types.add(name)
}

/** SimaticML names the library element; sources leave the quotes out. */
function isSystemType({ attributes, text }: ImportedObject, type: string): boolean {
  if (text !== undefined) return !text.includes(`"${type}"`)
  return attributes.some(({ name }) => name === 'OfSystemLibElement')
}

/** Kinds in the order of their needs; kinds not listed come last. */
const kindOrder = ['UDT', 'TagTable', 'FB', 'FC', 'OB', 'GlobalDB', 'ArrayDB', 'InstanceDB', 'WatchTable', 'ForceTable']

/** An object to put in order. */
export interface Ordered {
  readonly kind: string
  readonly name: string
  readonly needs: Pick<Needs, 'types' | 'calls'>
}

/**
 * Orders objects by kind (types, tags, FB, FC, OB, DB, instance DB, watch tables), and within a kind each after those
 * that it needs. Objects that need each other, however many, stay in the order they came in.
 *
 * @returns the objects in order, and the cycles of types: lists of names of types that contain each other
 */
export function inOrderOfNeeds<T>(
  items: readonly T[],
  describe: (item: T) => Ordered,
): { ordered: T[]; cycles: string[][] } {
  const ordered: T[] = []
  const cycles: string[][] = []
  const rank = (kind: string) => (kindOrder.includes(kind) ? kindOrder.indexOf(kind) : kindOrder.length)
  const byRank = new Map<number, { item: T; described: Ordered }[]>()
  for (const item of items) {
    const described = describe(item)
    const group = byRank.get(rank(described.kind))
    if (group) group.push({ item, described })
    else byRank.set(rank(described.kind), [{ item, described }])
  }
  for (const [, group] of [...byRank].sort(([a], [b]) => a - b)) {
    const index = new Map(group.map(({ described }, i) => [described.name.toLowerCase(), i]))
    const edges = (pick: (needs: Ordered['needs']) => readonly string[]) =>
      group.map(({ described }) =>
        pick(described.needs).flatMap((name) => {
          const at = index.get(name.toLowerCase())
          return at === undefined ? [] : [at]
        }),
      )
    const all = edges(({ types, calls }) => [...types, ...calls])
    for (const component of components(all)) for (const at of component) ordered.push(group[at]!.item)
    const typeEdges = edges(({ types }) => types)
    for (const component of components(typeEdges)) {
      const [only] = component
      const isCycle = component.length > 1 || (only !== undefined && typeEdges[only]!.includes(only))
      if (isCycle) cycles.push(component.map((at) => group[at]!.described.name))
    }
  }
  return { ordered, cycles }
}

/**
 * Strongly connected components, each after those it has edges to (Tarjan 1972). Without recursion, since chains may be
 * long. The nodes of a component are in ascending order.
 */
function components(edges: readonly (readonly number[])[]): number[][] {
  const found: number[][] = []
  const order = new Array<number>(edges.length).fill(-1)
  const low = new Array<number>(edges.length).fill(0)
  const isOpen = new Array<boolean>(edges.length).fill(false)
  const open: number[] = []
  let next = 0
  for (let root = 0; root < edges.length; root++) {
    if (order[root] !== -1) continue
    const path: { node: number; edge: number }[] = [{ node: root, edge: 0 }]
    while (path.length > 0) {
      const top = path.at(-1)!
      const { node } = top
      if (top.edge === 0) {
        order[node] = low[node] = next++
        open.push(node)
        isOpen[node] = true
      }
      const target = edges[node]![top.edge++]
      if (target !== undefined) {
        if (order[target] === -1) path.push({ node: target, edge: 0 })
        else if (isOpen[target]) low[node] = Math.min(low[node]!, order[target]!)
        continue
      }
      path.pop()
      const above = path.at(-1)
      if (above) low[above.node] = Math.min(low[above.node]!, low[node]!)
      if (low[node] !== order[node]) continue
      const component = open.splice(open.lastIndexOf(node))
      for (const member of component) isOpen[member] = false
      found.push(component.sort((a, b) => a - b))
    }
  }
  return found
}
