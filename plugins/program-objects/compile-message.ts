/** The messages of the compiler as answers show them. */
import type { SchemaBuilder } from '../../core/index.ts'

const placeFields = (t: SchemaBuilder) => ({
  path: t.String({ description: '`PLC_1/Program blocks/Conveyor/Main`.' }),
  network: t.Optional(t.Integer()),
  line: t.Optional(t.Integer({ description: 'In the text of the network, from 1.' })),
  column: t.Optional(t.Integer()),
  endLine: t.Optional(t.Integer()),
  endColumn: t.Optional(t.Integer()),
  uId: t.Optional(t.Integer({ description: 'Element of a LAD or FBD network.' })),
  element: t.Optional(t.String({ description: 'Place in a sequence (GRAPH): `Step 3 "Fill"`.' })),
  member: t.Optional(t.String({ description: 'Path of the member of the interface.' })),
  device: t.Optional(t.String({ description: 'Of a place in the hardware configuration.' })),
  slot: t.Optional(t.String({ description: 'Of the module: `4`, `1.3`.' })),
  file: t.Optional(t.String({ description: 'The file that the object was imported from; absent after an edit.' })),
  sourceLine: t.Optional(
    t.Integer({ description: 'In that file, else in the text of the object (source or XML), from 1.' }),
  ),
  sourceColumn: t.Optional(t.Integer()),
})

/** Schema of a message: of a device, area or object with those below it, or of one fault (with `code`). */
export const compileMessage = (t: SchemaBuilder) =>
  t.Named('CompileMessage', (self) =>
    t.Object({
      ...placeFields(t),
      description: t.String(),
      state: t.Enum(['Success', 'Warning', 'Error'], { description: 'Of an information: Success.' }),
      errorCount: t.Integer(),
      warningCount: t.Integer(),
      severity: t.Optional(t.Enum(['error', 'warning', 'information'])),
      code: t.Optional(t.String({ description: 'Explained at /api/diagnostics/codes/{code}.' })),
      hint: t.Optional(t.String()),
      places: t.Optional(
        t.Array(
          t.Named('MessagePlace', () => t.Object(placeFields(t))),
          { description: 'All places of a message that applies to several, including the first.' },
        ),
      ),
      messages: t.Array(self),
    }),
  )
