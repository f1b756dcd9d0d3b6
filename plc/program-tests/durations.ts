/** Times of tests. */
import { literalOf } from '../program/literals.ts'

/** Nanoseconds of a constant of type Time or LTime (`T#1m30s`, `LT#5us`); undefined when it is not one. */
export function durationOf(text: string): bigint | undefined {
  const read = literalOf(text)
  if (!('kind' in read) || typeof read.value !== 'bigint' || read.type?.kind !== 'scalar') return undefined
  if (read.type.name === 'Time') return read.value * 1_000_000n
  return read.type.name === 'LTime' ? read.value : undefined
}
