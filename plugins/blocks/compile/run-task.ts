/** Runs the compile task on the engine and sends only what the engine does not have. */
import { LRUCache } from 'lru-cache'
import type { CommandContext } from '../../../core/index.ts'
import { cpuFamily } from '../../../plc/program/cpu-family.ts'
import type { Device } from '../../devices/index.ts'
import { cultureOf, type ProgramObject } from '../../program-objects/index.ts'
import type { CompileTask, CompileTaskResult } from './compile.task.ts'
import { type DocumentHeader, headersToSend, type ToldHeaders } from './headers.ts'
import { compileRecords, keptKey, keptUnits, recordKey } from './records.ts'
import { tableHash, tableText } from './status.ts'

export type Finished = Extract<CompileTaskResult, { readonly state: string }>

const module = new URL('./compile.task.ts', import.meta.url).href

/** Headers by device. The engine answers when it does not have them any more. */
const toldHeaders = new LRUCache<string, ToldHeaders>({ max: 8 })

/**
 * Compiles objects of a device on the engine.
 * @param objects of the whole program, in its order
 */
export async function runTask(
  ctx: CommandContext,
  device: Device,
  objects: readonly ProgramObject[],
  options: Pick<CompileTask, 'only' | 'rebuild' | 'upTo'>,
): Promise<Finished> {
  let headers = headersOf(ctx, device, objects)
  let told = toldHeaders.get(device.id)
  const tables = objects.filter(({ rows }) => rows !== undefined)
  const tableOf = new Map(tables.map((table) => [tableHash(table), table]))
  const texts = new Map<string, string>()
  // What has changed since the last time is new to the engine.
  let wanted = headers.flatMap(({ document, interfaces }) => (interfaces === undefined ? [document] : []))
  let resend = false
  for (;;) {
    const lost = await addTexts(ctx, texts, wanted, tableOf, headers)
    // A block without its unit is compiled again.
    if (lost.size > 0) headers = headers.map((one) => (lost.has(one.unit) ? { ...one, unit: undefined } : one))
    const documents = headersToSend(headers, told)
    const own = { device: device.id, family: cpuFamily(device.family), cpu: device.typeName, ...options }
    const input: CompileTask = { ...own, documents, tables: [...tableOf.keys()], texts, resend }
    const result = await ctx.engine.run<CompileTaskResult>({ module, fn: 'compile', input })
    wanted = []
    if ('needsAllHeaders' in result) {
      told = undefined
    } else if ('missing' in result) {
      // The engine can forget content while it reads more; after that it gets everything.
      wanted = result.missing.filter((hash) => !texts.has(hash))
      if (wanted.length === 0) throw new Error(`the engine misses ${result.missing.length} texts that it was sent`)
    } else {
      told = { state: result.state, headers }
      toldHeaders.set(device.id, told)
      if (resend || (await hasAll(ctx, result.program))) return result
      resend = true
    }
  }
}

function headersOf(ctx: CommandContext, device: Device, objects: readonly ProgramObject[]): readonly DocumentHeader[] {
  const [known, kept] = [ctx.read(compileRecords), ctx.read(keptUnits)]
  const culture = cultureOf(ctx)
  return objects.flatMap(({ stored, name }): DocumentHeader[] => {
    if (stored === undefined) return []
    const { format, document, kind, number, autoNumber, secondaryType, engineeringVersion } = stored
    const record = known.get(recordKey(device.id, name))
    return [
      {
        document,
        format,
        kind,
        name,
        number,
        autoNumber,
        secondaryType,
        engineeringVersion,
        culture,
        unit: record?.unit ?? kept.get(keptKey({ document, name }))?.unit,
        interfaces: record?.document === document ? record.interfaces : undefined,
        isClean: record !== undefined && record.errors + record.warnings === 0,
      },
    ]
  })
}

/**
 * Adds the content that the engine asks for: texts of blobs and of tag tables.
 * @returns units whose blobs are gone
 */
async function addTexts(
  ctx: CommandContext,
  texts: Map<string, string>,
  wanted: readonly string[],
  tableOf: ReadonlyMap<string, ProgramObject>,
  headers: readonly DocumentHeader[],
): Promise<ReadonlySet<string | undefined>> {
  const lost = new Set<string | undefined>()
  if (wanted.length === 0) return lost
  const units = new Set(headers.map(({ unit }) => unit))
  const add = async (hash: string) => {
    const table = tableOf.get(hash)
    if (table !== undefined) texts.set(hash, tableText(table))
    else if (!units.has(hash) || (await ctx.blobs.has(hash))) texts.set(hash, await ctx.blobs.text(hash))
    else lost.add(hash)
  }
  await Promise.all(wanted.map(add))
  return lost
}

/** Whether the blobs that were not sent again are still there. */
async function hasAll(ctx: CommandContext, program: Finished['program']): Promise<boolean> {
  const known = (program?.blobs ?? []).filter(({ bytes }) => bytes === undefined)
  return ctx.blobs.has(...known.map(({ hash }) => hash))
}
