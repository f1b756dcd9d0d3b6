/** Properties of the open project: its languages, author and comment; support of simulation. */
import { command, defined, type Operation, post, put, type SchemaBuilder } from '../../core/index.ts'
import { projectConfigured, requireProject, simulationSupportSet } from './project.ts'

/** Languages of texts, as `en-US`. */
export const culturesField = (t: SchemaBuilder, description: string) =>
  t.Array(t.String({ pattern: '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$' }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description,
  })

const configure = command({
  id: 'projects.configure',
  title: 'Change languages, author or comment of the open project',
  description:
    'Only what is given changes. `cultures` are all languages of its texts, the first is the one of texts without a language. Texts of a language that is left out stay in their objects and come back with the language. Stations and controllers show another language after the next compile or download.',
  input: (t) =>
    t.Object({
      cultures: t.Optional(culturesField(t, 'Languages of texts, e.g. `["en-US", "de-DE"]`.')),
      author: t.Optional(t.String({ maxLength: 1000 })),
      comment: t.Optional(t.String({ maxLength: 100_000 })),
    }),
  output: (t) =>
    t.Object({
      projectName: t.String(),
      cultures: t.Array(t.String()),
      author: t.String(),
      comment: t.String(),
      changed: t.Boolean(),
    }),
  http: [put('/api/projects/properties')],
  mcp: { toolset: 'projects', destructive: true },
  aliases: { cultures: ['languages', 'projectLanguages'] },
  example: { cultures: ['en-US', 'de-DE'] },
  run(input, ctx) {
    const project = requireProject(ctx)
    const { cultures = project.cultures, author = project.author, comment = project.comment } = input
    const changed = defined({
      cultures: cultures.join() === project.cultures.join() ? undefined : cultures,
      author: author === project.author ? undefined : author,
      comment: comment === project.comment ? undefined : comment,
    })
    const isChanged = Object.keys(changed).length > 0
    if (isChanged) ctx.emit(projectConfigured, changed, `project/${project.name}`)
    return { projectName: project.name, cultures: [...cultures], author, comment, changed: isChanged }
  },
})

const simulationSupport = command({
  id: 'projects.simulation-support',
  title: 'Enable or disable simulation support of the project',
  description: 'Only a project with simulation support can be loaded into simulated controllers.',
  input: (t) => t.Object({ enabled: t.Optional(t.Boolean({ description: 'Default: true.' })) }),
  output: (t) => t.Object({ projectName: t.String(), simulationSupport: t.Boolean(), changed: t.Boolean() }),
  http: [post('/api/projects/actions/simulation-support')],
  mcp: { toolset: 'projects' },
  needsInstance: true,
  aliases: { enabled: ['enable', 'simulationSupport', 'value'] },
  run(input, ctx) {
    const project = requireProject(ctx)
    const enabled = input.enabled ?? true
    const changed = project.simulationSupport !== enabled
    if (changed) ctx.emit(simulationSupportSet, { enabled }, `project/${project.name}`)
    return { projectName: project.name, simulationSupport: enabled, changed }
  },
})

export const propertyOperations: readonly Operation[] = [configure, simulationSupport]
