/** The event class of organization blocks from sources: read from the text or guessed, and written into the text. */

import type { CommandContext } from '../../../core/index.ts'
import { defined } from '../../../core/index.ts'
import { classOfNumber } from '../../../plc/model/event-classes.ts'
import {
  originOf,
  type SavedIdentity,
  type StorableObject,
  type StoredText,
  storeText,
} from '../../program-objects/index.ts'
import type { Block } from '../block.ts'

/**
 * The event class of an organization block. First comes what its text contains, its number included; then the
 * attributes in the project's files and the block that it replaces; then its name or title; otherwise it is a program
 * cycle block, as in engineering tools.
 */
export function eventOf(
  { name, number, secondaryType, guessedEvent }: StorableObject,
  saved: SavedIdentity | undefined,
  before: Block | undefined,
): { readonly secondaryType: string; readonly warning?: string } {
  if (secondaryType !== undefined && guessedEvent === undefined) return { secondaryType }
  const isOwn = number !== undefined && guessedEvent === undefined
  const known =
    saved?.secondaryType ??
    (isOwn ? classOfNumber(number) : undefined) ??
    (before?.kind === 'OB' ? before.secondaryType : undefined)
  if (known !== undefined) return { secondaryType: known }
  // No warning for Main.
  if (secondaryType === 'ProgramCycle') return { secondaryType }
  const hint =
    "a number in place of the name tells it (ORGANIZATION_BLOCK OB35), or a first line // Gantry { SecondaryType := '…' }"
  if (secondaryType !== undefined)
    return {
      secondaryType,
      warning: `OB "${name}": its text does not say when it runs; by its ${guessedEvent} it is taken to be ${secondaryType} (${hint}).`,
    }
  return {
    secondaryType: 'ProgramCycle',
    warning: `OB "${name}": its text does not say when it runs; it is taken to be ProgramCycle (${hint}).`,
  }
}

/**
 * The text of a block for the store. An organization block from a source gets a line with number and event class when
 * its text contains neither, one from XML its missing SecondaryType: then the text alone is the whole block, in a saved
 * project and in an export.
 * @param stored the text's blob, when it is stored already
 */
export async function textWithEvent(
  ctx: CommandContext,
  object: StorableObject,
  stored: StoredText | undefined,
  event: { readonly number: number; readonly secondaryType: string | undefined },
): Promise<StoredText> {
  const { kind, format } = object
  const { secondaryType, number } = event
  const needsText = kind === 'OB' && (format === 'source' || object.secondaryType === undefined)
  if (!needsText) return stored ?? (await storeText(ctx, object))
  const present = object.xml ?? object.text ?? (stored && (await ctx.blobs.text(stored.document))) ?? ''
  let text = present
  if (format === 'source') {
    const { sourceTextOf } = await import('../../../plc/formats/source/write.ts')
    const wanted = { ...object, text: present, number, ...defined({ secondaryType }) }
    text = sourceTextOf({ ...wanted, interface: [], networks: [] }) ?? present
  } else if (secondaryType !== undefined) {
    const { withEventClass } = await import('../../../plc/edit/edit.ts')
    text = withEventClass(present, secondaryType)
  }
  if (text === present) return stored ?? (await storeText(ctx, object))
  const made = await storeText(ctx, { format, ...(format === 'source' ? { text } : { xml: text }) })
  const origin = stored && originOf(stored)
  // The line of the event comes before every line that messages refer to.
  const added = text.split('\n').length - present.split('\n').length
  return origin === undefined
    ? made
    : { ...made, origin: { ...origin, document: made.document, line: origin.line - added } }
}
