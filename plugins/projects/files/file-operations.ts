/** The files that can be opened as projects. */
import { get, type Operation, query } from '../../../core/index.ts'

const listFiles = query({
  id: 'projects.list-files',
  title: 'List the project files and archives of the workspace',
  description:
    'Projects of Gantry (`.gantry`) and TIA Portal (`.apNN`), and archives (`.zapNN`), by path: what `projects.open` and `projects.create-from-archive` take. Folders inside of a project are not looked at.',
  live: true,
  input: (t) =>
    t.Object({
      path: t.Optional(
        t.String({
          minLength: 1,
          maxLength: 4096,
          description: 'A folder of the workspace. Default: the first workspace root.',
        }),
      ),
    }),
  output: (t) =>
    t.Object({
      files: t.Array(
        t.Object({
          name: t.String(),
          path: t.String({ description: 'Absolute.' }),
          extension: t.String({ description: '.gantry, .ap19, .zap19 …' }),
          size: t.Integer({ description: 'Bytes.' }),
          lastModified: t.DateTime(),
        }),
      ),
      total: t.Integer(),
      warnings: t.Array(t.String(), { description: 'That the list was cut.' }),
    }),
  http: [get('/api/projects/files')],
  mcp: { toolset: 'projects' },
  aliases: { path: ['folder', 'directory'] },
  async run({ path = '.' }, ctx) {
    const { projectFilesIn } = await import('./project-files.ts')
    const { files, warnings } = await projectFilesIn(ctx, await ctx.files.resolve(path))
    return { files, total: files.length, warnings }
  },
})

export const fileOperations: readonly Operation[] = [listFiles]
