/**
 * A problem as answers show it, and a fault: an entry of `errors` of a problem, and of imports that went on without a
 * part.
 */
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

/** Schema of a `Problem` (RFC 9457). Codes may bring further fields, which the pages of the codes explain. */
export const problemSchema = (t: SchemaBuilder) =>
  t.Named('Problem', () =>
    t.Object(
      {
        type: t.String({ format: 'uri-reference', description: 'Address of the page of this code.' }),
        title: t.String(),
        status: t.Integer(),
        detail: t.String({ description: 'What is wrong, where, and what would be right.' }),
        code: t.String({ description: 'Stable name of the error.' }),
        instance: t.Optional(t.String({ format: 'uri-reference', description: 'Path of the request.' })),
        jobId: t.Optional(t.String()),
        suggestion: t.Optional(t.String()),
        errors: t.Optional(t.Array(faultSchema(t))),
      },
      { additionalProperties: true, description: 'RFC 9457 problem details. All codes: GET /api/errors.' },
    ),
  )
