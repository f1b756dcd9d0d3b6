/** What answers show of objects of every kind. */
import { jsonValue, type SchemaBuilder, type TSchema } from '../../core/index.ts'

/** Text in the wanted culture, else the first that is not empty. */
export function textIn(text: Readonly<Record<string, string>>, culture?: string): string {
  const own = culture === undefined ? undefined : text[culture]
  return own || (Object.values(text).find((value) => value !== '') ?? '')
}

/** Schema of the value of a variable of a PLC: a structure is an object, an array a list. */
export const tagValue = (t: SchemaBuilder) => jsonValue(t, 'TagValue')

/** Schema of one member in a content answer. */
export const interfaceMember = (t: SchemaBuilder) =>
  t.Named('InterfaceMember', (self) =>
    t.Object({
      section: t.String(),
      name: t.String(),
      dataType: t.String(),
      startValue: t.Optional(t.String()),
      remanence: t.Optional(t.String({ description: 'Retain or SetInIDB; absent: not retentive.' })),
      comment: t.String(),
      members: t.Array(self, { description: 'Members of a structure.' }),
    }),
  )

/**
 * Schema of a node of a tree: a folder, or an object in it.
 * @param name of the type, e.g. `BlockTreeNode`
 */
export const treeNode = (t: SchemaBuilder, name: string, leaf: TSchema) =>
  t.Named(name, (self) =>
    t.Union([
      t.Object({
        name: t.String(),
        path: t.String({ description: 'A/B.' }),
        isFolder: t.Literal(true),
        children: t.Optional(t.Array(self)),
      }),
      leaf,
    ]),
  )
