/** Runs the operations on networks. */

import { type CommandContext, defined, type Fault, plainNames, problem } from '../../../core/index.ts'
import type { NetworkInput } from '../../../plc/edit/network-input.ts'
import type { NetworkEdit } from '../../../plc/edit/networks.ts'
import type { Device } from '../../devices/index.ts'
import { declaredFor, documentOf, editWork, requireReadable } from '../../program-objects/index.ts'
import type { Block } from '../block.ts'
import { statusOf } from '../compile/status.ts'
import { storeEdited } from '../store.ts'
import { blockView } from '../views.ts'

/** Changes networks of a block. */
export async function changeNetworks(ctx: CommandContext, device: Device, block: Block, edit: NetworkEdit) {
  requireReadable(block)
  const texts = 'networks' in edit ? edit.networks.flatMap(textsOf) : []
  const document = await documentOf(ctx, block, { callsIn: texts })
  const [own] = await editWork(ctx, 'readInterfaces', [document], block.size)
  const declared = await declaredFor(ctx, device, texts, own?.interface ?? [])
  const size = block.size + texts.reduce((sum, text) => sum + text.length, 0)
  const edited = await editWork(ctx, 'changeNetworks', { document, edit, declared }, size)
  const after = await storeEdited(ctx, device, block, edited)
  return {
    ...blockView(after, await statusOf(ctx, after)),
    changed: after.document !== block.document,
    networks: edited.networks.map(({ number, language }) => ({ number, language })),
    ...(edit.kind === 'update' ? defined({ warnings: edited.warnings }) : {}),
  }
}

/** The texts of a network that can contain names. */
export function textsOf({ code, expressions, graph, xml }: NetworkInput): string[] {
  return [
    code ?? [],
    expressions ?? [],
    graph === undefined ? [] : JSON.stringify(graph).replace(/\\"/g, '"'),
    xml ?? [],
  ].flat()
}

/** Fields of a network in a request: its own, their aliases, and the further ones that `content` shows. */
const knownFields: ReadonlySet<string> = new Set([
  ...['language', 'title', 'comment', 'code', 'expressions', 'graph', 'xml'],
  ...['programmingLanguage', 'text', 'sclCode', 'networkCode', 'expression', 'flgNet'],
  ...['number', 'parts', 'statements', 'chart'],
])

const textFields = ['language', 'code', 'xml'] as const

/**
 * Networks of a request. The field names `text` and `expression` of a content answer are accepted too.
 * @throws GatewayError `invalid_input` with every fault
 */
export function networksOf(value: readonly unknown[], at: string): NetworkInput[] {
  const faults: Fault[] = []
  const networks = value.map((item, i): NetworkInput => {
    const path = `${at}/${i}`
    if (item === null || typeof item !== 'object' || Array.isArray(item)) {
      faults.push({ path, message: 'must be an object', value: item })
      return {}
    }
    return networkOf(plainNames(item as Record<string, unknown>), path, faults)
  })
  const [first] = faults
  if (first) throw problem('invalid_input', `${first.path}: ${first.message}`, { errors: faults })
  return networks
}

function networkOf(entry: Readonly<Record<string, unknown>>, at: string, faults: Fault[]): NetworkInput {
  const given: Record<string, unknown> = {}
  for (const field of Object.keys(entry)) {
    if (knownFields.has(field)) continue
    const known = 'language, title, comment, code, expressions, graph, xml'
    faults.push({ path: `${at}/${field}`, message: `is no field of a network; there are ${known}` })
  }
  const { programmingLanguage, text, sclCode, networkCode, expression, flgNet, ...rest } = entry
  const named: Record<string, unknown> = {
    ...rest,
    language: rest.language ?? programmingLanguage,
    code: rest.code ?? text ?? sclCode ?? networkCode,
    expressions: rest.expressions ?? expression,
    xml: rest.xml ?? flgNet,
  }
  for (const field of textFields) {
    const value = named[field]
    if (value === undefined) continue
    if (typeof value === 'string') given[field] = value
    else faults.push({ path: `${at}/${field}`, message: 'must be text', value })
  }
  for (const field of ['title', 'comment'] as const) {
    const value = named[field]
    if (value === undefined) continue
    if (typeof value === 'string' || isTexts(value)) given[field] = value
    else faults.push({ path: `${at}/${field}`, message: 'must be text, or texts by culture: { "en-US": "…" }', value })
  }
  const { expressions, graph } = named
  if (typeof expressions === 'string') given.expressions = expressions
  else if (Array.isArray(expressions) && expressions.every((one) => typeof one === 'string'))
    given.expressions = expressions
  else if (expressions !== undefined)
    faults.push({ path: `${at}/expressions`, message: 'must be a text or a list of texts', value: expressions })
  if (graph !== undefined) given.graph = graph
  return given
}

function isTexts(value: unknown): value is Record<string, string> {
  return (
    value !== null &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.values(value).every((text) => typeof text === 'string')
  )
}
