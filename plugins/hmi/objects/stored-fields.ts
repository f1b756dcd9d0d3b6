/**
 * The fields of what the files of HMI stations hold. People edit these files: a field that is absent gets the value
 * that a new object has, one of another kind is a fault.
 */
import type { Fault } from '../../../core/index.ts'
import type { HmiKind } from '../../../plc/formats/hmi/model.ts'

/** Fields without a value of their own for new objects. */
const [text, number] = [Symbol('a text'), Symbol('a number')]

type Fields = Readonly<Record<string, unknown>>

export const itemFields: Fields = {
  ...{ type: text, left: 0, top: 0, width: 0, height: 0, layer: 0 },
  ...{ properties: {}, texts: {}, links: {}, bindings: [], events: [] },
}

export const tagFields: Fields = {
  ...{ dataType: text, connection: '', plcTag: '', address: '', acquisitionCycle: '1 s', comment: {}, attributes: {} },
}

export const contentFields: Readonly<Record<HmiKind, Fields>> = {
  screen: {
    ...{ screenType: 'Screen', number: 0, width: number, height: number, backColor: '#ffffff', template: '' },
    layers: [],
  },
  'tag-table': { isDefault: false },
  connection: { partner: '', type: '' },
  cycle: { milliseconds: number },
  script: { language: 'JavaScript', parameters: [], source: '' },
  'text-list': { rangeType: 'Decimal', entries: [] },
  'graphic-list': { rangeType: 'Decimal', entries: [] },
  graphic: { mediaType: '', size: 0, fileName: '' },
  alarm: {
    ...{ alarmType: 'discrete', number: 0, alarmClass: 'Errors', tag: '', bit: 0, limit: 0, mode: 'Above', text: {} },
  },
  'library-type': { version: '0.0.1', description: '', width: number, height: number, properties: [], items: [] },
}

function kindOf(value: unknown): string {
  if (typeof value === 'symbol') return String(value.description)
  if (Array.isArray(value)) return 'a list'
  const kinds: Readonly<Record<string, string>> = { string: 'a text', number: 'a number', boolean: 'true or false' }
  return value === null ? 'null' : (kinds[typeof value] ?? 'an object')
}

/**
 * A value with all its fields; others that it has stay.
 * @param path of the value in its file, for the faults
 */
export function withFields<T extends object>(value: T, fields: Fields, path: string, faults: Fault[]): T {
  const whole: Record<string, unknown> = { ...(value as Record<string, unknown>) }
  for (const [field, standard] of Object.entries(fields)) {
    const given = whole[field]
    const isAbsent = given === undefined
    if (isAbsent ? typeof standard === 'symbol' : kindOf(given) !== kindOf(standard))
      faults.push({
        path: `${path}/${field}`,
        message: `${isAbsent ? 'is missing, it' : ''} must be ${kindOf(standard)}`.trim(),
      })
    else if (isAbsent) whole[field] = standard
  }
  return whole as T
}
