/** Tag tables of spreadsheets and text tables, as objects of the program. */
import { isGatewayError } from '../../../core/index.ts'
import type { FileNote, FolderFile, PlacedObject } from '../../../plc/review/read-folder.ts'
import { tableObject } from './table-object.ts'

/** Reads the tables of files. A file that holds something else is noted. */
export async function tablesOf(files: readonly FolderFile[], notes: FileNote[]): Promise<PlacedObject[]> {
  if (files.length === 0) return []
  const { readTagFile } = await import('../../tags/index.ts')
  const objects: PlacedObject[] = []
  for (const { path, bytes } of files) {
    try {
      const { tags, constants, faults, warnings } = await readTagFile(bytes, /\.xlsx$/i.test(path) ? 'xlsx' : 'csv')
      for (const { message, line, column } of faults as readonly { message: string; line?: number; column?: number }[])
        notes.push({
          code: 'unreadable-file',
          severity: 'error',
          file: path,
          line: line ?? 1,
          column: column ?? 1,
          message,
        })
      for (const message of warnings)
        notes.push({ code: 'import-warning', severity: 'warning', file: path, line: 1, column: 1, message })
      const stem = path.replace(/^.*\//, '').replace(/\.\w+$/, '')
      const keyOf = ({ table }: { readonly table?: string }) => (table || stem).toLowerCase()
      // A table is called as its first row says it: the case of names does not count.
      const names = new Map<string, string>()
      for (const row of [...tags, ...constants]) if (!names.has(keyOf(row))) names.set(keyOf(row), row.table || stem)
      for (const [key, name] of names) {
        const isOf = (row: { readonly table?: string }) => keyOf(row) === key
        const [own, fixed] = [tags.filter(isOf), constants.filter(isOf)]
        const lines = new Map([...own, ...fixed].map((row) => [row.name.toLowerCase(), row.place.line ?? 1]))
        const rows = {
          tags: own.map(({ name: tag, dataType = 'Bool', logicalAddress = '', comments = {} }) => ({
            ...{ name: tag, dataType, logicalAddress },
            comment: comments,
          })),
          constants: fixed.map(({ name: constant, dataType = 'Int', value = '', comments = {} }) => ({
            ...{ name: constant, dataType, value },
            comment: comments,
          })),
        }
        objects.push(tableObject(name, path, rows, (row) => lines.get(row.toLowerCase()) ?? 1))
      }
    } catch (error) {
      if (!isGatewayError(error)) throw error
      notes.push({
        ...{ code: 'not-checked', severity: 'information', file: path, line: 1, column: 1 },
        message: `This is no table of tags: ${error.message}`,
      })
    }
  }
  return objects
}
