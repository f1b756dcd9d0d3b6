/**
 * What a job changed, or a dry run would change, object by object: programs by meaning, as a compare of two sides;
 * everything else of the project field by field.
 */
import { isDeepStrictEqual } from 'node:util'
import { defined, isObject, type QueryContext } from '../../../core/index.ts'
import { apartOf, changesOfJob, contentOf, isProjectState, withoutSecrets } from '../../../core/services.ts'
import { type Block, blocks } from '../../blocks/index.ts'
import { devices } from '../../devices/index.ts'
import { type TagTable, tagNames, tagTables } from '../../tags/index.ts'
import { type PlcType, types } from '../../types/index.ts'
import { type DiffAnswer, diffTask, type ObjectPictures } from './diff.task.ts'
import type { ChangedObject, ObjectChange } from './diff.ts'
import { objectFile, tableFile } from './project-sides.ts'

/** An object that a job changed. */
export type JobChange = Omit<ChangedObject, 'leftFile' | 'rightFile'> & Partial<ObjectPictures>

/** Most fields of one object that are told. */
const mostFields = 500

/** Kinds of collections whose own name says something else to a reader. */
const kindNames: Readonly<Record<string, string>> = {
  'alarms.definitions': 'alarms',
  'design-spec.loaded': 'design spec',
  'projects.open': 'project',
  'security.devices': 'security',
  'watch-tables.tables': 'watch table',
}

/**
 * Reads what a job changed.
 *
 * @throws GatewayError `not_found`; `conflict` while it has not ended; `gone` when a content is not kept any more
 */
export async function jobChanges(
  ctx: QueryContext,
  jobId: string,
  options: { readonly culture: string; readonly pictures: boolean },
): Promise<{ readonly command: string; readonly dryRun: boolean; readonly objects: readonly JobChange[] }> {
  const { job, changes, before, after } = await changesOfJob(ctx, jobId)
  const nameOf = (id: string) => (after.read(devices).get(id) ?? before.read(devices).get(id))?.name ?? id
  const programs = new Programs(before, after)
  const others: JobChange[] = []
  for (const [id, changed] of changes) {
    const definition = ctx.gateway.state.definition(id)
    if (definition === undefined || !isProjectState(definition) || id === tagNames.id) continue
    for (const key of changed.keys()) {
      const [left, right] = [changed.before(key), changed.after(key)]
      if (await programs.take(id, left, right)) continue
      const apart = apartOf(definition)
      const [a, b] = [contentOf(left, apart), contentOf(right, apart)]
      // What is no object only looks others up, such as the numbers of blocks.
      if ((!isObject(a) && !isObject(b)) || isDeepStrictEqual(a, b)) continue
      others.push(fieldChange(id, key, a, b, nameOf))
    }
  }
  const compared = await programs.compared(ctx, options, nameOf)
  return { command: job.command, dryRun: job.dryRun === true, objects: [...compared, ...others] }
}

/** Blocks, types and tag tables that changed, by device, as two sides of a compare. */
class Programs {
  readonly #sides: readonly [QueryContext, QueryContext]
  readonly #files = new Map<string, [FileOfSide[], FileOfSide[]]>()
  /** Properties that are not in the files. */
  readonly #placed: Placed[] = []

  constructor(before: QueryContext, after: QueryContext) {
    this.#sides = [before, after]
  }

  /** @returns false for an entry that is of no program */
  async take(collection: string, left: unknown, right: unknown): Promise<boolean> {
    if (collection !== blocks.id && collection !== types.id && collection !== tagTables.id) return false
    for (const [side, value] of [left, right].entries()) {
      if (value === undefined) continue
      const object = value as Block | PlcType | TagTable
      const files = this.#files.get(object.deviceId) ?? [[], []]
      this.#files.set(object.deviceId, files)
      const ctx = this.#sides[side]!
      const file =
        collection === tagTables.id
          ? await tableFile(ctx, '', object as TagTable)
          : await objectFile(ctx, collection === types.id ? { ...(object as PlcType), kind: 'UDT' } : (object as Block))
      files[side]!.push(file)
    }
    const kind = collection === tagTables.id ? 'TagTable' : collection === types.id ? 'UDT' : undefined
    if (left !== undefined && right !== undefined) this.#place(left as Block, right as Block, kind)
    return true
  }

  #place(left: Block, right: Block, kind: string = right.kind): void {
    const rows = (['folder', 'number'] as const).flatMap((path): ObjectChange[] =>
      left[path] === right[path]
        ? []
        : [{ aspect: 'properties', path, change: 'changed', left: shown(left[path]), right: shown(right[path]) }],
    )
    if (rows.length > 0) this.#placed.push({ deviceId: right.deviceId, name: right.name, kind, rows })
  }

  async compared(
    { engine }: QueryContext,
    { culture, pictures }: { readonly culture: string; readonly pictures: boolean },
    nameOf: (deviceId: string) => string,
  ): Promise<JobChange[]> {
    const all: JobChange[] = []
    for (const [deviceId, [lefts, rights]] of this.#files) {
      const device = nameOf(deviceId)
      const side = (program: FileOfSide[]) => ({ program, sheets: [], hardware: [] })
      const names = { left: 'before', right: 'after' }
      const task = diffTask({ left: side(lefts), right: side(rights), names, format: 'json', culture, pictures })
      const { diff, pictures: drawn } = await engine.run<DiffAnswer>(task)
      const own = diff.objects.map(({ leftFile: _, rightFile: __, ...one }, i) => ({ ...one, device, ...drawn?.[i] }))
      const key = ({ kind, name }: Pick<Placed, 'kind' | 'name'>) => `${kind} ${name}`
      const placed = new Map(this.#placed.filter((one) => one.deviceId === deviceId).map((one) => [key(one), one]))
      for (const one of own) {
        // The file of a table or a block may say its number too.
        const rows = (placed.get(key(one))?.rows ?? []).filter(
          (row) => !one.differences.some(({ path }) => path === row.path),
        )
        placed.delete(key(one))
        all.push({ ...one, differences: [...one.differences, ...rows] })
      }
      for (const { name, kind, rows } of placed.values())
        all.push({ name, kind, change: 'changed', device, differences: rows })
    }
    return all
  }
}

/** Properties of a block, type or table that are another and not in its file. */
interface Placed {
  readonly deviceId: string
  readonly name: string
  readonly kind: string
  readonly rows: readonly ObjectChange[]
}

type FileOfSide = Awaited<ReturnType<typeof objectFile>>

/** An entry of any other collection, field by field. */
function fieldChange(
  collection: string,
  key: string,
  left: unknown,
  right: unknown,
  nameOf: (deviceId: string) => string,
): JobChange {
  const [a, b] = [fieldsOf(left), fieldsOf(right)]
  const rows = [...new Set([...a.keys(), ...b.keys()])].flatMap((path): ObjectChange[] => {
    const [before, after] = [a.get(path), b.get(path)]
    if (before === after) return []
    const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
    return [{ aspect: 'properties', path, change, ...defined({ left: before, right: after }) }]
  })
  const value = (isObject(right) ? right : left) as { name?: unknown; path?: unknown; deviceId?: unknown }
  const device = typeof value.deviceId === 'string' ? nameOf(value.deviceId) : undefined
  const told = [value.name, value.path].find((one) => typeof one === 'string')
  return {
    name: (told as string | undefined) ?? device ?? key,
    // `hmi.text-lists`: text list.
    kind:
      kindNames[collection] ??
      collection
        .slice(collection.lastIndexOf('.') + 1)
        .replace(/ies$/, 'y')
        .replace(/s$/, '')
        .replaceAll('-', ' '),
    change: left === undefined ? 'added' : right === undefined ? 'removed' : 'changed',
    ...defined({ device }),
    differences: rows.slice(0, mostFields),
    ...(rows.length > mostFields ? { more: rows.length - mostFields } : {}),
  }
}

/**
 * The values of an object by their paths, `racks[0].modules[2].address`; ids say nothing to a reader, nor that
 * it was modified. Times are told as such.
 */
function fieldsOf(value: unknown): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  const add = (path: string, one: unknown): void => {
    if (Array.isArray(one)) for (const [i, item] of one.entries()) add(`${path}[${i}]`, item)
    else if (isObject(one)) {
      for (const [name, inner] of Object.entries(one))
        if (!/^(id|modifiedAt|.*Id)$/.test(name)) add(path === '' ? name : `${path}.${name}`, inner)
    } else if (typeof one === 'number' && /At$/.test(path)) fields.set(path, new Date(one).toISOString())
    else if (one !== undefined) fields.set(path, shown(one))
  }
  add('', withoutSecrets(value))
  return fields
}

/** Contents in blobs are told by the beginning of their hash. */
const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(
    /sha256:([0-9a-f]{8})[0-9a-f]{56}/g,
    '#$1',
  )
