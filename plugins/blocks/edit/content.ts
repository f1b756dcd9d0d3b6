/** Runs the operations on one block: read, create, change, rename. */

import { isDeepStrictEqual } from 'node:util'
import {
  type CommandContext,
  defined,
  isGatewayError,
  problem,
  type QueryContext,
  withoutFence,
} from '../../../core/index.ts'
import type { ContentNetwork } from '../../../plc/edit/document.ts'
import type { NewObject } from '../../../plc/edit/edit.ts'
import { needsOf } from '../../../plc/edit/import-order.ts'
import type { MemberInput, SectionInput } from '../../../plc/edit/input.ts'
import type { NetworkInput } from '../../../plc/edit/network-input.ts'
import type { StoredDocument } from '../../../plc/edit/stored-document.ts'
import { isWholeBlock } from '../../../plc/edit/whole-block.ts'
import type { ImportedObject, InterfaceMember, InterfaceSection } from '../../../plc/model/object.ts'
import type { Device } from '../../devices/index.ts'
import {
  cultureOf,
  type DocumentEdit,
  declaredFor,
  documentOf,
  editWork,
  missingTypes,
  readInterface,
  renameUsers,
  requireFreeSymbol,
  requireName,
  requireReadable,
  requireStartValues,
  storedAsXml,
  storeObject,
  work,
} from '../../program-objects/index.ts'
import { requireProject } from '../../projects/index.ts'
import { type Block, requireBlockOf } from '../block.ts'
import { statusOf } from '../compile/status.ts'
import { storeEdited } from '../store.ts'
import { blockView } from '../views.ts'
import { networksOf, textsOf } from './network-edits.ts'
import { eventClassFor } from './numbers.ts'

/** The content of a block for clients. */
export async function contentView(ctx: QueryContext, block: Block, culture: string | undefined) {
  requireReadable(block)
  const document = await documentOf(ctx, block, { culture })
  const content = await work(ctx, 'readContent', document, block.size)
  const rawXml = content.rawXml ?? (await convertedXml(ctx, block))
  return {
    ...blockView(block, await statusOf(ctx, block), culture ?? cultureOf(ctx)),
    blockType: block.kind,
    ...defined({ rawXml, sourceText: content.sourceText }),
    interface: content.interface,
    networks: content.networks,
  }
}

/** The SimaticML file of a block that is kept as source; undefined when SimaticML cannot express the block. */
async function convertedXml(ctx: QueryContext, block: Block): Promise<string | undefined> {
  try {
    return (await storedAsXml(ctx, block)).content
  } catch (error) {
    if (isGatewayError(error) && error.code === 'unacceptable_content') return undefined
    throw error
  }
}

/** The content as text, for people and language models. */
export async function contentTextView(ctx: QueryContext, block: Block, culture: string | undefined) {
  requireReadable(block)
  const document = await documentOf(ctx, block, { culture })
  const view = blockView(block, await statusOf(ctx, block), culture ?? cultureOf(ctx))
  return { ...view, blockType: block.kind, ...(await work(ctx, 'readContentText', document, block.size)) }
}

/** What a client sends to create a block. */
export interface NewBlock {
  readonly name: string
  readonly type: 'OB' | 'FB' | 'FC' | 'DB' | 'GlobalDB' | 'InstanceDB' | 'ArrayDB'
  /** Element type of an ArrayDB. */
  readonly dataType?: string | undefined
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

/** Fields that only blocks of some types have. */
const onlyOf = {
  eventClass: ['OB'],
  instanceOf: ['DB', 'InstanceDB'],
  dataType: ['ArrayDB'],
} as const satisfies Partial<Record<keyof NewBlock, readonly string[]>>

/**
 * @throws GatewayError `invalid_input` for fields that a block of the type does not have: they would be lost silently
 */
function requireFitting(input: NewBlock): void {
  for (const [field, types] of Object.entries(onlyOf)) {
    const value = input[field as keyof typeof onlyOf]
    if (!value || (types as readonly string[]).includes(input.type)) continue
    const message = `a block of type ${input.type} has none; it belongs to ${types.join(' and ')}`
    throw problem('invalid_input', `/${field}: ${message}.`, { errors: [{ path: `/${field}`, message, value }] })
  }
}

/** Creates a block from its description, or from its whole text in `code`, which language models send. */
export async function createBlock(ctx: CommandContext, device: Device, input: NewBlock) {
  const text = input.code === undefined ? undefined : withoutFence(input.code)
  if (text === undefined || !isWholeBlock(text)) return createDescribed(ctx, device, input)
  const { code: _, language, ...described } = input
  const twice = (['title', 'comment', 'author', 'version', 'interface', 'networks'] as const).filter(
    (field) => described[field] !== undefined,
  )
  if (twice.length > 0) {
    const message = `is a whole block, which contains ${twice.join(', ')} itself; send only its statements, or leave these fields out`
    throw problem('invalid_input', `/code: ${message}.`, { errors: [{ path: '/code', message }] })
  }
  const { warnings } = await createDescribed(ctx, device, described)
  const made = await updateBlock(ctx, device, requireBlockOf(ctx, device, input.name), { code: text })
  if (language !== undefined && made.programmingLanguage !== language) {
    const message = `the block in code is in ${made.programmingLanguage}`
    throw problem('invalid_input', `/language: ${message}.`, {
      errors: [{ path: '/language', message, value: language }],
    })
  }
  const { changed: __, ...view } = made
  return { ...view, warnings: [...warnings, ...made.warnings] }
}

/** Creates a block from its description. */
async function createDescribed(ctx: CommandContext, device: Device, input: NewBlock) {
  const { name, type, folder, number, eventClass } = input
  requireName(name, '/name', 'block')
  requireFreeSymbol(ctx, device, name)
  if (type === 'InstanceDB' && input.instanceOf === undefined)
    throw problem('invalid_input', '/instanceOf: an instance data block needs the FB or type it is an instance of.', {
      errors: [{ path: '/instanceOf', message: 'is missing', code: 'missing' }],
    })
  requireFitting(input)
  const given: Record<string, unknown> = {
    language: input.language,
    title: input.title,
    comment: input.comment,
    author: input.author,
    version: input.version,
    secondaryType: type === 'OB' ? eventClassFor(device, eventClass, number) : undefined,
    instanceOf: input.instanceOf,
    dataType: input.dataType,
    interface: input.interface && readInterface(input.interface, '/interface', defaultSection(type)),
  }
  const networks = newNetworks(input)
  const spec = {
    name,
    type: type === 'GlobalDB' || type === 'InstanceDB' ? 'DB' : type,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  } as NewObject
  const { version } = requireProject(ctx)
  const texts = networks.flatMap(textsOf)
  const declared = await declaredFor(ctx, device, texts, typesOf(spec.interface ?? []))
  const size = texts.reduce((sum, text) => sum + text.length, 0)
  const codePaths = networks.map((_, i) => (i < (input.networks?.length ?? 0) ? `/networks/${i}/code` : '/code'))
  const task = { spec, culture: cultureOf(ctx), version, networks, declared, codePaths }
  const object = await work(ctx, 'createDocument', task, size)
  requireStartValues(ctx, device, membersOf(spec.interface), object.interface)
  const { warnings } = await storeObject(
    ctx,
    device,
    { ...object, ...defined({ number }) },
    { folder: folder ?? '', fixedNumber: number !== undefined },
  )
  const block = requireBlockOf(ctx, device, name)
  const told = [...(warnings ?? []), ...(await missingTypes(ctx, device, [{ name, needs: needsOf(object) }]))]
  return { ...blockView(block, await statusOf(ctx, block)), warnings: told }
}

const membersOf = (sections: readonly SectionInput[] = []) => sections.flatMap(({ members }) => members)

/** The networks of a new block; `code` alone is one network. */
function newNetworks({ networks, code, type }: NewBlock): NetworkInput[] {
  if (networks === undefined && code === undefined) return []
  if (type !== 'OB' && type !== 'FB' && type !== 'FC')
    throw problem('invalid_input', `/code: a ${type} has no code and no networks.`, {
      errors: [{ path: networks === undefined ? '/code' : '/networks', message: `a ${type} has none` }],
    })
  return [...networksOf(networks ?? [], '/networks'), ...(code === undefined ? [] : [{ code: withoutFence(code) }])]
}

/** Members of a new block with the fields that looking up their types needs. */
function typesOf(sections: readonly SectionInput[]): InterfaceSection[] {
  const members = (given: readonly MemberInput[]): InterfaceMember[] =>
    given.map(({ name, dataType, members: inner = [] }) => ({
      name,
      dataType,
      comment: {},
      attributes: [],
      members: members(inner),
    }))
  return sections.map((section) => ({ section: 'None', members: members(section.members) }))
}

/** Members without a section: a data block has only one. */
function defaultSection(type: string): string | undefined {
  if (type === 'ArrayDB') return 'None'
  return type.endsWith('DB') ? 'Static' : undefined
}

/** What a client sends to change a block. */
export interface ContentUpdate {
  readonly sourceText?: string | undefined
  readonly rawXml?: string | undefined
  readonly interface?: readonly unknown[] | undefined
  readonly code?: string | undefined
  readonly networks?: readonly unknown[] | undefined
}

/** Changes text, interface, code or networks of a block. */
export async function updateBlock(ctx: CommandContext, device: Device, block: Block, input: ContentUpdate) {
  requireReadable(block)
  const { rawXml, networks } = input
  const statements = input.code === undefined ? undefined : withoutFence(input.code)
  // Language models send the whole block where only its statements are expected.
  const isWhole = statements !== undefined && input.sourceText === undefined && isWholeBlock(statements)
  const code = isWhole ? undefined : statements
  const sourceText = isWhole ? statements : input.sourceText === undefined ? undefined : withoutFence(input.sourceText)
  const isPart = input.interface !== undefined || code !== undefined || (networks?.length ?? 0) > 0
  const given = [sourceText !== undefined, rawXml !== undefined, isPart].filter(Boolean).length
  // All of it was put back as it is. An empty list of networks is none of the three.
  if (given === 0 && networks === undefined)
    return { ...blockView(block, await statusOf(ctx, block)), changed: false, warnings: [] }
  if (given !== 1) {
    const message = 'send sourceText, or rawXml, or interface, code and networks; one of the three'
    throw problem('invalid_input', `/sourceText: ${message}.`, { errors: [{ path: '/sourceText', message }] })
  }
  const sections = input.interface && readInterface(input.interface, '/interface', defaultSection(block.kind))
  const content = { ...(sections ? { interface: sections } : {}), ...defined({ code }) }
  const edit: DocumentEdit = {
    ...defined({ sourceText, rawXml }),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  }
  const callsIn = [sourceText, rawXml, code, networks === undefined ? undefined : JSON.stringify(networks)].flatMap(
    (text) => text?.replace(/\\"/g, '"') ?? [],
  )
  const document = await documentOf(ctx, block, { callsIn })
  const size = block.size + (sourceText ?? rawXml ?? '').length
  const before = await work(ctx, 'editDocument', { document, edit }, size)
  const edited = networks === undefined ? before : await withNetworks(ctx, device, document, before, networks, size)
  requireStartValues(ctx, device, membersOf(sections), edited.interface)
  const losses =
    sections === undefined ? [] : await work(ctx, 'valueLosses', { document, after: edited.interface }, size)
  const after = await storeEdited(ctx, device, block, edited, { hasNewHeader: rawXml !== undefined })
  const missing = await missingTypes(ctx, device, [{ name: after.name, needs: needsOf(edited) }])
  const warnings = [...losses, ...(edited.warnings ?? []), ...missing]
  return { ...blockView(after, await statusOf(ctx, after)), changed: after.document !== block.document, warnings }
}

/**
 * The object with a client's networks, in the form that `content` shows: changed ones are written, further ones added.
 */
async function withNetworks(
  ctx: CommandContext,
  device: Device,
  stored: StoredDocument,
  object: ImportedObject,
  given: readonly unknown[],
  size: number,
): Promise<ImportedObject> {
  const inputs = networksOf(given, '/networks')
  const numbers = given.map((item, i) => networkNumber((item as { number?: unknown }).number, i))
  const declared = await declaredFor(ctx, device, inputs.flatMap(textsOf), object.interface)
  let document = { ...stored, text: object.xml ?? object.text ?? '' }
  const shown = await work(ctx, 'readContent', document, size)
  const changed = inputs.flatMap((network, i) => {
    const number = numbers[i] as number
    const present = shown.networks[number - 1]
    const changes = present === undefined ? undefined : changesOf(network, present)
    return changes === undefined ? [] : [{ ...changes, number }]
  })
  const added = inputs.filter((_, i) => (numbers[i] as number) > shown.networks.length)
  let edited = object
  for (const edit of [
    ...(changed.length > 0 ? [{ kind: 'update' as const, networks: changed }] : []),
    ...(added.length > 0 ? [{ kind: 'add' as const, networks: added }] : []),
  ]) {
    edited = await editWork(ctx, 'changeNetworks', { document, edit, declared }, size)
    document = { ...document, text: edited.xml ?? edited.text ?? '' }
  }
  return edited
}

/** The network that a client means; without a number the one at the same position. */
function networkNumber(number: unknown, index: number): number {
  if (number === undefined) return index + 1
  if (typeof number === 'number' && Number.isInteger(number) && number >= 1) return number
  const path = `/networks/${index}/number`
  const message = 'must be a whole number from 1'
  throw problem('invalid_input', `${path}: ${message}`, { errors: [{ path, message, value: number }] })
}

/** The fields of a network that differ from the shown ones; undefined when none does. */
function changesOf(given: NetworkInput, shown: ContentNetwork): NetworkInput | undefined {
  const { title, comment, language, code, expressions, graph, xml } = given
  const text = typeof expressions === 'string' || expressions === undefined ? expressions : expressions.join('\n')
  const content: NetworkInput =
    xml !== undefined
      ? { xml }
      : expressions !== undefined && text !== shown.expression
        ? { expressions }
        : graph !== undefined && !isDeepStrictEqual(graph, shown.graph)
          ? { graph }
          : code !== undefined && code !== shown.text
            ? { code }
            : {}
  const changes: NetworkInput = {
    ...content,
    ...(title === undefined || title === shown.title ? {} : { title }),
    ...(comment === undefined || comment === shown.comment ? {} : { comment }),
  }
  if (Object.keys(changes).length === 0) return undefined
  return { ...changes, language: language ?? shown.language }
}

/** Renames a block, also in its own text. */
export async function renameBlock(ctx: CommandContext, device: Device, block: Block, newName: string) {
  requireReadable(block)
  requireName(newName, '/newName', 'block')
  if (newName.toLowerCase() !== block.name.toLowerCase()) requireFreeSymbol(ctx, device, newName)
  if (newName === block.name)
    return { oldName: block.name, ...blockView(block, await statusOf(ctx, block)), updated: [] }
  const updated = await renameUsers(ctx, device, block.name, newName)
  // Its own text may use the name too: a function assigns its result to it.
  const present = requireBlockOf(ctx, device, block.name)
  const document = await documentOf(ctx, present)
  const edited = await work(ctx, 'editDocument', { document, edit: { name: newName } }, present.size)
  const after = await storeEdited(ctx, device, present, edited)
  return {
    oldName: block.name,
    ...blockView(after, await statusOf(ctx, after)),
    updated: updated.filter(({ name }) => name !== block.name),
  }
}
