/** Fields of answers that name the users of something. */
import type { SchemaBuilder } from '../../../core/index.ts'

const user = (t: SchemaBuilder) =>
  t.Object({
    name: t.String(),
    typeName: t.String({ description: 'FB 12 (SCL), PLC data type, Tag table …' }),
    path: t.String({ description: 'Where the project tree has it.' }),
    places: t.Array(t.String(), { description: 'Network 3, line 5; at most ten.' }),
    count: t.Integer({ description: 'How many uses.' }),
  })

/** Users of the deleted object. */
export const userFields = (t: SchemaBuilder) => t.Array(user(t), { description: 'Who uses what was deleted.' })

/** Users that got the new name. */
export const updatedFields = (t: SchemaBuilder) =>
  t.Array(user(t), { description: 'Objects that use it and were changed.' })
