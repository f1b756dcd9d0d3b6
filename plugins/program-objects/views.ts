/** What answers show of objects of every kind. */
import type { SchemaBuilder } from '../../core/index.ts'

/** Text in the wanted culture, else the first that is not empty. */
export function textIn(text: Readonly<Record<string, string>>, culture?: string): string {
  const own = culture === undefined ? undefined : text[culture]
  return own || (Object.values(text).find((value) => value !== '') ?? '')
}

/** Schema of one member in a content answer; `members` are of the same shape. */
export const memberFields = (t: SchemaBuilder) => ({
  section: t.String(),
  name: t.String(),
  dataType: t.String(),
  startValue: t.Optional(t.String()),
  comment: t.String(),
  members: t.Array(t.Any(), { description: 'Members of a structure, of the same shape.' }),
})
