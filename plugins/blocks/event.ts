/** When an organization block from a source runs: what its text says, what is guessed, and how its text says it then. */

import type { CommandContext } from '../../core/index.ts'
import { defined } from '../../core/index.ts'
import {
  originOf,
  type SavedIdentity,
  type StorableObject,
  type StoredText,
  storeText,
} from '../program-objects/index.ts'
import type { Block } from './block.ts'

/**
 * The event class of an organization block. What its text tells counts; then what the project's files say beside it, and what a present
 * block is that it replaces; then what its name or title is a sign of; then it is a program cycle block, as engineering tools take it.
 */
export function eventOf(
  { name, format, secondaryType, guessedEvent }: StorableObject,
  saved: SavedIdentity | undefined,
  before: Block | undefined,
): { readonly secondaryType?: string; readonly warning?: string } {
  if (secondaryType !== undefined && guessedEvent === undefined) return { secondaryType }
  const known = saved?.secondaryType ?? (before?.kind === 'OB' ? before.secondaryType : undefined)
  if (known !== undefined) return { secondaryType: known }
  // What Main is needs no word.
  if (secondaryType === 'ProgramCycle') return { secondaryType }
  const hint =
    "a number in place of the name tells it (ORGANIZATION_BLOCK OB35), or a first line // Gantry { SecondaryType := '…' }"
  if (secondaryType !== undefined)
    return {
      secondaryType,
      warning: `OB "${name}": its text does not say when it runs; by its ${guessedEvent} it is taken to be ${secondaryType} (${hint}).`,
    }
  if (format !== 'source') return {}
  return {
    secondaryType: 'ProgramCycle',
    warning: `OB "${name}": its text does not say when it runs; it is taken to be ProgramCycle (${hint}).`,
  }
}

/**
 * The text of a block as it is stored. That of an organization block from a source gets a line that says number and event class when it
 * does not say them itself: the text alone then is the whole block, in a saved project as in an export.
 * @param stored where the text is, when it is kept already
 */
export async function textWithEvent(
  ctx: CommandContext,
  object: StorableObject,
  stored: StoredText | undefined,
  event: { readonly number: number; readonly secondaryType: string | undefined },
): Promise<StoredText> {
  if (object.kind === 'OB' && object.format === 'source') {
    const { sourceTextOf } = await import('../../plc/formats/source/write.ts')
    const present = object.text ?? (stored && (await ctx.blobs.text(stored.document))) ?? ''
    const { secondaryType, number } = event
    const wanted = { ...object, text: present, number, ...defined({ secondaryType }) }
    const text = sourceTextOf({ ...wanted, interface: [], networks: [] }) ?? present
    if (text !== present) {
      const made = await storeText(ctx, { ...object, text })
      const origin = stored && originOf(stored)
      // The line of the event is put before everything that messages are about.
      const added = text.split('\n').length - present.split('\n').length
      return origin === undefined
        ? made
        : { ...made, origin: { ...origin, document: made.document, line: origin.line - added } }
    }
  }
  return stored ?? (await storeText(ctx, object))
}
