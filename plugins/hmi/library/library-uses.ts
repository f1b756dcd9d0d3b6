/** What objects of stations refer to by name, as libraries keep them. */
import type { HmiContents, HmiItem, HmiKind, HmiTag } from '../../../plc/formats/hmi/model.ts'
import { runsFunction } from '../compile/system-functions.ts'

/** All that an object is made of, without its name. */
export interface ObjectData {
  readonly content: HmiContents[HmiKind]
  /** Of a screen. */
  readonly objects?: readonly HmiItem[]
  /** Of a tag table. */
  readonly tags?: readonly HmiTag[]
  /** Of a graphic, as Base64. */
  readonly image?: string
  /** The file that it was imported from: as text, or as Base64 when it is no UTF-8. */
  readonly source?: string
  readonly sourceBase64?: string
  /** True when that file says the same. */
  readonly isAsDocument?: boolean
}

type Content = Partial<HmiContents['screen'] & HmiContents['library-type'] & HmiContents['graphic-list']>

/** Links to things that come along; those to screens do not: they would bring the whole station. */
const ownLinks = new Set(['picture', 'pictureList', 'graphic', 'graphicList', 'textList', 'faceplate', 'type'])

/** The same data with another name at each place that refers to an object. */
function mapNames(data: ObjectData, other: (name: string) => string): ObjectData {
  const mapItem = (item: HmiItem): HmiItem => ({
    ...item,
    links: mapValues(item.links, (name, key) => (ownLinks.has(key) ? other(name) : name)),
    bindings: item.bindings.map((binding) =>
      binding.params?.list === undefined
        ? binding
        : { ...binding, params: { ...binding.params, list: other(binding.params.list) } },
    ),
    events: item.events.map((event) => ({
      ...event,
      actions: event.actions.map((action) =>
        runsFunction(action.function) ? action : { ...action, function: other(action.function) },
      ),
    })),
  })
  const content = data.content as Content
  return {
    ...data,
    content: {
      ...data.content,
      ...(content.template ? { template: other(content.template) } : {}),
      ...(Array.isArray(content.items) ? { items: content.items.map(mapItem) } : {}),
      ...(Array.isArray(content.entries) && content.entries.some((entry) => 'graphic' in entry)
        ? {
            entries: content.entries.map((entry) => ({
              ...entry,
              graphic: entry.graphic === '' ? '' : other(entry.graphic),
            })),
          }
        : {}),
    } as ObjectData['content'],
    ...(data.objects === undefined ? {} : { objects: data.objects.map(mapItem) }),
  }
}

function mapValues(of: Readonly<Record<string, string>>, map: (value: string, key: string) => string) {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, map(value, key)]))
}

/** Names of objects that it refers to, each once. */
export function usesOf(data: ObjectData): string[] {
  const names = new Map<string, string>()
  mapNames(data, (name) => {
    if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name)
    return name
  })
  return [...names.values()]
}

/** With new names for what it refers to. */
export function renamedUses(data: ObjectData, pairs: readonly (readonly [from: string, to: string])[]): ObjectData {
  if (pairs.length === 0) return data
  const names = new Map(pairs.map(([from, to]) => [from.toLowerCase(), to]))
  return mapNames(data, (name) => names.get(name.toLowerCase()) ?? name)
}
