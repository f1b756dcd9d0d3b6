/**
 * Puts what an earlier file held and nobody interprets into a new description: unknown elements, attributes, interfaces
 * and roles, GUIDs of interfaces, the order of things. What is described wins; what was deleted stays deleted.
 */
import { defined } from '../../../lib/optional.ts'
import {
  type AmlAttribute,
  type AmlDocument,
  type AmlElement,
  type AmlHierarchy,
  type AmlInterface,
  type AmlLink,
  idKey,
  type KeptAround,
  sideOf,
} from './document.ts'
import { interfaceClass, isOfClass, type Role, roleOf } from './roles.ts'

/** Elements of these roles are there when the description has them, and else deleted. */
const described: ReadonlySet<Role | undefined> = new Set<Role>([
  'Device',
  'DeviceItem',
  'CommunicationInterface',
  'CommunicationPort',
  'Subnet',
  'TagTable',
])

/** What is kept of earlier files. */
export interface KeptDocuments {
  /** The file around the stations: its libraries, the project with subnets, folders and unknown elements. */
  readonly frame?: AmlDocument
  /** Each described station in the form in which it was read. */
  readonly stations: readonly AmlElement[]
}

/**
 * A description with what is kept.
 * @param isPart the description is of some stations only: folders without them are left out
 */
export function mergeKept(
  description: AmlDocument,
  { frame, stations }: KeptDocuments,
  { isPart }: { readonly isPart: boolean },
): AmlDocument {
  const merger = new Merger([...(frame?.hierarchies ?? []).flatMap(({ elements }) => elements), ...stations], isPart)
  const [hierarchy] = description.hierarchies
  const [project] = hierarchy?.elements ?? []
  if (hierarchy === undefined || project === undefined) return description
  const [keptHierarchy, ...more] = frame?.hierarchies ?? []
  const keptProject = keptHierarchy?.elements.find((one) => roleOf(one) === 'AutomationProject')
  const merged = merger.element(keptProject ? { ...project, id: keptProject.id, name: keptProject.name } : project)
  const element = { ...merged, links: merger.links(project.links, keptProject?.links ?? [], merged) }
  const whole: AmlHierarchy = {
    name: keptHierarchy?.name ?? hierarchy.name,
    elements: (keptHierarchy?.elements ?? [keptProject]).map((one) =>
      one === undefined || one === keptProject ? element : one,
    ),
    ...(keptHierarchy ? around(keptHierarchy) : {}),
  }
  const hasProject = keptHierarchy === undefined || keptProject !== undefined
  const { before = [], after, further } = frame ?? {}
  // The header is the writer's own; what else stood there is kept.
  const kept = before.filter((one) => !isHeader(one))
  return {
    ...description,
    ...(frame && !isPart ? { fileName: frame.fileName } : {}),
    ...(further ? { further: { ...description.further, ...further } } : {}),
    before: [...(description.before ?? []), ...kept],
    hierarchies: [hasProject ? whole : { ...whole, elements: [...whole.elements, element] }, ...more],
    ...(after ? { after } : {}),
  }
}

/** Headers that every writer writes: who and when, version of AutomationML, recommendations. */
function isHeader({ name, attributes, content }: NonNullable<KeptAround['before']>[number]): boolean {
  if (name !== 'AdditionalInformation') return false
  if ('AutomationMLVersion' in attributes || 'DocumentVersions' in attributes) return true
  return content.some((one) => typeof one !== 'string' && one.name === 'WriterHeader')
}

function around({ further, before, after }: KeptAround): KeptAround {
  return { ...(further ? { further } : {}), ...(before ? { before } : {}), ...(after ? { after } : {}) }
}

class Merger {
  readonly #byId = new Map<string, AmlElement>()
  readonly #isPart: boolean
  /** Old GUIDs, by the new ones, of what is found by its name. */
  readonly #renamed = new Map<string, string>()

  constructor(kept: readonly AmlElement[], isPart: boolean) {
    this.#isPart = isPart
    const index = (element: AmlElement) => {
      this.#byId.set(idKey(element.id), element)
      element.elements.forEach(index)
    }
    kept.forEach(index)
  }

  element(element: AmlElement): AmlElement {
    const kept = this.#byId.get(idKey(element.id))
    if (kept === undefined) return { ...element, elements: element.elements.map((one) => this.element(one)) }
    const [role] = element.roles
    return {
      ...element,
      attributes: mergeAttributes(element.attributes, kept.attributes),
      interfaces: mergeInterfaces(element.interfaces, kept.interfaces),
      elements: this.#elements(element, kept),
      roles:
        role !== undefined && roleOf(kept) === roleOf(element) ? mergeRoles(element.roles, kept.roles) : element.roles,
      links: [...element.links, ...(roleOf(kept) === 'AutomationProject' ? [] : kept.links)],
      ...around(kept),
    }
  }

  /** Children in their old order; a new one comes after the one it follows in the description. */
  #elements(element: AmlElement, kept: AmlElement): AmlElement[] {
    // Tag tables and folders have no GUID in a project: they are found by their names.
    const named = new Map(kept.elements.map((one) => [`${roleOf(one)}:${one.name.toLowerCase()}`, one]))
    const wanted = element.elements.map((one) => {
      const role = roleOf(one)
      const isNamed = role === 'TagTable' || role === 'DeviceUserFolder'
      const old = isNamed ? named.get(`${role}:${one.name.toLowerCase()}`) : undefined
      if (old === undefined || old.id === one.id) return one
      this.#renamed.set(idKey(one.id), old.id)
      return { ...one, id: old.id }
    })
    const places = new Map(kept.elements.map(({ id }, i) => [idKey(id), i]))
    const taken = new Set(wanted.map(({ id }) => idKey(id)))
    const isKept = (one: AmlElement) => {
      const role = roleOf(one)
      return !taken.has(idKey(one.id)) && !described.has(role) && !(this.#isPart && role === 'DeviceUserFolder')
    }
    let place = -1
    const all = [
      ...wanted.map((one) => {
        place = places.get(idKey(one.id)) ?? place
        return { one: this.element(one), place }
      }),
      ...kept.elements.filter(isKept).map((one) => ({ one, place: places.get(idKey(one.id)) as number })),
    ]
    return inPlaces(all)
  }

  #side(text: string): string {
    const side = sideOf(text)
    const id = side && this.#renamed.get(side.id)
    return id === undefined ? text : `${id}:${side?.name}`
  }

  /** The described links; of the kept ones those that have another meaning and whose ends are still there. */
  links(described: readonly AmlLink[], kept: readonly AmlLink[], project: AmlElement): AmlLink[] {
    const renamed = described.map((one) => ({ ...one, sideA: this.#side(one.sideA), sideB: this.#side(one.sideB) }))
    if (kept.length === 0) return renamed
    const links = inOldOrder(renamed, kept)
    const ends = new Set<string>()
    const roles = new Map<string, Role | undefined>()
    const index = (element: AmlElement) => {
      const id = idKey(element.id)
      roles.set(id, roleOf(element))
      for (const one of element.interfaces) {
        ends.add(`${id}:${one.name}`)
        if (isOfClass(one.classPath, interfaceClass.channel)) ends.add(`channel:${id}:${one.name}`)
      }
      element.elements.forEach(index)
    }
    index(project)
    const isDescribed = (a: string, b: string) => {
      const pair = [roles.get(a), roles.get(b)].join()
      return (
        pair === 'Node,Subnet' ||
        pair === 'CommunicationInterface,IoSystem' ||
        pair === 'CommunicationPort,CommunicationPort'
      )
    }
    const others = kept.filter(({ sideA, sideB }) => {
      const [a, b] = [sideOf(sideA), sideOf(sideB)]
      if (!a || !b || !ends.has(`${a.id}:${a.name}`) || !ends.has(`${b.id}:${b.name}`)) return false
      const isTag = [a, b].some(({ id, name }) => ends.has(`channel:${id}:${name}`))
      return !isTag && !isDescribed(a.id, b.id) && !isDescribed(b.id, a.id)
    })
    return [...links, ...others]
  }
}

/** What follows one another at one place stays in its order. */
function inPlaces<T>(all: readonly { readonly one: T; readonly place: number }[]): T[] {
  return [...all].sort((a, b) => a.place - b.place).map(({ one }) => one)
}

/** Links of each kind in the order of the old file, new ones behind; their names are numbered anew. */
function inOldOrder(links: readonly AmlLink[], kept: readonly AmlLink[]): AmlLink[] {
  const places = new Map(kept.map(({ sideA, sideB }, i) => [`${sideA}|${sideB}`, i]))
  const kindOf = ({ name }: AmlLink) => name.replace(/\d+$/, '')
  const kinds = [...new Set(links.map(kindOf))]
  const placeOf = ({ sideA, sideB }: AmlLink) => places.get(`${sideA}|${sideB}`) ?? kept.length
  return kinds.flatMap((kind) =>
    links
      .filter((one) => kindOf(one) === kind)
      .sort((a, b) => placeOf(a) - placeOf(b))
      .map((one, i) => ({ ...one, name: `${kind}${i + 1}` })),
  )
}

function mergeRoles(roles: readonly string[], kept: readonly string[]): string[] {
  const old = new Set(kept)
  // A node that left Ethernet has no role of Ethernet any more.
  const mine = new Set(roles)
  const foreign = kept.filter((role) => mine.has(role) || !/\/NodeEthernet$/.test(role))
  return [...foreign, ...roles.filter((role) => !old.has(role))]
}

/** The described attributes in their old order, each with what the old one had more. */
function mergeAttributes(attributes: readonly AmlAttribute[], kept: readonly AmlAttribute[]): AmlAttribute[] {
  const places = new Map(kept.map((one, i) => [one.name, { one, i }]))
  let place = -1
  return inPlaces(
    attributes.map((one) => {
      const old = places.get(one.name)
      place = old?.i ?? place
      return { one: old ? mergeAttribute(one, old.one) : one, place }
    }),
  )
}

function mergeAttribute(one: AmlAttribute, kept: AmlAttribute): AmlAttribute {
  const semantic = one.semantic ?? kept.semantic
  const isSame = one.value === kept.value && one.attributes.length === 0
  return {
    ...one,
    ...defined({ semantic }),
    attributes: isSame ? kept.attributes : mergeAttributes(one.attributes, kept.attributes),
    ...around(kept),
  }
}

const tagAttributes: ReadonlySet<string> = new Set(['DataType', 'IoType', 'LogicalAddress', 'Comment'])

/** Interfaces by name, with their old GUIDs; channels and tags that are not described any more are gone. */
function mergeInterfaces(interfaces: readonly AmlInterface[], kept: readonly AmlInterface[]): AmlInterface[] {
  const places = new Map(kept.map((one, i) => [one.name, { one, i }]))
  const names = new Set(interfaces.map(({ name }) => name))
  const isDescribed = ({ classPath }: AmlInterface) =>
    isOfClass(classPath, interfaceClass.channel) || isOfClass(classPath, interfaceClass.tag)
  let place = -1
  const all = [
    ...interfaces.map((one) => {
      const old = places.get(one.name)
      place = old?.i ?? place
      return { one: old ? mergeInterface(one, old.one) : one, place }
    }),
    ...kept
      .filter((one) => !names.has(one.name) && !isDescribed(one))
      .map((one) => ({ one, place: (places.get(one.name) as { i: number }).i })),
  ]
  return inPlaces(all)
}

function mergeInterface(one: AmlInterface, kept: AmlInterface): AmlInterface {
  const isTag = isOfClass(one.classPath, interfaceClass.tag)
  const unknown = isTag ? kept.attributes.filter(({ name }) => !tagAttributes.has(name)) : []
  return {
    ...one,
    ...defined({ id: kept.id, classPath: kept.classPath }),
    attributes: [...mergeAttributes(one.attributes, kept.attributes), ...unknown],
    ...around(kept),
  }
}
