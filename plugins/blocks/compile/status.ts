/** Whether what was compiled still holds: derived from the documents and what they show to each other, as they are now. */

import { LRUCache } from 'lru-cache'
import type { QueryContext } from '../../../core/index.ts'
import { ProgramInterfaces, shortHash } from '../../../plc/compiler/interfaces.ts'
import type { LinkTagTable } from '../../../plc/program/link-program.ts'
import { devices } from '../../devices/index.ts'
import { documentOf, oncePer, type ProgramObject, programContributor, taskWork } from '../../program-objects/index.ts'
import { compileRecords, recordKey } from './records.ts'

/** What lists show of a block or type. */
export interface CompileStatus {
  /** Compiled without errors, and neither it nor what it uses has changed since. */
  readonly isConsistent: boolean
  readonly needsCompilation: boolean
  /** `success`, `warning`, `error`: of the last compilation, which still holds. `outdated`: something has changed since. `notCompiled`. */
  readonly compileStatus: 'success' | 'warning' | 'error' | 'outdated' | 'notCompiled'
}

const notCompiled: CompileStatus = { isConsistent: false, needsCompilation: true, compileStatus: 'notCompiled' }
const outdated: CompileStatus = { isConsistent: false, needsCompilation: true, compileStatus: 'outdated' }

type Reader = Pick<QueryContext, 'read' | 'extensions'>

/** Interfaces of documents that were changed since they were compiled. */
const knownInterfaces = new LRUCache<string, string>({ max: 20_000 })

/** The objects of a device that programs are made of. */
export function programObjects(ctx: Reader, deviceId: string): ProgramObject[] {
  const device = ctx.read(devices).get(deviceId)
  if (device === undefined) return []
  return ctx
    .extensions(programContributor)
    .flatMap((part) => part.objects(ctx, device))
    .filter(({ category }) => category === 'block' || category === 'type' || category === 'tag-table')
}

/** The rows of a table as the engine gets them. */
export function tableText({ name, rows }: ProgramObject): string {
  return JSON.stringify({ name, tags: rows?.tags ?? [], constants: rows?.constants ?? [] } satisfies LinkTagTable)
}

/** Of {@link tableText}. */
export const tableHash = oncePer((table: ProgramObject) => shortHash(tableText(table)))

const signatureLine = oncePer((object: ProgramObject) => {
  const { category, name, stored } = object
  return stored === undefined
    ? `${category} ${name} ${tableHash(object)}`
    : `${category} ${name} ${stored.kind} ${stored.number ?? ''} ${stored.document}`
})

/** One hash of everything a program is made of. */
export function signatureOf(objects: readonly ProgramObject[]): string {
  return shortHash(objects.map(signatureLine).sort().join('\n'))
}

/** Whether the objects of a device are compiled, as they are now. `name` and `document` are those of the object. */
export type StatusOf = (object: { readonly name: string; readonly document: string }) => CompileStatus

/**
 * The status of each object of a device. A use of a changed document whose interface was not read counts as outdated.
 */
function statusesOf(ctx: Reader, deviceId: string): StatusOf {
  const records = ctx.read(compileRecords)
  let interfaces: ProgramInterfaces | undefined
  return ({ name, document }) => {
    const record = records.get(recordKey(deviceId, name))
    if (record === undefined) return notCompiled
    if (record.document !== document) return outdated
    interfaces ??= interfacesNow(ctx, deviceId)
    if (interfaces.hashOf(record.uses) !== record.interfaces) return outdated
    if (record.errors > 0) return { isConsistent: false, needsCompilation: true, compileStatus: 'error' }
    return { isConsistent: true, needsCompilation: false, compileStatus: record.warnings > 0 ? 'warning' : 'success' }
  }
}

function interfacesNow(ctx: Reader, deviceId: string): ProgramInterfaces {
  const records = ctx.read(compileRecords)
  const objects = programObjects(ctx, deviceId)
  return new ProgramInterfaces(
    objects.flatMap(({ name, stored }) => {
      if (stored === undefined) return []
      const record = records.get(recordKey(deviceId, name))
      const hash = record?.document === stored.document ? record.interface : knownInterfaces.get(interfaceKey(stored))
      const visible = { name, kind: stored.kind, number: stored.number }
      return [hash === undefined ? visible : { ...visible, facts: { hash } }]
    }),
    objects.flatMap(({ rows }) => (rows === undefined ? [] : [rows])),
  )
}

function interfaceKey({ document, kind, format }: NonNullable<ProgramObject['stored']>): string {
  return `${document} ${kind} ${format}`
}

const work = taskWork(new URL('./interfaces.task.ts', import.meta.url).href, () => import('./interfaces.task.ts'))

/** The status of each object of a device, as it is now. Reads the interfaces of changed documents that compiled ones use. */
export async function readStatuses(
  ctx: Reader & Pick<QueryContext, 'blobs' | 'engine'>,
  deviceId: string,
): Promise<StatusOf> {
  const records = ctx.read(compileRecords)
  const own = records.find('byDevice', deviceId)
  if (own.length === 0) return () => notCompiled
  const used = new Set(own.flatMap(({ uses }) => uses))
  const changed = programObjects(ctx, deviceId).flatMap(({ name, stored }) => {
    if (stored === undefined || !used.has(name.toLowerCase())) return []
    const record = records.get(recordKey(deviceId, name))
    if (record?.document === stored.document || knownInterfaces.has(interfaceKey(stored))) return []
    return [stored]
  })
  if (changed.length > 0) {
    const documents = await Promise.all(changed.map((stored) => documentOf(ctx, stored)))
    const size = changed.reduce((sum, stored) => sum + stored.size, 0)
    const found = await work(ctx, 'interfacesOf', documents, size)
    for (const [i, stored] of changed.entries()) {
      const hash = found[i]
      if (hash !== undefined) knownInterfaces.set(interfaceKey(stored), hash)
    }
  }
  return statusesOf(ctx, deviceId)
}

/** The status of one block or type as it is now. */
export async function statusOf(
  ctx: Parameters<typeof readStatuses>[0],
  object: { readonly deviceId: string; readonly name: string; readonly document: string },
): Promise<CompileStatus> {
  return (await readStatuses(ctx, object.deviceId))(object)
}
