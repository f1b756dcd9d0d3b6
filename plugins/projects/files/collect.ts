/** The files of the open project as a save writes them. */
import type { CommandContext, QueryContext } from '../../../core/index.ts'
import { type Project, requireProject } from '../project.ts'
import { type ProjectFile, projectSection, type SaveContext } from '../project-section.ts'
import { manifestExtension, writeManifest } from './manifest.ts'
import { hashOf, pathPattern } from './tree.ts'

/** All files of a project, by path, and the patterns of those that its parts would remove if they were gone. */
export interface CollectedFiles {
  readonly files: ReadonlyMap<string, ProjectFile>
  readonly patterns: readonly RegExp[]
}

/**
 * Collects the files of all parts and the manifest.
 * @param name that the manifest gets
 */
export async function collectFiles(ctx: SaveContext, project: Project, name = project.name): Promise<CollectedFiles> {
  const parts = [...ctx.extensions(projectSection)].sort((a, b) => a.order - b.order)
  const files = new Map<string, ProjectFile>()
  const owners = new Map<string, string>()
  const withFiles: string[] = []
  for (const part of parts) {
    ctx.signal.throwIfAborted()
    ctx.progress((50 * parts.indexOf(part)) / parts.length, `Collecting ${part.name}`)
    const made = await part.save(ctx, project)
    if (made.length > 0) withFiles.push(part.name)
    for (const file of made) {
      checkPath(file.path, part.name)
      const key = file.path.toLowerCase()
      const owner = owners.get(key)
      if (owner) throw new Error(`parts "${owner}" and "${part.name}" both save "${file.path}"`)
      owners.set(key, part.name)
      files.set(file.path, file)
    }
  }
  const manifest = `${name}${manifestExtension}`
  files.set(manifest, { path: manifest, content: writeManifest(project, withFiles) })
  return { files, patterns: parts.flatMap((part) => part.folders.map(pathPattern)) }
}

/** A path outside of the project's folder is a fault of the plugin. */
function checkPath(path: string, part: string) {
  const segments = path.split('/')
  if (path === '' || path.includes('\\') || segments.some((s) => s === '' || s === '.' || s === '..'))
    throw new Error(`part "${part}" saves to "${path}", which is not a path inside the project`)
}

/** What a save of the open project would write. */
export interface UnsavedFiles extends CollectedFiles {
  /** The content of a file of these. */
  content(file: ProjectFile): Promise<Buffer>
}

/**
 * Collects what a save would write now, for reading alone: nothing is stored, and what a save would record is left out.
 * @throws GatewayError `no_project`
 */
export async function unsavedFiles(ctx: QueryContext | CommandContext): Promise<UnsavedFiles> {
  const made = new Map<string, Buffer>()
  const content = async (hash: string) => made.get(hash) ?? ctx.blobs.get(hash)
  const reading: SaveContext = {
    read: (collection) => ctx.read(collection),
    call: ctx.call,
    extensions: (point) => ctx.extensions(point),
    files: ctx.files,
    engine: ctx.engine,
    actor: ctx.actor,
    correlationId: ctx.correlationId,
    group: ctx.group,
    now: ctx.now,
    signal: ctx.signal,
    gateway: ctx.gateway,
    progress: () => {},
    warn: () => {},
    emit: () => {},
    blobs: {
      get: content,
      text: async (hash) => (await content(hash)).toString('utf8'),
      has: (...hashes) => ctx.blobs.has(...hashes.filter((hash) => !made.has(hash))),
      put: async (given) => {
        const hash = hashOf(given)
        made.set(hash, Buffer.from(given))
        return hash
      },
    },
  }
  const collected = await collectFiles(reading, requireProject(ctx))
  return {
    ...collected,
    content: async (file) => (file.blob === undefined ? Buffer.from(file.content ?? '') : content(file.blob)),
  }
}
