/**
 * Which tags of a device are where. Each area is divided into cells, and the tags of a cell are kept with it, beside
 * the tables: a look through all rows for each added tag grows with the square of the plant.
 */
import { type CollectionReader, type CollectionWriter, collection, ownedBy } from '../../core/index.ts'
import { device } from '../devices/index.ts'
import { type Addressed, type Extent, extentOf } from './addresses.ts'

/** A tag with an address, in its table. */
export interface PlacedRow extends Addressed {
  /** Key of the table. */
  readonly table: string
  /** Tells the order of the rows of a table: of two rows it differs at least as much as their indexes do. */
  readonly order: number
}

/** What is in a cell. */
export interface TagCell {
  readonly rows: readonly PlacedRow[]
}

const deviceOf = (key: string) => key.slice(0, key.indexOf('/'))

/**
 * Key: device, area, size and number of the cell. Indexes `byDevice` and `byTable` (keys of the tables that have rows
 * there). An undo leaves it as it is: the slice makes it anew of the tables that were put back.
 */
export const tagCells = collection<TagCell>(
  'tags.cells',
  { byDevice: (_, key) => deviceOf(key), byTable: ({ rows }) => [...new Set(rows.map(({ table }) => table))] },
  [ownedBy(device, 'byDevice')],
  'apart',
)

/**
 * Sizes of cells in bits (timers and counters: in numbers). A tag is kept in cells of the first size that it is not
 * larger than: in two of them at most, and few that share no memory fit into one. The last is for all that are larger:
 * long strings.
 */
const cellSizes: readonly number[] = [64, 64 * 64, Number.POSITIVE_INFINITY]

function* cellsOfSize(deviceId: string, { area, start, end }: Extent, size: number): Generator<string> {
  const last = Math.floor((end - 1) / size)
  for (let cell = Math.floor(start / size); cell <= last; cell++) yield `${deviceId}/${area}/${size}/${cell}`
}

/** The cells in which a tag is kept; none without an address. */
function cellsOf(deviceId: string, tag: Addressed): string[] {
  const extent = extentOf(tag)
  if (!extent) return []
  const size = cellSizes.find((one) => extent.end - extent.start <= one)!
  return [...cellsOfSize(deviceId, extent, size)]
}

type Writer = CollectionWriter<TagCell>

/** Replaces the rows of a cell that are those of a table (of a name, if given). */
function replaceRows(cells: Writer, key: string, table: string, rows: readonly PlacedRow[], name?: string): void {
  const isGone = (row: PlacedRow) => row.table === table && (name === undefined || row.name === name)
  const kept = cells.get(key)?.rows.filter((row) => !isGone(row)) ?? []
  if (kept.length + rows.length > 0) cells.set(key, { rows: [...kept, ...rows] })
  else cells.delete(key)
}

/** The order of the row at an index: its own, or that of the last row before it with an address, and on. */
function orderAt(cells: Writer, table: string, tags: readonly Addressed[], index: number): number {
  for (let at = Math.min(index, tags.length - 1); at >= 0; at--) {
    const { name } = tags[at]!
    const [cell] = cellsOf(deviceOf(table), tags[at]!)
    const row = cell && cells.get(cell)?.rows.find((one) => one.table === table && one.name === name)
    if (row) return row.order + index - at
  }
  return index
}

/** Notes that a table has these tags and no others. */
export function placeTable(cells: Writer, table: string, tags: readonly Addressed[]): void {
  const found = new Map<string, PlacedRow[]>(cells.findKeys('byTable', table).map((key) => [key, []]))
  for (const [order, { name, dataType, logicalAddress }] of tags.entries()) {
    const row = { table, order, name, dataType, logicalAddress }
    for (const key of cellsOf(deviceOf(table), row)) {
      const rows = found.get(key)
      if (rows) rows.push(row)
      else found.set(key, [row])
    }
  }
  for (const [key, rows] of found) replaceRows(cells, key, table, rows)
}

/**
 * Notes a change of one row of a table.
 * @param tags rows of the table before the change
 * @param index of the row, behind the last for a new one
 * @param tag what the row becomes; undefined: it goes
 */
export function placeRow(
  cells: Writer,
  table: string,
  tags: readonly Addressed[],
  index: number,
  tag: Addressed | undefined,
): void {
  const [before, to] = [tags[index], tag ? cellsOf(deviceOf(table), tag) : []]
  const order = to.length === 0 ? 0 : orderAt(cells, table, tags, index)
  if (before) for (const key of cellsOf(deviceOf(table), before)) replaceRows(cells, key, table, [], before.name)
  if (!tag) return
  const { name, dataType, logicalAddress } = tag
  for (const key of to) replaceRows(cells, key, table, [{ table, order, name, dataType, logicalAddress }], name)
}

/**
 * A tag and the others that may share memory with it, by name in lower case and in no order. Takes the time of what is
 * near it, however many there are.
 */
export function rowsNear(
  cells: CollectionReader<TagCell>,
  deviceId: string,
  tag: Addressed,
): ReadonlyMap<string, PlacedRow> {
  const extent = extentOf(tag)
  if (!extent) return new Map()
  // A long string covers more cells than there are.
  const isLong = (extent.end - extent.start) / cellSizes[0]! > cells.size
  const keys = isLong
    ? cells.findKeys('byDevice', deviceId)
    : cellSizes.flatMap((size) => [...cellsOfSize(deviceId, extent, size)])
  const rows = keys.flatMap((key) => cells.get(key)?.rows ?? [])
  return new Map(rows.map((row) => [row.name.toLowerCase(), row]))
}
