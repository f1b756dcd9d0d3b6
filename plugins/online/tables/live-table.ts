/**
 * Watch and force tables of devices that are online: which controller they show, and which of their rows a request
 * means.
 */
import { type Actor, type Fault, type GatewayError, nearest, notFound, type SliceReader } from '../../../core/index.ts'
import { type Device, requirePlc } from '../../devices/index.ts'
import { type ProtectedOperation, requireAccess } from '../../security/index.ts'
import type { Controller } from '../../simulation/index.ts'
import { findWatchTable, type WatchTable, watchTablesOf } from '../../watch-tables/index.ts'
import { type Access, connectionOf } from '../connection.ts'
import { problem } from '../problems.ts'

/** What operations can give, with their caller. */
export interface CallerAccess extends Access {
  readonly actor: Actor
}

/** A device that is online. */
export interface OnlineDevice {
  readonly device: Device
  readonly instance: string
  readonly controller: Controller
  /** Aborts when the device goes offline. */
  readonly ended: AbortSignal
}

/**
 * The controller of a PLC that is online, for an operation that its access level allows.
 * @throws GatewayError `not_found`, `device_offline`, `cpu_access_denied`
 */
export async function requireLive(
  access: CallerAccess,
  deviceName: string,
  operation: ProtectedOperation,
): Promise<OnlineDevice> {
  const device = requirePlc(access, deviceName)
  const connection = await connectionOf(access, device)
  if (connection) {
    const { reached, ended } = connection
    requireAccess(access.actor, reached.controller, operation)
    return { device, instance: reached.instance.name, controller: reached.controller, ended }
  }
  throw problem(
    'device_offline',
    `Device "${device.name}" is offline: its tables have no values, and nothing can be modified or forced.`,
    { suggestion: `POST /api/devices/${encodeURIComponent(device.name)}/online` },
  )
}

/**
 * A watch table of a PLC that is online, with where its values come from.
 * @throws GatewayError `not_found`, `device_offline`
 */
export async function requireLiveTable(
  access: CallerAccess,
  { deviceName, tableName }: { readonly deviceName: string; readonly tableName: string },
  operation: ProtectedOperation,
) {
  const online = await requireLive(access, deviceName, operation)
  const table = requireWatchTable(access, online.device, tableName)
  return { online, table, place: placeOf(online, table) }
}

/** Where the values of a table come from, as events and answers name it. */
export function placeOf({ device, instance }: OnlineDevice, { name }: WatchTable) {
  return { deviceName: device.name, tableName: name, instance }
}

/**
 * The watch table of this name.
 * @throws GatewayError `not_found` with the nearest name
 */
function requireWatchTable(ctx: { read: SliceReader }, device: Device, name: string): WatchTable {
  const table = findWatchTable(ctx, device.id, name)
  if (table?.kind === 'WatchTable') return table
  const names = watchTablesOf(ctx, device.id).filter(({ kind }) => kind === 'WatchTable')
  throw notFound(
    'watch table',
    name,
    names.map((other) => other.name),
  )
}

/**
 * The force table of a PLC, which has at most one.
 * @throws GatewayError `not_found`
 */
export function requireForceTable(ctx: { read: SliceReader }, device: Device): WatchTable {
  const table = watchTablesOf(ctx, device.id).find(({ kind }) => kind === 'ForceTable')
  if (table) return table
  throw problem('not_found', `Device "${device.name}" has no force table.`, {
    suggestion: `POST /api/devices/${encodeURIComponent(device.name)}/force-tables`,
  })
}

/** A value as text in the display format of the row, or as JSON has it. */
export type RowValue = string | number | boolean

/** How clients name a row: by symbol or address, by position, or with another value than that of the row. */
export type RowChoice =
  | string
  | number
  | {
      readonly name?: string | undefined
      readonly address?: string | undefined
      readonly position?: number | undefined
      readonly value?: RowValue | undefined
    }

/** A row that is to be written or forced. */
export interface ChosenRow {
  readonly position: number
  /** The symbol, or the address of a row without one. */
  readonly operand: string
  readonly displayFormat: string
  readonly modifyTrigger: string
  readonly value: RowValue
}

/** A row as faults name it. */
function rowText({ position, operand }: Pick<ChosenRow, 'position' | 'operand'>): string {
  return `Row ${position} (${operand === '' ? 'without symbol and address' : operand})`
}

/**
 * The rows that a request means. Without choices: those that have a value and its intention.
 * @throws GatewayError `not_found` for a row that is not there; `unacceptable_content` for rows without a value, naming
 * each
 */
export function chosenRows(table: WatchTable, choices: readonly RowChoice[] | undefined): ChosenRow[] {
  const isForce = table.kind === 'ForceTable'
  const valueName = isForce ? 'forceValue' : 'modifyValue'
  const rowOf = (index: number, value?: RowValue): ChosenRow => {
    const entry = table.entries[index]
    return {
      position: index + 1,
      operand: entry?.name || entry?.address || '',
      displayFormat: entry?.displayFormat || 'Undef',
      modifyTrigger: entry?.modifyTrigger || 'Permanent',
      value: value ?? entry?.[valueName] ?? '',
    }
  }
  const isMeant = ({ isComment, modifyIntention, forceIntention }: WatchTable['entries'][number]) =>
    isComment !== true && (isForce ? forceIntention : modifyIntention) === true
  const find = rowFinder(table)
  const rows = choices
    ? choices.map((choice, i) => {
        const one = typeof choice === 'object' ? choice : {}
        return rowOf(find(choice, `/entries/${i}`), one.value)
      })
    : table.entries.flatMap((entry, index) => (isMeant(entry) ? [rowOf(index)] : []))
  if (rows.length === 0) {
    const intention = isForce ? 'forceIntention' : 'modifyIntention'
    const message = `no row of "${table.name}" has ${intention}: set it with a ${valueName}, or name rows in \`entries\``
    throw problem('unacceptable_content', `/entries: ${message}.`, { errors: [{ path: '/entries', message }] })
  }
  const positions = new Set<number>()
  const twice = rows.find(({ position }) => positions.size === positions.add(position).size)
  if (twice) throw rowFaults([faultOf(twice, 'is named twice')])
  const empty = rows.filter(({ value }) => typeof value === 'string' && value.trim() === '')
  if (empty.length > 0) throw rowFaults(empty.map((row) => faultOf(row, `has no ${valueName}`)))
  return rows
}

/** A fault of a row. */
export function faultOf(row: ChosenRow, message: string, details: Partial<Fault> = {}): Fault {
  return { path: `/rows/${row.position}`, message: `${rowText(row)}: ${message}`, value: row.value, ...details }
}

/** The refusal of a request because of some of its rows; nothing of it is done. */
export function rowFaults(faults: readonly Fault[]): GatewayError {
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more; see errors)` : ''
  return problem('unacceptable_content', `${faults[0]?.message ?? ''}${more}. Nothing was done.`, { errors: faults })
}

const bare = (text: string) => text.trim().replaceAll('"', '').toLowerCase()

/** Finds the index of the row that a client means. Quotes and case do not matter. */
function rowFinder(table: WatchTable): (choice: RowChoice, field: string) => number {
  const { entries } = table
  const byText = new Map<string, number[]>()
  for (const [index, { name, address, isComment }] of entries.entries())
    for (const text of isComment === true ? [] : new Set([bare(name), bare(address)])) {
      const there = byText.get(text)
      if (there) there.push(index)
      else byText.set(text, [index])
    }
  return (choice, field) => {
    const given =
      typeof choice === 'string' ? { name: choice } : typeof choice === 'number' ? { position: choice } : choice
    const { position } = given
    if (position !== undefined) {
      const entry = entries[position - 1]
      if (entry && entry.isComment !== true) return position - 1
      const why = entry ? `row ${position} is a comment` : `row ${position} is behind the last (${entries.length})`
      throw problem('not_found', `${field}: table "${table.name}": ${why}.`)
    }
    const text = (given.name || given.address || '').trim()
    if (text === '') {
      const message = 'needs a name (symbol), an address or a position'
      throw problem('invalid_input', `${field}: ${message}.`, { errors: [{ path: field, message, value: text }] })
    }
    const [index, ...more] = byText.get(bare(text)) ?? []
    if (index === undefined) {
      const near = nearest(bare(text), [...byText.keys()])
      const hint = near === undefined ? '' : ` Did you mean ${near}?`
      const details = near === undefined ? {} : { suggestion: near }
      throw problem('not_found', `${field}: table "${table.name}" has no row ${text}.${hint}`, details)
    }
    if (more.length === 0) return index
    const at = [index, ...more].map((one) => one + 1).join(', ')
    throw problem('conflict', `${field}: rows ${at} of "${table.name}" show ${text}. Send position.`)
  }
}
