/**
 * Symbol lists (`.sdf`, docs/formats.md#tag-tables-as-files). TIA Portal writes nine columns (name, address, data type,
 * accessible from HMI, visible in HMI, retain, comment, value of a constant, writable from HMI), STEP 7 classic four
 * (name, address, data type, comment). Each field is in quotes; inner quotes are not doubled, so `","` is the
 * separator. A header row is unusual, but accepted.
 */
import { counted } from '../../../lib/counted.ts'
import { textIn } from '../../program-objects/index.ts'
import { parseAddress } from '../addresses.ts'
import type { Constant, Tag } from '../tag-table.ts'
import {
  type ConstantRow,
  type ExchangeContent,
  maxRows,
  type RowFaults,
  type RowPlace,
  type RowProgress,
  type TagRow,
  tooManyRows,
} from './content.ts'

/** Address of a constant. */
const constantMark = 'CONSTANT'

/**
 * True for a text whose first row has the form of a `.sdf` file: four or nine quoted fields, an address in the second.
 */
export function isSdf(text: string): boolean {
  const fields = fieldsOf(/^[^\r\n]*/.exec(text)?.[0] ?? '')
  if (!fields || (fields.length !== 9 && fields.length !== 4)) return false
  const address = fields[1] ?? ''
  return isHeader(fields) || isConstant(address) || isBlock(address) || parseAddress(address) !== undefined
}

function isHeader(fields: readonly string[]): boolean {
  return fields.length === 9 && fields[0] === 'Name' && fields[1] === 'Address'
}

function isConstant(address: string): boolean {
  return address.trim().toUpperCase() === constantMark
}

/** A classic symbol table also contains rows of blocks, types and structures. */
export function isBlock(address: string): boolean {
  return /^\s*(OB|FB|FC|DB|SFB|SFC|UDT|VAT|SDB)\s*\d+\s*$/i.test(address)
}

function fieldsOf(row: string): string[] | undefined {
  const text = row.trim()
  if (!text.startsWith('"') || !text.endsWith('"') || text.length < 2) return undefined
  return text.slice(1, -1).split('","')
}

/** Reads the rows. A comment that contains `","` makes a row too long, which is a fault. */
export function readSdf(text: string, faults: RowFaults, progress: RowProgress): ExchangeContent {
  const tags: TagRow[] = []
  const constants: ConstantRow[] = []
  let blocks = 0
  for (const [index, row] of text.split(/\r\n|\n|\r/).entries()) {
    if (index > maxRows) throw tooManyRows()
    if (index % 1000 === 999) progress(index + 1)
    if (row.trim() === '') continue
    faults.begin()
    const place: RowPlace = { line: index + 1 }
    const fields = fieldsOf(row)
    if (!fields || (fields.length !== 9 && fields.length !== 4)) {
      const found = fields === undefined ? 'is not in quotes' : `has ${fields.length} fields`
      const wanted = '"name","%I0.0","Bool",… with nine fields (TIA Portal) or four (STEP 7)'
      faults.add(place, undefined, `the row ${found}; ${wanted} is expected`)
      continue
    }
    if (index === 0 && isHeader(fields)) continue
    const [name = '', logicalAddress = '', dataType = ''] = fields.map((field) => field.trim())
    const comments = { '': fields[fields.length === 4 ? 3 : 6] ?? '' }
    if (name === '') faults.add(place, undefined, 'the name is missing', '')
    else if (isBlock(logicalAddress)) blocks += 1
    else if (isConstant(logicalAddress) && fields.length === 9)
      constants.push({ place, name, dataType, comments, value: fields[7] ?? '' })
    else tags.push({ place, name, dataType, logicalAddress, comments, ...flagsOf(fields) })
  }
  const { faults: found, omitted, failed } = faults
  return { constants, tables: [], faults: found, omitted, failed, ...classicTags(tags, blocks) }
}

/**
 * The tags of a symbol table of STEP 7 classic, and warnings about what has become of other rows. Symbols of the
 * periphery (`PEW 256`) become tags of the process image, as in TIA Portal.
 * @param blocks number of rows that are no tags
 */
export function classicTags(rows: readonly TagRow[], blocks: number) {
  const left = counted(
    blocks,
    'symbol of a block or data type is no tag',
    'symbols of blocks and data types are no tags',
  )
  const warnings = blocks > 0 ? [`${left}; ${blocks === 1 ? 'it was' : 'they were'} left out`] : []
  let moved: TagRow | undefined
  let count = 0
  const tags = rows.map((row) => {
    const address = /^\s*P\s*([IQEA]\s*[BWD]\s*\d+)\s*$/i.exec(row.logicalAddress ?? '')?.[1]
    if (address === undefined) return row
    moved ??= row
    count += 1
    return { ...row, logicalAddress: address }
  })
  if (moved)
    warnings.push(
      `${counted(count, 'symbol is an address', 'symbols are addresses')} of the periphery ("${moved.name}", ${moved.logicalAddress?.replace(/\s+/g, ' ')}): ${count === 1 ? 'its tag has that' : 'their tags have those'} of the process image, and the program gets past it with "${moved.name}":P`,
    )
  return { tags, warnings }
}

/** Access by HMI devices; STEP 7 classic has no such columns. */
function flagsOf(fields: readonly string[]): Partial<TagRow> {
  if (fields.length === 4) return {}
  const flag = (index: number) => fields[index]?.trim().toLowerCase() !== 'false'
  return { externalAccessible: flag(3), externalVisible: flag(4), externalWritable: flag(8) }
}

/**
 * Writes a symbol list like TIA Portal. Line breaks and `","` cannot be represented: they become blanks, counted in
 * `changed`.
 */
export function writeSdf(tags: readonly Tag[], constants: readonly Constant[], culture: string) {
  let changed = 0
  const field = (text: string) => {
    const plain = text.replace(/[\r\n]+/g, ' ').replaceAll('","', '" "')
    if (plain !== text) changed += 1
    return plain
  }
  const row = (fields: readonly string[]) => `"${fields.map(field).join('","')}"\r\n`
  const flag = (value: boolean) => (value ? 'True' : 'False')
  const text = [
    ...tags.map((tag) =>
      row([
        tag.name,
        tag.logicalAddress,
        tag.dataType,
        flag(tag.externalAccessible),
        flag(tag.externalVisible),
        'False',
        textIn(tag.comment, culture),
        '',
        flag(tag.externalWritable),
      ]),
    ),
    ...constants.map(({ name, dataType, value, comment }) =>
      row([name, constantMark, dataType, '', '', '', textIn(comment, culture), value, '']),
    ),
  ].join('')
  return { text, changed }
}
