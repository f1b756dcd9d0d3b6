/**
 * The limits of HMI tags: `Limit Upper 2` and `Limit Lower 2` bound what may be written through a station (WinCC: the
 * range of a tag). Each is a constant, or another HMI tag. They belong to the station, so that every writer has them.
 */
import type { HmiTag } from '../../../plc/formats/hmi/model.ts'
import type { ModelLimit, ModelVariable } from '../station-model.ts'

/** A limit as a tag has it; `fault`: why it is not applied. */
export type TagLimit = { readonly value: number } | { readonly tag: string } | { readonly fault: string }

/** The limit of a tag at one end; undefined: none is set. */
export function limitOf({ name, attributes }: Pick<HmiTag, 'name' | 'attributes'>, end: 'Upper' | 'Lower') {
  const [field, text] = [`Limit${end}2`, attributes[`Limit${end}2`]?.trim() ?? '']
  const type = attributes[`${field}Type`]?.trim() ?? ''
  if (/^none$/i.test(type) || (text === '' && !/^(constant|.*tag)$/i.test(type))) return undefined
  const fault = (reason: string): TagLimit => ({ fault: `The limit ${field} of "${name}" is not applied: ${reason}` })
  if (text === '') return fault('it has no value')
  const number = /^[+-]?\d+,\d+$/.test(text) ? Number(text.replace(',', '.')) : Number(text)
  if (/tag$/i.test(type)) return { tag: text } satisfies TagLimit
  if (Number.isFinite(number)) return { value: number } satisfies TagLimit
  // Workbooks without the column of the type name a tag or have a number.
  return type === '' ? ({ tag: text } satisfies TagLimit) : fault(`"${text}" is no number`)
}

/** What is wrong with a value that would be written; undefined: it is within the limits, or is no number. */
export function limitFault(
  variable: Pick<ModelVariable, 'name' | 'low' | 'high'>,
  written: unknown,
  numberOf: (limit: ModelLimit) => number | undefined,
): string | undefined {
  const value = typeof written === 'number' ? written : typeof written === 'string' ? Number(written) : Number.NaN
  if (!Number.isFinite(value)) return undefined
  const [low, high] = [variable.low, variable.high].map((limit) => limit && numberOf(limit))
  if (high !== undefined && value > high) return `${value} is above the upper limit ${high} of "${variable.name}"`
  if (low !== undefined && value < low) return `${value} is below the lower limit ${low} of "${variable.name}"`
  return undefined
}
