/**
 * Places of messages in the files that objects were imported from. The compiler reports the place in the text of the
 * object. The stored object knows where that text is in a file, and whether it is unchanged since.
 */
import type { CommandContext } from '../../../core/index.ts'
import { type SdPlaces, sdPlaceOf } from '../../../plc/formats/simatic-sd/places.ts'
import type { Diagnostic } from '../../../plc/program/program.ts'
import { type Origin, originOf, type ProgramObject } from '../../program-objects/index.ts'
import type { Finished } from './run-task.ts'

/** A diagnostic with its file, in which `sourceLine` and `sourceColumn` count. */
export type PlacedDiagnostic = Diagnostic & { readonly file?: string }

type PlacedObject = Omit<Finished['objects'][number], 'diagnostics'> & {
  readonly diagnostics: readonly PlacedDiagnostic[]
}

export interface PlacedResult {
  readonly objects: readonly PlacedObject[]
  readonly others: readonly PlacedDiagnostic[]
}

type Context = Pick<CommandContext, 'blobs'>

/** Returns the outcomes of a compilation with the places of their diagnostics in files. */
export async function placed(
  ctx: Context,
  objects: readonly ProgramObject[],
  result: Pick<Finished, 'objects' | 'others'>,
): Promise<PlacedResult> {
  const byName = new Map(objects.map((object) => [object.name.toLowerCase(), object]))
  const finders = new Map<string, Promise<PlaceIn>>()
  const finderOf = (name: string): Promise<PlaceIn> => {
    const key = name.toLowerCase()
    const finder = finders.get(key) ?? placeIn(ctx, byName.get(key))
    finders.set(key, finder)
    return finder
  }
  const inFile = async (name: string, diagnostics: readonly Diagnostic[]): Promise<readonly PlacedDiagnostic[]> => {
    if (diagnostics.length === 0) return diagnostics
    const find = await finderOf(name)
    return diagnostics.map(find)
  }
  return {
    objects: await Promise.all(
      result.objects.map(async (one) => ({ ...one, diagnostics: await inFile(one.name, one.diagnostics) })),
    ),
    others: await Promise.all(result.others.map(async (one) => (await finderOf(one.object))(one))),
  }
}

type PlaceIn = (diagnostic: Diagnostic) => PlacedDiagnostic

async function placeIn(ctx: Context, object: ProgramObject | undefined): Promise<PlaceIn> {
  const text = object?.stored ?? object?.text
  if (object === undefined || text === undefined) return (diagnostic) => diagnostic
  const origin = originOf(text)
  if (origin?.places !== undefined) return inSd(origin, JSON.parse(await ctx.blobs.text(origin.places)) as SdPlaces)
  const located = object.stored === undefined ? await inTable(ctx, object.name, text.document) : asGiven
  return (diagnostic) => inFileOf(origin, located(diagnostic))
}

const asGiven = (diagnostic: Diagnostic) => diagnostic

/** The text is a part of the file: its first line begins at the column of the origin. */
function inFileOf(origin: Origin | undefined, diagnostic: Diagnostic): PlacedDiagnostic {
  const { sourceLine: line, sourceColumn: column } = diagnostic
  if (origin === undefined || line === undefined || column === undefined) return diagnostic
  return {
    ...diagnostic,
    file: origin.file,
    sourceLine: origin.line + line - 1,
    sourceColumn: line === 1 ? origin.column + column - 1 : column,
  }
}

/** The document was made from the file: its lines differ. */
function inSd({ file }: Origin, places: SdPlaces): PlaceIn {
  return (diagnostic) => {
    const [sourceLine, sourceColumn] = sdPlaceOf(places, diagnostic)
    return { ...diagnostic, file, sourceLine, sourceColumn }
  }
}

/** The engine knows only the rows of a table; their places are read from its document. */
async function inTable(ctx: Context, name: string, document: string): Promise<(diagnostic: Diagnostic) => Diagnostic> {
  const [{ placesOf }, { objectOf }] = await Promise.all([
    import('../../../plc/formats/places.ts'),
    import('../../../plc/edit/stored-document.ts'),
  ])
  const text = await ctx.blobs.text(document)
  const placeOf = placesOf(objectOf({ text, format: 'simaticml', kind: 'TagTable', name, culture: 'en-US' }))
  return (diagnostic) => {
    const { line, column } = placeOf(diagnostic)
    return { ...diagnostic, sourceLine: line, sourceColumn: column }
  }
}
