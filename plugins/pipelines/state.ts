/**
 * The pipelines of the open project and how their last runs ended. In the files of a project a pipeline is
 * `pipelines/<name>.json`.
 */
import {
  collection,
  domainEvent,
  type Fault,
  isObject,
  notFound,
  on,
  ownedBy,
  type Slice,
  type SliceReader,
} from '../../core/index.ts'
import { compareTexts } from '../../lib/compare-texts.ts'
import {
  faultyFiles,
  fileNameOf,
  modifiesProject,
  type ProjectSection,
  project,
  readJsonFile,
} from '../projects/index.ts'

/** When a step runs: after steps that succeeded, after one that failed, or in any case. */
export const conditions = ['onSuccess', 'onFailure', 'always'] as const

/** One operation that a pipeline calls. */
export interface PipelineStep {
  readonly name: string
  /** Id of the operation. */
  readonly action: string
  /** Its input; `{{name}}` stands for a variable. */
  readonly params?: Readonly<Record<string, unknown>>
  readonly condition: (typeof conditions)[number]
  readonly timeoutSeconds: number
  /** How often it is tried again. */
  readonly retryCount: number
  readonly retryDelayMs: number
}

export interface Pipeline {
  readonly name: string
  readonly description: string
  readonly trigger: 'manual'
  readonly variables: Readonly<Record<string, unknown>>
  readonly steps: readonly PipelineStep[]
  /** `stop`: steps behind a failed one are skipped; `continue`: they run. */
  readonly onFailure: 'stop' | 'continue'
  /** ISO 8601. */
  readonly createdAt: string
  readonly updatedAt?: string
}

export type Ended = 'Completed' | 'Failed' | 'Cancelled' | 'Skipped'

/** How a step ended. Times in ISO 8601. */
export interface StepResult {
  /** From 1. */
  readonly stepIndex: number
  readonly stepName: string
  readonly action: string
  readonly status: Ended
  readonly startedAt: string
  readonly completedAt: string
  readonly durationMs: number
  readonly resultMessage: string
  readonly error?: string
  readonly attempts: number
}

/** A run of a pipeline. */
export interface Execution {
  /** That of its job. */
  readonly id: string
  readonly jobId: string
  readonly pipelineName: string
  readonly status: Ended
  readonly stepResults: readonly StepResult[]
  readonly startedAt: string
  readonly completedAt: string
  readonly durationMs: number
  readonly error?: string
}

/** Executions that are kept. */
export const mostExecutions = 100

/** Key: name in lower case. */
export const pipelines = collection<Pipeline>('pipelines.definitions', {}, [ownedBy(project)])
/** Key: id; in the order of their ends. */
export const executions = collection<Execution>('pipelines.executions', {}, [ownedBy(project)], 'apart')

export const pipelineSaved = domainEvent<Pipeline>('pipelines.saved', 'A pipeline was defined')
export const pipelineDeleted = domainEvent<{ name: string }>('pipelines.deleted', 'A pipeline was deleted')
export const pipelineEnded = domainEvent<Execution>('pipelines.ended', 'A run of a pipeline ended')

export const keyOf = (name: string) => name.toLowerCase()

export const pipelineSlice: Slice = {
  version: 1,
  collections: [pipelines, executions],
  reductions: [
    on(pipelineSaved, (write, pipeline) => write(pipelines).set(keyOf(pipeline.name), pipeline)),
    on(pipelineDeleted, (write, { name }) => write(pipelines).delete(keyOf(name))),
    on(pipelineEnded, (write, execution) => {
      const kept = write(executions)
      kept.set(execution.id, execution)
      for (const id of [...kept.keys()].slice(0, Math.max(0, kept.size - mostExecutions))) kept.delete(id)
    }),
    ...modifiesProject(pipelineSaved, pipelineDeleted),
  ],
}

type Reader = { readonly read: SliceReader }

/** All pipelines, by name. */
export function allPipelines(ctx: Reader): Pipeline[] {
  return [...ctx.read(pipelines).values()].sort((a, b) => compareTexts(keyOf(a.name), keyOf(b.name)))
}

/** @throws GatewayError `not_found` */
export function requirePipeline(ctx: Reader, name: string): Pipeline {
  const found = ctx.read(pipelines).get(keyOf(name))
  if (found) return found
  throw notFound(
    'pipeline',
    name,
    allPipelines(ctx).map((one) => one.name),
  )
}

const folder = 'pipelines'

/** A file for each pipeline. */
export const pipelineSection: ProjectSection = {
  name: 'pipelines',
  order: 75,
  folders: [`${folder}/*.json`],
  searchKinds: ['pipeline'],
  async save(ctx) {
    return allPipelines(ctx).map((one) => ({
      path: `${folder}/${fileNameOf(one.name)}.json`,
      content: `${JSON.stringify(one, null, 2)}\n`,
    }))
  },
  async load(ctx, _project, files) {
    const faults: Fault[] = []
    for (const path of files.list(`${folder}/`).filter((one) => /^[^/]+\/[^/]+\.json$/.test(one))) {
      const read = await readJsonFile(files, path, faults)
      if (read === undefined) continue
      if (isPipeline(read)) ctx.emit(pipelineSaved, read, `pipeline/${read.name}`)
      else faults.push({ path, message: 'is no pipeline as the gateway writes it: name, steps { name, action, … }' })
    }
    if (faults.length > 0) throw faultyFiles('Pipelines of the project cannot be read', faults)
    return []
  },
  search: (ctx) => allPipelines(ctx).map(({ name, description }) => ({ kind: 'pipeline', name, text: description })),
}

function isPipeline(read: unknown): read is Pipeline {
  return (
    isObject(read) &&
    [read.name, read.description, read.createdAt].every((one) => typeof one === 'string') &&
    read.trigger === 'manual' &&
    (read.onFailure === 'stop' || read.onFailure === 'continue') &&
    isObject(read.variables) &&
    Array.isArray(read.steps) &&
    read.steps.every(isStep)
  )
}

function isStep(read: unknown): boolean {
  return (
    isObject(read) &&
    [read.name, read.action].every((one) => typeof one === 'string') &&
    conditions.some((one) => one === read.condition) &&
    [read.timeoutSeconds, read.retryCount, read.retryDelayMs].every((one) => typeof one === 'number' && one >= 0) &&
    (read.params === undefined || isObject(read.params))
  )
}
