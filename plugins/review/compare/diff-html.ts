/** A compare as one HTML page that loads nothing: tables of declarations, text and drawn networks side by side. */
import { diffLines } from 'diff'
import { escapeAttribute, escapeText } from '../../../lib/xml-text.ts'
import { readableDeclarations } from '../../../plc/formats/source/write.ts'
import type { ImportedObject } from '../../../plc/model/object.ts'
import { type ChangedObject, type DiffWithSides, diffKey } from './diff.ts'
import { countsText, moreText, omittedText } from './diff-text.ts'
import { type NetworkChange, type NetworkSide, networkChanges } from './network-changes.ts'

const style = `:root{color-scheme:light dark;--line:#cbd5e1;--muted:#64748b;--add:#dcfce7;--del:#fee2e2;--mod:#fef3c7}
@media(prefers-color-scheme:dark){:root{--line:#475569;--muted:#94a3b8;--add:#14532d;--del:#7f1d1d;--mod:#713f12}}
body{font:14px/1.5 system-ui,sans-serif;margin:0;padding:1rem 2rem}h2{border-top:1px solid var(--line);padding-top:1rem}
table{border-collapse:collapse;font-size:13px;margin:0 0 1rem}td,th{border:1px solid var(--line);padding:2px 8px;text-align:left;vertical-align:top;overflow-wrap:anywhere}
table.code{width:100%;table-layout:fixed;font:12px/1.45 ui-monospace,Menlo,Consolas,monospace}
table.code td{white-space:pre-wrap;border-width:0 1px}table.code .no{width:3rem;text-align:right;color:var(--muted)}
.added{background:var(--add)}.removed{background:var(--del)}.changed{background:var(--mod)}
.sides{display:grid;grid-template-columns:1fr 1fr;gap:8px;margin:0 0 1rem}
figure{margin:0;overflow-x:auto;background:#fff;padding:4px;border:1px solid var(--line)}figure.absent{background:none}
g.added{--mark:#86efac;color:#166534}g.removed{--mark:#fca5a5;color:#991b1b}g.changed{--mark:#fde68a;color:#92400e}
.note{color:var(--muted)}.key span{padding:1px 8px;margin-right:8px}`

export interface DiffHtmlOptions {
  /** Names of the sides, for the head of the page. */
  readonly left: string
  readonly right: string
  /** Language of titles and comments. */
  readonly culture: string
  /** So many objects; the others are counted. Default: all. */
  readonly mostObjects?: number
}

/** Writes the page. */
export function diffHtml({ diff, lefts, rights }: DiffWithSides, options: DiffHtmlOptions): string {
  const { left, right, culture, mostObjects = diff.objects.length } = options
  const { objects, same, unread } = diff
  const shown = objects.slice(0, mostObjects)
  const omitted = omittedText(objects.length, mostObjects)
  const title = `${left} → ${right}`
  const main = [
    `<h1>${escapeText(title)}</h1>`,
    `<p>${countsText(objects, same)}</p>`,
    '<p class="key"><span class="added">added</span><span class="removed">removed</span><span class="changed">changed</span></p>',
    table(
      ['Side', 'File', 'Cannot be read'],
      unread.map((one) => ['', one.side, `${one.file}:${one.line}:${one.column}`, one.message]),
    ),
    '<ul>',
    ...shown.map((one, i) => `<li><a href="#o${i + 1}">${headOf(one)}</a>`),
    '</ul>',
    ...(omitted === undefined ? [] : [`<p class="note">${omitted}</p>`]),
    ...shown.map((one, i) => {
      const [a, b] = [lefts.get(diffKey(one))?.object, rights.get(diffKey(one))?.object]
      return `<section id="o${i + 1}" data-object="${escapeAttribute(one.name)}"><h2>${headOf(one)}</h2>${objectPart(one, a, b, culture)}</section>`
    }),
  ]
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeText(title)}</title><style>${style}</style></head><body><main>${main.join('\n')}</main></body></html>\n`
}

function headOf({ kind, name, change, device, leftFile, rightFile }: ChangedObject): string {
  const file = rightFile ?? leftFile
  const place = file === undefined ? '' : ` <small class="note">${escapeText(file)}</small>`
  const of = device === undefined ? '' : ` of ${escapeText(device)}`
  return `<span class="${change}">${change === 'written' ? 'written differently' : change}</span> ${escapeText(kind)} ${escapeText(name)}${of}${place}`
}

function objectPart(
  object: ChangedObject,
  left: ImportedObject | undefined,
  right: ImportedObject | undefined,
  culture: string,
): string {
  const { change, differences } = object
  const more = moreText(object)
  const isNetwork = (path: string) => /^network \d+/.test(path)
  const rows = differences
    .filter(({ aspect, path }) => aspect !== 'code' || !isNetwork(path))
    .map((one) => [
      one.change,
      one.aspect === 'text' ? 'notation' : one.aspect,
      one.path,
      one.left ?? '',
      one.right ?? '',
    ])
  const only = right ?? left
  const declared =
    (change !== 'added' && change !== 'removed') || only === undefined
      ? ''
      : sides(...ends(change, readableDeclarations(only.kind, only.interface)))
  const isCode = change === 'added' || change === 'removed' || differences.some(({ aspect }) => aspect === 'code')
  return [
    table(['What', 'Where', 'Before', 'After'], rows),
    ...(more === undefined ? [] : [`<p class="note">${more}</p>`]),
    declared,
    ...(isCode ? networkChanges(left, right, culture).map(networkPart) : []),
  ].join('\n')
}

const ends = (change: 'added' | 'removed', text: string): [string | undefined, string | undefined] =>
  change === 'added' ? [undefined, text] : [text, undefined]

function networkPart({ change, title, left, right, sameElements }: NetworkChange): string {
  const names = [left, right].flatMap((one) => (one === undefined ? [] : [String(one.number)]))
  const head = `<h3><span class="${change}">${change}</span> Network ${[...new Set(names)].join(' → ')}${title === '' ? '' : `: ${escapeText(title)}`}</h3>`
  const isDrawn = left?.pictures !== undefined || right?.pictures !== undefined
  if (!isDrawn) return head + sides(left?.text, right?.text)
  const areCharts = [left, right].every((side) => side?.pictures !== undefined && side.text !== undefined)
  return [
    head,
    sameElements ? '<p class="note">The elements are the same; wires, labels or comments differ.</p>' : '',
    `<div class="sides">${figure(left)}${figure(right)}</div>`,
    areCharts ? sides(left?.text, right?.text) : '',
  ].join('')
}

function figure(side: NetworkSide | undefined): string {
  if (side === undefined) return '<figure class="absent"></figure>'
  if (side.pictures !== undefined) return `<figure>${side.pictures.join('')}</figure>`
  return `<figure><pre>${escapeText(side.text ?? '')}</pre></figure>`
}

/** Two texts in one table, a line beside its counterpart. An absent side is empty. */
function sides(left: string | undefined, right: string | undefined): string {
  const lines = (text: string | undefined) =>
    text === undefined ? '' : `${text.replace(/\r\n?/g, '\n').replace(/\n$/, '')}\n`
  const [a, b] = [lines(left), lines(right)]
  if (a.trim() === '' && b.trim() === '') return ''
  const rows: string[] = []
  let [i, j] = [0, 0]
  let gone: string[] = []
  let come: string[] = []
  const cell = (number: number | undefined, text: string | undefined, mark: string) =>
    text === undefined
      ? '<td class="no"></td><td></td>'
      : `<td class="no">${number}</td><td${mark === '' ? '' : ` class="${mark}"`}>${escapeText(text)}</td>`
  const flush = () => {
    for (let k = 0; k < Math.max(gone.length, come.length); k++) {
      const isBoth = k < gone.length && k < come.length
      const from = cell(k < gone.length ? ++i : undefined, gone[k], isBoth ? 'changed' : 'removed')
      const to = cell(k < come.length ? ++j : undefined, come[k], isBoth ? 'changed' : 'added')
      rows.push(`<tr>${from}${to}</tr>`)
    }
    gone = []
    come = []
  }
  for (const { value, added, removed } of diffLines(a, b)) {
    const list = value.replace(/\n$/, '').split('\n')
    if (removed) gone.push(...list)
    else if (added) come.push(...list)
    else {
      flush()
      for (const one of list) rows.push(`<tr>${cell(++i, one, '')}${cell(++j, one, '')}</tr>`)
    }
  }
  flush()
  return `<table class="code"><colgroup><col style="width:3rem"><col><col style="width:3rem"><col></colgroup>${rows.join('')}</table>`
}

/** The first entry of a row is its class, and is not shown. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const body = rows.map(([mark = '', ...cells]) => {
    const className = mark === '' ? '' : ` class="${mark === 'moved' ? 'changed' : mark}"`
    return `<tr${className}>${cells.map((one) => `<td>${escapeText(one)}</td>`).join('')}</tr>`
  })
  return `<table><tr>${head.map((one) => `<th>${escapeText(one)}</th>`).join('')}</tr>${body.join('')}</table>`
}
