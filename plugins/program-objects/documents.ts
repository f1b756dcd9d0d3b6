/** Work on one stored document: here when it is small, on the engine when it would hold up others. */
import { type CommandContext, isGatewayError, type QueryContext } from '../../core/index.ts'
import type { StoredDocument } from '../../plc/edit/stored-document.ts'
import { type Block, blocksOf } from '../blocks/block.ts'
import { currentProject } from '../projects/index.ts'

/** Up to this many bytes a document is worked on in the gateway: a few milliseconds, less than the way to the engine and back takes. */
const smallBytes = 200_000

type TaskModule<M> = { readonly [F in keyof M]: (input: never) => unknown }

/** Runs the functions of a task module, whose input is plain data. Reading needs no engine: without one the work is done here. */
export function taskWork<M extends TaskModule<M>>(module: string, load: () => Promise<M>) {
  return async <F extends keyof M & string>(
    ctx: Pick<QueryContext, 'engine'>,
    fn: F,
    input: Parameters<M[F]>[0],
    /** Bytes of the document. */
    size: number,
  ): Promise<Awaited<ReturnType<M[F]>>> => {
    if (size > smallBytes) {
      try {
        return await ctx.engine.run<Awaited<ReturnType<M[F]>>>({ module, fn, input })
      } catch (error) {
        if (!isGatewayError(error) || error.code !== 'no_instance') throw error
      }
    }
    return (await (await load())[fn](input as never)) as Awaited<ReturnType<M[F]>>
  }
}

/** Runs a function of document.task.ts. */
export const work = taskWork(new URL('./document.task.ts', import.meta.url).href, () => import('./document.task.ts'))

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
