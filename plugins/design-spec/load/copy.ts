/**
 * The copy of the spec in the project's folder: `.gantry/cdc/<file>` (docs/design.md#design-specs).
 *
 * It is written when a spec is loaded, not when the project is saved. It is read when the project is opened, and when
 * the gateway starts with the project open and the copy differs from what was loaded, because somebody edited it. A
 * faulty copy does not prevent opening a project; its faults are kept in `copyReport`.
 */

import { type CommandContext, defined, type Gateway, isGatewayError, type LogRecord } from '../../../core/index.ts'
import { currentProject, type Project, type ProjectSection } from '../../projects/index.ts'
import type { SpecFault } from '../model/faults.ts'
import { copyRead, copyReport, currentSpec, type LoadedSpec, specAdopted, specKey } from '../spec.ts'
import { copiesAmong, copiesOnDisk, copyFolder, copyPath, sourceNameOfCopy } from './copy-files.ts'
import { keep, placeOf, readFile, requireSize } from './load.ts'

/** Maximum number of faults of a copy that are kept. */
const keptFaults = 200

/** The result of reading the copy. */
export type CopyOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'unchanged' | 'loaded'; readonly file: string; readonly spec: LoadedSpec }
  | {
      readonly kind: 'refused'
      readonly file: string
      readonly reason: string
      readonly faults: readonly SpecFault[]
    }

/**
 * Reads the copy and loads it when it differs from the loaded spec. Faults are recorded in `copyReport`, not thrown.
 */
async function readCopy(
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
        ...defined({ hash }),
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
  if (present?.source === hash && present.projectId === project.id && copyPath(present) === file) {
    if (ctx.read(copyReport).get(specKey)?.failure !== undefined) noteLoaded(ctx, project, file, hash)
    return { kind: 'unchanged', file, spec: present }
  }
  try {
    requireSize(file, content.byteLength)
    const result = await readFile(ctx, { fileName: sourceNameOfCopy(file), content }, true)
    if (!result.ok) {
      const first = result.faults[0]!
      const reason = `${file}: ${result.faults.length === 1 ? '1 fault' : `${result.faults.length} faults; the first`}: ${placeOf(first)}: ${first.message}`
      return refuse(file, reason, { hash, faults: result.faults })
    }
    const spec = await keep(ctx, result, hash, content.byteLength, 'copy')
    noteLoaded(ctx, project, file, hash)
    return { kind: 'loaded', file, spec }
  } catch (error) {
    // Too large, or large and no engine to read it with: the project is opened without it.
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

/** The copy as part of a project's files. It owns no path pattern, so a save does not delete other files next to it. */
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
    return []
  },
}

/** The checks at the start of each gateway, so that stopping the gateway can wait for them. */
const checks = new WeakMap<Gateway, Promise<void>>()

/**
 * When the gateway starts with a project open, loads a copy that was edited in the meantime, once the gateway serves.
 */
export function watchStart(gateway: Gateway): void {
  if (!currentProject(gateway.state)) return
  const check = (records: readonly LogRecord[]) => {
    if (!records.some(({ type }) => type === 'gateway.started')) return
    gateway.bus.off('records', check)
    checks.set(
      gateway,
      checkCopy(gateway).catch((error: unknown) => {
        // A data directory that was restored elsewhere names a folder that this gateway may not read: no fault of ours.
        const cause = isGatewayError(error) ? { reason: error.message } : { err: error }
        gateway.log.warn(cause, 'the copy of the design spec could not be checked')
      }),
    )
  }
  gateway.bus.on('records', check)
}

/** Waits for the check that {@link watchStart} started. */
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
    // The same copy was refused before: report nothing again.
    if (report?.file === file && report.hash === hash && report.failure !== undefined) return
  } else if (report?.file === copyFolder && report.failure !== undefined) return
  const operation = gateway.registry.operation('design-spec.reload')
  if (operation) await gateway.invoke(operation, {}, { actor: { name: 'system', access: 'admin' } })
}
