/** Numbers of blocks, and what they mean for organization blocks. */
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
    const prefix = numberKey(kind, 0)
    let number = next.get(prefix) ?? 1
    // OB 1 is the first cyclic OB; numbers of further ones begin at 123.
    while (taken.has(numberKey(kind, number))) number = kind === 'OB' && number < 123 ? 123 : number + 1
    numbers.set(object, number)
    taken.set(numberKey(kind, number), object.name)
    next.set(prefix, number)
  }
  return numbers
}

/** The key of a number, `FB 12` or `DB 3`: data blocks of all kinds share one numbering. */
export function numberKey(kind: CodeKind, number: number): string {
  return `${kind.endsWith('DB') ? 'DB' : kind} ${number}`
}
