/**
 * The built-in model `gantry/docs`: answers without any provider, from the manual, the codes, the operations and the
 * index of the open project. It only searches and quotes: it changes nothing, and no text that it finds can make it do
 * anything.
 */
import { isObject, nearest, type Operation } from '../../core/index.ts'
import { loadToolbox } from '../../core/services.ts'
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
/** Objects whose uses are looked up, and users of each that are named. */
const mostUsed = 3
const mostUsers = 5
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

/** Operations that fit, each with the form of the studio that tries it out and runs it, and its address for clients. */
async function nameOperations(turn: Turn, question: string): Promise<string[]> {
  const { searchOperations, gatewayTools } = await loadToolbox()
  const { gateway, actor } = turn.ctx
  const { catalogue } = gatewayTools(gateway)
  const allowed = new Set(catalogue.select({ toolsets: 'all', readOnly: false }, actor.access))
  // A quoted name is that of an object, whatever it means: "Lamp" asks for no lamp of a screen.
  const words = wordsOf(question.replace(/"[^"\n]*"/g, ' ')).join(' ')
  const found = words === '' ? [] : await searchOperations(catalogue.operations, words)
  const lines = found
    .filter((operation) => allowed.has(operation) && operation.http.length > 0)
    .slice(0, mostOperations)
    .map((operation) => {
      const { method, path } = operation.http[0]!
      return `- **[${operation.title}](${formOf(operation.id)})** (\`${operation.id}\`, \`${method} ${path}\`)${changes(operation)}`
    })
  return lines.length === 0 ? [] : [`### Operations\n\n${lines.join('\n')}`]
}

/** The form of an operation in the studio. */
const formOf = (operation: string) => `/#/command/${operation}`

function changes(operation: Operation): string {
  return operation.kind === 'command' ? ': tried out before it runs' : ''
}

/** Objects of the open project with the names that the question has. */
async function findObjects(turn: Turn, question: string): Promise<string[]> {
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
  const lines: string[] = []
  for (const hit of [...rows.values()].slice(0, mostObjects)) {
    const where = hit.device === undefined || hit.kind === 'device' ? '' : ` in ${quoted(hit.device)}`
    const place = placeOf(hit)
    const uses = turn.signal.aborted || lines.length >= mostUsed ? '' : await usesOf(turn, hit)
    lines.push(`- ${String(hit.kind)} ${quoted(hit.name)}${where}${place && `: [open](${place})`}${uses}`)
  }
  return lines.length === 0 ? [] : [`### In the project\n\n${lines.join('\n')}`]
}

const notIndexed = `### In the project\n\nThe open project is not indexed, so it cannot be searched. [Index the project](${formOf('projects.index')}) (\`POST /api/projects/actions/index\`), then ask again.`

/** Words that look like names of a program are searched for first. */
function nameLikeness(word: string): number {
  return (/[_%#."]/.test(word) ? 4 : 0) + (/\d/.test(word) ? 2 : 0) + (/[A-Z]/.test(word) ? 1 : 0)
}

/** Percent-encoded also where Markdown would end the address. */
const encoded = (text: unknown) =>
  encodeURIComponent(String(text)).replace(/[()'*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)

/** Where the studio shows an object; empty for kinds that it has no place for. */
function placeOf({ kind, name, device }: Record<string, unknown>): string {
  const inStation = `/#/project/${encoded(device)}`
  switch (kind) {
    case 'block':
      return `/#/program/${encoded(device)}/${encoded(name)}`
    case 'device':
      return `/#/project/${encoded(name)}`
    case 'type':
    case 'udt':
      return `${inStation}/types/${encoded(name)}`
    case 'tag':
      return `${inStation}/tags?filter=${encoded(name)}`
    case 'tag-table':
      return `${inStation}/tags/${encoded(name)}`
    case 'watch-table':
    case 'force-table':
      return `${inStation}/watch/${encoded(name)}`
    default:
      return ''
  }
}

/** The operation that tells the uses of an object, with its input. */
function referencesOf({ kind, name, device, path }: Record<string, unknown>) {
  const at = { deviceName: device }
  if (kind === 'block') return ['blocks.cross-references', { ...at, blockName: name }] as const
  if (kind === 'type' || kind === 'udt') return ['types.cross-references', { ...at, udtName: name }] as const
  const tableName = String(path ?? '').replace(/^.*\//, '')
  return kind === 'tag' ? (['tags.cross-references', { ...at, tableName, tagName: name }] as const) : undefined
}

/** `; used by Main (network 1), …`: read from the program. */
async function usesOf(turn: Turn, hit: Record<string, unknown>): Promise<string> {
  const wanted = referencesOf(hit)
  if (wanted === undefined) return ''
  const [operation, input] = wanted
  const answer = read(await turn.read(`uses-${String(hit.kind)}-${String(hit.name)}`, operation, input))
  if (answer === undefined) return ''
  const { sources = [] } = answer as {
    sources?: readonly { typeName: string; referenceObjects?: readonly Users[] }[]
  }
  const users = new Map<string, { user: Users; networks: Set<number> }>()
  for (const user of sources.flatMap(({ referenceObjects = [] }) => referenceObjects)) {
    const places = user.locations.filter(({ referenceType }) => referenceType === 'UsedBy')
    if (places.length === 0) continue
    const known = users.get(user.name) ?? { user, networks: new Set() }
    for (const { network } of places) if (network !== undefined) known.networks.add(network)
    users.set(user.name, known)
  }
  // An organization block is called by the operating system.
  if (users.size === 0) return /^OB\b/.test(sources[0]?.typeName ?? '') ? '' : '; nothing uses it'
  const told = [...users.values()].slice(0, mostUsers).map(({ user: { name, typeName }, networks }) => {
    const [first] = networks
    if (first === undefined || !/^(OB|FB|FC)\b/.test(typeName)) return quoted(name)
    const place = `/#/program/${encoded(hit.device)}/${encoded(name)}?network=${first}`
    return `[${quoted(name)}](${place}) (network ${[...networks].join(', ')})`
  })
  const more = users.size > mostUsers ? ` and ${users.size - mostUsers} more` : ''
  return `; used by ${told.join(', ')}${more}`
}

/** An object that uses another one, as cross-references tell it. */
interface Users {
  readonly name: string
  readonly typeName: string
  readonly locations: readonly { readonly referenceType: string; readonly network?: number }[]
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
