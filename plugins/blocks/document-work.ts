/** Work on one stored document: here when it is small, on the engine when it would hold up others. */
import { type CommandContext, isGatewayError, type QueryContext } from '../../core/index.ts'
import { currentProject } from '../projects/index.ts'
import { type Block, blocksOf } from './block.ts'
import type * as Tasks from './document.task.ts'
import type { StoredDocument } from './document.task.ts'

/** Up to this many bytes a document is worked on in the gateway: a few milliseconds, less than the way to the engine and back takes. */
const smallBytes = 200_000

type Task = keyof typeof Tasks
type Input<F extends Task> = Parameters<(typeof Tasks)[F]>[0]
type Output<F extends Task> = ReturnType<(typeof Tasks)[F]>

/** Runs a function of document.task.ts. Reading needs no engine: without one the work is done here. */
export async function work<F extends Task>(
  ctx: Pick<QueryContext, 'engine'>,
  fn: F,
  input: Input<F>,
  size: number,
): Promise<Output<F>> {
  if (size > smallBytes) {
    const module = new URL('./document.task.ts', import.meta.url).href
    try {
      return await ctx.engine.run<Output<F>>({ module, fn, input })
    } catch (error) {
      if (!isGatewayError(error) || error.code !== 'no_instance') throw error
    }
  }
  const tasks = await import('./document.task.ts')
  return (tasks[fn] as (input: Input<F>) => Output<F>)(input)
}

/** Language of texts: the first one of the project. */
export function cultureOf(ctx: Pick<QueryContext, 'read'>): string {
  return currentProject(ctx)?.cultures[0] ?? 'en-US'
}

/** A stored block or type with its text. */
export async function documentOf(
  ctx: Pick<CommandContext | QueryContext, 'read' | 'blobs'>,
  object: Pick<Block, 'format' | 'document' | 'name' | 'engineeringVersion' | 'deviceId'> & {
    readonly kind: string
    readonly number?: number
    readonly autoNumber?: boolean
    readonly secondaryType?: string
  },
  options: { readonly culture?: string | undefined; readonly withInstances?: boolean } = {},
): Promise<StoredDocument> {
  const { format, kind, name, number, autoNumber, secondaryType, engineeringVersion } = object
  return {
    text: await ctx.blobs.text(object.document),
    format,
    kind,
    name,
    number,
    autoNumber,
    secondaryType,
    engineeringVersion,
    culture: options.culture ?? cultureOf(ctx),
    ...(options.withInstances === true && format === 'source' ? { instances: instancesOf(ctx, object.deviceId) } : {}),
  }
}

/** The FBs of the device's instance data blocks. */
export function instancesOf(ctx: Pick<QueryContext, 'read'>, deviceId: string): Record<string, string> {
  const instances: Record<string, string> = {}
  for (const { kind, name, instanceOf } of blocksOf(ctx, deviceId))
    if (kind === 'InstanceDB' && instanceOf !== undefined) instances[name.toUpperCase()] = instanceOf
  return instances
}
