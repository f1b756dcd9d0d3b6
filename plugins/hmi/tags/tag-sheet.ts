/** HMI tags as a workbook: sheet `Hmi Tags` with TIA Portal's 30 columns (docs/formats.md#tag-tables-as-files). */
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { type CommandContext, type Fault, problem, type QueryContext } from '../../../core/index.ts'
import { zipFault } from '../../../lib/zip-faults.ts'
import type { HmiTag } from '../../../plc/formats/hmi/model.ts'
import type { Device } from '../../devices/index.ts'
import { nameFault } from '../../program-objects/index.ts'
import { boundedArchive } from '../../tags/index.ts'
import {
  type HmiObject,
  hmiCollections,
  hmiTags,
  objectStored,
  type StoredTag,
  tagKey,
  tagStored,
  tagsOfTable,
} from '../object.ts'

/** Columns with the attribute of a tag that each is; others have fields of their own. */
const columns: readonly (readonly [string, string?])[] = [
  ['Name'],
  ['Path'],
  ['Connection'],
  ['PLC tag'],
  ['DataType'],
  ['HMI DataType', 'HmiDataType'],
  ['Length', 'Length'],
  ['Access Method', 'AddressAccessMode'],
  ['Address'],
  ['Start value', 'StartValue'],
  ['Persistency', 'Persistency'],
  ['Substitute value', 'SubstituteValue'],
  ['ID tag', 'IdTag'],
  ['Comment [en-US]'],
  ['Acquisition mode', 'AcquisitionTriggerMode'],
  ['Acquisition cycle'],
  ['Limit Upper 2 Type', 'LimitUpper2Type'],
  ['Limit Upper 2', 'LimitUpper2'],
  ['Limit Lower 2 Type', 'LimitLower2Type'],
  ['Limit Lower 2', 'LimitLower2'],
  ['Linear scaling', 'LinearScaling'],
  ['End value PLC', 'ScalingPlcHigh'],
  ['Start value PLC', 'ScalingPlcLow'],
  ['End value HMI', 'ScalingHmiHigh'],
  ['Start value HMI', 'ScalingHmiLow'],
  ['Gmp relevant', 'GmpRelevant'],
  ['Confirmation Type', 'ConfirmationType'],
  ['RequiredFunctionRights', 'RequiredFunctionRights'],
  ['Mandatory Commenting', 'MandatoryCommenting'],
  ['Scope', 'Scope'],
]
const noValue = '<No Value>'
const mostTags = 250_000

/** The tags of all tables of a station as a workbook. */
export async function tagWorkbook(ctx: Pick<QueryContext, 'read' | 'now'>, station: Device) {
  const culture = 'en-US'
  const warnings = new Set<string>()
  const rows = hmiCollections['tag-table'].of(ctx, station.id).flatMap((table) =>
    tagsOfTable(ctx, table.id).map((tag) => {
      const others = Object.keys(tag.comment).filter((one) => one !== culture && tag.comment[one] !== '')
      if (others.length > 0)
        warnings.add(`Comments in ${others.join(', ')} are not in the file: it has ${culture} only.`)
      const own: Readonly<Record<string, string>> = {
        Name: tag.name,
        Path: [...table.folder.split('/').filter((part) => part !== ''), table.name].join('\\'),
        Connection: tag.connection,
        'PLC tag': tag.plcTag,
        DataType: tag.dataType,
        Address: tag.address,
        'Comment [en-US]': tag.comment[culture] ?? '',
        'Acquisition cycle': tag.acquisitionCycle,
      }
      return columns.map(([column, attribute]) => {
        const text = attribute === undefined ? own[column] : tag.attributes[attribute]
        return (attribute === 'HmiDataType' ? (text ?? tag.dataType) : text) || noValue
      })
    }),
  )
  const known = new Set(columns.flatMap(([, attribute]) => attribute ?? []))
  for (const { attributes } of ctx.read(hmiTags).find('byDevice', station.id))
    for (const name of Object.keys(attributes))
      if (!known.has(name)) warnings.add(`The attribute ${name} has no column; it is not in the file.`)
  const bytes = await writeXlsx({
    sheets: [
      { name: 'Hmi Tags', rows: [columns.map(([column]) => column), ...rows] },
      { name: 'Substitute Value Usage', rows: [['HMI Tag name', 'Substitute Value Usage']] },
    ],
    properties: { modified: new Date(ctx.now), custom: { TIA_Version: '1.7' } },
  })
  return { bytes, tags: rows.length, warnings: [...warnings] }
}

/**
 * Stores the tags of a workbook: each in the table that its path names, which is made when it is absent. A tag that is
 * there is changed.
 * @throws GatewayError `unacceptable_content` with the rows that have faults; nothing is stored then
 */
export async function importWorkbook(ctx: CommandContext, station: Device, bytes: Uint8Array) {
  const archive = await boundedArchive(bytes)
  const book = await readXlsx(archive, {}).catch((error: Error) => {
    throw problem('unacceptable_content', `The workbook cannot be read: ${zipFault(error)}.`)
  })
  const sheet = book.sheets.find(({ rows }) => rows[0]?.includes('Connection') && rows[0].includes('PLC tag'))
  if (sheet === undefined)
    throw problem('unacceptable_content', 'The workbook has no sheet of HMI tags: its first row names the columns.', {
      errors: [
        { message: 'no sheet with the columns Name, Path, Connection, PLC tag', allowed: columns.map(([one]) => one) },
      ],
    })
  const [header = [], ...rows] = sheet.rows
  if (rows.length > mostTags) throw problem('payload_too_large', `At most ${mostTags} tags are read.`)
  const at = new Map(header.map((cell, i) => [String(cell ?? '').trim(), i]))
  const warnings = [...at.keys()]
    .filter((name) => name !== '' && !columns.some(([column]) => column === name))
    .map((name) => `The column "${name}" is not one of HMI tags; it was left out.`)
  const faults: Fault[] = []
  const seen = new Set<string>()
  const read: { tag: HmiTag; path: readonly string[] }[] = []
  for (const [i, row] of rows.entries()) {
    const cell = (column: string) => {
      const text = String(row[at.get(column) ?? -1] ?? '')
      return text === noValue ? '' : text
    }
    const name = cell('Name').trim()
    if (name === '' && row.every((one) => one === null || one === undefined || one === '')) continue
    const fault = (message: string) => void faults.push({ path: `${sheet.name}`, line: i + 2, message, value: name })
    const wrong = nameFault(name)
    if (name === '') fault('the tag has no name')
    else if (wrong !== undefined) fault(`the name of the tag ${wrong}`)
    else if (seen.has(name.toLowerCase())) fault(`the tag "${name}" is there twice`)
    seen.add(name.toLowerCase())
    const attributes = columns.flatMap(([column, attribute]) => {
      const text = attribute === undefined ? '' : cell(column)
      return text === '' || (attribute === 'HmiDataType' && text === cell('DataType'))
        ? []
        : [[attribute as string, text] as const]
    })
    const comment = cell('Comment [en-US]')
    const tag: HmiTag = {
      name,
      dataType: cell('DataType') || cell('HMI DataType') || 'Bool',
      connection: cell('Connection').replace(/^<internal tag>$/i, ''),
      plcTag: cell('PLC tag').replace(/^<undefined>$/i, ''),
      address: cell('Address'),
      acquisitionCycle: cell('Acquisition cycle') || '1 s',
      comment: comment === '' ? {} : { 'en-US': comment },
      attributes: Object.fromEntries(attributes),
    }
    const path = cell('Path')
      .split(/[\\/]/)
      .filter((part) => part !== '')
    const ofTable = path.map(nameFault).find((one) => one !== undefined)
    if (ofTable !== undefined) fault(`a name in its path ${ofTable}`)
    read.push({ tag, path })
  }
  if (faults.length > 0)
    throw problem('unacceptable_content', `Row ${faults[0]?.line}: ${faults[0]?.message}.`, { errors: faults })
  let created = 0
  const has = (column: string) => at.has(column)
  const attributes = columns.flatMap(([column, attribute]) => (has(column) ? (attribute ?? []) : []))
  const tables = new Map(hmiCollections['tag-table'].of(ctx, station.id).map((table) => [table.id, table]))
  const file = { has, attributes, tables }
  for (const { tag, path } of read) if (storeRow(ctx, station, tag, path, file)) created++
  return { tags: read.length, created, replaced: read.length - created, warnings }
}

/** What a file says, and the tables that are there, by id. */
interface WrittenColumns {
  has(column: string): boolean
  /** Attributes that have a column. */
  readonly attributes: readonly string[]
  readonly tables: ReadonlyMap<string, Pick<HmiObject, 'id' | 'name'>>
}

/**
 * Of a tag that is there stays what has no column in the file: fields, attributes, comments in other languages, table.
 * @returns true when the tag is new
 */
function storeRow(
  ctx: CommandContext,
  station: Device,
  tag: HmiTag,
  path: readonly string[],
  { has, attributes, tables }: WrittenColumns,
): boolean {
  const before = ctx.read(hmiTags).get(tagKey(station.id, tag.name))
  const table = has('Path') || before === undefined ? tableAt(ctx, station, path) : tables.get(before.tableId)!
  const stays = <T>(of: Readonly<Record<string, T>> = {}, without: readonly string[]) =>
    Object.fromEntries(Object.entries(of).filter(([name]) => !without.includes(name)))
  const whole: StoredTag = {
    ...tag,
    ...(before && {
      ...(!has('DataType') && !has('HMI DataType') && { dataType: before.dataType }),
      ...(!has('Address') && { address: before.address }),
      ...(!has('Acquisition cycle') && { acquisitionCycle: before.acquisitionCycle }),
      ...(before.tableId === table.id && before.ref !== undefined && { ref: before.ref }),
    }),
    comment: { ...stays(before?.comment, has('Comment [en-US]') ? ['en-US'] : []), ...tag.comment },
    attributes: { ...stays(before?.attributes, attributes), ...tag.attributes },
    deviceId: station.id,
    tableId: table.id,
    id: before?.id ?? ctx.newId(),
  }
  const event = { tag: whole, table: table.name, ...(before && { before: before.name }) }
  ctx.emit(tagStored, event, `hmi-tag/${station.name}/${tag.name}`)
  return before === undefined
}

/** The table of a path, which is made when it is absent. */
function tableAt(ctx: CommandContext, station: Device, path: readonly string[]): Pick<HmiObject, 'id' | 'name'> {
  const tables = hmiCollections['tag-table']
  const name = path.at(-1) ?? 'Default tag table'
  const known = tables.find(ctx, station.id, name)
  if (known !== undefined) return known
  const identity = tables.identityOf(ctx, station, name, { folder: path.slice(0, -1).join('/') }, undefined)
  const table: HmiObject<'tag-table'> = { ...identity, kind: 'tag-table', content: { isDefault: false } }
  ctx.emit(objectStored, { object: table as HmiObject }, tables.entityOf(station, name))
  return table
}
