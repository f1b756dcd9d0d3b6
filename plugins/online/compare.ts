/** Compares the program of the project with the one on the controller, object by object. */

import { isDeepStrictEqual } from 'node:util'
import type { QueryContext } from '../../core/index.ts'
import { defined } from '../../core/index.ts'
import { blobHash } from '../../plc/compiler/program-file.ts'
import type { Aspect } from '../../plc/edit/compare.ts'
import { compiledDevices, programObjects, signatureOf } from '../blocks/index.ts'
import type { Device } from '../devices/index.ts'
import { cultureOf, taskWork } from '../program-objects/index.ts'
import type { Controller } from '../simulation/index.ts'
import type { DocumentPair } from './compare.task.ts'
import type { Reached } from './connection.ts'
import { type Category, categories } from './declarations.ts'
import { type Manifest, requireManifest, sourceReader } from './manifest.ts'
import {
  foldersOf,
  isSameChoice,
  isSameItem,
  keyOf,
  numberOf,
  type ProgramItem,
  programItems,
} from './program-objects.ts'

const comparisonStates = ['equal', 'differs', 'onlyOffline', 'onlyOnline'] as const
export type ComparisonState = (typeof comparisonStates)[number]

/** One side of an object. */
export interface Side {
  readonly kind: string
  /** The name in the spelling of this side. */
  readonly name: string
  readonly hash: string
  readonly number?: number
  readonly folder: string
  readonly modifiedAt: string
}

export interface ComparedObject {
  readonly category: Category
  readonly kind: string
  readonly name: string
  readonly status: ComparisonState
  /** What differs: an {@link Aspect}, `number`, `folder`, `name` (its spelling), `kind`. */
  readonly differences: readonly string[]
  readonly offline?: Side
  readonly online?: Side
}

export interface ComparedFolder {
  readonly category: Category
  readonly path: string
  readonly status: Exclude<ComparisonState, 'differs'>
}

export interface Comparison {
  readonly objects: readonly ComparedObject[]
  readonly folders: readonly ComparedFolder[]
  readonly counts: Readonly<Record<ComparisonState, number>>
  readonly identical: boolean
  /** Hashes of the compiled programs; offline absent: not compiled, or changed since. */
  readonly program: { readonly offline?: string; readonly online: string }
  readonly source: { readonly project: string; readonly device: string; readonly compiledAt: string }
}

/** Number of documents that one call of the engine compares. */
const batchSize = 32

/** @throws GatewayError `conflict` when the controller has no program that a download loaded */
export async function compare(
  ctx: QueryContext,
  device: Device,
  { instance, controller }: Reached,
): Promise<Comparison> {
  const manifest = requireManifest(controller.program?.package, `Instance "${instance.name}"`)
  const offline = new Map(programItems(ctx, device, blobHash).map((item) => [keyOf(item), item]))
  const online = new Map(manifest.objects.map((item) => [keyOf(item), item]))
  const objects: ComparedObject[] = []
  const pairs: { readonly at: number; readonly own: ProgramItem; readonly other: ProgramItem }[] = []
  for (const [key, own] of offline) {
    const other = online.get(key)
    if (other && !isSameItem(own, other)) pairs.push({ at: objects.length, own, other })
    objects.push(compared(own, other))
  }
  for (const [key, other] of online) if (!offline.has(key)) objects.push(compared(undefined, other))
  const details = await detailsOf(ctx, pairs, manifest, controller)
  for (const [i, { at }] of pairs.entries()) objects[at] = { ...objects[at]!, differences: details[i] ?? [] }
  const folders = comparedFolders(foldersOf(ctx, device), manifest.folders)
  const count = (status: ComparisonState) => objects.filter((object) => object.status === status).length
  const compiled = ctx.read(compiledDevices).get(device.id)
  const isCurrent =
    compiled?.program !== undefined && compiled.signature === signatureOf(programObjects(ctx, device.id))
  return {
    objects,
    folders,
    counts: {
      equal: count('equal'),
      differs: count('differs'),
      onlyOffline: count('onlyOffline'),
      onlyOnline: count('onlyOnline'),
    },
    identical: [...objects, ...folders].every(({ status }) => status === 'equal'),
    program: { ...(isCurrent ? { offline: compiled.program } : {}), online: manifest.program },
    source: { project: manifest.project.name, device: manifest.device.name, compiledAt: manifest.compiledAt },
  }
}

function compared(own: ProgramItem | undefined, other: ProgramItem | undefined): ComparedObject {
  const { category, kind, name } = (own ?? other)!
  const status = !other ? 'onlyOffline' : !own ? 'onlyOnline' : isSameItem(own, other) ? 'equal' : 'differs'
  return {
    category,
    kind,
    name,
    status,
    differences: [],
    ...(own ? { offline: sideOf(own) } : {}),
    ...(other ? { online: sideOf(other) } : {}),
  }
}

function sideOf(item: ProgramItem): Side {
  const { kind, name } = item
  const number = numberOf(item)
  const { folder, modifiedAt } = item.record
  const time = new Date(modifiedAt).toISOString()
  return { kind, name, hash: item.hash, ...defined({ number }), folder, modifiedAt: time }
}

interface Pair {
  readonly own: ProgramItem
  readonly other: ProgramItem
}

/** The differences of each pair. */
async function detailsOf(
  ctx: QueryContext,
  pairs: readonly Pair[],
  manifest: Manifest,
  controller: Controller,
): Promise<string[][]> {
  const texts = pairs.filter(({ own, other }) => own.hash !== other.hash && own.category !== 'tag-table')
  const found = new Map<Pair, readonly Aspect[]>()
  if (texts.length > 0) {
    const work = taskWork(new URL('./compare.task.ts', import.meta.url).href, () => import('./compare.task.ts'))
    const read = sourceReader(manifest, (await controller.memoryCard())!, blobHash)
    const culture = cultureOf(ctx)
    for (let at = 0; at < texts.length; at += batchSize) {
      ctx.signal.throwIfAborted()
      const batch = texts.slice(at, at + batchSize)
      const documents = await Promise.all(
        batch.map(
          async ({ own, other }): Promise<DocumentPair> => ({
            offline: documentOf(own, await ctx.blobs.text(own.record.document!), culture),
            online: documentOf(other, read(other.record.document!).toString('utf8'), culture),
          }),
        ),
      )
      const size = documents.reduce((sum, { offline, online }) => sum + offline.text.length + online.text.length, 0)
      const aspects = await work(ctx, 'differencesOf', { pairs: documents }, size)
      for (const [i, pair] of batch.entries()) found.set(pair, aspects[i] ?? ['text'])
    }
  }
  return pairs.map((pair) => {
    const { own, other } = pair
    const inTable = own.category === 'tag-table' && other.category === 'tag-table' ? tableDifferences(own, other) : []
    const inContent = found.get(pair) ?? inTable
    return [
      ...inContent,
      ...(inContent.includes('properties') || isSameChoice(own, other) ? [] : ['properties']),
      ...(own.kind === other.kind ? [] : ['kind']),
      ...(own.name === other.name ? [] : ['name']),
      ...(numberOf(own) === numberOf(other) ? [] : ['number']),
      ...(own.record.folder === other.record.folder ? [] : ['folder']),
    ]
  })
}

function documentOf(item: ProgramItem, text: string, culture: string): DocumentPair['offline'] {
  const { kind, name, record } = item
  const format = 'format' in record ? record.format : 'simaticml'
  const { engineeringVersion } = record
  const block = item.category === 'block' ? item.record : undefined
  const { number, autoNumber, secondaryType } = block ?? {}
  return { text, format, kind, name, number, autoNumber, secondaryType, engineeringVersion, culture }
}

type TableItem = Extract<ProgramItem, { readonly category: 'tag-table' }>

function tableDifferences(own: TableItem, other: TableItem): Aspect[] {
  if (own.hash === other.hash) return []
  const plain = (rows: readonly { readonly comment: unknown }[]) => rows.map(({ comment: _, ...row }) => row)
  const [a, b] = [own.record, other.record]
  type Rows = readonly { readonly name: string; readonly comment: unknown }[]
  /** A row that only one side has is reported as such, not for its comment. */
  const areCommentsSame = (rows: Rows, others: Rows) => {
    const before = new Map(others.map(({ name, comment }) => [name.toLowerCase(), comment]))
    return rows.every(({ name, comment }) => isDeepStrictEqual(before.get(name.toLowerCase()) ?? comment, comment))
  }
  const found: Aspect[] = []
  if (!isDeepStrictEqual(plain(a.tags), plain(b.tags))) found.push('tags')
  if (!isDeepStrictEqual(plain(a.constants), plain(b.constants))) found.push('constants')
  if (!areCommentsSame(a.tags, b.tags) || !areCommentsSame(a.constants, b.constants)) found.push('comments')
  return found.length > 0 ? found : ['text']
}

function comparedFolders(offline: Manifest['folders'], online: Manifest['folders']): ComparedFolder[] {
  return categories.flatMap((category) => {
    const [own, other] = [offline[category], online[category]]
    const has = (list: readonly string[], path: string) => list.some((one) => one.toLowerCase() === path.toLowerCase())
    return [
      ...own.map((path) => ({ category, path, status: has(other, path) ? 'equal' : 'onlyOffline' }) as const),
      ...other.filter((path) => !has(own, path)).map((path) => ({ category, path, status: 'onlyOnline' }) as const),
    ]
  })
}
