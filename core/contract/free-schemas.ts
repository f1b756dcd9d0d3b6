/**
 * Schemas of answers whose content is JSON that this gateway does not decide. Each has one name, so that clients see
 * what it is; `core/docs/typed-answers.int.test.ts` lists those that allow anything, with the reason.
 */
import type { SchemaBuilder } from './schema.ts'

/**
 * Schema of any value of JSON; in the program it is `unknown`. Entries of lists are not said to be such values, since
 * TypeScript refuses a type of a property that is a list of itself.
 * @param name of the type: `TagValue` says more than `JsonValue`
 */
export const jsonValue = (t: SchemaBuilder, name = 'JsonValue') =>
  t.Named(name, (self) =>
    t.Unsafe<unknown>(
      t.Union([t.Null(), t.Boolean(), t.Number(), t.String(), t.Array(t.Unknown()), t.Record(t.String(), self)]),
    ),
  )

/** Schema of a JSON Schema. */
export const jsonSchema = (t: SchemaBuilder) =>
  t.Named('JsonSchema', () => t.Record(t.String(), t.Unknown(), { description: 'A JSON Schema (draft 2020-12).' }))

/** Schema of the input of an operation that another field names. */
export const operationInput = (t: SchemaBuilder) =>
  t.Named('OperationInput', () =>
    t.Record(t.String(), t.Unknown(), { description: 'The input of an operation; secrets in it are masked.' }),
  )

/** Schema of the answer of an operation that another field names. */
export const operationResult = (t: SchemaBuilder) =>
  t.Named('OperationResult', () => t.Unknown({ description: 'The answer of an operation.' }))
