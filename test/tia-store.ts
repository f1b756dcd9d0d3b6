/** Objects of a project file as the store gives them, for what no archive of the corpus has. */
import type { StoredObject } from '../plc/formats/tia-project/object.ts'
import type { TiaStore } from '../plc/formats/tia-project/store.ts'

interface MadeObject {
  readonly type: string
  readonly name?: string
  /** By set and attribute: `IIdentData.RefId`. Flags are 1 and 0. */
  readonly values?: Readonly<Record<string, string | number>>
  /** Texts by LCID, by set and attribute. */
  readonly texts?: Readonly<Record<string, Readonly<Record<number, string>>>>
  /** Numbers of structures, by set and attribute. */
  readonly structures?: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Attributes of expando sets. */
  readonly parameters?: Readonly<Record<string, string | number | bigint | boolean>>
  /** Texts of expando sets, by set and name. */
  readonly rowTexts?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<number, string>>>>>>
  readonly relations?: Readonly<Record<string, readonly StoredObject[]>>
}

const relationsOf = new WeakMap<StoredObject, NonNullable<MadeObject['relations']>>()
let made = 0

const lcidMap = (texts: Readonly<Record<number, string>>) =>
  new Map(Object.entries(texts).map(([lcid, text]) => [Number(lcid), text]))

/** An object with these values; what it does not have is undefined, as in the file. */
export function madeObject({
  type,
  name = '',
  values = {},
  texts = {},
  structures = {},
  parameters = {},
  rowTexts = {},
  relations = {},
}: MadeObject): StoredObject {
  const value = (set: string, attribute: string) => values[`${set}.${attribute}`]
  const parameter = (_: string, attribute: string) => parameters[attribute]
  const id = ++made
  const object = {
    type,
    name,
    record: { type: 1, id },
    has: (set: string) => Object.keys(values).some((key) => key.startsWith(`${set}.`)),
    value,
    text: value,
    flag: (set: string, attribute: string) => {
      const found = value(set, attribute)
      return found === undefined ? undefined : found === 1
    },
    texts: (set: string, attribute: string) => {
      const found = texts[`${set}.${attribute}`]
      return found && lcidMap(found)
    },
    structure: (set: string, attribute: string) => {
      const found = structures[`${set}.${attribute}`]
      return found && new Map(Object.entries(found))
    },
    blob: (set: string, attribute: string) => {
      const text = value(set, attribute)
      return text === undefined ? undefined : Buffer.from(String(text))
    },
    expandoFlag: parameter,
    expandoBlob: (_: string, attribute: string) => {
      const text = parameters[attribute]
      return text === undefined ? undefined : Buffer.from(String(text))
    },
    expandoByte: parameter,
    expandoInt: parameter,
    expandoLong: parameter,
    expandoString: parameter,
    expandoTexts: (set: string) =>
      new Map(Object.entries(rowTexts[set] ?? {}).map(([row, found]) => [row, lcidMap(found)])),
    relations: Object.entries(relations).flatMap(([relation, targets]) =>
      targets.map(({ record }) => ({ name: relation, target: { type: record.type, id: record.id } })),
    ),
  } as unknown as StoredObject
  relationsOf.set(object, relations)
  return object
}

/** A store of these objects, which follows their relations both ways. All of them are in the project. */
export function storeOf(objects: readonly StoredObject[]): TiaStore {
  const related = (object: StoredObject, relation: string) => [...(relationsOf.get(object)?.[relation] ?? [])]
  return {
    objects,
    ofType: (type: string) => objects.filter((object) => object.type === type),
    get: ({ id }: { id: number }) => objects.find(({ record }) => record.id === id),
    related,
    first: (object: StoredObject, relation: string) => related(object, relation)[0],
    sources: (relation: string, target: StoredObject) =>
      objects.filter((object) => related(object, relation).includes(target)),
    listed: (object: StoredObject) => related(object, 'listed'),
    isInProject: () => true,
  } as unknown as TiaStore
}
