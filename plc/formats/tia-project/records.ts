/**
 * The records of a project file (`System/PEData.plf`), from the first to the last byte. Layout: README.md, "Records".
 */
import { hash } from 'node:crypto'
import { TiaProjectError } from './problem.ts'

/**
 * A record; the object that it holds a state of is (`type`, `id`). What is in it is read from the file when it is used.
 */
export class StoreRecord {
  /** Offset in the file, bytes. */
  readonly offset: number
  /** Without its hash, bytes. */
  readonly size: number
  readonly type: number
  readonly id: number
  readonly #file: Buffer

  constructor(file: Buffer, offset: number, size: number) {
    this.#file = file
    this.offset = offset
    this.size = size
    this.type = file.readUInt32LE(offset + 4)
    this.id = Number(file.readBigUInt64LE(offset + 8))
  }

  /** The object is deleted by this record. */
  get deleted(): boolean {
    return (this.#file.readUInt16LE(this.offset + 24) & 4) !== 0
  }
  /** The record without its hash: a view of the file, made when it is asked for. */
  get bytes(): Buffer {
    return this.#file.subarray(this.offset, this.offset + this.size)
  }
  /** Numbers of the record, by their offsets from its start; whoever reads them keeps within `size`. */
  u16(at: number): number {
    return this.#file.readUInt16LE(this.offset + at)
  }
  u32(at: number): number {
    return this.#file.readUInt32LE(this.offset + at)
  }
  u64(at: number): number {
    return Number(this.#file.readBigUInt64LE(this.offset + at))
  }
  get slotCount(): number {
    return this.#file.readUInt8(this.offset + 26)
  }
  /** Offset of a slot from the start of the record; 0 for a slot that is not there. */
  slot(index: number): number {
    return index < this.slotCount ? this.u32(fixedSize + 4 * index) : 0
  }
}

/** Types of the file's own records; those of the project's objects come from its type model. */
export const systemType = {
  typeModel: 0x70000,
  dictionary: 0x70011,
  page: 0x70013,
  commit: 0x70014,
} as const

/** Whether a type belongs to the file itself. */
export const isSystemType = (type: number): boolean => type >= 0x70000 && type < 0x70100

const headerSize = 98
/** Fixed part of a record before its slots. */
const fixedSize = 44
const hashSize = 32
/** Records of one file; the largest seen has 400 000. */
const mostRecords = 20_000_000

/**
 * Checks the header.
 * @throws TiaProjectError `not-a-project`, or `version` for files of V13 and older
 */
function checkHeader(file: Buffer): void {
  const magic = file.length >= headerSize ? file.readUInt32LE(0) : 0
  if (magic === 0x10040)
    throw new TiaProjectError(
      'version',
      'The project was made with TIA Portal V13 or older. Open it with TIA Portal V14 or newer and save it, then its files can be read.',
    )
  if (magic !== 0x40 || file.readUInt32LE(4) > 1)
    throw new TiaProjectError('not-a-project', 'The file is no project file of TIA Portal V14 to V21.')
  if (!sha256(file.subarray(0, 65)).equals(file.subarray(65, 97)))
    throw new TiaProjectError('hash', 'The header of the project file is damaged: its SHA-256 does not match.')
}

export interface RecordOptions {
  /** Called for a damaged record, which is then left out, and for a cut file. Without it that is an error. */
  readonly onDamaged?: (error: TiaProjectError) => void
}

/**
 * Reads all records in order.
 * @throws TiaProjectError `hash`, `damaged` (see `onDamaged`; a size that leads out of the file ends it), `limit`
 */
export function* readRecords(file: Buffer, { onDamaged }: RecordOptions = {}): Generator<StoreRecord> {
  checkHeader(file)
  let offset = headerSize
  let count = 0
  while (offset < file.length) {
    if (++count > mostRecords) throw new TiaProjectError('limit', `The file has more than ${mostRecords} records.`)
    const left = file.length - offset
    const size = left >= fixedSize ? file.readUInt32LE(offset) : 0
    if (size < fixedSize || size + hashSize > left) {
      const cut = new TiaProjectError('damaged', `The file ends in a record; its last ${left} bytes are lost`, {
        offset,
      })
      if (!onDamaged) throw cut
      onDamaged(cut)
      return
    }
    const record = new StoreRecord(file, offset, size)
    const place = { offset, id: record.id }
    try {
      if (!sha256(record.bytes).equals(file.subarray(offset + size, offset + size + hashSize)))
        throw new TiaProjectError('hash', 'A record is damaged: its SHA-256 does not match', place)
      const { slotCount } = record
      if (fixedSize + 4 * slotCount > size)
        throw new TiaProjectError('damaged', `A record of ${size} bytes cannot have ${slotCount} slots`, place)
      for (let i = 0; i < slotCount; i++)
        if (record.slot(i) >= size)
          throw new TiaProjectError(
            'damaged',
            `Slot ${i} of a record leads out of it (${record.slot(i)} of ${size})`,
            place,
          )
      yield record
    } catch (error) {
      if (!(error instanceof TiaProjectError) || !onDamaged) throw error
      onDamaged(error)
    }
    offset += size + hashSize
  }
}

const sha256 = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer')
