/** The objects of a folder of exports, with the files that cannot be read. */
import { type FileNote, type PlacedObject, readFolder } from '../../../plc/review/read-folder.ts'
import { type FolderContent, refusedNote } from './folder.ts'

export interface FolderObjects {
  readonly objects: readonly PlacedObject[]
  readonly unread: readonly FileNote[]
  /** Objects that are not among them: another one has their name, and differs. */
  readonly twice: readonly FileNote[]
}

/**
 * Reads all objects of a folder, those of spreadsheets included. CPU-heavy.
 * @param culture language of texts in sources
 */
export async function folderObjects(
  { program, sheets, refused = [] }: FolderContent,
  culture: string,
): Promise<FolderObjects> {
  const notes: FileNote[] = refused.map(refusedNote)
  const tables = sheets.length === 0 ? [] : await (await import('./sheets.ts')).tablesOf(sheets, notes)
  const { objects, notes: more } = await readFolder(program, tables, culture)
  return {
    objects,
    unread: [...notes, ...more].filter(({ severity }) => severity === 'error'),
    twice: more.filter(({ code }) => code === 'duplicate-object'),
  }
}
