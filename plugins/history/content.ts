/** The content of a snapshot, for clients and for comparing. */

import { createHash } from 'node:crypto'
import { defined, problem, type QueryContext } from '../../core/index.ts'
import { type Block, findBlock } from '../blocks/index.ts'
import { type Device, devices, findDevice } from '../devices/index.ts'
import { compareStored, documentOf, textIn, work } from '../program-objects/index.ts'
import { currentProject } from '../projects/index.ts'
import { findTagTable, type TagTable } from '../tags/index.ts'
import type { Snapshot } from './snapshot.ts'
import { type TableContent, tableText } from './take.ts'

/** The device of a snapshot; undefined when its project is not open or the device does not exist. */
function deviceOf(ctx: Pick<QueryContext, 'read'>, snapshot: Snapshot): Device | undefined {
  const project = currentProject(ctx)
  if (!project || (project.id !== snapshot.projectId && project.path !== snapshot.projectPath)) return undefined
  return ctx.read(devices).get(snapshot.deviceId) ?? findDevice(ctx, snapshot.deviceName)
}

function presentBlock(ctx: Pick<QueryContext, 'read'>, snapshot: Snapshot): Block | undefined {
  const device = deviceOf(ctx, snapshot)
  return device && findBlock(ctx, device.id, snapshot.name)
}

function presentTable(ctx: Pick<QueryContext, 'read'>, snapshot: Snapshot): TagTable | undefined {
  const device = deviceOf(ctx, snapshot)
  return device && findTagTable(ctx, device.id, snapshot.name)
}

/** Whether the object of the snapshot exists now under its name, and whether it has the same content. */
export function presence(ctx: Pick<QueryContext, 'read'>, snapshot: Snapshot): { exists: boolean; isCurrent: boolean } {
  if (snapshot.type === 'block') {
    const block = presentBlock(ctx, snapshot)
    return { exists: block !== undefined, isCurrent: block?.document === snapshot.content }
  }
  const table = presentTable(ctx, snapshot)
  const hash = table && `sha256:${createHash('sha256').update(tableText(table)).digest('hex')}`
  return { exists: table !== undefined, isCurrent: hash === snapshot.content }
}

/** Rows of a tag table as the tag operations show them. */
function rowsOf({ tags, constants }: Pick<TagTable, 'tags' | 'constants'>, culture: string) {
  return {
    tags: tags.map(({ documentName: _, comment, ...tag }) => ({ ...tag, comment: textIn(comment, culture) })),
    constants: constants.map(({ documentName: _, comment, ...constant }) => ({
      ...constant,
      comment: textIn(comment, culture),
    })),
  }
}

/** A tag table as text with one line for each row, for comparing. */
function tableLines(table: Pick<TagTable, 'tags' | 'constants'>, culture: string): string {
  const { tags, constants } = rowsOf(table, culture)
  const flags = (tag: (typeof tags)[number]) =>
    [
      tag.externalAccessible ? '' : 'not accessible',
      tag.externalVisible ? '' : 'not visible',
      tag.externalWritable ? '' : 'not writable',
    ].filter(Boolean)
  const comment = (text: string) => (text === '' ? '' : ` // ${text.replace(/\s*[\r\n]+\s*/g, ' ')}`)
  const lines = [
    ...tags.map((tag) => {
      const more = flags(tag)
      const at = tag.logicalAddress === '' ? '' : ` AT ${tag.logicalAddress}`
      return `"${tag.name}"${at} : ${tag.dataType};${more.length > 0 ? ` { ${more.join(', ')} }` : ''}${comment(tag.comment)}`
    }),
    ...constants.map((one) => `CONSTANT "${one.name}" : ${one.dataType} := ${one.value};${comment(one.comment)}`),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** The parsed content of a block document. */
async function readBlock(ctx: QueryContext, block: Block) {
  if (block.isKnowHowProtected)
    throw problem('conflict', `Block "${block.name}" is know-how protected: its content cannot be read.`)
  const document = await documentOf(ctx, block)
  return { text: document.text, content: await work(ctx, 'readContent', document, block.size) }
}

/** The content of a snapshot: the stored text, and what was parsed from it. */
export async function snapshotContent(ctx: QueryContext, snapshot: Snapshot) {
  const culture = currentProject(ctx)?.cultures[0] ?? 'en-US'
  if (snapshot.block) {
    const { text, content } = await readBlock(ctx, snapshot.block)
    const { blockType, programmingLanguage, title, comment: blockComment, author, sourceText } = content
    return {
      text,
      format: snapshot.block.format as string,
      blockType,
      programmingLanguage,
      title,
      blockComment,
      author,
      ...defined({ sourceText, rawXml: content.rawXml }),
      interface: [...content.interface],
      networks: [...content.networks],
    }
  }
  const table = JSON.parse(await ctx.blobs.text(snapshot.content)) as TableContent
  return { text: tableLines(table, culture), format: 'tag-table', ...rowsOf(table, culture) }
}

/** A text to compare: the source of a block when it has one, otherwise its SimaticML; the rows of a tag table. */
export interface Comparable {
  readonly title: string
  readonly text: string
}

/** The text of a snapshot to compare. */
export async function comparableSnapshot(
  ctx: QueryContext,
  snapshot: Snapshot,
): Promise<Comparable & { isSource: boolean }> {
  const title = `${snapshot.name} (${snapshot.id}, ${new Date(snapshot.createdAt).toISOString()})`
  if (snapshot.block) return { title, ...(await blockText(ctx, snapshot.block)) }
  const { text } = await snapshotContent(ctx, snapshot)
  return { title, text, isSource: true }
}

/** The current text of the object that has the name of the snapshot's object; undefined when there is none. */
export async function comparableNow(
  ctx: QueryContext,
  snapshot: Snapshot,
): Promise<Comparable & { isSource: boolean }> {
  const title = `${snapshot.name} (now)`
  if (snapshot.type === 'block') {
    const block = presentBlock(ctx, snapshot)
    return block
      ? { title, ...(await blockText(ctx, block)) }
      : { title: `${title}: deleted`, text: '', isSource: true }
  }
  const table = presentTable(ctx, snapshot)
  const culture = currentProject(ctx)?.cultures[0] ?? 'en-US'
  return { title: table ? title : `${title}: deleted`, text: table ? tableLines(table, culture) : '', isSource: true }
}

async function blockText(ctx: QueryContext, block: Block): Promise<{ text: string; isSource: boolean }> {
  const { text, content } = await readBlock(ctx, block)
  return content.sourceText === undefined ? { text, isSource: false } : { text: content.sourceText, isSource: true }
}

/** What two blocks differ in, by meaning; undefined when one of the sides is no block (any more). */
export async function blockAspects(
  ctx: QueryContext,
  from: Snapshot,
  to: Snapshot | undefined,
): Promise<string[] | undefined> {
  const other = to ? to.block : presentBlock(ctx, from)
  if (!from.block || !other) return undefined
  const { aspects } = await compareStored(ctx, await documentOf(ctx, from.block), await documentOf(ctx, other))
  return [...aspects]
}
