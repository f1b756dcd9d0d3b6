/** Ids of elements of which the project has others already: a file of the project could not be read with both. */
import { idKey } from '../../plc/formats/aml/document.ts'
import { guidOf } from '../../plc/formats/aml/guid.ts'
import type { AmlContent } from './aml.task.ts'

/** What stations of files and of the project have in common. */
interface Identified {
  readonly id: string
  readonly items?: readonly Identified[]
  readonly racks?: readonly Identified[]
  readonly interface?: {
    readonly node?: { readonly id: string }
    readonly ioSystem?: { readonly id: string }
    readonly ports: readonly { readonly id: string }[]
  }
}

/** The ids of a station and of all in it. */
export function* idsOf(one: Identified): Generator<string> {
  const { id, racks = [], items = [], interface: net } = one
  yield id
  if (net?.node) yield net.node.id
  if (net?.ioSystem) yield net.ioSystem.id
  for (const port of net?.ports ?? []) yield port.id
  for (const inside of [...racks, ...items]) yield* idsOf(inside)
}

/** The ids in the text of a station. */
export function idsInText(text: string): string[] {
  return [...text.matchAll(/\bID="([^"]*)"/g)].map(([, id = '']) => id)
}

/** Fields of the hardware that hold an id. */
const idFields: ReadonlySet<string> = new Set(['id', 'subnet', 'memberOf', 'a', 'b'])

/** What was read, with other ids: the same ones again when the same file is imported again. */
export function withIds(content: AmlContent, ids: ReadonlyMap<string, string>): AmlContent {
  const inText = (text: string) =>
    text.replace(/(?<=\b(?:ID|RefPartnerSide[AB])=")([^":]*)/g, (id) => ids.get(idKey(id)) ?? id)
  const hardware = JSON.parse(JSON.stringify(content.hardware), (field, value: unknown) =>
    typeof value === 'string' && idFields.has(field) ? (ids.get(idKey(value)) ?? value) : value,
  )
  const stations = Object.entries(content.stations).map(([id, text]) => [ids.get(idKey(id)) ?? id, inText(text)])
  return { ...content, hardware, frame: inText(content.frame), stations: Object.fromEntries(stations) }
}

/** The new id of an element, by the name of its device and the id that it had. */
export function newId(device: string, id: string): string {
  return guidOf(device.toLowerCase(), idKey(id))
}
