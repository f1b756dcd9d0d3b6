/** The operation that says what a file of TIA Portal holds. What it does is loaded on first use. */
import { defined, type Operation, post, query, type SchemaBuilder } from '../../../core/index.ts'

/** Inputs for projects of TIA Portal. */
export const tiaFields = (t: SchemaBuilder) => ({
  asOfSave: t.Optional(
    t.Integer({ minimum: 1, description: 'Of a TIA Portal project: opens the state of this save (see `tia.saves`).' }),
  ),
})

/** What an opened project of TIA Portal held. */
export const tiaReport = (t: SchemaBuilder) =>
  t.Object(
    {
      kind: t.String({ description: 'Project or Library.' }),
      version: t.Optional(t.String({ description: 'Version of TIA Portal, e.g. V19.' })),
      saves: t.Array(
        t.Object({
          number: t.Integer(),
          at: t.Optional(t.String({ description: 'ISO 8601.' })),
          by: t.Optional(t.String({ description: 'Who saved.' })),
          records: t.Integer({ description: 'Records that this save wrote.' }),
        }),
        { description: 'The saves that the file still has; `asOfSave` opens an earlier one.' },
      ),
      objects: t.Array(
        t.Object({
          controller: t.String(),
          name: t.String(),
          kind: t.String(),
          folder: t.String(),
          completeness: t.String({ description: 'whole, partly or not-read.' }),
          problems: t.Array(t.String(), { description: 'What was not understood, and why.' }),
        }),
        { description: 'How far each object of the project was read.' },
      ),
      damaged: t.Array(t.String(), { description: 'Damaged records that were left out.' }),
    },
    { description: 'Of a project of TIA Portal: what its file holds.' },
  )

const named = (t: SchemaBuilder) => t.Object({ controller: t.String(), name: t.String(), kind: t.String() })
const equalCount = (t: SchemaBuilder) => t.Object({ equal: t.Integer(), total: t.Integer() })

/** How equal a project file and exports are. */
const comparison = (t: SchemaBuilder) =>
  t.Object(
    {
      counts: t.Object(
        {
          blocks: equalCount(t),
          members: equalCount(t),
          networks: equalCount(t),
          sclLines: equalCount(t),
          tags: equalCount(t),
          constants: equalCount(t),
        },
        { description: 'How many the exports have, and how many of them are just so in the file.' },
      ),
      differences: t.Array(
        t.Object({
          controller: t.String(),
          name: t.String(),
          kind: t.String(),
          aspect: t.String({ description: 'code, interface, startValues, comments, properties, tags …' }),
          path: t.String({ description: 'Place in the object, e.g. `Static.motor` or `network 3`.' }),
          change: t.String({ description: 'From file to exports: added, removed, changed or moved.' }),
          left: t.Optional(t.String({ description: 'In the file.' })),
          right: t.Optional(t.String({ description: 'In the exports.' })),
        }),
      ),
      omitted: t.Integer({ description: 'Differences that the list has no room for.' }),
      onlyInFile: t.Array(named(t)),
      onlyInExports: t.Array(named(t)),
      notCompared: t.Array(t.String(), { description: 'Files of the exports that were not compared, and why.' }),
    },
    { description: 'Of `compareWith`.' },
  )

const inspect = query({
  id: 'projects.inspect',
  title: 'Tell what a TIA Portal project, library or archive holds, without opening it',
  description:
    'Reads `.zapNN`, `.zalNN`, `.apNN`, `.alNN` or `PEData.plf` (V14 to V21): products and versions, saves, stations, and how far each object can be read. Nothing is changed, and nothing is taken into a project.',
  input: (t) =>
    t.Object({
      path: t.String({ minLength: 1, maxLength: 4096, description: 'A file of the workspace.' }),
      continueOnError: t.Optional(t.Boolean({ description: 'Leave damaged records out. Default: false.' })),
      asOfSave: t.Optional(t.Integer({ minimum: 1, description: 'The state of this save (see `saves`).' })),
      compareWith: t.Optional(
        t.String({
          minLength: 1,
          maxLength: 4096,
          description: 'A folder of the workspace with exports of the same project: tells how equal both are.',
        }),
      ),
    }),
  output: (t) =>
    t.Object({
      file: t.String(),
      name: t.String(),
      kind: t.String({ description: 'Project or Library.' }),
      version: t.Optional(t.String({ description: 'Version of TIA Portal, e.g. V19.' })),
      author: t.String(),
      products: t.Array(t.String()),
      saves: t.Array(
        t.Object({
          number: t.Integer(),
          at: t.Optional(t.String({ description: 'ISO 8601.' })),
          by: t.Optional(t.String({ description: 'Who saved.' })),
          records: t.Integer(),
        }),
      ),
      controllers: t.Array(
        t.Object({
          name: t.String(),
          orderNumber: t.Optional(t.String()),
          firmware: t.Optional(t.String()),
          typeName: t.Optional(t.String()),
          interfaces: t.Array(
            t.Object({
              name: t.String(),
              subnet: t.Optional(t.String()),
              ipAddress: t.Optional(t.String()),
              subnetMask: t.Optional(t.String()),
              routerAddress: t.Optional(t.String()),
              profinetDeviceName: t.Optional(t.String()),
              subnetType: t.Optional(t.String({ description: 'Absent: Ethernet.' })),
              busAddress: t.Optional(t.Integer()),
              ioSystem: t.Optional(
                t.Object({
                  name: t.String(),
                  number: t.Integer(),
                  role: t.Enum(['controller', 'device']),
                  deviceNumber: t.Optional(t.Integer()),
                }),
              ),
            }),
          ),
        }),
      ),
      otherStations: t.Array(t.String(), { description: 'Stations without a PLC.' }),
      counts: t.Object({ whole: t.Integer(), partly: t.Integer(), 'not-read': t.Integer() }),
      objects: t.Array(
        t.Object({
          controller: t.String(),
          name: t.String(),
          kind: t.String(),
          folder: t.String(),
          completeness: t.String({ description: 'whole, partly or not-read.' }),
          problems: t.Array(t.String()),
        }),
      ),
      notRead: t.Record(t.String(), t.Integer(), { description: 'Kinds of objects that are not read.' }),
      damaged: t.Array(t.String(), { description: 'Damaged records that were left out.' }),
      comparison: t.Optional(comparison(t)),
    }),
  http: [post('/api/projects/actions/inspect'), post('/api/projects/actions/inspect-async', 'async')],
  mcp: { toolset: 'projects' },
  aliases: { path: ['projectPath', 'archivePath', 'filePath'] },
  async run({ path, continueOnError = false, asOfSave, compareWith }, ctx) {
    const { compareWithExports, inspectTia } = await import('./inspect.ts')
    const options = { skipDamaged: continueOnError, ...defined({ asOfSave }) }
    const content = await inspectTia(ctx, path, options)
    const count = (wanted: string) => content.report.filter(({ completeness }) => completeness === wanted).length
    return {
      file: content.file,
      name: content.name,
      kind: content.kind,
      ...defined({ version: content.found }),
      author: content.author,
      products: content.products,
      saves: content.saves,
      controllers: content.controllers,
      otherStations: content.otherStations,
      counts: { whole: count('whole'), partly: count('partly'), 'not-read': count('not-read') },
      objects: content.report,
      notRead: content.notRead,
      damaged: content.damaged,
      ...(compareWith === undefined ? {} : { comparison: await compareWithExports(ctx, content, compareWith) }),
    }
  },
})

export const tiaOperations: readonly Operation[] = [inspect]
