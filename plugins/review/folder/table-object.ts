/** Rows of tags from elsewhere as a tag table of the program. */
import type { ImportedObject } from '../../../plc/model/object.ts'
import type { PlacedObject } from '../../../plc/review/read-folder.ts'

/** A table of tags and constants with the rows of its file. */
export function tableObject(
  name: string,
  file: string,
  rows: Pick<ImportedObject, 'tags' | 'constants'>,
  lineOf: (row: string) => number,
): PlacedObject {
  const object: ImportedObject = {
    ...{ kind: 'TagTable', element: 'SW.Tags.PlcTagTable', format: 'simaticml', name, language: '' },
    ...{ title: {}, comment: {}, author: '', family: '', headerName: '', version: '' },
    ...{ isKnowHowProtected: false, attributes: [], interface: [], networks: [], ...rows },
  }
  return { object, file, isText: false, placeOf: ({ member = '' }) => ({ line: lineOf(member), column: 1 }) }
}
