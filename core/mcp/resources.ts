/**
 * Resources: documentation sections, block sources, job records, and long results. Their content comes from operations
 * found in the registry by their route, so that core depends on no plugin; without the plugin there is no resource.
 */
import { isObject } from '../../lib/is-object.ts'
import type { Actor } from '../contract/access.ts'
import type { Operation } from '../contract/operation.ts'
import { notFound } from '../contract/problems.ts'
import { blockNames, deviceNames, type Suggestions } from '../contract/prompt.ts'
import { keyOf } from './sessions.ts'
import type { Tools } from './tools.ts'

export interface Resource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description?: string
  readonly mimeType: string
}
export interface ResourceTemplate extends Omit<Resource, 'uri'> {
  readonly uriTemplate: string
}
export interface ResourceContents {
  readonly uri: string
  readonly mimeType: string
  readonly text: string
}

/** Routes of the operation that gives a block's text (docs/design.md#field-names). */
const blockRoutes = [
  '/api/devices/{deviceName}/blocks/{blockName}/source',
  '/api/devices/{deviceName}/blocks/{blockName}/content',
]
const jobTemplate: ResourceTemplate = {
  uriTemplate: 'gantry://jobs/{jobId}',
  name: 'job',
  title: 'Job record',
  description: 'Status, input, result or error of a job.',
  mimeType: 'application/json',
}
const blockTemplate: ResourceTemplate = {
  uriTemplate: 'gantry://devices/{device}/blocks/{block}',
  name: 'block',
  title: 'Block source',
  description: 'The source text of a block; its XML when it has no text form.',
  mimeType: 'text/plain',
}
const docsTemplate: ResourceTemplate = {
  uriTemplate: 'gantry://docs/{section}',
  name: 'docs',
  title: 'Documentation section',
  mimeType: 'text/markdown',
}
const resultTemplate: ResourceTemplate = {
  uriTemplate: 'gantry://results/{id}',
  name: 'result',
  title: 'Long result',
  description: 'The whole of a result that was cut in the answer of a tool; kept for a quarter of an hour.',
  mimeType: 'application/json',
}

/** Template → its parameters, with where their values come from; undefined: only the client knows them. */
export const templateSuggestions: ReadonlyMap<string, Readonly<Record<string, Suggestions | undefined>>> = new Map([
  [docsTemplate.uriTemplate, { section: { path: '/api/docs/sections', list: 'sections', value: 'name' } }],
  [blockTemplate.uriTemplate, { device: deviceNames, block: blockNames('device') }],
  [jobTemplate.uriTemplate, { jobId: { path: '/api/jobs', list: 'jobs', value: 'jobId' } }],
  [resultTemplate.uriTemplate, { id: undefined }],
])

/** The resources that can be listed: the documentation. */
export async function listResources(tools: Tools, actor: Actor): Promise<Resource[]> {
  return (await docsSections(tools, actor)).map(({ name, title }) => ({
    uri: `gantry://docs/${encodeURIComponent(name)}`,
    name: `docs/${name}`,
    title,
    mimeType: 'text/markdown',
  }))
}

export function listTemplates(tools: Tools): ResourceTemplate[] {
  return [docsTemplate, ...(blockOperation(tools) ? [blockTemplate] : []), jobTemplate, resultTemplate]
}

/** @throws GatewayError `not_found`, and what the underlying operation throws */
export async function readResource(uri: string, tools: Tools, actor: Actor): Promise<ResourceContents> {
  const parts = uri.startsWith('gantry://') ? uri.slice('gantry://'.length).split('/').map(decode) : []
  const [kind, first, third, fourth] = parts
  if (kind === 'docs' && first && parts.length === 2)
    return { uri, mimeType: 'text/markdown', text: await docsSection(first, tools, actor) }
  if (kind === 'jobs' && first && parts.length === 2) {
    const job = await tools.gateway.jobs.find(first)
    if (!job) throw notFound('job', first)
    return { uri, mimeType: 'application/json', text: JSON.stringify(job, null, 1) }
  }
  if (kind === 'results' && first && parts.length === 2) {
    const result = tools.results.get(first, keyOf(actor))
    if (result) return { uri, ...result }
  }
  if (kind === 'devices' && first && third === 'blocks' && fourth && parts.length === 4) {
    const operation = blockOperation(tools)
    if (operation)
      return { uri, ...blockText(await answer(operation, { deviceName: first, blockName: fourth }, tools, actor)) }
  }
  throw notFound('resource', uri)
}

const decode = (part: string) => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function operationAt({ gateway }: Tools, path: string): Operation | undefined {
  return gateway.registry.routes.find((route) => route.method === 'GET' && route.path === path)?.operation
}
const blockOperation = (tools: Tools) =>
  blockRoutes.map((path) => operationAt(tools, path)).find((o) => o !== undefined)

async function answer(
  operation: Operation,
  input: Record<string, unknown>,
  { gateway }: Tools,
  actor: Actor,
): Promise<unknown> {
  const reply = await gateway.invoke(operation, input, { actor })
  return reply.kind === 'result' ? reply.value : undefined
}

function blockText(value: unknown): Pick<ResourceContents, 'mimeType' | 'text'> {
  if (typeof value === 'string') return { mimeType: 'text/plain', text: value }
  const { sourceText, rawXml } = isObject(value) ? value : {}
  if (typeof sourceText === 'string' && sourceText !== '') return { mimeType: 'text/plain', text: sourceText }
  if (typeof rawXml === 'string' && rawXml !== '') return { mimeType: 'application/xml', text: rawXml }
  return { mimeType: 'application/json', text: JSON.stringify(value ?? null, null, 1) }
}

/** The sections from the documentation operations; without these operations, the pages of the plugins. */
async function docsSections(tools: Tools, actor: Actor): Promise<{ name: string; title: string }[]> {
  const operation = operationAt(tools, '/api/docs/sections')
  if (!operation) return tools.gateway.registry.docs.map(({ name, title }) => ({ name, title }))
  const value = await answer(operation, {}, tools, actor)
  const sections = isObject(value) && Array.isArray(value.sections) ? value.sections : []
  return sections.filter(isObject).flatMap(({ name, title }) => {
    return typeof name === 'string' ? [{ name, title: typeof title === 'string' ? title : name }] : []
  })
}

async function docsSection(name: string, tools: Tools, actor: Actor): Promise<string> {
  const operation = operationAt(tools, '/api/docs/sections/{sectionName}')
  if (operation) {
    const value = await answer(operation, { sectionName: name }, tools, actor)
    if (typeof value === 'string') return value
    const { text, content } = isObject(value) ? value : {}
    if (typeof text === 'string') return text
    if (typeof content === 'string') return content
    return JSON.stringify(value ?? null, null, 1)
  }
  const pages = tools.gateway.registry.docs
  const page = pages.find((p) => p.name === name)
  if (!page)
    throw notFound(
      'documentation section',
      name,
      pages.map((p) => p.name),
    )
  return typeof page.text === 'string' ? page.text : await page.text()
}
