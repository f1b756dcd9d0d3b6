/** Numbers of blocks, and what they mean for organization blocks. */
import { numbersOfClass } from '../model/event-classes.ts'
import type { ImportedObject } from '../model/object.ts'
import type { Report } from './declarations.ts'
import type { ProgramBlock } from './program.ts'

type CodeKind = ProgramBlock['kind']

/** A block, and its number in the controller. */
export interface NumberedDocument {
  readonly object: ImportedObject
  readonly number?: number
}

/**
 * Returns the number of each document; those without one get the first free number, as an engineering tool gives them.
 */
export function giveNumbers(blocks: readonly NumberedDocument[], report: Report): Map<ImportedObject, number> {
  const numbers = new Map<ImportedObject, number>()
  const taken = new Map<string, string>()
  for (const { object, number = object.number } of blocks) {
    if (number === undefined || number <= 0) continue
    numbers.set(object, number)
    const key = numberKey(object.kind as CodeKind, number)
    const before = taken.get(key)
    if (before === undefined) taken.set(key, object.name)
    else
      report(
        'duplicate-number',
        object.name,
        undefined,
        `The number ${key} is taken by "${before}".`,
        'Give one of them another number.',
      )
  }
  const next = new Map<string, number>()
  for (const { object } of blocks) {
    if (numbers.has(object)) continue
    const kind = object.kind as CodeKind
    const number = firstFree(kind, object.secondaryType)
    numbers.set(object, number)
    taken.set(numberKey(kind, number), object.name)
  }
  return numbers

  /** Where the search went on is kept, so that many blocks do not search from the start each. */
  function firstFree(kind: CodeKind, eventClass = 'ProgramCycle'): number {
    const ranges = kind === 'OB' ? numbersOfClass(eventClass) : []
    for (const [first, last] of [...ranges, [1, Number.POSITIVE_INFINITY] as const]) {
      const prefix = `${numberKey(kind, 0)} ${first}`
      let number = next.get(prefix) ?? first
      while (number <= last && taken.has(numberKey(kind, number))) number++
      next.set(prefix, number)
      if (number <= last) return number
    }
    throw new Error('unreachable')
  }
}

/** The key of a number, `FB 12` or `DB 3`: data blocks of all kinds share one numbering. */
export function numberKey(kind: CodeKind, number: number): string {
  return `${kind.endsWith('DB') ? 'DB' : kind} ${number}`
}
