/**
 * Symbol tables of STEP 7 classic in columns (`.asc`, docs/formats.md#tag-tables-as-files): each row is `126,` and four
 * fields of fixed width, name, address, data type and comment.
 */
import { parseAddress } from '../addresses.ts'
import { type ExchangeContent, maxRows, type RowFaults, type RowProgress, type TagRow, tooManyRows } from './content.ts'
import { classicTags, isBlock } from './sdf.ts'

/** Begins each row. */
const mark = '126,'
/** Where the fields end in a row; the comment goes on to the end, which is often cut. */
const [nameEnd, addressEnd, typeEnd] = [28, 40, 50]

/** True for a text whose first row has the form of a `.asc` file: an address, or a block, in its column. */
export function isAsc(text: string): boolean {
  const { address } = fieldsOf(/^[^\r\n]*/.exec(text.trimStart())?.[0] ?? '') ?? {}
  return address !== undefined && (isBlock(address) || parseAddress(address.replace(/^P/i, '')) !== undefined)
}

function fieldsOf(row: string) {
  if (!row.startsWith(mark)) return undefined
  const field = (start: number, end?: number) => row.slice(start, end).trim()
  return {
    name: field(mark.length, nameEnd),
    address: field(nameEnd, addressEnd),
    dataType: field(addressEnd, typeEnd),
    comment: field(typeEnd),
  }
}

/** Reads the rows. */
export function readAsc(text: string, faults: RowFaults, progress: RowProgress): ExchangeContent {
  const tags: TagRow[] = []
  let blocks = 0
  for (const [index, row] of text.split(/\r\n|\n|\r/).entries()) {
    if (index > maxRows) throw tooManyRows()
    if (index % 1000 === 999) progress(index + 1)
    if (row.trim() === '') continue
    faults.begin()
    const place = { line: index + 1 }
    const fields = fieldsOf(row)
    if (fields === undefined)
      faults.add(place, undefined, `the row does not begin with "${mark}", as each row of a symbol table (.asc) does`)
    else if (fields.name === '') faults.add(place, undefined, 'the name is missing', '')
    else if (isBlock(fields.address)) blocks += 1
    else {
      const { name, dataType, address: logicalAddress, comment } = fields
      tags.push({ place, name, dataType, logicalAddress, comments: { '': comment } })
    }
  }
  const { faults: found, omitted, failed } = faults
  return { constants: [], tables: [], faults: found, omitted, failed, ...classicTags(tags, blocks) }
}
