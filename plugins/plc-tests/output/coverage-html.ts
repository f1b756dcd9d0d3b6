/** Coverage as one HTML page that loads nothing: code and drawn networks, with what ran. */

import { escapeAttribute, escapeText } from '../../../lib/xml-text.ts'
import { textIn } from '../../../plc/model/multilingual-text.ts'
import type { ImportedObject, Network } from '../../../plc/model/object.ts'
import { blockPicture } from '../../../plc/render/block-picture.ts'
import { type CoverageTotals, type CoveredBlock, type CoveredPoint, rateOf, type Share, totalsOf } from '../coverage.ts'

const style = `:root{color-scheme:light dark;--line:#cbd5e1;--muted:#64748b;--ran:#dcfce7;--missed:#fee2e2;--half:#fef3c7}
@media(prefers-color-scheme:dark){:root{--line:#475569;--muted:#94a3b8;--ran:#14532d;--missed:#7f1d1d;--half:#713f12}}
body{font:14px/1.5 system-ui,sans-serif;margin:0;padding:1rem 2rem}h2{border-top:1px solid var(--line);padding-top:1rem}
table{border-collapse:collapse;font-size:13px;margin:0 0 1rem}td,th{border:1px solid var(--line);padding:2px 8px;text-align:left;vertical-align:top}
td.number{text-align:right;font-variant-numeric:tabular-nums}
table.code{font:12px/1.45 ui-monospace,Menlo,Consolas,monospace}table.code td{white-space:pre-wrap;border-width:0 1px}
table.code .no,table.code .hits{text-align:right;color:var(--muted)}
.ran{background:var(--ran)}.missed{background:var(--missed)}.half{background:var(--half)}
figure{margin:0 0 .5rem;overflow-x:auto;background:#fff;padding:4px;border:1px solid var(--line)}
g.ran{--mark:#86efac;color:#166534}g.missed{--mark:#fca5a5;color:#991b1b}g.half{--mark:#fde68a;color:#92400e}
g.ran>.box{fill:#dcfce7}g.missed>.box{fill:#fee2e2}
.note{color:var(--muted)}.key span{padding:1px 8px;margin-right:8px}`

export interface CoveragePage {
  readonly title: string
  /** Language of titles and comments. */
  readonly culture: string
  readonly objects: ReadonlyMap<string, ImportedObject>
}

type State = 'ran' | 'half' | 'missed'

export function coveragePage(blocks: readonly CoveredBlock[], { title, culture, objects }: CoveragePage): string {
  const row = (name: string, { statements, branches, conditions }: CoverageTotals) =>
    `<tr><td>${name}</td>${[statements, branches, conditions].map((one) => `<td class="number">${shareText(one)}</td>`).join('')}</tr>`
  const main = [
    `<h1>Coverage: ${escapeText(title)}</h1>`,
    '<p class="key"><span class="ran">ran</span><span class="half">only TRUE or only FALSE, or one way of a branch</span><span class="missed">did not run</span></p>',
    '<table><tr><th>Block</th><th>Statements</th><th>Branches</th><th>Conditions</th></tr>',
    ...blocks.map((one, i) => row(`<a href="#b${i + 1}">${escapeText(one.block)}</a>`, totalsOf([one]))),
    row('<b>All</b>', totalsOf(blocks)),
    '</table>',
    ...blocks.map((one, i) => {
      const object = objects.get(one.block)
      const head = `<h2 id="b${i + 1}">${escapeText(one.kind)} ${escapeText(one.block)} <small class="note">${escapeText(one.file)}:${one.line}</small></h2>`
      return `<section data-block="${escapeAttribute(one.block)}">${head}${object ? blockPart(one, object, culture) : ''}</section>`
    }),
  ]
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Coverage: ${escapeText(title)}</title><style>${style}</style></head><body><main>${main.join('\n')}</main></body></html>\n`
}

export function shareText(share: Share): string {
  return share.all === 0 ? '–' : `${(100 * rateOf(share)).toFixed(1)} % (${share.covered}/${share.all})`
}

function stateOf(points: readonly Pick<CoveredPoint, 'hits'>[]): State {
  const hits = points.flatMap((one) => one.hits)
  return hits.every((count) => count > 0) ? 'ran' : hits.some((count) => count > 0) ? 'half' : 'missed'
}

function blockPart({ points }: CoveredBlock, object: ImportedObject, culture: string): string {
  return object.networks
    .map((network) => {
      const own = points.filter((one) => one.network === network.number)
      if (network.chart) return chartPart(object, network, own, culture)
      if (network.graph) return graphPart(object, network, own, culture)
      return textPart(network, own, culture)
    })
    .join('\n')
}

function graphPart(object: ImportedObject, network: Network, points: readonly CoveredPoint[], culture: string): string {
  const marks = new Map<number, string>()
  for (const one of points) if (one.uId !== undefined) marks.set(one.uId, stateOf([one]))
  const svg = blockPicture(object, network.number, culture, marks)?.svg
  return `${svg === undefined ? '' : `<figure>${svg}</figure>`}${missingList(points, network)}`
}

/** What no case reached, in words: the colours alone say it to nobody who does not see them. */
function missingList(points: readonly CoveredPoint[], { graph, number, parts }: Network): string {
  const network = points.find(({ kind }) => kind === 'statement')
  if (network && stateOf([network]) === 'missed') return `<p class="note">Network ${number} did not run.</p>`
  const nameOf = (uId: number | undefined) => {
    const node = graph?.nodes.find((one) => one.uId === uId)
    const signal = parts.find((one) => one.uId === uId)?.signal ?? ''
    return `${node === undefined ? `element ${uId}` : 'name' in node ? node.name : 'element'}${signal === '' ? '' : ` ${signal}`}`
  }
  const items = points.flatMap(({ kind, uId, element, hits: [first = 0, second] }) => {
    const what = `${element === undefined ? '' : `${element}: `}${nameOf(uId)}`
    if (kind === 'box') return first === 0 ? [`${what} did not run`] : []
    if (kind !== 'condition' || second === undefined || (first > 0 && second > 0)) return []
    return [`${what} was never ${first === 0 && second === 0 ? 'evaluated' : first === 0 ? 'TRUE' : 'FALSE'}`]
  })
  return items.length === 0 ? '' : `<p class="note">${items.map(escapeText).join('; ')}</p>`
}

function chartPart(object: ImportedObject, network: Network, points: readonly CoveredPoint[], culture: string): string {
  const states = new Map<string, State>()
  const missed: string[] = []
  for (const one of points) {
    if (one.action !== undefined && one.kind === 'statement' && stateOf([one]) === 'missed')
      missed.push(`${one.element}: ${one.action}`)
    if (one.kind !== 'step' && one.kind !== 'transition') continue
    const state = stateOf([one])
    const number = /\d+/.exec(one.element ?? '')?.[0] ?? ''
    states.set(`data-${one.kind}="${number}"`, state)
    if (state === 'missed') missed.push(one.element ?? '')
  }
  const drawn = (network.chart?.sequences ?? []).map((_one, i) => {
    const svg = blockPicture(object, i + 1, culture)?.svg ?? ''
    const marked = svg.replace(/data-(?:step|transition)="\d+"/g, (found) => {
      const state = states.get(found)
      return state === undefined ? found : `${found} class="${state}"`
    })
    return `<figure>${marked}</figure>`
  })
  const texts = missed.length === 0 ? '' : `<p class="note">Never reached: ${missed.map(escapeText).join(', ')}</p>`
  return `${drawn.join('\n')}${texts}${missingList(
    points.filter(({ kind }) => kind === 'condition'),
    network,
  )}`
}

function textPart({ text = '', number, title }: Network, points: readonly CoveredPoint[], culture: string): string {
  const lines = new Map<number, CoveredPoint[]>()
  for (const one of points) {
    const line = one.line ?? 1
    lines.set(line, [...(lines.get(line) ?? []), one])
  }
  const rows = text.split('\n').map((line, i) => {
    const own = lines.get(i + 1) ?? []
    const [state, hits] =
      own.length === 0 ? ['', ''] : [stateOf(own), String(Math.max(...own.flatMap((one) => one.hits)))]
    return `<tr class="${state}"><td class="no">${i + 1}</td><td class="hits">${hits}</td><td>${escapeText(line)}${branchNote(own)}</td></tr>`
  })
  const named = textIn(title, culture)
  return `<h3>Network ${number}${named === '' ? '' : `: ${escapeText(named)}`}</h3><table class="code">${rows.join('')}</table>`
}

function branchNote(points: readonly CoveredPoint[]): string {
  const notes = points.flatMap(({ kind, hits: [taken = 0, missed] }) => {
    if (kind !== 'loop' && kind !== 'branch') return []
    const [notTaken, notMissed] =
      kind === 'loop'
        ? ['never entered', 'never skipped']
        : [missed === undefined ? 'never chosen' : 'never TRUE', 'never FALSE']
    if (taken > 0) return missed === 0 ? [notMissed] : []
    return [missed === 0 ? 'never reached' : notTaken]
  })
  return notes.length === 0 ? '' : ` <span class="note">// ${notes.join(', ')}</span>`
}
