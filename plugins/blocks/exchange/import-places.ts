/** Places of the faults that an import finds after reading a file: the object in the file, or a row of its table. */
import type { CommandContext, Fault } from '../../../core/index.ts'
import { originOf, type StoredText } from '../../program-objects/index.ts'

/** An object that was read from a file. */
interface FromFile {
  readonly object: { readonly kind: string; readonly name: string }
  readonly stored: StoredText
  readonly file: { readonly path: string }
}

type FaultPlace = {
  readonly path: string
  readonly file: string
  readonly sourceLine?: number
  readonly sourceColumn?: number
}

/** Returns the place of an object in its file. */
export function placeOf({ stored, file: { path } }: FromFile): FaultPlace {
  const origin = originOf(stored)
  return { path, file: path, ...(origin && { sourceLine: origin.line, sourceColumn: origin.column }) }
}

/** Returns the function that finds the place of a fault of an object; in a tag table that is the row of the name. */
export async function placesIn(
  ctx: Pick<CommandContext, 'blobs'>,
  candidate: FromFile,
  faults: readonly Fault[],
): Promise<(fault: Fault) => FaultPlace> {
  const around = placeOf(candidate)
  const { object, stored } = candidate
  const origin = originOf(stored)
  if (object.kind !== 'TagTable' || origin === undefined || faults.length === 0) return () => around
  const [{ placesOf }, { objectOf }] = await Promise.all([
    import('../../../plc/formats/places.ts'),
    import('../../../plc/edit/stored-document.ts'),
  ])
  const text = await ctx.blobs.text(stored.document)
  const find = placesOf(objectOf({ text, format: 'simaticml', ...object, culture: 'en-US' }))
  return ({ name }) => {
    if (typeof name !== 'string') return around
    const { line, column } = find({ member: name })
    const isFirst = line === 1
    return {
      ...around,
      sourceLine: origin.line + line - 1,
      sourceColumn: isFirst ? origin.column + column - 1 : column,
    }
  }
}
