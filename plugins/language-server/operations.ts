/** What editors ask about a text of a program in the open project. What they do is loaded on first use. */
import {
  notFound,
  type Operation,
  post,
  problem,
  type QueryContext,
  query,
  type SchemaBuilder,
} from '../../core/index.ts'
import type { LanguageService } from '../../plc/language-service/service.ts'
import { requirePlc } from '../devices/index.ts'
import { deviceName } from '../program-objects/index.ts'

/** Longer texts are no blocks that a person edits. */
const maxText = 2_000_000

const place = (t: SchemaBuilder) => ({
  deviceName: deviceName(t),
  blockName: t.String({
    minLength: 1,
    maxLength: 200,
    description: 'Name of the block or type that is edited, or of one to be made.',
  }),
  text: t.Optional(
    t.String({ maxLength: maxText, description: 'The source as the editor has it. Default: as it is in the project.' }),
  ),
  offset: t.Integer({ minimum: 0, description: 'Place in the text: UTF-16 code units before it.' }),
})

interface Place {
  readonly deviceName: string
  readonly blockName: string
  readonly text?: string
  readonly offset: number
}

/** Asks the service with the given text in place of that of the project. */
async function asked<T>(
  ctx: QueryContext,
  { deviceName, blockName, text, offset }: Place,
  ask: (service: LanguageService, path: string, offset: number) => T,
): Promise<T> {
  const { nameOf, pathOf, serviceOf } = await import('./device-program.ts')
  const service = await serviceOf(ctx, requirePlc(ctx, deviceName))
  const wanted = pathOf(blockName).toLowerCase()
  const paths = [...service.files.paths]
  const path = paths.find((one) => one.toLowerCase() === wanted) ?? pathOf(blockName)
  const before = service.files.textOf(path)
  if (text === undefined && before === undefined) {
    const known = paths.flatMap((one) => (service.files.textOf(one) === undefined ? [] : (nameOf(one) ?? [])))
    throw notFound('source text of a block', blockName, known)
  }
  const length = (text ?? before ?? '').length
  if (offset > length) {
    const message = `is behind the end of the text, which has ${length} characters`
    throw problem('invalid_input', `/offset: ${message}.`, { errors: [{ path: '/offset', message, value: offset }] })
  }
  if (text === undefined) return ask(service, path, offset)
  const declared = service.files.declaredBy(path)
  service.files.setText(path, text)
  try {
    return ask(service, path, offset)
  } finally {
    // Others ask about the program as it is kept.
    if (before !== undefined) service.files.setText(path, before)
    else if (declared !== undefined) service.files.setDeclared(path, declared)
    else service.files.remove(path)
  }
}

const span = (t: SchemaBuilder) => ({
  start: t.Integer({ description: 'Offset of the first character.' }),
  end: t.Integer({ description: 'Offset behind the last one.' }),
})

const hover = query({
  id: 'language.hover',
  title: 'Say what a name in a source text is',
  description: 'As the language server of `gantry lsp` says it: Markdown. Nothing there: `found` is false.',
  input: (t) => t.Object(place(t)),
  output: (t) =>
    t.Object({
      found: t.Boolean(),
      start: t.Optional(t.Integer({ description: 'Offset of the first character of the name.' })),
      end: t.Optional(t.Integer({ description: 'Offset behind its last one.' })),
      markdown: t.Optional(t.String()),
    }),
  http: [post('/api/devices/{deviceName}/language/actions/hover')],
  mcp: false,
  example: { deviceName: 'PLC_1', blockName: 'Motor', offset: 120 },
  async run(input, ctx) {
    const found = await asked(ctx, input, (service, path, offset) => service.hover(path, offset))
    return found === undefined
      ? { found: false }
      : { found: true, start: found.start, end: found.end, markdown: found.text }
  },
})

const define = query({
  id: 'language.definition',
  title: 'Find where a name in a source text is declared',
  description: 'Names of the controller are declared nowhere: an empty list.',
  input: (t) => t.Object(place(t)),
  output: (t) =>
    t.Object({
      definitions: t.Array(
        t.Object({
          objectName: t.Optional(t.String({ description: 'Block or type; absent for tags and constants.' })),
          symbol: t.String({ description: 'The name as it stands at the place asked about.' }),
          start: t.Optional(t.Integer({ description: 'Offset in the source of the object, if it is kept as source.' })),
          end: t.Optional(t.Integer()),
        }),
      ),
    }),
  http: [post('/api/devices/{deviceName}/language/actions/definition')],
  mcp: false,
  example: { deviceName: 'PLC_1', blockName: 'Motor', offset: 120 },
  async run(input, ctx) {
    const { nameOf } = await import('./device-program.ts')
    return asked(ctx, input, (service, path, offset) => {
      const at = service.hover(path, offset)
      const symbol = at === undefined ? '' : (service.files.textOf(path) ?? '').slice(at.start, at.end)
      return {
        definitions: service.definition(path, offset).map(({ path: file, start, end }) => {
          const objectName = nameOf(file)
          return {
            symbol,
            ...(objectName === undefined ? {} : { objectName }),
            ...(service.files.textOf(file) === undefined ? {} : { start, end }),
          }
        }),
      }
    })
  },
})

const complete = query({
  id: 'language.complete',
  title: 'List what may be typed at a place of a source text',
  description: 'Proposals replace the text between `start` and `end`. At most 500; `isIncomplete` when there are more.',
  input: (t) => t.Object(place(t)),
  output: (t) =>
    t.Object({
      ...span(t),
      isIncomplete: t.Boolean(),
      items: t.Array(
        t.Object({
          text: t.String({ description: 'What is written.' }),
          kind: t.String({
            description: 'OB, FB, FC, DB, UDT, Tag, Constant, Member, System, Keyword, Function, Type.',
          }),
          detail: t.Optional(t.String({ description: 'The declaration in one line.' })),
          comment: t.Optional(t.String()),
        }),
      ),
    }),
  http: [post('/api/devices/{deviceName}/language/actions/complete')],
  mcp: false,
  example: { deviceName: 'PLC_1', blockName: 'Motor', offset: 120 },
  async run(input, ctx) {
    const { start, end, isIncomplete, items } = await asked(ctx, input, (service, path, offset) =>
      service.complete(path, offset),
    )
    return { start, end, isIncomplete, items: [...items] }
  },
})

export const languageOperations: readonly Operation[] = [hover, define, complete]
