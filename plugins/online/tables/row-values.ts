/** The values that rows of watch and force tables show, all of one scan boundary. */
import type { Controller, Force } from '../../simulation/index.ts'
import {
  formatValue,
  type JsonValue,
  planOf,
  type ResolvedTag,
  readPlanned,
  readValue,
} from '../../simulation/index.ts'
import type { WatchTable } from '../../watch-tables/index.ts'
import { type OnlineDevice, placeOf } from './live-table.ts'

/** A row with its value. `Bad`: it has none, `error` says why. */
export interface RowView {
  readonly position: number
  readonly name: string
  readonly address: string
  readonly displayFormat: string
  readonly monitorTrigger: string
  readonly dataType: string
  /** In the display format. */
  readonly value: string
  readonly raw: JsonValue
  readonly quality: 'Good' | 'Bad'
  readonly isForced: boolean
  readonly error?: string
}

/** What a table shows at one scan boundary. */
export interface TableValues {
  readonly rows: readonly RowView[]
  /** Cycles since STARTUP. */
  readonly cycle: number
  /** Virtual system time. */
  readonly timestamp: string
  /** Hash of the program. */
  readonly program: string
}

/**
 * Reads the rows of a table; comment rows are left out.
 * @throws GatewayError `conflict` when no program is loaded; what `Controller.read` throws
 */
export async function readRows(controller: Controller, { entries }: Pick<WatchTable, 'entries'>): Promise<TableValues> {
  const shown = entries.flatMap((entry, index) => (entry.isComment === true ? [] : [{ entry, position: index + 1 }]))
  const names = shown.map(({ entry }) => entry.name || entry.address)
  const { plan, snapshot, program } = await readPlanned(controller, (loaded) => planOf(loaded, names))
  const rows = shown.map(({ entry, position }, i): RowView => {
    const displayFormat = entry.displayFormat || 'Undef'
    const monitorTrigger = entry.monitorTrigger || 'Permanent'
    const row = { position, name: entry.name, address: entry.address, displayFormat, monitorTrigger }
    const slot = plan.slots[i]
    const none = { ...row, dataType: '', value: '', raw: null, quality: 'Bad' as const, isForced: false }
    if (names[i] === '') return { ...none, error: 'The row has neither a symbol nor an address.' }
    if (!slot || 'error' in slot) return { ...none, error: slot?.error ?? 'It was not read.' }
    const { tag, range, offset } = slot
    const bytes = snapshot.bytes[range]?.subarray(offset, offset + tag.size) ?? new Uint8Array(tag.size)
    const { clock } = snapshot
    return {
      ...row,
      address: tag.addressText ?? entry.address,
      dataType: tag.dataType,
      value: formatValue(tag, bytes, displayFormat, clock),
      raw: readValue(tag, bytes, clock),
      quality: 'Good',
      isForced: controller.forces.some((force) => isHeld(tag, force)),
    }
  })
  return { rows, cycle: snapshot.cycle, timestamp: new Date(snapshot.time).toISOString(), program: program.hash }
}

/** The values of a table, as `values` operations answer them. */
export async function tableValues(online: OnlineDevice, table: WatchTable) {
  const { program: _, rows, ...boundary } = await readRows(online.controller, table)
  const bad = rows.filter(({ quality }) => quality === 'Bad').length
  const place = { ...placeOf(online, table), state: online.controller.state }
  return { ...place, ...boundary, rows: rows.map((row) => ({ ...row })), bad }
}

/** A force holds some of a tag. */
function isHeld({ address, writeAddress, size, bit }: ResolvedTag, force: Force): boolean {
  return [address, writeAddress].some((start) => {
    if (force.address >= start + size || start >= force.address + force.bytes.length) return false
    return bit === undefined || force.mask === undefined || ((force.mask >> bit) & 1) === 1
  })
}
