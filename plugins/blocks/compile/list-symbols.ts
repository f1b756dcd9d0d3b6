/** Lists the symbols of a device's compiled program, a page at a time. */
import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { defined, problem, type QueryContext } from '../../../core/index.ts'
import { decodeSymbols, OtherFormatError } from '../../../plc/compiler/program-file.ts'
import type { ProgramSymbols, SymbolType } from '../../../plc/program/program-symbols.ts'
import { rowsInside, type SymbolRow, symbolRows, typeText } from '../../../plc/program/symbol-rows.ts'
import type { Device } from '../../devices/index.ts'
import { compiledDevices } from './records.ts'
import { programObjects, signatureOf } from './status.ts'

export interface SymbolFilter {
  /** Part of the name or of the comment. */
  readonly q?: string | undefined
  /** Path of an array: lists its elements. */
  readonly parent?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** A symbol as answers show it. */
export interface SymbolView {
  readonly name: string
  readonly dataType: string
  /** `DB`: in the data block `block`. `Temp`: of a call of `block`; without `offset` it lives in a register. */
  readonly area: SymbolRow['area'] | 'Temp'
  readonly block?: string
  readonly offset?: number
  readonly bit?: number
  readonly isRetentive: boolean
  /** Number of elements; arrays only. */
  readonly elements?: number
  readonly comment: string
}

export interface SymbolPage {
  readonly symbols: readonly SymbolView[]
  readonly programHash: string
  /** True when nothing changed since the compilation. */
  readonly isCurrent: boolean
  /** Symbols that match, on all pages. */
  readonly total: number
  readonly nextCursor?: string
}

/** By the hash of the program. */
const known = new LRUCache<string, ProgramSymbols>({ max: 4 })
/** Number of matching symbols, by program, array and text: every page reports it. */
const counts = new LRUCache<string, number>({ max: 100 })
const defaultLimit = 1000
/** After so many rows the event loop gets a turn. */
const rowsAtOnce = 5000

/**
 * One page.
 * @throws GatewayError `conflict` when the device has no compiled program, `not_found` for an unknown parent,
 * `invalid_input` for a cursor of another program
 */
export async function listSymbols(ctx: QueryContext, device: Device, filter: SymbolFilter): Promise<SymbolPage> {
  const { symbols, hash, isCurrent } = await compiledSymbols(ctx, device)
  const from = positionOf(filter.cursor, hash)
  const { limit = defaultLimit, q = '', parent } = filter
  const wanted = q.toLowerCase()
  const page: SymbolView[] = []
  const rows = parent === undefined ? viewsOf(symbols) : viewsInside(symbols, await findArray(symbols, parent))
  const key = JSON.stringify([hash, parent, wanted])
  let total = counts.get(key)
  let nextCursor: string | undefined
  let [position, found] = [0, 0]
  for (const view of rows) {
    if (position % rowsAtOnce === rowsAtOnce - 1) await setImmediate()
    if (matches(view, wanted)) {
      found++
      if (position >= from && page.length === limit) nextCursor ??= `${cursorPrefix(hash)}${position}`
      else if (position >= from) page.push(view)
    }
    if (nextCursor !== undefined && total !== undefined) break
    position++
  }
  total ??= found
  counts.set(key, total)
  return { symbols: page, programHash: hash, isCurrent, total, ...defined({ nextCursor }) }
}

/**
 * The symbols of the program of a device as it was compiled last.
 * @throws GatewayError `conflict` when there is no compiled program
 */
export async function compiledSymbols(ctx: QueryContext, device: Device) {
  const compiled = ctx.read(compiledDevices).get(device.id)
  const hash = compiled?.program
  if (compiled === undefined || hash === undefined)
    throw problem(
      'conflict',
      compiled === undefined
        ? `The program of device "${device.name}" is not compiled. Compile it first: POST /api/devices/${device.name}/actions/compile-sync.`
        : `The program of device "${device.name}" has ${compiled.errors} errors: there are no symbols. Correct them and compile it again.`,
    )
  const isCurrent = compiled.signature === signatureOf(programObjects(ctx, device.id))
  return { symbols: await symbolsOf(ctx, hash), hash, isCurrent }
}

async function symbolsOf(ctx: Pick<QueryContext, 'blobs'>, hash: string): Promise<ProgramSymbols> {
  const before = known.get(hash)
  if (before) return before
  try {
    const symbols = await decodeSymbols(hash, (blob) => ctx.blobs.get(blob))
    known.set(hash, symbols)
    return symbols
  } catch (error) {
    if (error instanceof OtherFormatError) throw problem('conflict', error.message)
    throw error
  }
}

function matches({ name, comment }: SymbolView, wanted: string): boolean {
  return wanted === '' || name.toLowerCase().includes(wanted) || comment.toLowerCase().includes(wanted)
}

function cursorPrefix(hash: string): string {
  return `${hash.slice('sha256:'.length, 'sha256:'.length + 12)}-`
}

/** A cursor is valid only for the program that it was made for. */
function positionOf(cursor: string | undefined, hash: string): number {
  if (cursor === undefined) return 0
  const prefix = cursorPrefix(hash)
  const position = cursor.slice(prefix.length)
  if (cursor.startsWith(prefix) && /^\d{1,12}$/.test(position)) return Number(position)
  const message = 'is no nextCursor of a list of this program; it may have been compiled again since: begin anew'
  throw problem('invalid_input', `/cursor: ${message}.`, { errors: [{ path: '/cursor', message, value: cursor }] })
}

/** Tags, data blocks, and the temporaries of code blocks. */
function* viewsOf(symbols: ProgramSymbols): Generator<SymbolView> {
  for (const row of symbolRows(symbols, { expandsArrays: false })) yield viewOf(symbols, row)
  for (const { name: block, temporaries, registers } of symbols.codeBlocks) {
    const shared = { area: 'Temp' as const, block, isRetentive: false }
    for (const { name, type, byte, bit, comment } of temporaries)
      yield {
        ...shared,
        name: `${block}.#${name}`,
        ...typeFields(symbols, symbols.types[type]),
        offset: byte,
        ...defined({ bit }),
        comment,
      }
    for (const { name, type, comment } of registers)
      yield { ...shared, name: `${block}.#${name}`, ...typeFields(symbols, symbols.types[type]), comment }
  }
}

function* viewsInside(symbols: ProgramSymbols, row: SymbolRow): Generator<SymbolView> {
  for (const inner of rowsInside(symbols, row)) yield viewOf(symbols, inner)
}

function viewOf(symbols: ProgramSymbols, row: SymbolRow): SymbolView {
  const { name, type, area, block, byte, bit, isRetentive, comment } = row
  return {
    name,
    ...typeFields(symbols, type),
    area,
    ...defined({ block }),
    offset: byte,
    ...defined({ bit }),
    isRetentive,
    comment,
  }
}

function typeFields(symbols: ProgramSymbols, type: SymbolType | undefined): Pick<SymbolView, 'dataType' | 'elements'> {
  if (type === undefined) return { dataType: '' }
  const dataType = typeText(symbols, type)
  if (type.kind !== 'array') return { dataType }
  const elements = type.dimensions.reduce((product, { low, high }) => product * Math.max(0, high - low + 1), 1)
  return { dataType, elements }
}

/** The array of a path, which may be inside another one: `Data.lines[3].list`. */
async function findArray(symbols: ProgramSymbols, name: string): Promise<SymbolRow> {
  const wanted = name.replaceAll('"', '').replace(/\s+/g, '').toLowerCase()
  let rows = symbolRows(symbols, { expandsArrays: false })
  for (let count = 0; ; count++) {
    const next = rows.next()
    if (next.done) break
    if (count % rowsAtOnce === rowsAtOnce - 1) await setImmediate()
    const row = next.value
    if (row.type.kind !== 'array') continue
    const key = row.name.replace(/\s+/g, '').toLowerCase()
    if (key === wanted) return row
    if (wanted.startsWith(`${key}[`)) rows = rowsInside(symbols, row)
  }
  throw problem(
    'not_found',
    `The program has no array "${name}". Arrays are named as the list of symbols shows them, e.g. Data.list or Data.lines[3].list.`,
  )
}
