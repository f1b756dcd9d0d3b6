/**
 * The documentation of a program as one HTML file without anything from elsewhere: networks and sequences are drawn.
 */

import { escapeAttribute, escapeText } from '../../lib/xml-text.ts'
import { contentText } from '../edit/content-text.ts'
import { textIn } from '../model/multilingual-text.ts'
import type { ImportedObject } from '../model/object.ts'
import { networkPictures } from '../render/block-picture.ts'
import { callTree, type DocumentedProgram, ioList, type ProgramFacts, usersOf } from './facts.ts'
import { type DocumentOptions, interfaceRows, sharedName } from './markdown.ts'

const style = `:root{color-scheme:light dark;--line:#cbd5e1;--muted:#64748b}
body{font:14px/1.5 system-ui,sans-serif;margin:0;display:grid;grid-template-columns:16rem 1fr}
nav{position:sticky;top:0;height:100vh;overflow:auto;box-sizing:border-box;padding:1rem;border-right:1px solid var(--line)}
nav ul{list-style:none;margin:0 0 1rem;padding:0}nav b{color:var(--muted)}nav a{text-decoration:none;overflow-wrap:anywhere}
main{padding:1rem 2rem;min-width:0}h2{border-top:1px solid var(--line);padding-top:1rem}
table{border-collapse:collapse;font-size:13px;margin:0 0 1rem}td,th{border:1px solid var(--line);padding:2px 8px;text-align:left;vertical-align:top}
pre{overflow:auto;border:1px solid var(--line);padding:8px;font:12px/1.45 ui-monospace,Menlo,Consolas,monospace}
figure{margin:0 0 1rem;overflow-x:auto;background:#fff;padding:4px}.tree{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:13px}
.note{color:var(--muted)}@media print{body{display:block}nav{display:none}figure,table{break-inside:avoid}}`

/** Writes whole programs as one HTML page; several have a heading each. */
export function htmlOf(programs: readonly DocumentedProgram[], { title, culture }: DocumentOptions): string {
  const parts = programs.map(({ name = sharedName, facts }, i) => {
    const prefix = programs.length > 1 ? `p${i + 1}-` : ''
    const { main, nav } = programPart(facts, culture, prefix)
    if (prefix === '') return { main, nav }
    return {
      main: `<h1 id="${prefix}top">${escapeText(name)}</h1>\n${main}`,
      nav: `<details><summary><a href="#${prefix}top">${escapeText(name)}</a></summary>${nav}</details>`,
    }
  })
  const main = [`<h1>${escapeText(title)}</h1>`, ...parts.map((one) => one.main)].join('\n')
  const nav = parts.map((one) => one.nav).join('')
  return `<!doctype html>\n<html lang="${escapeAttribute(culture)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeText(title)}</title><style>${style}</style></head><body><nav aria-label="Contents">${nav}</nav><main>${main}</main></body></html>\n`
}

/**
 * The networks of blocks as one HTML page: drawn, or as text in a text language.
 * @param culture language of titles and comments
 */
export function blocksPage(blocks: readonly ImportedObject[], { title, culture }: DocumentOptions): string {
  const parts = blocks.flatMap((block) => [
    `<h1>${escapeText(`${block.kind} ${block.name}`)}</h1>`,
    ...(block.isKnowHowProtected
      ? ['<p class="note">The block is know-how protected: only its interface is shown.</p>']
      : networks(block, culture)),
  ])
  const body = `<main style="grid-column:1/-1">${parts.join('\n')}</main>`
  return `<!doctype html>\n<html lang="${escapeAttribute(culture)}"><head><meta charset="utf-8"><title>${escapeText(title)}</title><style>${style}</style></head><body>${body}</body></html>\n`
}

/** @param prefix of ids, which are one page's */
function programPart(facts: ProgramFacts, culture: string, prefix: string): { main: string; nav: string } {
  const ids = new Map(facts.objects.map((object, i) => [object, `${prefix}o${i + 1}`]))
  const link = (object: ImportedObject) => `<a href="#${ids.get(object)}">${escapeText(object.name)}</a>`
  const text = (texts: Readonly<Record<string, string>>) => escapeText(textIn(texts, culture))
  const main = [
    `<h2 id="${prefix}objects">Objects</h2>`,
    table(
      ['Name', 'Kind', 'Number', 'Language', 'Title'],
      facts.objects.map((one) => [link(one), one.kind, String(one.number ?? ''), one.language, text(one.title)]),
    ),
    `<h2 id="${prefix}calls">Call tree</h2>`,
    `<div class="tree">${callTree(facts)
      .map(
        ({ block, depth, isRepeated }) =>
          `<div style="padding-left:${depth * 1.5}rem">${link(block)}${isRepeated ? ' <span class="note">see above</span>' : ''}</div>`,
      )
      .join('')}</div>`,
    `<h2 id="${prefix}io">Inputs and outputs</h2>`,
    table(
      ['Address', 'Name', 'Type', 'Table', 'Comment', 'Used by'],
      ioList(facts).map((row) => [
        ...[
          escapeText(row.address),
          escapeText(row.name),
          escapeText(row.dataType),
          link(row.table),
          text(row.comment),
        ],
        row.usedBy.map(link).join(', '),
      ]),
    ),
    ...facts.objects.map((object) => objectPart(object, facts, culture, ids.get(object) ?? '', link)),
  ]
  const kinds = [...new Set(facts.objects.map(({ kind }) => kind))]
  const contents = kinds.map((kind) => {
    const links = facts.objects.filter((one) => one.kind === kind).map((one) => `<li>${link(one)}</li>`)
    return `<b>${kind}</b><ul>${links.join('')}</ul>`
  })
  const nav = `<ul><li><a href="#${prefix}objects">Objects</a></li><li><a href="#${prefix}calls">Call tree</a></li><li><a href="#${prefix}io">Inputs and outputs</a></li></ul>${contents.join('')}`
  return { main: main.join('\n'), nav }
}

function objectPart(
  object: ImportedObject,
  facts: ProgramFacts,
  culture: string,
  id: string,
  link: (object: ImportedObject) => string,
): string {
  const text = (texts: Readonly<Record<string, string>>) => escapeText(textIn(texts, culture))
  const users = usersOf(facts, object)
  const uses = facts.usesOf.get(object) ?? []
  const paragraph = (content: string) => (content === '' ? '' : `<p>${content.replace(/\r?\n/g, '<br>')}</p>`)
  return [
    `<h2 id="${id}">${object.kind} ${escapeText(object.name)}</h2>`,
    paragraph(text(object.title)),
    paragraph(text(object.comment)),
    object.isKnowHowProtected
      ? '<p class="note">The block is know-how protected: only its interface is shown.</p>'
      : '',
    users.length > 0 ? `<p>Used by ${users.map(link).join(', ')}</p>` : '',
    uses.length > 0 ? `<p>Uses ${uses.map(link).join(', ')}</p>` : '',
    table(
      ['Section', 'Name', 'Type', 'Start value', 'Comment'],
      interfaceRows(object, culture).map((row) => row.map(escapeText)),
    ),
    table(
      ['Name', 'Type', 'Address', 'Comment'],
      (object.tags ?? []).map((tag) => [
        ...[escapeText(tag.name), escapeText(tag.dataType), escapeText(tag.logicalAddress), text(tag.comment)],
      ]),
    ),
    table(
      ['Constant', 'Type', 'Value', 'Comment'],
      (object.constants ?? []).map((one) => [
        ...[escapeText(one.name), escapeText(one.dataType), escapeText(one.value), text(one.comment)],
      ]),
    ),
    ...(object.isKnowHowProtected ? [] : networks(object, culture)),
  ].join('\n')
}

function networks(object: ImportedObject, culture: string): string[] {
  const { networks: texts = [], sourceText } = contentText(object, culture)
  if (object.networks.length === 0) return []
  if (sourceText !== undefined && object.networks.every(({ graph, chart }) => !graph && !chart))
    return [`<pre>${escapeText(sourceText)}</pre>`]
  return object.networks.flatMap((network, i) => {
    const pictures = networkPictures(object, i, culture)
    if (pictures.length > 0) return pictures.map((svg) => `<figure>${svg}</figure>`)
    const shown = texts[i]
    const title = shown?.title === undefined ? '' : `: ${escapeText(shown.title)}`
    const code = shown?.text ?? network.text ?? ''
    const body = code.trim() === '' ? '<p class="note">The network is empty.</p>' : `<pre>${escapeText(code)}</pre>`
    return [`<h3>Network ${network.number}${title}</h3>${body}`]
  })
}

/** @param rows of HTML */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  return `<table>${row(head, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table>`
}
