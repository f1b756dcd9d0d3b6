/** The attributes of an object in the files of a project, and how they are read. */
import { defined, type Fault } from '../../../core/index.ts'

/** The attributes of an object that its text lacks. Times in ms since the epoch. */
export interface SavedAttributes {
  readonly id?: string
  /** Name of the object, where the file's name differs. */
  readonly name?: string
  readonly number?: number
  readonly autoNumber?: boolean
  /** Event class of an organization block. */
  readonly secondaryType?: string
  readonly isDefault?: boolean
  /** Namespace of its software unit. */
  readonly unit?: string
  readonly createdAt?: number
}

/** The fields of {@link SavedAttributes}, in the order in which they are written. */
export const attributeNames = [
  'id',
  'name',
  'number',
  'autoNumber',
  'secondaryType',
  'isDefault',
  'unit',
  'createdAt',
] as const

/** The attributes among the fields of an object. */
export function attributesIn(fields: Fields): SavedAttributes {
  return defined({
    id: fields.text('id'),
    name: fields.text('name'),
    number: fields.number('number'),
    autoNumber: fields.flag('autoNumber'),
    secondaryType: fields.text('secondaryType'),
    isDefault: fields.flag('isDefault'),
    unit: fields.text('unit'),
    createdAt: fields.time('createdAt'),
  })
}

/** Reads fields of one object. A value of the wrong type is a fault and gives undefined. */
export class Fields {
  readonly #path: string
  readonly #data: Readonly<Record<string, unknown>>
  readonly #faults: Fault[]

  /** @param path of the file, with `#` and a JSON pointer to the object behind it when it is not the whole file */
  constructor(path: string, data: Readonly<Record<string, unknown>>, faults: Fault[]) {
    this.#path = path.includes('#') ? path : `${path}#`
    this.#data = data
    this.#faults = faults
  }

  text(field: string): string | undefined {
    return this.#checked(field, 'must be text', (value): value is string => typeof value === 'string')
  }

  flag(field: string): boolean | undefined {
    return this.#checked(field, 'must be true or false', (value): value is boolean => typeof value === 'boolean')
  }

  /** The number of a block. */
  number(field: string): number | undefined {
    const isNumber = (value: unknown): value is number =>
      Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 65_535
    return this.#checked(field, 'must be a whole number from 1 to 65535', isNumber)
  }

  /** A time as ms since the epoch. */
  time(field: string): number | undefined {
    const isTime = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value))
    const time = this.#checked(field, 'must be an RFC 3339 time', isTime)
    return time === undefined ? undefined : Date.parse(time)
  }

  /** Every unknown field is a fault. */
  refuseOthers(known: readonly string[]): void {
    for (const [field, value] of Object.entries(this.#data))
      if (!known.includes(field))
        this.#faults.push({
          path: `${this.#path}/${field}`,
          message: `is not known; there are ${known.join(', ')}`,
          value,
        })
  }

  #checked<T>(field: string, message: string, is: (value: unknown) => value is T): T | undefined {
    const value = this.#data[field]
    if (value === undefined || is(value)) return value
    this.#faults.push({ path: `${this.#path}/${field}`, message, value })
    return undefined
  }
}
