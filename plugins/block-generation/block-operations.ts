/** A new block by its type and language alone, as editors of this API family make one. */
import { command, defined, type Operation, post, problem } from '../../core/index.ts'
import { requirePlc } from '../devices/index.ts'
import { deviceName, folderAliases, folderPath, importedFields } from '../program-objects/index.ts'

const generateBlock = command({
  id: 'block-generation.generate-block',
  title: 'Make an empty block of a type and a language, or the blocks of a source text',
  description:
    'With `type` and `name` an empty block in LAD, FBD, SCL, STL or GRAPH (then with one step), or a global data block. With `content` the blocks of the source text, as `blocks.import-and-generate`. Either is compiled. A name that is taken is a 409.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      name: t.Optional(
        t.String({
          minLength: 1,
          maxLength: 200,
          description: 'Of the block; of the source that `content` is kept as.',
        }),
      ),
      type: t.Optional(t.Enum(['OB', 'FB', 'FC', 'DB', 'GlobalDB'])),
      language: t.Optional(
        t.Enum(['SCL', 'LAD', 'FBD', 'STL', 'GRAPH', 'DB'], { description: 'Default: SCL. DB: of data blocks.' }),
      ),
      content: t.Optional(t.String({ minLength: 1, description: 'Source text, instead of type and language.' })),
      folder: t.Optional(folderPath(t, 'Folder of the program, A/B; made when absent.')),
      overwrite: t.Optional(t.Boolean({ description: 'Replace present blocks. Default: false; true with `content`.' })),
      continueOnError: t.Optional(
        t.Boolean({ description: 'Of `content` keep the blocks that are right. Default: false: all or nothing.' }),
      ),
      compile: t.Optional(t.Boolean({ description: 'Default: true.' })),
    }),
  output: (t) => t.Object({ sourceName: t.Optional(t.String()), ...importedFields(t) }),
  http: [post('/api/devices/{deviceName}/blocks/generate-and-import')],
  mcp: { toolset: 'block-generation', destructive: true },
  needsInstance: true,
  aliases: {
    name: ['blockName', 'sourceName'],
    type: ['blockType', 'kind'],
    language: ['programmingLanguage'],
    content: ['sclContent', 'stlContent', 'sourceText', 'text', 'sourceCode', 'code', 'source'],
    folder: [...folderAliases, 'blockFolder', 'blockFolderPath'],
    overwrite: ['override', 'overwriteExisting'],
    continueOnError: ['keepOnError', 'ignoreErrors'],
  },
  example: { deviceName: 'PLC_1', type: 'FB', name: 'Mixer', language: 'LAD' },
  async run({ deviceName: plc, name, type, language, content, folder, overwrite, ...rest }, ctx) {
    const device = requirePlc(ctx, plc)
    if (content !== undefined) {
      if (type !== undefined || language !== undefined) throw oneOf('content', 'stands instead of type and language')
      const { importSourceText } = await import('../blocks/index.ts')
      const request = { content, sourceName: name, blockFolder: folder, overwrite, ...rest }
      return importSourceText(ctx, device, request)
    }
    if (type === undefined) throw oneOf('type', 'is missing: a block has a type (OB, FB, FC, DB), or give its content')
    if (name === undefined) throw oneOf('name', 'is missing: a block has a name')
    const isData = type.endsWith('DB')
    if (language === 'DB' && !isData) throw oneOf('language', `DB is the language of data blocks, not of an ${type}`)
    if (language === 'GRAPH' && !isData && type !== 'FB') throw oneOf('language', `only an FB is in GRAPH, no ${type}`)
    const { generateAndImport, graphSpecification } = await import('./generate.ts')
    const specification =
      language === 'GRAPH' && !isData
        ? graphSpecification({ name, steps: [{ name: 'Step1', initial: true }] })
        : { kind: type, name, ...(isData ? {} : { ...defined({ language }), ...emptyNetwork(language) }) }
    const request = { folder, overwrite: overwrite ?? false, compile: rest.compile }
    const made = await generateAndImport(ctx, device, specification, request)
    const { name: _name, kind: _kind, language: _language, ...told } = made
    const hasNone = isData && language !== undefined && language !== 'DB'
    const warnings = hasNone ? [`A data block has no language: ${language} is left out.`] : []
    return { ...told, warnings: [...warnings, ...told.warnings] }
  },
})

/** Editors begin with one network where a block is made of networks. */
const emptyNetwork = (language = 'SCL') => (language === 'SCL' ? {} : { networks: [{}] })

const oneOf = (field: string, message: string) =>
  problem('invalid_input', `/${field}: ${message}.`, { errors: [{ path: `/${field}`, message }] })

export const blockOperations: readonly Operation[] = [generateBlock]
