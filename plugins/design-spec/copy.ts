/**
 * The copy of the spec in the project's folder: `.gantry/cdc/<file>` (docs/design.md#design-specs).
 *
 * It is written when a spec is loaded, not when the project is saved, and read when the project is opened, or when the gateway starts with
 * the project open and the copy is not what was loaded: someone edited it meanwhile. A faulty copy does not keep a project from being
 * opened; what is wrong with it is kept in `copyReport`.
 */

import {
  type CommandContext,
  type Gateway,
  isGatewayError,
  type LogRecord,
  type QueryContext,
} from '../../core/index.ts'
import { currentProject, fileNameOf, type Project, type ProjectSection } from '../projects/index.ts'
import type { SpecFault } from './faults.ts'
import { copyRead, copyReport, currentSpec, type LoadedSpec, specAdopted, specKey } from './spec.ts'

/** Folder of the copy in the project's folder. */
export const copyFolder = '.gantry/cdc'

/** So many faults of a copy are kept. */
const keptFaults = 200

/** What editors and file transactions leave beside a file; it is no copy. */
const noCopy = /^[.~]|~$|\.(tmp|bak|swp|lock|orig|rej)$/i

/** Path of a spec's copy in the project's folder. */
export function copyPath(spec: Pick<LoadedSpec, 'sourceName'>): string {
  return `${copyFolder}/${fileNameOf(spec.sourceName)}`
}

/** The name that `copyPath` made a file name of: it names the default hierarchy and stands in the generated blocks. */
export function sourceNameOfCopy(path: string): string {
  const file = path.slice(path.lastIndexOf('/') + 1)
  return file.replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/**
 * Makes the copy of a spec the only one in the project's folder. The one before goes; any other file there is kept as `<file>.bak`, for it
 * was put there by someone and never loaded.
 */
export async function writeCopy(
  ctx: CommandContext,
  project: Project,
  spec: LoadedSpec,
  before: LoadedSpec | undefined,
): Promise<void> {
  const own = before?.projectId === project.id ? copyPath(before) : undefined
  const target = copyPath(spec)
  for (const path of await copiesOnDisk(ctx.files, project)) {
    const file = `${project.path}/${path}`
    if (path !== own && path !== target) await ctx.files.write(`${file}.bak`, await ctx.files.read(file))
    if (path !== target) await ctx.files.remove(file)
  }
  await ctx.files.writeBlob(`${project.path}/${target}`, spec.source)
}

/** Removes the copy of a spec. */
export async function removeCopy(ctx: CommandContext, project: Project, spec: LoadedSpec): Promise<void> {
  if (spec.projectId !== project.id) return
  const path = copyPath(spec)
  if ((await copiesOnDisk(ctx.files, project)).includes(path)) await ctx.files.remove(`${project.path}/${path}`)
}

/** Paths, in the project's folder, of what can be a copy. */
async function copiesOnDisk(files: Pick<QueryContext['files'], 'stat' | 'list'>, project: Project): Promise<string[]> {
  const folder = `${project.path}/${copyFolder}`
  if (!(await files.stat(folder))?.isDirectory) return []
  const entries = await files.list(folder)
  return copiesAmong(entries.filter((entry) => !entry.isDirectory).map((entry) => `${copyFolder}/${entry.name}`))
}

/** Which of these paths in the project's folder can be a copy. */
function copiesAmong(paths: readonly string[]): string[] {
  return paths.filter((path) => {
    const slash = path.lastIndexOf('/')
    return path.slice(0, slash) === copyFolder && !noCopy.test(path.slice(slash + 1))
  })
}

/** What became of the copy. */
export type CopyOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'unchanged' | 'loaded'; readonly file: string; readonly spec: LoadedSpec }
  | {
      readonly kind: 'refused'
      readonly file: string
      readonly reason: string
      readonly faults: readonly SpecFault[]
    }

/** Reads the copy and loads it when it is another than what is loaded. What is wrong with it is noted, not thrown. */
export async function readCopy(
  ctx: CommandContext,
  project: Project,
  paths: readonly string[],
  read: (path: string) => Promise<Buffer>,
): Promise<CopyOutcome> {
  const found = copiesAmong(paths)
  const [file] = found
  if (file === undefined) return { kind: 'none' }
  const entity = `project/${project.name}`
  const refuse = (file: string, reason: string, more: { hash?: string; faults?: readonly SpecFault[] } = {}) => {
    const { hash, faults = [] } = more
    ctx.emit(
      copyRead,
      {
        projectId: project.id,
        file,
        ...(hash === undefined ? {} : { hash }),
        readAt: ctx.now,
        failure: reason,
        faults: faults.slice(0, keptFaults),
      },
      entity,
    )
    ctx.gateway.log.warn({ project: project.name, file, reason }, 'the copy of the design spec was not loaded')
    return { kind: 'refused', file, reason, faults } as const
  }
  if (found.length > 1) {
    const names = found.map((path) => path.slice(copyFolder.length + 1))
    return refuse(copyFolder, `${copyFolder} holds ${names.length} files (${names.slice(0, 10).join(', ')}); keep one.`)
  }
  const content = await read(file)
  const hash = await ctx.blobs.put(content)
  const present = currentSpec(ctx)
  const load = await import('./load.ts')
  if (present?.source === hash && present.projectId === project.id && copyPath(present) === file) {
    if (ctx.read(copyReport).get(specKey)?.failure !== undefined) noteLoaded(ctx, project, file, hash)
    return { kind: 'unchanged', file, spec: present }
  }
  try {
    load.requireSize(file, content.byteLength)
    const result = await load.readFile(ctx, { fileName: sourceNameOfCopy(file), content }, true)
    if (!result.ok) {
      const first = result.faults[0]!
      const reason = `${file}: ${result.faults.length === 1 ? '1 fault' : `${result.faults.length} faults; the first`}: ${load.placeOf(first)}: ${first.message}`
      return refuse(file, reason, { hash, faults: result.faults })
    }
    const spec = await load.keep(ctx, result, hash, content.byteLength, 'copy')
    noteLoaded(ctx, project, file, hash)
    return { kind: 'loaded', file, spec }
  } catch (error) {
    // Too large, or large and no engine to read it on: the project is opened without it.
    if (isGatewayError(error) && error.code !== 'request_cancelled') return refuse(file, error.message)
    throw error
  }
}

function noteLoaded(ctx: CommandContext, project: Project, file: string, hash: string) {
  ctx.emit(copyRead, { projectId: project.id, file, hash, readAt: ctx.now, faults: [] }, `project/${project.name}`)
}

/** Reads the copy of the open project again. */
export async function reloadCopy(ctx: CommandContext, project: Project): Promise<CopyOutcome> {
  const paths = await copiesOnDisk(ctx.files, project)
  return readCopy(ctx, project, paths, (path) => ctx.files.read(`${project.path}/${path}`))
}

/** The copy as part of a project's files. It owns no pattern of paths: a file that someone put beside it is not removed by a save. */
export const specPart: ProjectSection = {
  name: 'design-spec',
  order: 60,
  folders: [],
  async save(ctx, project) {
    const spec = currentSpec(ctx)
    if (!spec) return []
    if (spec.projectId !== project.id)
      ctx.emit(specAdopted, { id: spec.id, projectId: project.id }, `design-spec/${spec.sourceName}`)
    return [{ path: copyPath(spec), blob: spec.source }]
  },
  async load(ctx, project, files) {
    await readCopy(ctx, project, files.list(`${copyFolder}/`), (path) => files.read(path))
  },
}

/** Checks at the start of the gateway, by gateway, so that its end can wait for them. */
const checks = new WeakMap<Gateway, Promise<void>>()

/** When the gateway starts with a project open, a copy that was edited meanwhile is loaded, as soon as the gateway serves. */
export function watchStart(gateway: Gateway): void {
  if (!currentProject(gateway.state)) return
  const check = (records: readonly LogRecord[]) => {
    if (!records.some(({ type }) => type === 'gateway.started')) return
    gateway.bus.off('records', check)
    checks.set(
      gateway,
      checkCopy(gateway).catch((error: unknown) =>
        gateway.log.warn({ err: error }, 'the copy of the design spec could not be checked'),
      ),
    )
  }
  gateway.bus.on('records', check)
}

/** Waits for the check of {@link watchStart}. */
export async function checked(gateway: Gateway): Promise<void> {
  await checks.get(gateway)
}

async function checkCopy(gateway: Gateway): Promise<void> {
  const project = currentProject(gateway.state)
  if (!project) return
  const { workspace } = gateway
  const found = await copiesOnDisk(workspace, project)
  const [file] = found
  if (file === undefined) return
  const spec = currentSpec(gateway.state)
  const report = gateway.state.read(copyReport).get(specKey)
  if (found.length === 1) {
    const [{ createHash }, content] = await Promise.all([
      import('node:crypto'),
      workspace.read(`${project.path}/${file}`),
    ])
    const hash = `sha256:${createHash('sha256').update(content).digest('hex')}`
    if (spec?.source === hash && copyPath(spec) === file && report?.failure === undefined) return
    // What was refused before is refused again: nothing new to say.
    if (report?.file === file && report.hash === hash && report.failure !== undefined) return
  } else if (report?.file === copyFolder && report.failure !== undefined) return
  const operation = gateway.registry.operation('design-spec.reload')
  if (operation) await gateway.invoke(operation, {}, { actor: { name: 'system', access: 'admin' } })
}
