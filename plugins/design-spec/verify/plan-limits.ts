/** Starts with a parameter outside its limits: for both kinds of blocks. */
import type { DataType } from '../../../plc/model/data-type.ts'
import { fitted, Unpredictable, type Value } from '../expressions/value.ts'
import type { RowName } from './script.ts'
import type { Must, ScriptWriter } from './script-writer.ts'

/**
 * Adds a start for every limit, each refused.
 * @param start the input that starts the phase
 */
export function refusedStarts(
  writer: ScriptWriter,
  start: 'Execute' | 'Start',
  note: (row: RowName, reason: string) => void,
): void {
  const { phase } = writer
  const still: Must = { _Step: 0, Active: false }
  for (const { key, text } of phase.limits) {
    const { name, type, min, max } = phase.variables.get(key)!
    const outside = [
      min === undefined ? undefined : next(min, type, -1),
      max === undefined ? undefined : next(max, type, 1),
    ]
    for (const value of outside) {
      if (value === undefined) continue
      const reason = writer.aside(() =>
        writer.all(
          {
            row: 'parameters',
            set: { [start]: true },
            values: new Map([[key, value]]),
            must: { ...still, Error: true, ErrorText: text },
          },
          { row: 'parameters', set: { [start]: false }, must: { ...still, Error: false, ErrorText: '' } },
        ),
      )
      if (reason !== undefined) note('parameters', `${name}: ${reason}`)
    }
    for (const [limit, word] of [
      [min, 'at its Min'],
      [max, 'at its Max'],
    ] as const)
      if (limit !== undefined)
        writer.aside(() =>
          writer.scan({
            row: 'parameters',
            set: { [start]: true },
            values: new Map([[key, limit]]),
            must: { _Step: phase.initial.number, Active: true, Error: false },
            note: `${name} ${word}: the phase starts`,
          }),
        )
  }
}

/** The value beside a limit; undefined when the type has none there. */
function next(limit: Value, type: DataType, direction: 1 | -1): Value | undefined {
  try {
    if (typeof limit === 'bigint') return fitted(limit + BigInt(direction), type)
    if (typeof limit !== 'number') return undefined
    return fitted(limit + direction * Math.max(Math.abs(limit) * 1e-3, 1e-3), type)
  } catch (error) {
    if (error instanceof Unpredictable) return undefined
    throw error
  }
}
