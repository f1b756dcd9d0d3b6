/**
 * Loads specs: reads or merges them, on the engine when they are large, stores the result, and writes the copy in the
 * project's folder.
 */
import { type CommandContext, defined, notFound, problem, type QueryContext } from '../../../core/index.ts'
import { currentProject } from '../../projects/index.ts'
import type { SpecFault } from '../model/faults.ts'
import type { DesignModel } from '../model/model.ts'
import type { LoadCounts } from '../model/model-view.ts'
import type { SpecParts } from '../read/merge.ts'
import { LOADED_PART } from '../read/write.ts'
import { currentSpec, type LoadedSpec, type SpecOrigin, specLoaded } from '../spec.ts'
import { writeCopy } from './copy-files.ts'
import type { Generated, ReadSpec } from './spec.task.ts'

/** Maximum size of a spec in bytes: about 100 000 rows. */
export const specLimit = 10 * 1024 * 1024
/** Maximum number of warnings and of faults that are kept in the state. */
const keptFaults = 200
/**
 * Up to this number of bytes, reading takes less time than sending the work to the engine (about a microsecond for each
 * byte, measured).
 */
const atOnceLimit = 16 * 1024
/**
 * Without an engine, a spec up to this number of bytes is read in the gateway's process, which delays other requests.
 */
const withoutEngineLimit = 256 * 1024

type Tasks = typeof import('./spec.task.ts')

/** Runs a task on the engine, or in this process when the input is small. */
async function run<I, O>(
  ctx: Pick<QueryContext, 'engine' | 'gateway'>,
  task: { readonly fn: keyof Tasks; readonly of: (tasks: Tasks) => (input: I) => Promise<O> },
  input: I,
  bytes: number,
): Promise<O> {
  const { engineHost } = ctx.gateway
  const engine = engineHost?.attached !== undefined || engineHost?.connecting === true
  if (bytes <= atOnceLimit || (!engine && bytes <= withoutEngineLimit))
    return task.of(await import('./spec.task.ts'))(input)
  return ctx.engine.run<O>({ module: new URL('./spec.task.ts', import.meta.url).href, fn: task.fn, input })
}

const readTask = { fn: 'readSpec', of: (tasks: Tasks) => tasks.readSpec } as const
const mergeTask = { fn: 'mergeSpec', of: (tasks: Tasks) => tasks.mergeSpec } as const
const generateTask = { fn: 'generate', of: (tasks: Tasks) => tasks.generate } as const

/** A spec as received. */
export interface SpecFile {
  readonly fileName: string
  readonly content: Uint8Array
}

/**
 * Loads a whole spec and replaces the loaded one.
 * @throws GatewayError `unacceptable_content` with all faults, `payload_too_large`
 */
export async function loadFile(ctx: CommandContext, file: SpecFile): Promise<LoadedSpec> {
  requireSize(file.fileName, file.content.byteLength)
  const read = await readFile(ctx, file)
  if (!read.ok) throw faultySpec(`"${file.fileName}"`, read.faults)
  return keep(ctx, read, await ctx.blobs.put(file.content), file.content.byteLength, 'file')
}

/** Reads a spec without storing it. `partial`: see `readSpec`. */
export function readFile(ctx: CommandContext, { fileName, content }: SpecFile, partial = false): Promise<ReadSpec> {
  return run(ctx, readTask, { bytes: content, fileName, partial }, content.byteLength)
}

/**
 * Merges parts into the loaded spec.
 * @throws GatewayError `unacceptable_content` with all faults, `payload_too_large`
 */
export async function loadParts(ctx: CommandContext, parts: SpecParts, fileName: string): Promise<LoadedSpec> {
  const before = currentSpec(ctx)
  const given = Object.entries(parts) as [string, string][]
  let bytes = 0
  for (const [name, text] of given) {
    const size = Buffer.byteLength(text)
    requireSize(`/${name}`, size)
    bytes += size
  }
  requireSize('The parts together', bytes)
  const loaded = before === undefined ? null : await ctx.blobs.text(before.model)
  const read = await run(ctx, mergeTask, { parts, loaded, fileName }, bytes + (before?.modelBytes ?? 0))
  if (!read.ok)
    throw faultySpec(`The part${given.length === 1 ? '' : 's'} ${Object.keys(parts).join(', ')}`, read.faults)
  const csv = Buffer.from(read.csv!, 'utf8')
  requireSize('The spec with the parts', csv.byteLength)
  return keep(ctx, read, await ctx.blobs.put(csv), csv.byteLength, 'parts')
}

/** Stores a spec in the state and writes its copy to the folder of the open project, unless it was read from there. */
export async function keep(
  ctx: CommandContext,
  read: ReadSpec & { ok: true },
  source: string,
  sourceBytes: number,
  origin: SpecOrigin,
): Promise<LoadedSpec> {
  const project = currentProject(ctx)
  const before = currentSpec(ctx)
  const spec: LoadedSpec = {
    id: ctx.newId(),
    sourceName: read.sourceName,
    origin,
    counts: read.counts,
    model: await ctx.blobs.put(read.model),
    modelBytes: Buffer.byteLength(read.model),
    source,
    sourceBytes,
    warnings: read.warnings.slice(0, keptFaults),
    loadedAt: ctx.now,
    ...(project ? { projectId: project.id } : {}),
  }
  if (project && origin !== 'copy') await writeCopy(ctx, project, spec, before)
  ctx.emit(specLoaded, spec, `design-spec/${spec.sourceName}`)
  return spec
}

/** @throws GatewayError `payload_too_large` */
export function requireSize(what: string, bytes: number): void {
  if (bytes > specLimit)
    throw problem('payload_too_large', `${what} has ${bytes} bytes; a design spec can have ${specLimit}.`)
}

/** The response of a load: exactly these fields (docs/design.md#design-specs), and warnings when there are any. */
export function loadAnswer(spec: LoadedSpec): LoadCounts & { warnings?: FaultView[] } {
  return {
    success: true,
    ...spec.counts,
    ...(spec.warnings.length > 0 ? { warnings: spec.warnings.map(toFault) } : {}),
  }
}

/** A 422 problem that lists all faults. */
function faultySpec(what: string, faults: readonly SpecFault[]) {
  const first = faults[0]!
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults; the first`
  return problem('unacceptable_content', `${what}: ${count}: ${placeOf(first)}: ${first.message}`, {
    errors: faults.map(toFault),
    ...defined({ suggestion: first.suggestion }),
  })
}

/** Position of a fault as text: `inputs, [CmTypes], line 4, DataType`. */
export function placeOf({ part, section, line, column }: SpecFault): string {
  return [part, section && `[${section}]`, `line ${line}`, column].filter(Boolean).join(', ')
}

/** A fault as shown in responses. */
export type FaultView = Omit<SpecFault, 'column' | 'columnNumber' | 'part' | 'allowed'> & {
  path: string
  /** Number of the column in its row, from 1. */
  column?: number
  /** Column as named in the header. */
  columnName?: string
  allowed?: string | string[]
}

/** Converts a fault to its view. */
export function toFault({ column, columnNumber, part, allowed, ...fault }: SpecFault): FaultView {
  return {
    path: part === undefined ? '/file' : part === LOADED_PART ? '/model' : `/${part}`,
    ...fault,
    ...(columnNumber > 0 ? { column: columnNumber } : {}),
    ...(column === '' ? {} : { columnName: column }),
    ...(allowed === undefined ? {} : { allowed: typeof allowed === 'string' ? allowed : [...allowed] }),
  }
}

/** The model that was parsed last. Its key is the hash of its content, so it cannot be out of date. */
let lastModel: { readonly hash: string; readonly model: DesignModel } | undefined

/** Returns the whole model of a loaded spec. */
export async function modelOf(ctx: Pick<QueryContext, 'blobs'>, spec: LoadedSpec): Promise<DesignModel> {
  if (lastModel?.hash !== spec.model) {
    lastModel = { hash: spec.model, model: JSON.parse(await ctx.blobs.text(spec.model)) as DesignModel }
  }
  return lastModel.model
}

/**
 * Generates a phase of the loaded spec. The same spec gives the same bytes.
 * @throws GatewayError `not_found` with the nearest name
 */
export async function generatePhaseOf(
  ctx: QueryContext,
  spec: LoadedSpec,
  phase: string,
): Promise<Generated & { ok: true }> {
  const model = await ctx.blobs.text(spec.model)
  const generated = await run(ctx, generateTask, { model, phase }, spec.modelBytes)
  if (generated.ok) return generated
  throw notFound('phase', phase, generated.phases)
}
