/** Creates an empty project. */
import { join } from 'node:path'
import { type CommandContext, problem } from '../../core/index.ts'
import { isManifest, manifestExtension, writeManifest } from './files/manifest.ts'
import { projectNameFault } from './files/names.ts'
import { hashOf } from './files/tree.ts'
import { engineeringVersions, type OpenedProject, type Project, projectOpened, requireProject } from './project.ts'

/** What a new project is made from. */
export interface NewProject {
  readonly name: string
  /** The folder that the project's folder is made in. */
  readonly directory?: string
  readonly author?: string
  readonly comment?: string
  readonly version?: string
  readonly cultures?: readonly string[]
}

/** Makes `<directory>/<name>` with the manifest, and opens it. */
export async function createProject(ctx: CommandContext, input: NewProject): Promise<Project> {
  const { name } = input
  requireProjectName(name, '/name')
  const version = engineeringVersion(input.version ?? ctx.gateway.settings.engineering.defaultVersion)
  const path = await ctx.files.resolve(join(await ctx.files.resolve(input.directory ?? '.'), name))
  if (await ctx.files.stat(path)) {
    const manifest = (await ctx.files.list(path).catch(() => [])).find(
      (entry) => !entry.isDirectory && isManifest(entry.name),
    )
    throw problem(
      'name_taken',
      `"${path}" exists already${manifest ? `: it holds the project "${manifest.name}"` : ''}.`,
      {
        suggestion: manifest
          ? 'Open it with POST /api/projects/actions/open, or choose another name.'
          : 'Choose another name or directory.',
      },
    )
  }
  const project: OpenedProject = {
    id: ctx.newId(),
    name,
    path,
    author: input.author ?? '',
    comment: input.comment ?? '',
    version,
    createdAt: ctx.now,
    modifiedAt: ctx.now,
    savedAt: ctx.now,
    simulationSupport: false,
    cultures: input.cultures ?? ['en-US'],
  }
  const manifest = `${name}${manifestExtension}`
  const content = writeManifest(project, [])
  await ctx.files.write(join(path, manifest), content)
  const savedFiles = await ctx.blobs.put(JSON.stringify({ [manifest]: hashOf(content) }))
  ctx.emit(projectOpened, { project: { ...project, savedFiles }, how: 'created', openedAt: ctx.now }, `project/${name}`)
  return requireProject(ctx)
}

/** @throws GatewayError `invalid_input` that says what is wrong with the name */
export function requireProjectName(name: string, field: string): void {
  const fault = projectNameFault(name)
  if (fault) {
    throw problem('invalid_input', `${field}: "${name}" is not a project name: it ${fault}.`, {
      errors: [{ path: field, message: fault, value: name }],
    })
  }
}

/** `V19`, `v19` or `19` as `V19`. */
function engineeringVersion(text: string): string {
  const version = `V${text.trim().replace(/^v/i, '').replace(/\.0$/, '')}`
  if ((engineeringVersions as readonly string[]).includes(version)) return version
  throw problem(
    'invalid_input',
    `/version: "${text}" is not an engineering version; one of ${engineeringVersions.join(', ')} is needed.`,
    {
      errors: [
        {
          path: '/version',
          message: `must be one of ${engineeringVersions.join(', ')}`,
          value: text,
          allowed: engineeringVersions,
        },
      ],
    },
  )
}
