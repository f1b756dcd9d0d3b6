/** A project file as its objects: the state of one save, looked up by type, name and relation. */
import { defined } from '../../../lib/optional.ts'
import { Cursor } from './cursor.ts'
import { readDictionaries } from './expando.ts'
import { type FileContext, keyOf, type ObjectKey, StoredObject } from './object.ts'
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
  'IdentContainerInverse',
  'IdentCoreObjectsInverse',
  'IdentPartsInverse',
  'InverseInterfaceComments',
  'TagTable',
  'Target',
  'VarItemParent',
] as const
type FollowedBack = (typeof followedBack)[number]

export class TiaStore {
  readonly saves: readonly Save[]
  /** Records that were left out. */
  readonly damaged: readonly TiaProjectError[]
  readonly #objects = new Map<ObjectKey, StoredObject>()
  readonly #byType = new Map<string, StoredObject[]>()
  readonly #model: TypeModel
  /** By relation and target; made when it is asked for. */
  #sources: Map<string, StoredObject[]> | undefined
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
    const last = new Map<ObjectKey, StoreRecord>()
    const model = new TypeModel()
    for (const record of asOfSave === undefined ? records : records.slice(0, ends[asOfSave - 1])) {
      if (record.type === systemType.typeModel) model.add(record)
      last.set(keyOf(record.type, record.id), record)
    }
    if (model.isEmpty) throw new TiaProjectError('damaged', 'The file has no type model; its objects cannot be read.')

    const pages = (type: number, id: number) => last.get(keyOf(type, id))
    const dictionaries = readDictionaries(
      [...last.values()].filter(({ type, deleted }) => type === systemType.dictionary && !deleted),
      ({ bytes, offset, id }) => new Cursor(bytes, { offset, id }),
    )
    const context = { model, pages, dictionaries }
    const unknown = new Map<number, number>()
    for (const [key, record] of last) {
      if (record.deleted || isSystemType(record.type)) continue
      const type = model.typeName(record.type)
      if (type === undefined) {
        unknown.set(record.type, (unknown.get(record.type) ?? 0) + 1)
        continue
      }
      const object = new StoredObject(record, type, context)
      this.#objects.set(key, object)
      add(this.#byType, type, object)
    }
    this.#model = model
    const savedBy = usersOf(records, ends, context)
    this.saves = saves.map((save) => ({ ...save, ...defined({ by: savedBy.get(save.number) }) }))
    this.damaged = damaged
    this.unknownTypes = unknown
  }

  get objects(): Iterable<StoredObject> {
    return this.#objects.values()
  }
  get(key: ObjectKey | undefined): StoredObject | undefined {
    return key === undefined ? undefined : this.#objects.get(key)
  }
  ofType(type: string): readonly StoredObject[] {
    return this.#byType.get(type) ?? []
  }
  /** Objects that a relation of this object leads to. */
  related(object: StoredObject, relation: string): StoredObject[] {
    const ids = this.#model.relationIds(relation)
    const found: StoredObject[] = []
    object.eachRelation((id, target) => {
      const of = ids.has(id) ? this.get(target()) : undefined
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
    return this.#sources.get(`${relation} ${target.key}`) ?? []
  }
  #followBack(): Map<string, StoredObject[]> {
    const found = new Map<string, StoredObject[]>()
    const names = new Map(followedBack.flatMap((name) => [...this.#model.relationIds(name)].map((id) => [id, name])))
    for (const object of this.#objects.values())
      object.eachRelation((id, target) => {
        const name = names.get(id)
        if (name !== undefined) add(found, `${name} ${target()}`, object)
      })
    return found
  }
  /** The objects in this one's long lists. */
  listed(object: StoredObject): StoredObject[] {
    return object.lists.flat().flatMap((key) => this.get(key) ?? [])
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
  for (const [index, record] of records.entries()) {
    while (index >= (ends[save - 1] ?? Number.POSITIVE_INFINITY)) save++
    const type = context.model.typeName(record.type)
    if (record.deleted || type === undefined || !rootTypes.has(type)) continue
    const by = new StoredObject(record, type, context).text('ICoreAttributes', 'LastModifiedBy')
    if (by) found.set(save, by)
  }
  return found
}

/** The time of a commit record: ticks of 100 ns since the year 1, in its upper bits the kind of time. */
function timeOf({ bytes, size }: StoreRecord): string | undefined {
  if (size < 76) return undefined
  const ticks = bytes.readBigUInt64LE(68) & 0x3fffffffffffffffn
  const ms = Number(ticks / 10_000n) - 62_135_596_800_000
  return ms > 0 && ms < 4_102_444_800_000 ? new Date(ms).toISOString() : undefined
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
