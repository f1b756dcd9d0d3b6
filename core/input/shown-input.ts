/**
 * Inputs as people and records may see them. The input of a command is protected on its way into the log
 * (core/access/secrets.ts); wherever an input is shown or kept beside that way (a question to a person, an event of a
 * chat, the record of a query) it is masked here, by the schema of its operation.
 */

import { holdsSecrets } from '../access/secrets.ts'
import type { Operation } from '../contract/operation.ts'
import { fieldForms, itemForms, type PlainSchema } from '../contract/schema.ts'
import { compileInput } from './validation.ts'

/** In the place of a secret. */
export const secretMark = '(secret)'
/** In the place of a value that no schema describes beside secrets: a wrong name may hold one. */
export const hiddenMark = '(not shown)'
/** In the place of a field that its operation does not keep in records (`unrecorded`). */
export const unrecordedMark = '(not recorded)'

/** Finds the operation of an input within an input (`x-input-of`, e.g. the commands of a batch). */
export interface OperationFinder {
  operation(id: string): Operation | undefined
}

/**
 * The input with its secrets masked. One that cannot hold a secret is returned as it is.
 * @param input as a client sent it: any spelling of names, not checked
 */
export async function shownInput(
  operations: OperationFinder,
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const reader = await compileInput(operation)
  if (!reader.mayHoldSecrets) return input
  let read: Record<string, unknown>
  try {
    read = reader.read({ ...input })
  } catch {
    // It is refused when it is called; until then what it means is not known, except for the names that fit.
    try {
      read = reader.named({ ...input })
    } catch {
      return Object.fromEntries(Object.keys(input).map((name) => [name, hiddenMark]))
    }
  }
  return (await masked(read, [reader.schema], operations)) as Record<string, unknown>
}

async function masked(value: unknown, forms: readonly PlainSchema[], operations: OperationFinder): Promise<unknown> {
  if (value === undefined) return value
  if (forms.some((form) => form['x-secret'] !== undefined)) return secretMark
  if (!forms.some(holdsSecrets)) return forms.length === 0 ? hiddenMark : value
  if (Array.isArray(value)) return Promise.all(value.map((item) => masked(item, itemForms(forms), operations)))
  // A text in the place of an object: perhaps the object as JSON.
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? hiddenMark : value
  const given = value as Record<string, unknown>
  const fields = Object.entries(given).map(async ([name, field]) => {
    const own = fieldForms(forms, name)
    const of = own.find((form) => form['x-input-of'])?.['x-input-of']
    const shown = of === undefined ? masked(field, own, operations) : maskedInput(field, given[of], operations)
    return [name, await shown] as const
  })
  return Object.fromEntries(await Promise.all(fields))
}

/** The input of another operation inside an input. */
async function maskedInput(input: unknown, id: unknown, operations: OperationFinder): Promise<unknown> {
  const operation = typeof id === 'string' ? operations.operation(id) : undefined
  if (operation === undefined || typeof input !== 'object' || input === null || Array.isArray(input))
    return input === undefined ? input : hiddenMark
  return shownInput(operations, operation, input as Record<string, unknown>)
}
