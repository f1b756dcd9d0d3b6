/** The open project: its shape, its place in the state, and the events that change it. */
import {
  type CollectionWriter,
  collection,
  type DomainEvent,
  domainEvent,
  endsOwner,
  type Fault,
  on,
  ownedBy,
  ownerKind,
  problem,
  type Slice,
  type SliceReader,
  undone,
} from '../../core/index.ts'

/** Engineering versions of projects (docs/design.md#engineering-versions). */
export const engineeringVersions = ['V16', 'V17', 'V18', 'V19', 'V20', 'V21'] as const
export type EngineeringVersion = (typeof engineeringVersions)[number]

/** The open project. Times in ms since the epoch. */
export interface Project {
  readonly id: string
  readonly name: string
  /** Absolute path of the project's folder. */
  readonly path: string
  readonly author: string
  readonly comment: string
  /** V16 … V21. */
  readonly version: string
  readonly createdAt: number
  /** When its content was last changed. */
  readonly modifiedAt: number
  /** When its files were last written; absent: never. */
  readonly savedAt?: number
  readonly simulationSupport: boolean
  /** Languages of its texts, e.g. `en-US`. */
  readonly cultures: readonly string[]
  /** Counts changes of content, so that "changed since the last save" does not depend on clocks. */
  readonly revision: number
  /** `revision` at the last save. */
  readonly savedRevision?: number
  /** Blob: what the last save wrote, a JSON object from path to `{ hash, size }`. */
  readonly savedFiles?: string
}

/** The fields of a project in `projectOpened`; the counters start at 0. */
export type OpenedProject = Omit<Project, 'revision' | 'savedRevision'>

/** One entry of the history of opened projects. */
export interface HistoryEntry {
  readonly path: string
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly lastAccess: number
}

/** The search index of the open project. */
export interface ProjectIndex {
  /** Blob: the index as JSON. */
  readonly blob: string
  readonly indexedAt: number
  /** `revision` of the project that was indexed. */
  readonly revision: number
  readonly entries: number
  /** Entries by kind, e.g. `{ block: 12 }`. */
  readonly counts: Readonly<Record<string, number>>
}

/** The owner of collections with project content: `ownedBy(project)`. Objects of a device belong to the device. */
export const project = ownerKind('projects.project')

/** At most one entry, under {@link projectKey}. */
const openProject = collection<Project>('projects.open', {}, [ownedBy(project)], {
  // What the files hold and when they were written is as it is, whatever is taken back.
  apart: ['name', 'path', 'modifiedAt', 'savedAt', 'revision', 'savedRevision', 'savedFiles'],
  final: 'It opened or closed a project.',
  barrier: true,
})
export const projectKey = 'project'
/** Key: the project's folder. */
export const projectHistory = collection<HistoryEntry>('projects.history')
/** At most one entry, under {@link projectKey}. */
export const projectIndex = collection<ProjectIndex>('projects.index', {}, [ownedBy(project)], 'apart')

/** Number of entries that the history keeps (TIA Portal's start view shows 10; scripts need more). */
const historyLimit = 50

/**
 * A project was opened: created, read from a folder, restored from an archive, or imported from exported files.
 * The events of its content follow in the same job, then (not for `imported`) {@link projectLoaded}.
 */
export const projectOpened = domainEvent<{
  project: OpenedProject
  /** Milliseconds since the epoch. */
  openedAt: number
  how: 'created' | 'opened' | 'restored' | 'imported'
}>('projects.opened', 'A project was opened')
/** All content of the project's files is in the state. `files` as {@link Project.savedFiles}. */
export const projectLoaded = domainEvent<{ projectId: string; files?: string }>(
  'projects.loaded',
  'The content of the project was read from its files',
)
/** The project's files were written. "Save as" changes `name` and `path`. */
export const projectSaved = domainEvent<{
  projectId: string
  name: string
  path: string
  savedAt: number
  files: string
}>('projects.saved', 'The project was saved')
/** The project was closed and everything that belongs to it removed. `discarded`: there were unsaved changes. */
export const projectClosed = domainEvent<{ projectId: string; name: string; path: string; discarded: boolean }>(
  'projects.closed',
  'The project was closed',
)
export const simulationSupportSet = domainEvent<{ enabled: boolean }>(
  'projects.simulation-support-set',
  'Simulation support of the project was switched',
)
/** Languages, author or comment were changed: those that are here. */
export const projectConfigured = domainEvent<Partial<Pick<Project, 'cultures' | 'author' | 'comment'>>>(
  'projects.configured',
  'Properties of the project were changed',
)
export const projectIndexed = domainEvent<ProjectIndex>('projects.indexed', 'The project was indexed for search')
export const historyRemoved = domainEvent<{ paths: string[] }>(
  'projects.history-removed',
  'Entries of the project history were removed',
)

/**
 * Reductions that note a change of the open project for events of another plugin: spread them into that plugin's
 * `slice.reductions`, so that the project counts as modified.
 *
 * @example reductions: [on(blockCreated, …), ...modifiesProject(blockCreated, blockChanged)]
 */
export function modifiesProject(...events: readonly DomainEvent<unknown>[]) {
  return events.map((event) => on(event, (write, _data, { time }) => changesProject(write, time)))
}

/**
 * Notes a change of the open project in a reduction of another plugin.
 * @param time of the event
 * @param projectId only when this project is the open one
 */
export function changesProject(
  write: Parameters<Parameters<typeof on>[1]>[0],
  time: number,
  projectId = write(openProject).get(projectKey)?.id,
): void {
  if (write(openProject).get(projectKey)?.id !== projectId) return
  write(openProject).update(projectKey, (project) => {
    project.modifiedAt = time
    project.revision++
  })
}

export const projectSlice: Slice = {
  version: 1,
  collections: [openProject, projectHistory, projectIndex],
  reductions: [
    on(projectOpened, (write, { project, how, openedAt }) => {
      write(openProject).set(projectKey, {
        ...project,
        revision: 0,
        ...(how === 'imported' ? {} : { savedRevision: 0 }),
      })
      write(projectIndex).clear()
      remember(write(projectHistory), { path: project.path, name: project.name, lastAccess: openedAt })
    }),
    on(projectLoaded, (write, { files }) => {
      write(openProject).update(projectKey, (project) => {
        project.savedRevision = project.revision
        project.modifiedAt = project.savedAt ?? project.modifiedAt
        if (files !== undefined) project.savedFiles = files
      })
    }),
    on(projectSaved, (write, { name, path, savedAt, files }) => {
      if (!write(openProject).has(projectKey)) return
      write(openProject).update(projectKey, (project) => {
        Object.assign(project, { name, path, savedAt, savedFiles: files, savedRevision: project.revision })
      })
      remember(write(projectHistory), { path, name, lastAccess: savedAt })
    }),
    on(simulationSupportSet, (write, { enabled }, { time }) => {
      write(openProject).update(projectKey, (project) => {
        project.simulationSupport = enabled
        project.modifiedAt = time
        project.revision++
      })
    }),
    on(projectConfigured, (write, changed, { time }) => {
      write(openProject).update(projectKey, (project) => {
        Object.assign(project, changed, { modifiedAt: time })
        project.revision++
      })
    }),
    ...modifiesProject(undone),
    on(projectIndexed, (write, index) => write(projectIndex).set(projectKey, index)),
    on(historyRemoved, (write, { paths }) => {
      for (const path of paths) write(projectHistory).delete(path)
    }),
  ],
  endings: [endsOwner(projectClosed, project, ({ projectId }) => projectId)],
}

/** Puts an entry at the end of the history, so that the oldest is the first and goes when there are too many. */
function remember(history: CollectionWriter<HistoryEntry>, entry: HistoryEntry): void {
  history.delete(entry.path)
  history.set(entry.path, entry)
  for (const path of [...history.keys()].slice(0, Math.max(0, history.size - historyLimit))) history.delete(path)
}

/** The open project, if one is open. */
export function currentProject(ctx: { read: SliceReader }): Project | undefined {
  return ctx.read(openProject).get(projectKey)
}

/**
 * The open project.
 * @throws GatewayError `no_project`
 */
export function requireProject(ctx: { read: SliceReader }): Project {
  const project = currentProject(ctx)
  if (!project) {
    throw problem('no_project', 'No project is open. Open one with POST /api/projects/actions/open.', {
      suggestion: 'POST /api/projects/actions/open or /api/projects/actions/create',
    })
  }
  return project
}

/** True when the content has changed since the files were last written (or they never were). */
export function isModified(project: Project): boolean {
  return project.savedRevision !== project.revision
}

/** A 422 with one fault for each faulty place of a project's files. */
export function faultyFiles(what: string, faults: readonly Fault[]) {
  const first = faults[0]
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  const line = first?.line === undefined ? '' : `, line ${first.line}`
  return problem(
    'unacceptable_content',
    `${what}: ${first ? `${first.path}${line}: ${first.message}` : 'faulty'}${more}`,
    {
      errors: faults,
    },
  )
}
