/** A fault as answers show it: the entries of `errors` of a problem, and of imports that went on without a part. */
import type { SchemaBuilder } from './schema.ts'

/** Schema of a `Fault`. Codes may bring further fields, which the pages of the codes explain. */
export const faultSchema = (t: SchemaBuilder) =>
  t.Named('Fault', () =>
    t.Object(
      {
        path: t.Optional(t.String({ description: 'JSON pointer into the input, or the place in a file.' })),
        message: t.String(),
        code: t.Optional(t.String()),
        line: t.Optional(t.Integer({ description: 'From 1.' })),
        column: t.Optional(t.Integer({ description: 'From 1.' })),
        value: t.Optional(t.Unknown({ description: 'What was given.' })),
        allowed: t.Optional(t.Unknown({ description: 'What would be right.' })),
      },
      { additionalProperties: true },
    ),
  )
