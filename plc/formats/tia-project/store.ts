/** A project file as its objects: the state of one save, looked up by type, name and relation. */
import { defined } from '../../../lib/optional.ts'
import { Cursor } from './cursor.ts'
import { readDictionaries } from './expando.ts'
import { type FileContext, type ObjectReference, ObjectShape, StoredObject } from './object.ts'
import { TiaProjectError } from './problem.ts'
import { isSystemType, readRecords, type StoreRecord, systemType } from './records.ts'
import { TypeModel } from './type-model.ts'

/** A save: all records up to this one belong to it. */
export interface Save {
  /** From 1. */
  readonly number: number
  /** ISO 8601, in the time of the computer that saved. */
  readonly at?: string
  /** Who saved, where the save has a state of the project itself. */
  readonly by?: string
  /** Records written by this save. */
  readonly records: number
}

export interface StoreOptions {
  /** Opens an earlier state: the number of a save, from 1. Default: the last. */
  readonly asOfSave?: number
  /** Leaves damaged records out and goes on. They are in `damaged`. */
  readonly skipDamaged?: boolean
}

/** Relations that are followed from their targets. */
const followedBack = [
  'Container',
  'DeviceItem',
  'Handler',
  'IdentContainerInverse',
  'IdentCoreObjectsInverse',
  'IdentPartsInverse',
  'InverseInterfaceComments',
  'TagTable',
  'Target',
  'VarItemParent',
] as const
type FollowedBack = (typeof followedBack)[number]

/** Values by type and id of an object. */
class ByObject<T> {
  readonly #types = new Map<number, Map<number, T>>()

  get(type: number, id: number): T | undefined {
    return this.#types.get(type)?.get(id)
  }
  set(type: number, id: number, value: T): void {
    const known = this.#types.get(type)
    if (known) known.set(id, value)
    else this.#types.set(type, new Map([[id, value]]))
  }
}

export class TiaStore {
  readonly saves: readonly Save[]
  /** Records that were left out. */
  readonly damaged: readonly TiaProjectError[]
  readonly #objects: StoredObject[] = []
  readonly #byReference = new ByObject<StoredObject>()
  readonly #byType = new Map<string, StoredObject[]>()
  readonly #model: TypeModel
  /** By relation and target; made when it is asked for. */
  #sources: ReadonlyMap<FollowedBack, ReadonlyMap<StoredObject, readonly StoredObject[]>> | undefined
  /** Objects whose type the model does not have. */
  readonly unknownTypes: ReadonlyMap<number, number>

  /**
   * Reads a project file (`System/PEData.plf`).
   * @throws TiaProjectError
   */
  constructor(file: Buffer, { asOfSave, skipDamaged = false }: StoreOptions = {}) {
    const damaged: TiaProjectError[] = []
    const records: StoreRecord[] = []
    const saves: Save[] = []
    const ends: number[] = []
    for (const record of readRecords(file, skipDamaged ? { onDamaged: (error) => damaged.push(error) } : {})) {
      records.push(record)
      if (record.type !== systemType.commit) continue
      const at = timeOf(record)
      const count = records.length - (ends.at(-1) ?? 0)
      saves.push({ number: saves.length + 1, ...defined({ at }), records: count })
      ends.push(records.length)
    }
    if (asOfSave !== undefined && !ends[asOfSave - 1])
      throw new TiaProjectError('limit', `The file has ${saves.length} saves; there is no save ${asOfSave}.`)
    const last = new ByObject<StoreRecord>()
    const firstStates: StoreRecord[] = []
    const model = new TypeModel()
    for (const record of asOfSave === undefined ? records : records.slice(0, ends[asOfSave - 1])) {
      if (record.type === systemType.typeModel) model.add(record)
      if (!last.get(record.type, record.id)) firstStates.push(record)
      last.set(record.type, record.id, record)
    }
    if (model.isEmpty) throw new TiaProjectError('damaged', 'The file has no type model; its objects cannot be read.')

    const present = firstStates.flatMap(({ type, id }) => {
      const record = last.get(type, id)!
      return record.deleted ? [] : [record]
    })
    const context = {
      model,
      pages: (type: number, id: number) => last.get(type, id),
      dictionaries: readDictionaries(
        present.filter(({ type }) => type === systemType.dictionary),
        ({ bytes, offset, id }) => new Cursor(bytes, { offset, id }),
      ),
    }
    const unknown = new Map<number, number>()
    const shapes = new Map<number, ObjectShape>()
    for (const record of present) {
      const { type, id } = record
      if (isSystemType(type)) continue
      const name = model.typeName(type)
      if (name === undefined) {
        unknown.set(type, (unknown.get(type) ?? 0) + 1)
        continue
      }
      const shape = shapes.get(type) ?? new ObjectShape(type, name, context)
      shapes.set(type, shape)
      const object = new StoredObject(record, shape)
      this.#objects.push(object)
      this.#byReference.set(type, id, object)
      add(this.#byType, name, object)
    }
    this.#model = model
    const savedBy = usersOf(records, ends, context)
    this.saves = saves.map((save) => ({ ...save, ...defined({ by: savedBy.get(save.number) }) }))
    this.damaged = damaged
    this.unknownTypes = unknown
  }

  /** In the order in which they came into the file. */
  get objects(): readonly StoredObject[] {
    return this.#objects
  }
  get({ type, id }: ObjectReference): StoredObject | undefined {
    return this.#byReference.get(type, id)
  }
  ofType(type: string): readonly StoredObject[] {
    return this.#byType.get(type) ?? []
  }
  /** Objects that a relation of this object leads to. */
  related(object: StoredObject, relation: string): StoredObject[] {
    const ids = this.#model.relationIds(relation)
    const found: StoredObject[] = []
    object.eachRelation((number, type, id) => {
      const of = ids.has(number) ? this.#byReference.get(type, id) : undefined
      if (of) found.push(of)
    })
    return found
  }
  first(object: StoredObject, relation: string): StoredObject | undefined {
    return this.related(object, relation)[0]
  }
  /** Objects that lead to this one by a relation. */
  sources(relation: FollowedBack, target: StoredObject): readonly StoredObject[] {
    this.#sources ??= this.#followBack()
    return this.#sources.get(relation)?.get(target) ?? []
  }
  #followBack() {
    const found = new Map(followedBack.map((name) => [name, new Map<StoredObject, StoredObject[]>()]))
    const maps = new Map(
      followedBack.flatMap((name) => [...this.#model.relationIds(name)].map((id) => [id, found.get(name)!])),
    )
    for (const object of this.objects)
      object.eachRelation((number, type, id) => {
        const sources = maps.get(number)
        const target = sources && this.#byReference.get(type, id)
        if (target) add(sources, target, object)
      })
    return found
  }
  /** The objects in this one's long lists. */
  listed(object: StoredObject): StoredObject[] {
    return object.lists.flat().flatMap((reference) => this.get(reference) ?? [])
  }

  /**
   * Whether an object is part of the project or library, not a template of the tool or a part of another object.
   * Its `Environment` is the project, and it has no `TRefParent`.
   */
  isInProject(object: StoredObject): boolean {
    let isPart = false
    const parent = this.#model.relationIds('TRefParent')
    object.eachRelation((id) => {
      isPart ||= parent.has(id)
    })
    return !isPart && this.related(object, 'Environment').some(({ type }) => rootTypes.has(type))
  }
}

const rootTypes = new Set(['ProjectData', 'LibraryData'])

/** Who changed the project or library last in each save; `ends` are the numbers of records at the end of each. */
function usersOf(records: readonly StoreRecord[], ends: readonly number[], context: FileContext): Map<number, string> {
  const found = new Map<number, string>()
  let save = 1
  records.forEach((record, index) => {
    while (index >= (ends[save - 1] ?? Number.POSITIVE_INFINITY)) save++
    const type = context.model.typeName(record.type)
    if (type === undefined || !rootTypes.has(type) || record.deleted) return
    const shape = new ObjectShape(record.type, type, context)
    const by = new StoredObject(record, shape).text('ICoreAttributes', 'LastModifiedBy')
    if (by) found.set(save, by)
  })
  return found
}

/** The time of a commit record. */
function timeOf({ bytes, size }: StoreRecord): string | undefined {
  return size < 76 ? undefined : timeOfTicks(bytes.readBigUInt64LE(68))
}

/** A time: ticks of 100 ns since the year 1, in its upper bits the kind of time; undefined for none. ISO 8601. */
export function timeOfTicks(value: bigint): string | undefined {
  const ms = Number((value & 0x3fffffffffffffffn) / 10_000n) - 62_135_596_800_000
  return ms > 0 && ms < 4_102_444_800_000 ? new Date(ms).toISOString() : undefined
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
