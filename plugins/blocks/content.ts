/** What the operations on one block do. */
import { type CommandContext, problem, type QueryContext } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import { requireProject } from '../projects/index.ts'
import { type Block, requireBlockOf } from './block.ts'
import type { DocumentEdit } from './document.task.ts'
import { cultureOf, documentOf, work } from './document-work.ts'
import type { NewNetwork, NewObject } from './edit.ts'
import {
  type Exportable,
  exportSd,
  exportSource,
  exportXml,
  requireReadable,
  writeExport,
  writeSdExport,
} from './export.ts'
import { readInterface } from './interface-input.ts'
import { requireName, storeEdited, storeObject } from './store.ts'
import { requireFreeSymbol } from './symbols.ts'
import { blockView } from './views.ts'

/** The content of a block for clients. */
export async function contentView(ctx: QueryContext, block: Block, culture: string | undefined) {
  requireReadable(block)
  const document = await documentOf(ctx, block, { culture })
  const content = await work(ctx, 'readContent', document, block.size)
  return {
    ...blockView(block, culture ?? cultureOf(ctx)),
    blockType: block.kind,
    ...(content.rawXml === undefined ? {} : { rawXml: content.rawXml }),
    ...(content.sourceText === undefined ? {} : { sourceText: content.sourceText }),
    interface: content.interface as never,
    networks: content.networks as never,
  }
}

/** What an export is asked for. */
export interface ExportRequest {
  readonly exportPath?: string | undefined
  readonly format?: 'xml' | 'source' | 'sd' | undefined
  readonly version?: string | undefined
  readonly overwrite?: boolean | undefined
}

/** Exports a block or type to a file, or as content. */
export async function runExport(ctx: CommandContext, object: Exportable, request: ExportRequest) {
  const { exportPath, format = 'xml', version, overwrite = false } = request
  if (format === 'sd') return runSdExport(ctx, object, exportPath, overwrite)
  const exported = format === 'xml' ? await exportXml(ctx, object, version) : await exportSource(ctx, object)
  const result = { name: object.name, format, warnings: [...exported.warnings] }
  if (exportPath === undefined)
    return { ...result, size: Buffer.byteLength(exported.content), content: exported.content }
  const { path, size } = await writeExport(ctx, object.name, exported, exportPath, overwrite)
  return { ...result, exportPath: path, size }
}

async function runSdExport(
  ctx: CommandContext,
  object: Exportable,
  exportPath: string | undefined,
  overwrite: boolean,
) {
  const { content, resources, warnings } = await exportSd(ctx, object)
  const texts = resources === undefined ? {} : { resources }
  const result = { name: object.name, format: 'sd' as const, warnings: [...warnings] }
  if (exportPath === undefined) return { ...result, size: Buffer.byteLength(content), content, ...texts }
  const { path, ...written } = await writeSdExport(ctx, object.name, { content, ...texts }, exportPath, overwrite)
  return { ...result, exportPath: path, ...written }
}

/** What a client sends to create a block. */
export interface NewBlock {
  readonly name: string
  readonly type: 'OB' | 'FB' | 'FC' | 'DB' | 'GlobalDB' | 'InstanceDB'
  readonly language?: string | undefined
  readonly number?: number | undefined
  readonly folder?: string | undefined
  readonly title?: string | undefined
  readonly comment?: string | undefined
  readonly author?: string | undefined
  readonly version?: string | undefined
  readonly eventClass?: string | undefined
  readonly instanceOf?: string | undefined
  readonly interface?: readonly unknown[] | undefined
  readonly code?: string | undefined
  readonly networks?: readonly unknown[] | undefined
}

/** Creates a block from its description. */
export async function createBlock(ctx: CommandContext, device: Device, input: NewBlock) {
  const { name, type, folder, number, eventClass } = input
  requireName(name, '/name', 'block')
  requireFreeSymbol(ctx, device, name)
  if (type === 'InstanceDB' && input.instanceOf === undefined)
    throw problem('invalid_input', '/instanceOf: an instance data block needs the FB or type it is an instance of.', {
      errors: [{ path: '/instanceOf', message: 'is missing', code: 'missing' }],
    })
  const given: Record<string, unknown> = {
    language: input.language,
    title: input.title,
    comment: input.comment,
    author: input.author,
    version: input.version,
    secondaryType: eventClass,
    instanceOf: input.instanceOf,
    code: input.code,
    networks: input.networks as NewNetwork[] | undefined,
    interface: input.interface && readInterface(input.interface, '/interface', defaultSection(type)),
  }
  const spec = {
    name,
    type: type === 'GlobalDB' || type === 'InstanceDB' ? 'DB' : type,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  } as NewObject
  const { version } = requireProject(ctx)
  const size = (input.code?.length ?? 0) + JSON.stringify(input.networks ?? []).length
  const object = await work(ctx, 'createDocument', { spec, culture: cultureOf(ctx), version }, size)
  const { warnings } = await storeObject(
    ctx,
    device,
    { ...object, ...(number === undefined ? {} : { number }) },
    { folder: folder ?? '', fixedNumber: number !== undefined },
  )
  return { ...blockView(requireBlockOf(ctx, device, name)), warnings: [...(warnings ?? [])] }
}

/** Members without a section: a data block has only one. */
function defaultSection(type: string): string | undefined {
  return type.endsWith('DB') ? 'Static' : undefined
}

/** What a client sends to change a block. */
export interface ContentUpdate {
  readonly sourceText?: string | undefined
  readonly rawXml?: string | undefined
  readonly interface?: readonly unknown[] | undefined
  readonly code?: string | undefined
  readonly networks?:
    | readonly { readonly number?: number | undefined; readonly text?: string | undefined }[]
    | undefined
}

/** Changes text, interface or code of a block. */
export async function updateBlock(ctx: CommandContext, device: Device, block: Block, input: ContentUpdate) {
  requireReadable(block)
  const code = input.code ?? codeOf(block, input.networks)
  const { sourceText, rawXml } = input
  const isPart = input.interface !== undefined || code !== undefined
  if ([sourceText !== undefined, rawXml !== undefined, isPart].filter(Boolean).length !== 1) {
    const message = 'send sourceText, or rawXml, or interface and code; one of the three'
    throw problem('invalid_input', `/sourceText: ${message}.`, { errors: [{ path: '/sourceText', message }] })
  }
  const sections = input.interface && readInterface(input.interface, '/interface', defaultSection(block.kind))
  const edit: DocumentEdit = {
    ...(sourceText === undefined ? {} : { sourceText }),
    ...(rawXml === undefined ? {} : { rawXml }),
    ...(isPart
      ? { content: { ...(sections ? { interface: sections } : {}), ...(code === undefined ? {} : { code }) } }
      : {}),
  }
  const document = await documentOf(ctx, block, { withInstances: true })
  const size = block.size + (sourceText ?? rawXml ?? '').length
  const edited = await work(ctx, 'editDocument', { document, edit }, size)
  const after = await storeEdited(ctx, device, block, edited)
  return { ...blockView(after), changed: after.document !== block.document }
}

/** The statements in a list of networks as `content` shows them. */
function codeOf(block: Block, networks: ContentUpdate['networks']): string | undefined {
  if (networks === undefined || networks.length === 0) return undefined
  const [network] = networks
  if (block.language !== 'SCL' || networks.length > 1 || network?.text === undefined) {
    const message = 'only the text of an SCL block with one network can be changed here'
    throw problem('invalid_input', `/networks: ${message}; "${block.name}" is written in ${block.language}.`, {
      errors: [{ path: '/networks', message }],
      suggestion: 'Send the whole block as rawXml or sourceText.',
    })
  }
  return network.text
}

/** Renames a block; its text says the new name. */
export async function renameBlock(ctx: CommandContext, device: Device, block: Block, newName: string) {
  requireReadable(block)
  requireName(newName, '/newName', 'block')
  if (newName.toLowerCase() !== block.name.toLowerCase()) requireFreeSymbol(ctx, device, newName)
  if (newName === block.name) return { oldName: block.name, ...blockView(block), updated: [] }
  const { renameUsers } = await import('./uses/guard.ts')
  const updated = await renameUsers(ctx, device, block.name, newName)
  // Its own text may have changed with them: a function assigns its result to its name.
  const present = requireBlockOf(ctx, device, block.name)
  const document = await documentOf(ctx, present)
  const edited = await work(ctx, 'editDocument', { document, edit: { name: newName } }, present.size)
  const after = await storeEdited(ctx, device, present, edited)
  return {
    oldName: block.name,
    ...blockView(after),
    updated: updated.filter(({ name }) => name !== block.name),
  }
}
