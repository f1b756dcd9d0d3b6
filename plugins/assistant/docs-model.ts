/**
 * The built-in model `gantry/docs`: answers without any provider, from the manual, the codes, the operations and the
 * index of the open project. It only searches and quotes: it changes nothing, and no text that it finds can make it do
 * anything.
 */
import { isObject, nearest, type Operation } from '../../core/index.ts'
import { buildSchema, loadToolbox } from '../../core/services.ts'
import { currentProject } from '../projects/index.ts'
import { codesOf } from './codes.ts'
import { projectNote, quoted } from './open-project.ts'
import { noUsage } from './providers/usage.ts'
import type { FinishReason, Turn } from './turn.ts'
import { wordsOf } from './words.ts'

/** Hits of each kind in an answer. */
const mostPages = 4
const mostOperations = 4
const mostCodes = 3
const mostObjects = 8
/** Words of the question that the project is searched for. */
const mostWords = 5

/** Answers a question. */
export async function answerFromDocs(turn: Turn, question: string): Promise<FinishReason> {
  const parts = [explainCodes, quoteManual, nameOperations, findObjects]
  const note = projectNote(turn.ctx, turn.facts.projectKey)
  if (note !== undefined) turn.warnings.push(note)
  let found = 0
  for (const part of parts) {
    if (turn.signal.aborted) return 'stopped'
    for (const paragraph of await part(turn, question)) {
      if (turn.signal.aborted) return 'stopped'
      turn.say(`${turn.text === '' ? '' : '\n\n'}${paragraph}`)
      found++
    }
  }
  if (found === 0) turn.say(nothingFound)
  if (note !== undefined) turn.say(`\n\n${note}`)
  if (turn.settings.providers.length === 0) turn.say(`\n\n${howToGetMore}`)
  turn.use(noUsage)
  return 'stop'
}

const nothingFound =
  'Nothing in the manual, the operations or the project fits these words. Ask with the name of a block, a tag, an operation or an error code, or read the manual: [/docs](/docs).'
const howToGetMore =
  '*This is the built-in answer from documentation and project. A language model can be connected: `PUT /api/assistant/settings`, see [the page about the assistant](/docs/assistant).*'

async function explainCodes(turn: Turn, question: string): Promise<string[]> {
  const { gateway } = turn.ctx
  const codes = await codesOf(gateway)
  const asked = wordsOf(question).flatMap((word) => {
    if (codes.has(word)) return [word]
    // A slip in a long code; a common word is not taken for one.
    const near = /[_-]/.test(word) ? nearest(word, codes) : undefined
    return near === undefined ? [] : [near]
  })
  const paragraphs: string[] = []
  for (const code of [...new Set(asked)].slice(0, mostCodes)) {
    const page = read(await turn.read(`code-${code}`, 'docs.get-error', { code }))
    if (page === undefined) continue
    paragraphs.push(
      `### ${String(page.title)} (\`${code}\`)\n\n${String(page.meaning)}\n\n**What to do:** ${String(page.remedy)}`,
    )
  }
  return paragraphs
}

async function quoteManual(turn: Turn, question: string): Promise<string[]> {
  const { searchManual } = await loadToolbox()
  const words = wordsOf(question).join(' ')
  if (words === '') return []
  const all = await searchManual(turn.ctx.gateway.registry, words, 4 * mostPages)
  // Operations and codes have parts of their own in the answer.
  const hits = all
    .filter(({ section }) => !/(^|-)reference$|^errors$|^codes$|^events$/.test(section))
    .slice(0, mostPages)
  if (hits.length === 0) return []
  const lines = hits.map(({ title, url, snippet }) => `- **[${title}](${url})**: ${snippet}`)
  return [`### In the manual\n\n${lines.join('\n')}`]
}

async function nameOperations(turn: Turn, question: string): Promise<string[]> {
  const { searchOperations, gatewayTools, curlExample } = await loadToolbox()
  const { gateway, actor } = turn.ctx
  const { catalogue } = gatewayTools(gateway)
  const allowed = new Set(catalogue.select({ toolsets: 'all', readOnly: false }, actor.access))
  const words = wordsOf(question).join(' ')
  const found = words === '' ? [] : await searchOperations(catalogue.operations, words)
  const lines = await Promise.all(
    found
      .filter((operation) => allowed.has(operation) && operation.http.length > 0)
      .slice(0, mostOperations)
      .map(async (operation) => {
        const call = curlExample(operation.http[0]!, operation, await buildSchema(operation.input))
        return `**${operation.title}** (\`${operation.id}\`)${changes(operation)}\n\n\`\`\`sh\n${call}\n\`\`\``
      }),
  )
  return lines.length === 0 ? [] : [`### Operations\n\n${lines.join('\n\n')}`]
}

function changes(operation: Operation): string {
  return operation.kind === 'command' ? '; with `"dryRun": true` it shows what it would do' : ''
}

/** Objects of the open project with the names that the question has. */
async function findObjects(turn: Turn, question: string): Promise<string[]> {
  const { gateway } = turn.ctx
  if (!currentProject(turn.ctx)) return []
  const names = wordsOf(question).sort((a, b) => nameLikeness(b) - nameLikeness(a))
  const rows = new Map<string, Record<string, unknown>>()
  for (const word of names.slice(0, mostWords)) {
    const result = await turn.read(`project-${rows.size}-${word}`, 'projects.search', { q: word, limit: mostObjects })
    if (result.state === 'failed' && /has not been indexed/.test(result.text)) return [notIndexed]
    const { results } = read(result) ?? {}
    for (const hit of Array.isArray(results) ? results.filter(isObject) : [])
      rows.set(JSON.stringify([hit.kind, hit.device, hit.name]), hit)
    if (turn.signal.aborted) break
  }
  const lines = [...rows.values()].slice(0, mostObjects).map((hit) => {
    const where = hit.device === undefined || hit.kind === 'device' ? '' : ` in ${quoted(hit.device)}`
    const call = readingCall(gateway.registry.routes, hit)
    return `- ${String(hit.kind)} ${quoted(hit.name)}${where}${call === undefined ? '' : `\n  \`\`\`sh\n  ${call}\n  \`\`\``}`
  })
  return lines.length === 0 ? [] : [`### In the project\n\n${lines.join('\n')}`]
}

const notIndexed =
  '### In the project\n\nThe open project is not indexed, so it cannot be searched. This indexes it:\n\n```sh\ncurl -X POST "$GANTRY/api/projects/actions/index" -H "X-API-Key: $KEY"\n```'

/** Words that look like names of a program are searched for first. */
function nameLikeness(word: string): number {
  return (/[_%#."]/.test(word) ? 4 : 0) + (/\d/.test(word) ? 2 : 0) + (/[A-Z]/.test(word) ? 1 : 0)
}

/** Where an object of a kind is read, and where its uses are found. */
const routeOf: Readonly<Record<string, { readonly path: string; readonly field: string }>> = {
  block: { path: '/api/devices/{deviceName}/blocks/{blockName}/cross-references', field: 'blockName' },
  udt: { path: '/api/devices/{deviceName}/udts/{udtName}/cross-references', field: 'udtName' },
  type: { path: '/api/devices/{deviceName}/udts/{udtName}/cross-references', field: 'udtName' },
  device: { path: '/api/devices/{deviceName}', field: 'deviceName' },
}

/** The call that reads an object, as far as its address follows from the hit. */
function readingCall(
  routes: readonly { method: string; path: string }[],
  hit: Record<string, unknown>,
): string | undefined {
  const wanted = routeOf[String(hit.kind)]
  if (wanted === undefined || !routes.some(({ method, path }) => method === 'GET' && path === wanted.path))
    return undefined
  const fields: Record<string, unknown> = { deviceName: hit.device, [wanted.field]: hit.name }
  const path = wanted.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(fields[name] ?? '')))
  // Percent-encoding leaves quotes alone, and the line is for a shell.
  return `curl "$GANTRY${path.replaceAll("'", '%27')}" -H "X-API-Key: $KEY"`
}

function read({ state, text }: { state: string; text: string }): Record<string, unknown> | undefined {
  if (state !== 'read') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
