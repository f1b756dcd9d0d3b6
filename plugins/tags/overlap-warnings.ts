/** Warnings about tags that share memory. */
import type { SliceReader } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import { type Overlap, overlapsOf, overlapsWith, overlapTexts, type Placed } from './addresses.ts'
import { type PlacedRow, rowsNear, tagCells } from './tag-cells.ts'
import { type Tag, tagTables, tagTablesOf } from './tag-table.ts'

/** Maximum number of warnings for one change; overlaps are often intended. */
const mostWarnings = 100
/** Maximum number of pairs of tags that are looked at for them: many of them are told in one sentence. */
const mostPairs = 1000

type Reader = { readonly read: SliceReader }

/**
 * Warnings about tags that share memory with added or changed tags of a device.
 * @param names names of the added or changed tags, in lower case
 */
export function overlapWarnings(ctx: Reader, device: Pick<Device, 'id'>, names: ReadonlySet<string>): string[] {
  const isNew = ({ tag }: Placed) => names.has(tag.name.toLowerCase())
  return textsOf(overlapsOf(placedTags(ctx, device), isNew, mostPairs))
}

/** The same for one tag; in the time of what is near it. */
export function overlapWarningsOf(ctx: Reader, { id }: Pick<Device, 'id'>, tag: Tag): string[] {
  const near = rowsNear(ctx.read(tagCells), id, tag)
  const own = near.get(tag.name.toLowerCase())
  if (!own || near.size === 1) return []
  const tables = ctx.read(tagTables)
  const placed = (row: PlacedRow): Placed => ({ tag: row, tableName: tables.get(row.table)!.name })
  return textsOf(overlapsWith(placed(own), inOrder(ctx, id, [...near.values()]).map(placed), mostPairs))
}

/** Rows in the order of their tables, and in that of each. */
function inOrder(ctx: Reader, deviceId: string, rows: PlacedRow[]): PlacedRow[] {
  const keys = ctx.read(tagTables).findKeys('byDevice', deviceId)
  const ranks = new Map(keys.map((key, rank) => [key, rank]))
  return rows.sort((a, b) => ranks.get(a.table)! - ranks.get(b.table)! || a.order - b.order)
}

function* placedTags(ctx: Reader, device: Pick<Device, 'id'>): Generator<Placed> {
  for (const { name: tableName, tags } of tagTablesOf(ctx, device.id)) for (const tag of tags) yield { tag, tableName }
}

function textsOf(overlaps: readonly Overlap[]): string[] {
  const texts = overlapTexts(overlaps.slice(0, mostPairs))
  const isAll = texts.length <= mostWarnings && overlaps.length <= mostPairs
  return isAll ? texts : [...texts.slice(0, mostWarnings), `more than ${mostWarnings} pairs of tags share memory`]
}
