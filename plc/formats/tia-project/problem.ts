/** What is wrong with a project file: where, and what was found there. */

/** Codes of `TiaProjectError`; each is a page of the documentation's list of problem codes. */
export type TiaProjectFault =
  /** The bytes are no project file at all. */
  | 'not-a-project'
  /** A project file of a version that is recognised and not read (V13 and older). */
  | 'version'
  /** A record, offset or page leads out of its container. */
  | 'damaged'
  /** The SHA-256 of a record or of the header does not match. */
  | 'hash'
  /** A limit of size, depth or number was reached. */
  | 'limit'

/** Place in the file: the offset of a record, and the object in it. */
export interface RecordPlace {
  /** Offset of the record in the file, in bytes. */
  readonly offset: number
  /** Type of the object, by name where the type model has one. */
  readonly type?: string
  /** Number of the object. */
  readonly id?: number
}

export class TiaProjectError extends Error {
  readonly fault: TiaProjectFault
  readonly place: RecordPlace | undefined

  constructor(fault: TiaProjectFault, message: string, place?: RecordPlace) {
    super(place ? `${message} (${placeText(place)})` : message)
    this.name = 'TiaProjectError'
    this.fault = fault
    this.place = place
  }
}

/** `record at byte 1032, object 17 (CodeBlockData)`. */
function placeText({ offset, type, id }: RecordPlace): string {
  const object = id === undefined ? '' : `, object ${id}${type ? ` (${type})` : ''}`
  return `record at byte ${offset}${object}`
}
