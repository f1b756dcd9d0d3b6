/** What the operations that check phases take. */
import type { SchemaBuilder } from '../../../core/index.ts'

/** Default limit of scans for one phase; a step takes about fifteen. */
export const defaultScans = 10_000

/** What both operations take. */
export const verifyFields = (t: SchemaBuilder) => ({
  phases: t.Optional(
    t.Array(t.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 10_000,
      description: 'Names of phases. Default: all.',
    }),
  ),
  deviceName: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 200,
      description: 'A PLC of the project: `deviceBlock` tells whether it has the block of each phase.',
    }),
  ),
  maxScans: t.Optional(
    t.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: `Most scans of one phase; a step takes about fifteen. Default: ${defaultScans}.`,
    }),
  ),
})
