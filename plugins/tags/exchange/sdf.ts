/**
 * Symbol lists without header (`.sdf`, formats.md 6): nine columns as TIA Portal writes them, four as STEP 7 classic does. Every field is in
 * quotes; quotes inside are not doubled, so that `","` is what separates.
 */
import { parseAddress } from '../addresses.ts'
import { type ExchangeContent, maxRows, type RowFaults, type RowPlace, type TagRow } from './content.ts'
import { type RowProgress, tooManyRows } from './csv.ts'

/** True for a text whose first row has the form of a `.sdf`: it has no header, and an address in its second field. */
export function isSdf(text: string): boolean {
  const fields = fieldsOf(/^[^\r\n]*/.exec(text)?.[0] ?? '')
  return (
    fields !== undefined &&
    (fields.length === 9 || fields.length === 4) &&
    (isBlock(fields[1] ?? '') || parseAddress(fields[1] ?? '') !== undefined)
  )
}

/** Blocks, types and structures have rows of their own in a classic symbol table. */
function isBlock(address: string): boolean {
  return /^\s*(OB|FB|FC|DB|SFB|SFC|UDT|VAT|SDB)\s*\d+\s*$/i.test(address)
}

function fieldsOf(row: string): string[] | undefined {
  const text = row.trim()
  if (!text.startsWith('"') || !text.endsWith('"') || text.length < 2) return undefined
  return text.slice(1, -1).split('","')
}

/** Reads the rows; a comment with `","` in it makes a row too long, which is a fault. */
export function readSdf(text: string, faults: RowFaults, progress: RowProgress): ExchangeContent {
  const tags: TagRow[] = []
  let blocks = 0
  for (const [index, row] of text.split(/\r\n|\n|\r/).entries()) {
    if (row.trim() === '') continue
    const place: RowPlace = { line: index + 1 }
    const fields = fieldsOf(row)
    if (!fields || (fields.length !== 9 && fields.length !== 4)) {
      const found = fields === undefined ? 'is not in quotes' : `has ${fields.length} fields`
      faults.add(
        place,
        undefined,
        `the row ${found}; "name","%I0.0","Bool",… with nine fields (TIA Portal) or four (STEP 7) is expected`,
      )
      continue
    }
    const [name = '', address = '', dataType = ''] = fields.map((field) => field.trim())
    if (name === '') faults.add(place, undefined, 'the name is missing', '')
    else if (isBlock(address)) blocks += 1
    else
      tags.push(
        fields.length === 4
          ? { ...classic(fields), place, name, logicalAddress: address, dataType }
          : { ...portal(fields), place, name, logicalAddress: address, dataType },
      )
    if (tags.length > maxRows) throw tooManyRows()
    if (tags.length % 1000 === 0) progress(tags.length)
  }
  const { faults: found, omitted } = faults
  const warnings = blocks > 0 ? [`${blocks} symbols of blocks and data types are no tags; they were left out`] : []
  return { tags, constants: [], tables: [], faults: found, omitted, warnings }
}

/** `"name","M 750.0","BOOL","comment"` */
function classic(fields: readonly string[]): Pick<TagRow, 'comments'> {
  return { comments: { '': fields[3]?.trim() ?? '' } }
}

/** `"name","%I0.0","Bool","True","True","False","comment","","True"`: accessible, visible, (not known), comment, (not known), writable. */
function portal(fields: readonly string[]): Omit<TagRow, 'place' | 'name'> {
  const flag = (index: number) => fields[index]?.trim().toLowerCase() !== 'false'
  return {
    comments: { '': fields[6] ?? '' },
    externalAccessible: flag(3),
    externalVisible: flag(4),
    externalWritable: flag(8),
  }
}
