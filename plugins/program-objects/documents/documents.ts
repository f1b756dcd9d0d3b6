/** Work on one stored document: small ones here, large ones on the engine, where they do not block others. */

import { type CommandContext, isGatewayError, type QueryContext } from '../../../core/index.ts'
import { entities } from '../../../lib/xml-text.ts'
import type { StoredDocument } from '../../../plc/edit/stored-document.ts'
import type { Callee } from '../../../plc/formats/simaticml/callee.ts'
import { devices } from '../../devices/index.ts'
import { currentProject } from '../../projects/index.ts'
import { programContributor } from '../cross-references/contributor.ts'
import type { StoredObject } from '../stored-text.ts'

/** Documents up to this many bytes are processed in the gateway: that takes less than the round trip to the engine. */
const smallBytes = 200_000

type TaskModule<M> = { readonly [F in keyof M]: (input: never) => unknown }

/** Runs the functions of a task module, whose input is plain data. Without an engine the work is done here. */
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
    // The input of `fn`, by the type of this function.
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
  ctx: Pick<CommandContext | QueryContext, 'read' | 'blobs' | 'extensions'>,
  object: StoredObject,
  options: {
    readonly culture?: string | undefined
    /** The function blocks of the data blocks that a source and these texts call. */
    readonly callsIn?: readonly string[]
  } = {},
): Promise<StoredDocument> {
  const { format, kind, name, number, autoNumber, secondaryType, engineeringVersion } = object
  const { callsIn } = options
  const text = await ctx.blobs.text(object.document)
  return {
    text,
    format,
    kind,
    name,
    number,
    autoNumber,
    secondaryType,
    engineeringVersion,
    culture: options.culture ?? cultureOf(ctx),
    // The text of a source is written anew, of XML only what changes.
    ...(callsIn !== undefined && (format === 'source' || callsIn.length > 0)
      ? { callees: calleesOf(ctx, object.deviceId, format === 'source' ? [text, ...callsIn] : callsIn) }
      : {}),
  }
}

/**
 * The functions and the FBs of the instance data blocks that texts name, by the upper-case name of the function or data
 * block. Each name is looked up, so the work is in line with the texts, whatever the size of the program.
 */
export function calleesOf(
  ctx: Pick<QueryContext, 'read' | 'extensions'>,
  deviceId: string,
  texts: readonly string[],
): Record<string, Callee> {
  const device = ctx.read(devices).get(deviceId)
  if (device === undefined) return {}
  const contributors = ctx.extensions(programContributor)
  const callees: Record<string, Callee> = {}
  for (const name of namesIn(texts))
    for (const contributor of contributors) {
      const stored = contributor.find?.(ctx, device, name)?.stored
      if (stored?.kind === 'InstanceDB' && stored.instanceOf !== undefined)
        callees[name.toUpperCase()] = { kind: 'FB', name: stored.instanceOf }
      else if (stored?.kind === 'FC') callees[name.toUpperCase()] = { kind: 'FC' }
    }
  return callees
}

/** Every text in quotes, which names of data blocks are in all formats, and every word before a bracket. */
function namesIn(texts: readonly string[]): Set<string> {
  const names = new Set<string>()
  for (const text of texts)
    for (const [, quoted, word] of text.matchAll(/"([^"\n]{1,250})"|([\p{L}_][\p{L}\p{N}_]{0,127})\s{0,100}\(/gu))
      names.add(quoted === undefined ? (word as string) : withoutEntities(quoted))
  return names
}

const characterOf = new Map(Object.entries(entities).map(([character, entity]) => [entity, character]))

/** Names in attributes of XML have entities. */
function withoutEntities(text: string): string {
  return text.includes('&') ? text.replace(/&#?\w+;/g, (entity) => characterOf.get(entity) ?? entity) : text
}
