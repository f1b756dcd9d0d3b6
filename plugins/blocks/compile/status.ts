/** Whether compiled objects are still valid: derived from the present documents and their interfaces. */

import { LRUCache } from 'lru-cache'
import type { QueryContext } from '../../../core/index.ts'
import {
  constantFingerprint,
  everyName,
  hashOfNames,
  objectFingerprint,
  ProgramInterfaces,
  shortHash,
  tagFingerprint,
  type Visible,
} from '../../../plc/compiler/interfaces.ts'
import type { LinkTagTable } from '../../../plc/program/link-program.ts'
import { devices } from '../../devices/index.ts'
import { documentOf, oncePer, type ProgramObject, programContributor, taskWork } from '../../program-objects/index.ts'
import { blockNumbers, blocks, type NumberGroup, numberKey } from '../block.ts'
import { type CompileRecord, compileRecords, recordKey } from './records.ts'

/** The compile status of a block or type in lists. */
export interface CompileStatus {
  /** True when it compiled without errors and neither it nor anything it uses changed since. */
  readonly isConsistent: boolean
  readonly needsCompilation: boolean
  /** `success`, `warning`, `error`: of the last, still valid compilation. `outdated`: changed since. `notCompiled`. */
  readonly compileStatus: 'success' | 'warning' | 'error' | 'outdated' | 'notCompiled'
}

const notCompiled: CompileStatus = { isConsistent: false, needsCompilation: true, compileStatus: 'notCompiled' }
const outdated: CompileStatus = { isConsistent: false, needsCompilation: true, compileStatus: 'outdated' }

type Reader = Pick<QueryContext, 'read' | 'extensions'>

/** Interfaces of documents that changed after their compilation. */
const knownInterfaces = new LRUCache<string, string>({ max: 20_000 })

/** The objects of a device that are part of its program. */
export function programObjects(ctx: Reader, deviceId: string): ProgramObject[] {
  const device = ctx.read(devices).get(deviceId)
  if (device === undefined) return []
  return ctx
    .extensions(programContributor)
    .flatMap((part) => part.objects(ctx, device))
    .filter(({ category }) => /^(?:block|type|tag-table|system-constants)$/.test(category))
}

/** The rows of a table in the form that the engine reads. */
export function tableText({ category, name, rows }: ProgramObject): string {
  const isSystem = category === 'system-constants'
  const table: LinkTagTable = { name, tags: rows?.tags ?? [], constants: rows?.constants ?? [] }
  return JSON.stringify(isSystem ? { ...table, isSystem } : table)
}

/** Of {@link tableText}. */
export const tableHash = oncePer((table: ProgramObject) => shortHash(tableText(table)))

const signatureLine = oncePer((object: ProgramObject) => {
  const { category, name, stored } = object
  return stored === undefined
    ? `${category} ${name} ${tableHash(object)}`
    : `${category} ${name} ${stored.kind} ${stored.number ?? ''} ${stored.document}`
})

/** One hash of all objects and tables of a program. */
export function signatureOf(objects: readonly ProgramObject[]): string {
  return shortHash(objects.map(signatureLine).sort().join('\n'))
}

/** An object whose status is requested. */
export interface Asked {
  readonly name: string
  /** Hash of its document. */
  readonly document: string
}

/** The compile status of objects of a device. */
export type StatusOf = (object: Asked) => CompileStatus

const work = taskWork(new URL('./interfaces.task.ts', import.meta.url).href, () => import('./interfaces.task.ts'))

/**
 * The present compile status of objects of a device. Reads only the interfaces of changed documents that they use.
 * @param objects those whose status will be requested
 */
export async function readStatuses(
  ctx: Reader & Pick<QueryContext, 'blobs' | 'engine'>,
  deviceId: string,
  objects: readonly Asked[],
): Promise<StatusOf> {
  const names = new NamesNow(ctx, deviceId)
  const unread = names.unreadIn(objects)
  if (unread.length > 0) {
    const documents = await Promise.all(unread.map((stored) => documentOf(ctx, stored)))
    const size = unread.reduce((sum, stored) => sum + stored.size, 0)
    const found = await work(ctx, 'interfacesOf', documents, size)
    for (const [i, stored] of unread.entries()) {
      const hash = found[i]
      if (hash !== undefined) knownInterfaces.set(interfaceKey(stored), hash)
    }
  }
  return (object) => names.statusOf(object)
}

/** The present compile status of one block or type. */
export async function statusOf(
  ctx: Parameters<typeof readStatuses>[0],
  object: Asked & { readonly deviceId: string },
): Promise<CompileStatus> {
  return (await readStatuses(ctx, object.deviceId, [object]))(object)
}

type Stored = NonNullable<ProgramObject['stored']>

function interfaceKey({ document, kind, format }: Stored): string {
  return `${document} ${kind} ${format}`
}

/** The fingerprints of the rows of a table, by name in lower case. */
const rowFingerprints = oncePer((rows: NonNullable<ProgramObject['rows']>) => {
  const found = new Map<string, string>()
  for (const tag of rows.tags ?? []) found.set(tag.name.toLowerCase(), tagFingerprint(tag))
  for (const constant of rows.constants ?? []) found.set(constant.name.toLowerCase(), constantFingerprint(constant))
  return found
})

/**
 * What the names of a program mean now, looked up one by one: the same as `ProgramInterfaces` of the whole program,
 * in a time that grows only with the number of names looked up.
 */
class NamesNow {
  readonly #ctx: Reader
  readonly #deviceId: string
  readonly #fingerprints = new Map<string, string>()
  #whole: ProgramInterfaces | undefined

  constructor(ctx: Reader, deviceId: string) {
    this.#ctx = ctx
    this.#deviceId = deviceId
  }

  /** A changed document whose interface was not read makes its users outdated. */
  statusOf(object: Asked): CompileStatus {
    const record = this.#recordOf(object.name)
    if (record === undefined) return notCompiled
    if (record.document !== object.document) return outdated
    if (this.#hashOf(record.uses) !== record.interfaces) return outdated
    if (record.errors > 0) return { isConsistent: false, needsCompilation: true, compileStatus: 'error' }
    return { isConsistent: true, needsCompilation: false, compileStatus: record.warnings > 0 ? 'warning' : 'success' }
  }

  /** Documents that these objects used when they were compiled and whose interface is not known. */
  unreadIn(objects: readonly Asked[]): Stored[] {
    const used = new Set<string>()
    for (const { name, document } of objects) {
      const record = this.#recordOf(name)
      if (record?.document === document) for (const one of record.uses) used.add(one)
    }
    const unread = new Set<Stored>()
    for (const stored of used.has(everyName) ? this.#allStored() : this.#storedOf(used))
      if (this.#interfaceOf(stored) === undefined) unread.add(stored)
    return [...unread]
  }

  #allStored(): Stored[] {
    return programObjects(this.#ctx, this.#deviceId).flatMap(({ stored }) => stored ?? [])
  }

  #storedOf(names: Iterable<string>): Stored[] {
    return [...names].flatMap((name) => this.#find(name)?.stored ?? [])
  }

  #recordOf(name: string): CompileRecord | undefined {
    return this.#ctx.read(compileRecords).get(recordKey(this.#deviceId, name))
  }

  #find(name: string): ProgramObject | undefined {
    for (const part of this.#ctx.extensions(programContributor)) {
      const found = part.find?.(this.#ctx, { id: this.#deviceId }, name)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** The hash of an object's interface, if known. */
  #interfaceOf(stored: Stored): string | undefined {
    const record = this.#recordOf(stored.name)
    return record?.document === stored.document ? record.interface : knownInterfaces.get(interfaceKey(stored))
  }

  #hashOf(names: readonly string[]): string {
    if (!names.includes(everyName)) return hashOfNames(names, (name) => this.#fingerprint(name))
    this.#whole ??= this.#interfaces()
    return this.#whole.hashOf(names)
  }

  #fingerprint(name: string): string {
    let known = this.#fingerprints.get(name)
    if (known === undefined) {
      known = this.#fingerprintOf(name)
      this.#fingerprints.set(name, known)
    }
    return known
  }

  #fingerprintOf(name: string): string {
    const found = this.#find(name)
    if (found?.rows !== undefined) return rowFingerprints(found.rows).get(name) ?? ''
    if (found?.stored !== undefined) return objectFingerprint(this.#visible(found.stored))
    return this.#holderOf(name) ?? ''
  }

  /** The name in lower case of the block that `#fb 12` and `fb12` mean (see `numberName`). */
  #holderOf(name: string): string | undefined {
    const numbered = /^(?:#(ob|fb|fc|db) |(ob|fb|fc|globaldb|instancedb|arraydb))([1-9]\d{0,4})$/.exec(name)
    if (numbered === null) return undefined
    const [, group, kind, number] = numbered
    const wanted = (group ?? kind ?? '').toUpperCase()
    const inGroup = (wanted.endsWith('DB') ? 'DB' : wanted) as NumberGroup
    const key = this.#ctx.read(blockNumbers).get(numberKey(this.#deviceId, inGroup, Number(number)))
    const block = key === undefined ? undefined : this.#ctx.read(blocks).get(key)
    if (block === undefined || (kind !== undefined && block.kind.toLowerCase() !== kind)) return undefined
    return block.name.toLowerCase()
  }

  #visible(stored: Stored): Visible {
    const { name, kind, number } = stored
    const hash = this.#interfaceOf(stored)
    return { name, kind, number, ...(hash === undefined ? {} : { facts: { hash } }) }
  }

  /** The status with the whole program: for callers that depend on every name. */
  #interfaces(): ProgramInterfaces {
    const objects = programObjects(this.#ctx, this.#deviceId)
    return new ProgramInterfaces(
      objects.flatMap(({ stored }) => (stored === undefined ? [] : [this.#visible(stored)])),
      objects.flatMap(({ category, rows }) => (rows ? { ...rows, isSystem: category === 'system-constants' } : [])),
    )
  }
}
