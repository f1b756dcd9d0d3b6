/** The loaded design spec: its place in the state, the events that change it, and access to it. */
import { collection, domainEvent, on, ownedBy, problem, type Slice, type SliceReader } from '../../core/index.ts'
import { project } from '../projects/index.ts'
import type { SpecFault } from './model/faults.ts'
import type { LoadCounts } from './model/model-view.ts'
import { reportReductions, verificationReports } from './verify/reports.ts'

/** Where a spec came from: one file, parts merged into the loaded spec, or the copy in the project's folder. */
export type SpecOrigin = 'file' | 'parts' | 'copy'

/** The loaded design spec. Texts are blobs, so that the entry is small for a file of any size. */
export interface LoadedSpec {
  readonly id: string
  /** Name of the file from which it was read, with extension, without folders. */
  readonly sourceName: string
  readonly origin: SpecOrigin
  readonly counts: Omit<LoadCounts, 'success'>
  /** Blob: the `DesignModel` as JSON. */
  readonly model: string
  /** Bytes of the model's JSON. */
  readonly modelBytes: number
  /** Blob: the spec as CSV; byte for byte the file when it was loaded from one. */
  readonly source: string
  /** Bytes of the source. */
  readonly sourceBytes: number
  readonly warnings: readonly SpecFault[]
  /** Milliseconds since the epoch. */
  readonly loadedAt: number
  /** The project whose folder contains its copy; absent when it was loaded while no project was open. */
  readonly projectId?: string
}

/** The result of reading the copy in a project's folder. */
export interface CopyReport {
  readonly projectId: string
  /** Path of the copy in the project's folder; the path of the folder when it contains several. */
  readonly file: string
  /** Hash of what was read; absent when nothing was read. */
  readonly hash?: string
  /** Milliseconds since the epoch. */
  readonly readAt: number
  /** Why it was not loaded; absent when it was loaded. */
  readonly failure?: string
  /** Faults in the copy. When there is one, it is not loaded. */
  readonly faults: readonly SpecFault[]
}

/**
 * At most one entry, with the key {@link specKey}: one model at a time. The entry of a spec that is in a project's
 * folder is removed when the project is closed, and read again when the project is opened.
 */
const loadedSpec = collection<LoadedSpec>('design-spec.loaded', { byProject: ({ projectId }) => projectId }, [
  ownedBy(project, 'byProject'),
])
/** At most one entry, with the key {@link specKey}: the report about the copy in the open project. */
export const copyReport = collection<CopyReport>('design-spec.copy', {}, [ownedBy(project)], 'apart')
/** Key of the only entry of {@link loadedSpec} and {@link copyReport}. */
export const specKey = 'spec'

/** A spec was loaded; it replaces the previous one. */
export const specLoaded = domainEvent<LoadedSpec>('design-spec.loaded', 'A design spec was loaded')
export const specCleared = domainEvent<{ id: string; sourceName: string }>(
  'design-spec.cleared',
  'The loaded design spec was cleared',
)
/** A spec that was loaded without a project now belongs to one: its copy is saved with it. */
export const specAdopted = domainEvent<{ id: string; projectId: string }>(
  'design-spec.adopted',
  'The design spec became part of a project',
)
export const copyRead = domainEvent<CopyReport>('design-spec.copy-read', 'The copy of the design spec was read')

/** The plugin's part of the state. */
export const specSlice: Slice = {
  version: 1,
  collections: [loadedSpec, copyReport, verificationReports],
  reductions: [
    on(specLoaded, (write, spec) => write(loadedSpec).set(specKey, spec)),
    on(specCleared, (write) => {
      write(loadedSpec).clear()
      write(copyReport).clear()
    }),
    on(specAdopted, (write, { projectId }) =>
      write(loadedSpec).update(specKey, (spec) => {
        spec.projectId = projectId
      }),
    ),
    on(copyRead, (write, report) => write(copyReport).set(specKey, report)),
    ...reportReductions,
  ],
}

/** The loaded spec; undefined when there is none. */
export function currentSpec(ctx: { read: SliceReader }): LoadedSpec | undefined {
  return ctx.read(loadedSpec).get(specKey)
}

const loadFirst = 'POST /api/design-spec/load { file } or { filePath }'

/**
 * The loaded spec, for operations that read it.
 * @throws GatewayError `not_found`
 */
export function findSpec(ctx: { read: SliceReader }): LoadedSpec {
  const spec = currentSpec(ctx)
  if (!spec) throw problem('not_found', `No design spec is loaded.${copyHint(ctx)}`, { suggestion: loadFirst })
  return spec
}

/**
 * The loaded spec, for operations that need one.
 * @throws GatewayError `conflict`
 */
export function requireSpec(ctx: { read: SliceReader }): LoadedSpec {
  const spec = currentSpec(ctx)
  if (!spec)
    throw problem('conflict', `No design spec is loaded. Load one first.${copyHint(ctx)}`, { suggestion: loadFirst })
  return spec
}

function copyHint(ctx: { read: SliceReader }): string {
  const report = ctx.read(copyReport).get(specKey)
  return report?.failure === undefined ? '' : ` The copy in the project was not loaded: ${report.failure}`
}
