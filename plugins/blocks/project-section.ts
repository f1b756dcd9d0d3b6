/** Blocks as a part of the project: its files, its overview, its search entries. */

import type { QueryContext } from '../../core/index.ts'
import { devices } from '../devices/index.ts'
import { type CollectionFiles, maxSearchText, plainText, type Savable } from '../program-objects/index.ts'
import type { SearchEntry } from '../projects/index.ts'
import { type Block, blocksOf } from './block.ts'

/** The text of a block's file, and the attributes that the file cannot contain. */
function savable(block: Block): Savable {
  const { number, autoNumber, secondaryType, kind, format } = block
  // A source cannot contain the event class of an organization block.
  const event = kind === 'OB' && format === 'source' && secondaryType !== undefined ? { secondaryType } : {}
  return { ...block, more: { number, autoNumber, ...event } }
}

/** Blocks in files and in the search. */
export const blockFiles: CollectionFiles<Block> = { savable: (_ctx, block) => savable(block), search: searchBlocks }

async function searchBlocks(ctx: QueryContext): Promise<SearchEntry[]> {
  const entries: SearchEntry[] = []
  for (const device of ctx.read(devices).values()) {
    for (const block of blocksOf(ctx, device.id)) {
      const { name, kind, number, folder, title, comment, author, document, isKnowHowProtected } = block
      const texts = [`${kind}${number}`, kind, author, ...Object.values(title), ...Object.values(comment)]
      if (!isKnowHowProtected) texts.push(plainText((await ctx.blobs.text(document)).slice(0, 4 * maxSearchText)))
      const path = folder === '' ? 'Program blocks' : `Program blocks/${folder}`
      entries.push({ kind: 'block', name, device: device.name, path, text: texts.join(' ') })
    }
  }
  return entries
}
