/** Warnings about tags that share memory. */
import type { SliceReader } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import { type Overlap, overlapsOf, overlapsWith, overlapTexts, type Placed } from './addresses.ts'
import { isNamed, type Tag, tagTablesOf } from './tag-table.ts'

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

/** The same for one tag. */
export function overlapWarningsOf(ctx: Reader, device: Pick<Device, 'id'>, { name, logicalAddress }: Tag): string[] {
  if (logicalAddress === '') return []
  const wanted = name.toLowerCase()
  for (const tag of placedTags(ctx, device))
    if (isNamed(tag.tag.name, wanted)) return textsOf(overlapsWith(tag, placedTags(ctx, device), mostPairs))
  return []
}

function* placedTags(ctx: Reader, device: Pick<Device, 'id'>): Generator<Placed> {
  for (const { name: tableName, tags } of tagTablesOf(ctx, device.id)) for (const tag of tags) yield { tag, tableName }
}

function textsOf(overlaps: readonly Overlap[]): string[] {
  const texts = overlapTexts(overlaps.slice(0, mostPairs))
  const isAll = texts.length <= mostWarnings && overlaps.length <= mostPairs
  return isAll ? texts : [...texts.slice(0, mostWarnings), `more than ${mostWarnings} pairs of tags share memory`]
}
