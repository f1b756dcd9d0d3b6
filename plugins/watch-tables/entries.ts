/** Operations on rows: checks the rows that clients send and converts them to rows of the table. */

import { type CommandContext, notFound, problem } from '../../core/index.ts'
import type { WatchEntry } from '../../plc/model/object.ts'
import type { Device } from '../devices/index.ts'
import { cultureOf } from '../program-objects/index.ts'
import { constantFault } from '../tags/index.ts'
import { operandOf, type RowOperand } from './operands.ts'
import { editTable } from './store.ts'
import { OperandTypes, type ProgramSymbols, programSymbols } from './symbols.ts'
import type { Row } from './table.task.ts'
import { formatFor, requireFormat, requireTrigger, typesShown } from './values.ts'
import type { WatchTable, WatchTableKind } from './watch-table.ts'

/** A value as text, or as a JSON value. */
type RowValue = string | number | boolean

/** Optional fields of a row in a request. */
export interface RowFields {
  readonly displayFormat?: string | undefined
  readonly monitorTrigger?: string | undefined
  readonly modifyTrigger?: string | undefined
  readonly modifyValue?: RowValue | undefined
  readonly modifyIntention?: boolean | undefined
  readonly forceValue?: RowValue | undefined
  readonly forceIntention?: boolean | undefined
  readonly comment?: string | undefined
}

/** A row in a request: only a symbol or address, or an object with more fields. */
export type NewRow =
  | string
  | (RowFields & { readonly name?: string | undefined; readonly address?: string | undefined })

/** Selects rows by position, symbol or address. */
export interface RowChoice {
  readonly name?: string | undefined
  readonly address?: string | undefined
  readonly position?: number | undefined
}

/** Maximum number of rows in a table. */
const maxRows = 10_000

/**
 * Adds rows at the end of a table. Tags and data blocks that do not exist cause warnings, because they may be created
 * later.
 * @throws GatewayError `invalid_input` for the first invalid row; then no row is added
 */
export async function addEntries(ctx: CommandContext, device: Device, table: WatchTable, rows: readonly NewRow[]) {
  if (rows.length === 0) throw invalid('/entries', rows, 'must have at least one row')
  if (table.entries.length + rows.length > maxRows)
    throw invalid('/entries', rows.length, `is too many: a table has at most ${maxRows} rows`)
  const symbols = programSymbols(ctx, device)
  const types = new OperandTypes(ctx, device)
  const culture = cultureOf(ctx)
  const add: Row[] = []
  const warnings: string[] = []
  for (const [i, row] of rows.entries()) {
    const field = `/entries/${i}`
    const given = typeof row === 'string' ? { name: row } : row
    const text = given.name || given.address
    if (text === undefined || text.trim() === '') throw invalid(field, row, 'needs a name (symbol) or an address')
    const shown = await operandOf(text, given.name ? `${field}/name` : `${field}/address`, symbols, types)
    const operand = given.name && given.address ? await withAddress(shown, given.address, field, symbols, types) : shown
    if (operand.warning !== undefined) warnings.push(operand.warning)
    const attributes = rowAttributes(table.kind, given, operand, field)
    add.push({
      attributes,
      ...(given.comment === undefined ? {} : { comment: { [culture]: requireText(given.comment, field) } }),
    })
  }
  return { table: await editTable(ctx, device, table, { add }), added: add.length, warnings }
}

/**
 * A symbol together with the address in the request: they must match. If the address of the symbol is unknown, the
 * given one is used.
 */
async function withAddress(
  operand: RowOperand,
  address: string,
  field: string,
  symbols: ProgramSymbols,
  types: OperandTypes,
): Promise<RowOperand> {
  const other = await operandOf(address, `${field}/address`, symbols, types)
  if (other.address === operand.address) return operand
  if (operand.address !== '') {
    const message = `is not the address of ${operand.name}: that is ${operand.address}. Send one of them`
    throw invalid(`${field}/address`, address, message)
  }
  const width = operand.dataType === undefined && other.dataType !== undefined
  return { ...operand, address: other.address, ...(width ? { dataType: other.dataType, isWidth: true } : {}) }
}

/**
 * Attributes of a row: all attributes of a new row; of an existing row those in the request.
 * @param before the existing row
 */
function rowAttributes(
  kind: WatchTableKind,
  row: RowFields,
  operand: RowOperand,
  field: string,
  before?: WatchEntry,
): Record<string, string> {
  const isNew = before === undefined
  const attributes: Record<string, string> = isNew ? { Name: operand.name, Address: operand.address } : {}
  const format =
    row.displayFormat === undefined
      ? before?.displayFormat || formatFor(operand.dataType)
      : requireFormat(row.displayFormat, `${field}/displayFormat`)
  if (isNew || row.displayFormat !== undefined) attributes.DisplayFormat = format
  if (isNew || row.monitorTrigger !== undefined)
    attributes.MonitorTrigger = requireTrigger(row.monitorTrigger ?? 'Permanent', `${field}/monitorTrigger`)
  const value = (given: RowValue, name: string) => {
    const text = String(given)
    const wrong = valueFault(text, format, operand)
    if (wrong !== undefined) throw invalid(`${field}/${name}`, text, wrong)
    return /^(true|false)$/i.test(text.trim()) ? text.trim().toUpperCase() : text.trim()
  }
  requireKind(kind, row, field)
  if (kind === 'ForceTable') {
    if (isNew || row.forceValue !== undefined) attributes.ForceValue = value(row.forceValue ?? '', 'forceValue')
    if (isNew || row.forceIntention !== undefined) attributes.ForceIntention = String(row.forceIntention ?? false)
    return attributes
  }
  if (isNew || row.modifyValue !== undefined) attributes.ModifyValue = value(row.modifyValue ?? '', 'modifyValue')
  if (isNew || row.modifyIntention !== undefined) attributes.ModifyIntention = String(row.modifyIntention ?? false)
  if (isNew || row.modifyTrigger !== undefined)
    attributes.ModifyTrigger = requireTrigger(row.modifyTrigger ?? 'Permanent', `${field}/modifyTrigger`)
  return attributes
}

/** Line breaks and tabs are text; other control characters cannot be in a file. */
function requireText(comment: string, field: string): string {
  if (/(?![\t\n\r])[\p{Cc}\p{Surrogate}]/u.test(comment))
    throw invalid(`${field}/comment`, comment, 'has a character in it that no text can have')
  return comment
}

/** Rows of force tables have no modify values; rows of watch tables have no force values. */
function requireKind(kind: WatchTableKind, row: RowFields, field: string): void {
  const foreign =
    kind === 'ForceTable'
      ? (['modifyValue', 'modifyIntention', 'modifyTrigger'] as const)
      : (['forceValue', 'forceIntention'] as const)
  const wrong = foreign.find((name) => row[name] !== undefined)
  if (wrong === undefined) return
  const right =
    kind === 'ForceTable' ? 'forceValue and forceIntention' : 'modifyValue, modifyIntention and modifyTrigger'
  throw invalid(
    `${field}/${wrong}`,
    row[wrong],
    `is not of a ${kind === 'ForceTable' ? 'force' : 'watch'} table; it has ${right}`,
  )
}

/**
 * The fault in a value to write, or undefined. It must fit the data type, or the display format when the type is
 * unknown.
 */
function valueFault(text: string, format: string, { dataType, isWidth }: RowOperand): string | undefined {
  if (text.trim() === '') return undefined
  if (/[\p{Cc}]/u.test(text)) return 'must not contain control characters'
  const isElementary = dataType !== undefined && isWidth !== true && formatFor(dataType) !== 'Undef'
  const types = isElementary ? [dataType] : typesShown(format, isWidth === true ? dataType : undefined)
  const faults = types.map((type) => constantFault(text, type))
  return faults.some((fault) => fault === undefined) ? undefined : faults[0]
}

/**
 * Changes a row. Fields that are not given keep their values.
 * @throws GatewayError `not_found`, `invalid_input`
 */
export async function updateEntry(
  ctx: CommandContext,
  device: Device,
  table: WatchTable,
  choice: RowChoice,
  fields: RowFields,
) {
  const symbols = programSymbols(ctx, device)
  const types = new OperandTypes(ctx, device)
  const indices = await rowsOf(table, rowFinder(table), choice, '', symbols, types)
  const index = indices[0]!
  if (indices.length > 1)
    throw problem(
      'conflict',
      `${indices.length} rows of "${table.name}" show that, at ${indices.map((i) => i + 1).join(', ')}. Send position.`,
    )
  const entry = table.entries[index]!
  const text = entry.name || entry.address
  const operand = text === '' ? { name: '', address: '' } : await knownOperand(text, symbols, types)
  const attributes = rowAttributes(table.kind, fields, operand, '', entry)
  if (entry.isComment === true && Object.keys(attributes).length > 0)
    throw invalid('/position', index + 1, 'is a comment row: only its comment can be changed')
  const culture = cultureOf(ctx)
  const comment =
    fields.comment === undefined
      ? {}
      : { comment: changedComment(entry.comment, culture, requireText(fields.comment, '')) }
  const changed = await editTable(ctx, device, table, { change: [{ index, attributes, ...comment }] })
  return { table: changed, index, changed: changed.document !== table.document }
}

/** A row from a file may contain operands that a request may not. */
async function knownOperand(text: string, symbols: ProgramSymbols, types: OperandTypes): Promise<RowOperand> {
  try {
    return await operandOf(text, '/name', symbols, types)
  } catch {
    return { name: text, address: '' }
  }
}

/** A comment is in the first language of the project. An empty comment deletes the texts of all languages. */
function changedComment(before: Readonly<Record<string, string>>, culture: string, text: string) {
  return text === '' ? { [culture]: '' } : { ...before, [culture]: text }
}

/**
 * Removes all rows that show the given operands.
 * @throws GatewayError `not_found` for the first operand that no row shows; then no row is removed
 */
export async function removeEntries(
  ctx: CommandContext,
  device: Device,
  table: WatchTable,
  choices: readonly (string | RowChoice)[],
) {
  if (choices.length === 0) throw invalid('/entries', choices, 'must name at least one row')
  const symbols = programSymbols(ctx, device)
  const types = new OperandTypes(ctx, device)
  const rows = rowFinder(table)
  const remove = new Set<number>()
  for (const [i, choice] of choices.entries()) {
    const one = typeof choice === 'string' ? { name: choice } : choice
    for (const index of await rowsOf(table, rows, one, `/entries/${i}`, symbols, types)) remove.add(index)
  }
  return { table: await editTable(ctx, device, table, { remove: [...remove] }), removed: remove.size }
}

/** Removes all rows, including comment rows. */
export async function clearEntries(ctx: CommandContext, device: Device, table: WatchTable) {
  const remove = table.entries.map((_entry, index) => index)
  return { table: await editTable(ctx, device, table, { remove }), removed: remove.length }
}

/** Finds the rows of a table that show a text, as symbol or address. */
type RowFinder = (text: string) => readonly number[]

function rowFinder({ entries }: WatchTable): RowFinder {
  const byText = new Map<string, number[]>()
  for (const [index, { name, address }] of entries.entries()) {
    for (const text of new Set([name.toLowerCase(), address.toLowerCase()])) {
      const indices = byText.get(text)
      if (indices) indices.push(index)
      else byText.set(text, [index])
    }
  }
  return (text) => (text === '' ? [] : (byText.get(text.toLowerCase()) ?? []))
}

/**
 * Indices of the selected rows, at least one: by position, or all that show a symbol or address.
 * @throws GatewayError `not_found`, `invalid_input`
 */
async function rowsOf(
  table: WatchTable,
  rows: RowFinder,
  { name, address, position }: RowChoice,
  field: string,
  symbols: ProgramSymbols,
  types: OperandTypes,
): Promise<readonly number[]> {
  if (position !== undefined) {
    if (Number.isInteger(position) && position >= 1 && position <= table.entries.length) return [position - 1]
    throw problem('not_found', `Table "${table.name}" has ${table.entries.length} rows; there is no row ${position}.`)
  }
  const text = (name || address)?.trim() ?? ''
  if (text === '') throw invalid(`${field}/name`, name ?? address, 'needs a name (symbol), an address or a position')
  const written = rows(text)
  if (written.length > 0) return written
  const operand = await knownOperand(text, symbols, types)
  const found = new Set([...rows(operand.name), ...rows(operand.address)])
  if (found.size > 0) return [...found]
  const names = table.entries.flatMap((row) => [row.name, row.address].filter((one) => one !== ''))
  const shown = names.map((one) => one.replaceAll('"', ''))
  throw notFound('row', text, shown)
}

function invalid(field: string, value: unknown, message: string) {
  return problem(
    'invalid_input',
    `${field}: ${value === undefined || typeof value === 'object' ? 'the row' : JSON.stringify(value)} ${message}.`,
    {
      errors: [{ path: field, message, value }],
    },
  )
}
