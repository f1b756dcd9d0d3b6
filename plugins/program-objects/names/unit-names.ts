/**
 * Objects of software units among those that are imported. Names are unique in a program of the gateway; TIA Portal has
 * blocks, types, tag tables and tags of one name in several units. Where names meet, those of the units get their whole
 * names, `namespace.Name`, in their own texts and wherever their unit uses them; exports have the bare names again.
 */
import type { CommandContext } from '../../../core/index.ts'
import { defined } from '../../../core/index.ts'
import type { Needs } from '../../../plc/edit/import-order.ts'
import { namespaceOf } from '../../../plc/model/namespace.ts'
import type { NewName } from '../../../plc/uses/whole-names.ts'
import type { Device } from '../../devices/index.ts'
import { programContributor } from '../cross-references/contributor.ts'
import { cultureOf } from '../documents/documents.ts'
import type { StorableObject } from '../files/targets.ts'
import type { StoredText } from '../stored-text.ts'
import type { Renamed, Renaming } from './unit-names.task.ts'

/** An imported object and its software unit. */
export interface UnitObject {
  readonly object: StorableObject
  readonly needs: Needs
  readonly stored: StoredText
  readonly file: { readonly path: string; readonly unit?: string; readonly folder?: string }
  /** Namespace of its unit's names. */
  readonly unit?: string
}

/** Number of tags of a table that a warning names; it counts the others. */
const namedTags = 5

/** Tables have names of their own: they meet only other tables. */
function keyOf({ kind, name }: Pick<StorableObject, 'kind' | 'name'>): string {
  return `${kind.endsWith('Table') ? kind : ''}/${name.toLowerCase()}`
}

/** Names of the program in a tag table. */
function rowNames({ tags = [], constants = [] }: StorableObject): string[] {
  return [...tags, ...constants].map(({ name }) => name)
}

const rowKey = (name: string): string => keyOf({ kind: '', name })

/**
 * The objects with their units, where names of units meet others with whole names.
 * @param warnings gets what was renamed, and which unit an object goes to without its folder
 */
export async function withUnitNames<T extends UnitObject>(
  ctx: CommandContext,
  device: Device,
  given: readonly T[],
  warnings: string[],
): Promise<T[]> {
  if (given.every(({ file, object }) => file.unit === undefined && namespaceOf(object) === '')) return [...given]
  const present = presentNames(ctx, device)
  const found = given.map((one) => inPresentUnit(one, present.units, warnings))
  if (found.every(({ file }) => file.unit === undefined)) return found
  const namespaces = namespacesOf(found, present.units)
  const objects = found.map((one) => {
    const unit = one.file.unit === undefined ? undefined : namespaces.get(one.file.unit.toLowerCase())
    return unit === undefined ? one : { ...one, unit }
  })
  const unitsOf = new Map<string, Set<string>>()
  const addName = (key: string, unit: string): unknown =>
    unitsOf.set(key, (unitsOf.get(key) ?? new Set()).add(unit.toLowerCase()))
  for (const { object, unit = '' } of objects) {
    addName(keyOf(object), unit)
    for (const name of rowNames(object)) addName(rowKey(name), unit)
  }
  const isMet = (key: string, whole: string, unit: string): boolean => {
    if ((unitsOf.get(key)?.size ?? 0) > 1 || present.owners.has(whole)) return true
    const owner = present.owners.get(key)
    return owner !== undefined && owner !== unit.toLowerCase()
  }
  const namesOf = new Map<string, NewName[]>()
  const met = new Map<T, string>()
  for (const one of objects) {
    const { object, unit } = one
    if (unit === undefined) continue
    const names = namesOf.get(unit) ?? []
    namesOf.set(unit, names)
    const whole = `${namespaceOf(object) || unit}.${object.name}`
    if (isMet(keyOf(object), keyOf({ ...object, name: whole }), unit)) {
      met.set(one, whole)
      if (!object.kind.endsWith('Table')) names.push({ from: object.name, to: whole })
      warnings.push(`${object.kind} "${object.name}" of unit "${one.file.unit}" is "${whole}" here: its name is taken.`)
    }
    const rows = rowNames(object).filter((name) => isMet(rowKey(name), rowKey(`${unit}.${name}`), unit))
    names.push(...rows.map((name) => ({ from: name, to: `${unit}.${name}` })))
    if (rows.length > 0) warnings.push(rowsWarning(one, unit, rows))
  }
  // What the unit has already under whole names is meant by their bare ones too.
  for (const [unit, names] of namesOf) {
    const own = new Set(names.map(({ from }) => from.toLowerCase()))
    names.push(...(present.wholeOf.get(unit.toLowerCase()) ?? []).filter(({ from }) => !own.has(from.toLowerCase())))
  }
  return renamed(ctx, objects, met, namesOf)
}

function rowsWarning({ object, file }: UnitObject, unit: string, rows: readonly string[]): string {
  const named = rows.slice(0, namedTags).map((name) => `"${name}"`)
  const more = rows.length > named.length ? ` and ${rows.length - named.length} more` : ''
  return `TagTable "${object.name}" of unit "${file.unit}": ${named.join(', ')}${more} ${rows.length === 1 ? 'is' : 'are'} "${unit}.…" here: the ${rows.length === 1 ? 'name is' : 'names are'} taken.`
}

/** Gives objects their whole names, and replaces the names of their unit that they use. */
async function renamed<T extends UnitObject>(
  ctx: CommandContext,
  objects: readonly T[],
  met: ReadonlyMap<T, string>,
  namesOf: ReadonlyMap<string, readonly NewName[]>,
): Promise<T[]> {
  const named = (one: T) => namesOf.get(one.unit ?? '') ?? []
  const changing = objects.filter((one) => met.has(one) || named(one).length > 0)
  if (changing.length === 0) return [...objects]
  const culture = cultureOf(ctx)
  const input = await Promise.all(
    changing.map(async (one): Promise<Renaming> => {
      const { kind, name, number, secondaryType, engineeringVersion } = one.object
      const { format, document } = one.stored
      const own = met.get(one)
      const text = await ctx.blobs.text(document)
      return {
        document: { text, format, kind, name, number, secondaryType, engineeringVersion, culture },
        ...defined({ own }),
        used: named(one),
      }
    }),
  )
  const module = new URL('./unit-names.task.ts', import.meta.url).href
  const results = await ctx.engine.run<(Renamed | undefined)[]>({ module, fn: 'renameAll', input })
  const changed = new Map<T, T>()
  for (const [i, one] of changing.entries()) {
    const result = results[i]
    if (result === undefined) continue
    const document = await ctx.blobs.put(result.text)
    // An unchanged text keeps the file that it came from.
    if (document === one.stored.document) continue
    const { format } = one.stored
    const stored: StoredText = { format, document, size: Buffer.byteLength(result.text) }
    changed.set(one, { ...one, object: result.object, needs: result.needs, stored })
  }
  return objects.map((one) => changed.get(one) ?? one)
}

/**
 * The namespace of each unit, by its name in lower case: the one that it has in the program, the outermost one of its
 * objects, or its name.
 */
function namespacesOf(objects: readonly UnitObject[], present: ReadonlyMap<string, Unit>): Map<string, string> {
  const namespaces = new Map<string, string>()
  for (const { object, file } of objects) {
    if (file.unit === undefined) continue
    const key = file.unit.toLowerCase()
    const namespace = namespaceOf(object)
    const known = namespaces.get(key)
    if (namespace !== '' && (known === undefined || namespace.length < known.length)) namespaces.set(key, namespace)
  }
  for (const { folder, namespace } of present.values()) namespaces.set(folder.toLowerCase(), namespace)
  for (const { file } of objects)
    if (file.unit !== undefined && !namespaces.has(file.unit.toLowerCase()))
      namespaces.set(file.unit.toLowerCase(), file.unit)
  return namespaces
}

/** An object that came without its folder goes to the unit of the program that has its namespace. */
function inPresentUnit<T extends UnitObject>(one: T, units: ReadonlyMap<string, Unit>, warnings: string[]): T {
  const namespace = namespaceOf(one.object)
  if (one.file.unit !== undefined || namespace === '') return one
  for (let at = namespace.length; at > 0; at = namespace.lastIndexOf('.', at - 1)) {
    const folder = units.get(namespace.slice(0, at).toLowerCase())?.folder
    if (folder === undefined) continue
    const { name, kind } = one.object
    warnings.push(`${kind} "${name}" of the namespace ${namespace} goes to the unit "${folder}".`)
    return { ...one, file: { ...one.file, unit: folder, folder: one.file.folder ?? folder } }
  }
  return one
}

/** A software unit of the program. */
interface Unit {
  /** The outermost folder of its objects, which has its name. */
  readonly folder: string
  readonly namespace: string
}

/**
 * What the device has: the unit of each name, in lower case ('' outside of units), its units by namespace, and the
 * whole names of each with the bare ones.
 */
function presentNames(ctx: CommandContext, device: Device) {
  const owners = new Map<string, string>()
  const units = new Map<string, Unit>()
  const wholeOf = new Map<string, NewName[]>()
  const addWhole = (unit: string, name: string): void => {
    const key = unit.toLowerCase()
    if (!name.toLowerCase().startsWith(`${key}.`)) return
    const names = wholeOf.get(key) ?? []
    names.push({ from: name.slice(unit.length + 1), to: name })
    wholeOf.set(key, names)
  }
  for (const contributor of ctx.extensions(programContributor)) {
    for (const { category, name, path, unit, rows } of contributor.objects(ctx, device)) {
      const kind = category === 'tag-table' ? 'TagTable' : category === 'watch-table' ? 'WatchTable' : ''
      const folder = path.split('/')[1] ?? ''
      // Projects of older versions do not say it: what is of a unit is in a folder with its name.
      const owner = unit ?? (category === 'tag-table' ? '' : folder)
      owners.set(keyOf({ kind, name }), owner.toLowerCase())
      const rowsOfUnit = [...(rows?.tags ?? []), ...(rows?.constants ?? [])].map((row) => row.name)
      for (const row of rowsOfUnit) owners.set(rowKey(row), (unit ?? '').toLowerCase())
      if (unit !== undefined) for (const one of kind === '' ? [name, ...rowsOfUnit] : rowsOfUnit) addWhole(unit, one)
      if (unit !== undefined && folder !== '' && !units.has(unit.toLowerCase()))
        units.set(unit.toLowerCase(), { folder, namespace: unit })
    }
  }
  return { owners, units, wholeOf }
}
