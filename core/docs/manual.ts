/**
 * The manual: pages of the gateway and of the plugins, for each plugin a page made from its operations' declarations,
 * and the pages of the repository.
 */

import { sortableList } from '../calls/sorted-list.ts'
import { type CodeTable, codeTables } from '../contract/code-tables.ts'
import type { DomainEvent } from '../contract/event.ts'
import { accessOf, type Operation } from '../contract/operation.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { ProblemDefinition } from '../contract/problems.ts'
import { buildSchema } from '../contract/schema.ts'
import type { Registry } from '../plugins/registry.ts'
import { corePages } from './pages.ts'
import { parametersOf, typeText } from './parameters.ts'
import { pointsText } from './points.ts'
import { repositoryPages, repositoryPageText } from './repository-pages.ts'
import { curlExample } from './samples.ts'

/** The parts of the manual: how Gantry is used, all that it offers, and how it works. */
export const manualParts = ['Guide', 'Reference', 'Background'] as const

/** Pages of the browser's manual that are no sections (`http/pages.ts`). */
const reservedNames = ['reference', 'reference.js', 'key.js', 'search', 'manual.css', 'manual.js']

/** Pages of the gateway that come after those of plugins: a page of a plugin does not take their names. */
const laterNames = new Set([
  'errors',
  'codes',
  'events',
  'extension-points',
  ...repositoryPages.map(({ name }) => name),
])

export interface Section {
  /** The `sectionName` in `GET /api/docs/sections/{sectionName}`; unique. */
  readonly name: string
  readonly title: string
  /** The plugin it belongs to; `core` for the gateway's own. */
  readonly plugin: string
  readonly part: (typeof manualParts)[number]
  /** The file of the repository that it is, by its path from the root. */
  readonly file?: string
  /** Markdown, with the title as first heading. */
  text(): Promise<string>
}

/** All sections in reading order. Their texts are made on request. */
export function sectionsOf(registry: Registry): Section[] {
  const names = new Set<string>(reservedNames)
  const sections: Section[] = []
  type Place = Pick<Section, 'title' | 'plugin' | 'part' | 'file'>
  const add = (wanted: string, place: Place, body: () => string | Promise<string>) => {
    const { title, plugin } = place
    let name = wanted
    const isTaken = () => names.has(name) || (plugin !== 'core' && laterNames.has(name))
    // Two plugins may choose the same page name.
    for (let n = 2; isTaken(); n++) name = n === 2 && plugin !== 'core' ? `${plugin}-${wanted}` : `${wanted}-${n}`
    names.add(name)
    sections.push({ ...place, name, text: async () => `# ${title}\n\n${(await body()).trim()}\n` })
  }
  const core = { plugin: 'core', part: 'Guide' } as const
  const addRepository = (part: Section['part']) => {
    for (const page of repositoryPages)
      if (page.part === part)
        add(page.name, { ...core, title: page.title, part, file: page.file }, () => repositoryPageText(page))
  }
  addRepository('Guide')
  for (const { name, title, text } of corePages) add(name, { ...core, title }, () => textOf(text))
  for (const { name, title, plugin, text } of registry.docs)
    add(name, { title, plugin, part: 'Guide' }, () => textOf(text))
  for (const plugin of registry.plugins) {
    const { name, operations = [] } = plugin
    const place = { title: `Reference: ${name}`, plugin: name, part: 'Reference' } as const
    if (operations.length > 0) add(`${name}-reference`, place, () => referenceText(plugin))
  }
  add('errors', { ...core, title: 'Errors', part: 'Reference' }, () => errorsText(registry.problems))
  add('codes', { ...core, title: 'Codes', part: 'Reference' }, () => codesText(registry.extensions(codeTables)))
  add('events', { ...core, title: 'Events', part: 'Reference' }, () => eventsText(registry.events))
  const points = { ...core, title: 'Extension points', part: 'Reference' } as const
  add('extension-points', points, () => pointsText(registry.points))
  addRepository('Background')
  return sections
}

async function textOf(text: string | (() => string | Promise<string>)): Promise<string> {
  return typeof text === 'string' ? text : text()
}

/** The whole manual as one Markdown text: a table of contents, then all sections. */
export async function manualText(registry: Registry, version: string): Promise<string> {
  const sections = sectionsOf(registry)
  const texts = await Promise.all(sections.map((section) => section.text()))
  const contents = sections.map(({ name, title }) => `- [${title}](#${name})`).join('\n')
  const body = sections.map(({ name }, i) => `<a id="${name}"></a>\n\n${texts[i]}`).join('\n')
  return `Gantry ${version}: manual\n\n${contents}\n\n${body}`
}

async function referenceText(plugin: Plugin): Promise<string> {
  const parts = await Promise.all((plugin.operations ?? []).map(operationText))
  return [plugin.description, ...parts].filter(Boolean).join('\n\n')
}

/** One operation: routes, description, parameters, an example. */
async function operationText(operation: Operation): Promise<string> {
  const schema = await buildSchema(operation.input)
  const lines = [`## ${operation.title}`, '']
  for (const { method, path, mode } of operation.http) {
    lines.push(`- \`${method} ${path}\`${mode === 'async' ? ' (asynchronous: answers with a job)' : ''}`)
  }
  const facts = [`operation \`${operation.id}\``, `access \`${accessOf(operation)}\``]
  if (operation.mcp) facts.push(`toolset \`${operation.mcp.toolset}\``)
  if (operation.needsInstance) facts.push('needs an attached engineering instance')
  if (operation.kind !== 'stream' && operation.produces) {
    const { produces, accepts } = operation
    facts.push(accepts ? `answers JSON, or \`${produces}\` where \`Accept\` asks for it` : `answers \`${produces}\``)
  }
  lines.push('', `${facts.join(', ')}.`)
  if (operation.kind === 'command' && operation.streams) lines.push('', eventsOf(operation.streams))
  if (operation.description) lines.push('', operation.description.trim())
  const [route] = operation.http
  if (!route) return lines.join('\n')
  const parameters = parametersOf(route, operation, schema, await sortableList(operation)).filter(
    (p) => p.name !== 'dryRun',
  )
  if (parameters.length > 0) {
    lines.push('', '| parameter | in | type | |', '|---|---|---|---|')
    for (const p of parameters) {
      const notes = [
        p.required ? 'required' : '',
        p.schema.description ?? '',
        p.aliases ? `also: ${p.aliases.join(', ')}` : '',
      ]
      lines.push(
        `| \`${p.name}\` | ${p.in} | ${cell(typeText(p.schema))} | ${cell(notes.filter(Boolean).join('; '))} |`,
      )
    }
  }
  lines.push('', '```sh', curlExample(route, operation, schema), '```')
  return lines.join('\n')
}

/** How a command is followed. */
function eventsOf(streams: Readonly<Record<string, string>>): string {
  const rows = Object.entries(streams).map(([name, text]) => `| \`${name}\` | ${cell(text)} |`)
  return [
    'Answers server-sent events as it runs, or JSON where `Accept: application/json` asks for it:',
    '',
    '| event | |',
    '|---|---|',
    ...rows,
    '| `done` | The end: the result, as JSON clients get it. |',
    '| `error` | A problem. As the last event: the command has failed. |',
  ].join('\n')
}

/** Text inside a table cell. */
const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')

function errorsText(problems: ReadonlyMap<string, ProblemDefinition>): string {
  const rows = [...problems].sort(([a, x], [b, y]) => x.status - y.status || (a < b ? -1 : 1))
  return [
    'Every error is a problem document (RFC 9457) with these members: `type` (address of the page of its code), `title`, `status`, `detail` (what, where, what would be right), `code`, `instance` (path of the request), and where they apply `jobId`, `errors` (one entry for each fault, with `path` or `line` and `column`) and `suggestion`. A `code` in an entry of `errors` is explained on the page *Codes*.',
    ...rows.map(
      ([code, { status, title, meaning, remedy, example }]) =>
        `## ${code}\n\n**${status}** ${title}. ${meaning}\n\nWhat to do: ${remedy}\n\nExample: ${example}`,
    ),
  ].join('\n\n')
}

async function codesText(tables: readonly CodeTable[]): Promise<string> {
  const parts = await Promise.all(
    tables.map(async ({ title, codes }) => {
      const rows = [...(await codes())].map(([code, row]) => {
        const example = row.example === undefined ? '' : `\n\nExample:\n\n\`\`\`\n${row.example.trim()}\n\`\`\``
        return `### ${code}\n\n**${row.severity}** ${row.title}. ${row.meaning}\n\nWhat to do: ${row.remedy}${example}`
      })
      return [`## ${title}`, ...rows].join('\n\n')
    }),
  )
  return [
    'A `code` that is not of a problem (page *Errors*) stands in an entry of `errors`, in a message of the compiler or in a diagnostics buffer. `GET /api/errors/{code}` explains each.',
    ...parts,
  ].join('\n\n')
}

function eventsText(events: readonly DomainEvent<unknown>[]): string {
  const rows = [...events].sort((a, b) => (a.type < b.type ? -1 : 1))
  return [
    'What commands change is kept as events. They are read in the audit (`GET /api/audit`) and followed as server-sent events (`GET /api/events`, resumed with `Last-Event-ID`).',
    ['| event | |', '|---|---|', ...rows.map(({ type, title }) => `| \`${type}\` | ${cell(title)} |`)].join('\n'),
  ].join('\n\n')
}
