/** Takes a document apart into its stations and what is around them, and puts such parts together. */
import { type AmlDocument, type AmlElement, idKey } from './document.ts'
import { roleOf } from './roles.ts'

/** A document in parts. */
export interface SplitDocument {
  /** The document; of its stations only their places are left. */
  readonly frame: AmlDocument
  /** The elements of its stations, by id (`idKey`). */
  readonly stations: ReadonlyMap<string, AmlElement>
}

/** Takes the stations out of a document. */
export function splitDocument(document: AmlDocument): SplitDocument {
  const stations = new Map<string, AmlElement>()
  const without = (elements: readonly AmlElement[]): AmlElement[] =>
    elements.flatMap((one) => {
      const role = roleOf(one)
      if (role === 'Device') {
        stations.set(idKey(one.id), one)
        return [{ ...emptied, id: one.id, name: one.name, roles: one.roles }]
      }
      const mayHold = role === 'AutomationProject' || role === 'DeviceUserFolder' || role === undefined
      return [mayHold ? { ...one, elements: without(one.elements) } : one]
    })
  const hierarchies = document.hierarchies.map((one) => ({ ...one, elements: without(one.elements) }))
  return { frame: { ...document, hierarchies }, stations }
}

const emptied = { attributes: [], interfaces: [], elements: [], links: [] }

/** A station as a document of its own. */
export function stationDocument(
  station: AmlElement,
  { before, further }: Pick<AmlDocument, 'before' | 'further'>,
): AmlDocument {
  return {
    fileName: 'hardware.aml',
    ...(further ? { further } : {}),
    ...(before ? { before } : {}),
    hierarchies: [{ name: 'Device', elements: [station] }],
  }
}

/** The station of a document made by `stationDocument`. */
export function stationOf(document: AmlDocument): AmlElement | undefined {
  return document.hierarchies[0]?.elements.find((one) => roleOf(one) === 'Device')
}

/**
 * A frame with what a second one has more: subnets, folders, unknown elements, links, libraries. The first gives the
 * identity.
 */
export function joinFrames(first: AmlDocument, second: AmlDocument): AmlDocument {
  const isProject = (one: AmlElement) => roleOf(one) === 'AutomationProject'
  const more = second.hierarchies.flatMap(({ elements }) => elements)
  const added = more.find(isProject)
  const hierarchies = first.hierarchies.map((hierarchy, i) => {
    if (i > 0) return hierarchy
    const elements = hierarchy.elements.map((one) => (added && isProject(one) ? joinElements(one, added) : one))
    const hasProject = hierarchy.elements.some(isProject)
    const others = more.filter((one) => !(hasProject && isProject(one)))
    return { ...hierarchy, elements: [...elements, ...absent(elements, others)] }
  })
  const libraries = new Set((first.after ?? []).map(({ name, attributes }) => `${name}:${attributes.Name ?? ''}`))
  const after = (second.after ?? []).filter(
    ({ name, attributes }) => !libraries.has(`${name}:${attributes.Name ?? ''}`),
  )
  return {
    ...first,
    hierarchies,
    ...(first.after || after.length > 0 ? { after: [...(first.after ?? []), ...after] } : {}),
  }
}

function joinElements(first: AmlElement, second: AmlElement): AmlElement {
  const folders = new Map(
    second.elements.filter((one) => roleOf(one) === 'DeviceUserFolder').map((one) => [one.name.toLowerCase(), one]),
  )
  const elements = first.elements.map((one) => {
    const twin = roleOf(one) === 'DeviceUserFolder' ? folders.get(one.name.toLowerCase()) : undefined
    if (twin) folders.delete(one.name.toLowerCase())
    return twin ? joinElements(one, twin) : one
  })
  const isNew = (one: AmlElement) => roleOf(one) !== 'DeviceUserFolder' || folders.has(one.name.toLowerCase())
  const sides = new Set(first.links.map(({ sideA, sideB }) => `${sideA}|${sideB}`))
  return {
    ...first,
    elements: [...elements, ...absent(elements, second.elements.filter(isNew))],
    links: [...first.links, ...second.links.filter(({ sideA, sideB }) => !sides.has(`${sideA}|${sideB}`))],
  }
}

/** Elements whose ids are not among others. */
function absent(among: readonly AmlElement[], elements: readonly AmlElement[]): AmlElement[] {
  const ids = new Set(among.map(({ id }) => idKey(id)))
  return elements.filter(({ id }) => !ids.has(idKey(id)))
}
