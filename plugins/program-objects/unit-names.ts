/**
 * Objects of software units among those that are imported. Names are unique in a program of the gateway; TIA Portal has
 * blocks and types of one name in several units. Where names meet, those of the units get their whole names,
 * `namespace.Name`, in their own texts and wherever their unit uses them; exports have the bare names again.
 */
import type { CommandContext } from '../../core/index.ts'
import type { Needs } from '../../plc/edit/import-order.ts'
import { namespaceOf } from '../../plc/model/namespace.ts'
import type { NewName } from '../../plc/uses/whole-names.ts'
import type { Device } from '../devices/index.ts'
import { programContributor } from './cross-references/contributor.ts'
import { cultureOf } from './documents.ts'
import type { StoredText } from './stored-text.ts'
import type { StorableObject } from './targets.ts'
import type { Renamed, Renaming } from './unit-names.task.ts'

/** An object that is imported, and the software unit it comes from. */
export interface UnitObject {
  readonly object: StorableObject
  readonly needs: Needs
  readonly stored: StoredText
  readonly file: { readonly unit?: string }
}

/** Tables have names of their own: they meet only other tables. */
function keyOf({ kind, name }: Pick<StorableObject, 'kind' | 'name'>): string {
  return `${kind.endsWith('Table') ? kind : ''}/${name.toLowerCase()}`
}

function wholeName({ object, file }: UnitObject): string {
  return `${namespaceOf(object) || file.unit}.${object.name}`
}

/**
 * The objects, where names of units meet others with whole names.
 * @param warnings gets what was renamed
 */
export async function withUnitNames<T extends UnitObject>(
  ctx: CommandContext,
  device: Device,
  objects: readonly T[],
  warnings: string[],
): Promise<T[]> {
  if (objects.every(({ file }) => file.unit === undefined)) return [...objects]
  const unitsOf = new Map<string, Set<string>>()
  for (const { object, file } of objects) {
    const units = unitsOf.get(keyOf(object)) ?? new Set()
    unitsOf.set(keyOf(object), units.add(file.unit?.toLowerCase() ?? ''))
  }
  const present = presentObjects(ctx, device)
  const isMet = (one: UnitObject): boolean => {
    if (one.file.unit === undefined) return false
    const key = keyOf(one.object)
    if ((unitsOf.get(key)?.size ?? 0) > 1 || present.has(keyOf({ ...one.object, name: wholeName(one) }))) return true
    const folder = present.get(key)
    return folder !== undefined && folder !== one.file.unit.toLowerCase()
  }
  const namesOf = new Map<string, NewName[]>()
  const met = new Set(objects.filter(isMet))
  for (const one of met) {
    const { object, file } = one
    const unit = (file.unit as string).toLowerCase()
    if (!object.kind.endsWith('Table'))
      namesOf.set(unit, [...(namesOf.get(unit) ?? []), { from: object.name, to: wholeName(one) }])
    warnings.push(
      `${object.kind} "${object.name}" of unit "${file.unit}" is "${wholeName(one)}" here: its name is taken.`,
    )
  }
  if (met.size === 0) return [...objects]
  const named = (one: T) => namesOf.get(one.file.unit?.toLowerCase() ?? '') ?? []
  const changing = objects.filter((one) => met.has(one) || named(one).length > 0)
  const input = await Promise.all(
    changing.map(async (one): Promise<Renaming> => {
      const { kind, name, number, secondaryType, engineeringVersion } = one.object
      const { format, document } = one.stored
      const text = await ctx.blobs.text(document)
      const culture = cultureOf(ctx)
      return {
        document: { text, format, kind, name, number, secondaryType, engineeringVersion, culture },
        ...(met.has(one) ? { own: wholeName(one) } : {}),
        used: named(one),
      }
    }),
  )
  const module = new URL('./unit-names.task.ts', import.meta.url).href
  const results = await ctx.engine.run<(Renamed | undefined)[]>({ module, fn: 'renameAll', input })
  const renamed = new Map<T, T>()
  for (const [i, one] of changing.entries()) {
    const result = results[i]
    if (result === undefined) continue
    const document = await ctx.blobs.put(result.text)
    // A text that stays as it is keeps the file that it came in.
    if (document === one.stored.document) continue
    const { format } = one.stored
    const stored: StoredText = { format, document, size: Buffer.byteLength(result.text) }
    renamed.set(one, { ...one, object: result.object, needs: result.needs, stored })
  }
  return objects.map((one) => renamed.get(one) ?? one)
}

/** The outermost folder of each object of the device, in lower case: for what is of a software unit the unit's name. */
function presentObjects(ctx: CommandContext, device: Device): Map<string, string> {
  const present = new Map<string, string>()
  for (const contributor of ctx.extensions(programContributor))
    for (const { category, name, path } of contributor.objects(ctx, device)) {
      const kind = category === 'tag-table' ? 'TagTable' : category === 'watch-table' ? 'WatchTable' : ''
      present.set(keyOf({ kind, name }), path.split('/')[1]?.toLowerCase() ?? '')
    }
  return present
}
