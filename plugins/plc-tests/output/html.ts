/** Test results as one HTML page that loads nothing: failures with the trace of their variables, drawn. */

import { escapeAttribute, escapeText } from '../../../lib/xml-text.ts'
import { rangeOf, type TraceLine } from '../../../plc/program-tests/plot.ts'
import type { CaseResult } from '../../../plc/program-tests/run-case.ts'
import { ordinal, shownValue } from '../../../plc/program-tests/variables.ts'
import type { TestRun } from '../run.task.ts'
import { timeText } from './text.ts'

const style = `:root{color-scheme:light dark;--line:#cbd5e1;--muted:#64748b;--good:#15803d;--bad:#b91c1c}
@media(prefers-color-scheme:dark){:root{--line:#475569;--muted:#94a3b8;--good:#4ade80;--bad:#f87171}}
body{font:14px/1.5 system-ui,sans-serif;margin:0;padding:1rem 2rem}h2{border-top:1px solid var(--line);padding-top:1rem;font-size:16px}
table{border-collapse:collapse;font-size:13px}td,th{border:1px solid var(--line);padding:2px 8px;text-align:left;vertical-align:middle}
.passed{color:var(--good)}.failed,.error{color:var(--bad)}.skipped,.note{color:var(--muted)}
svg.plot{display:block}svg.plot path{fill:none;stroke:currentColor;stroke-width:1.5}li{overflow-wrap:anywhere}`

const [width, height, edge] = [400, 28, 3]

export function htmlOf({ results, faults, notes, skipped }: TestRun): string {
  const count = (wanted: CaseResult['status']) => results.filter(({ status }) => status === wanted).length
  const bad = results.filter(({ status }) => status !== 'passed')
  const row = ({ status, file, name, cycles, milliseconds }: CaseResult) =>
    `<tr><td class="${status}">${status}</td><td>${escapeText(file)}</td><td>${escapeText(name)}</td><td>${cycles}</td><td>${timeText(milliseconds)}</td></tr>`
  const list = (items: readonly string[]) =>
    items.length === 0 ? '' : `<ul>${items.map((one) => `<li>${escapeText(one)}</li>`).join('')}</ul>`
  const main = [
    '<h1>Tests</h1>',
    `<p>${count('passed')} passed, ${count('failed')} failed, ${count('error')} with errors${count('skipped') > 0 ? `, ${count('skipped')} skipped` : ''}${skipped > 0 ? `, ${skipped} not selected` : ''}</p>`,
    list([...faults.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`), ...notes]),
    ...bad.map(failurePart),
    '<h2>All cases</h2>',
    '<table><tr><th>Result</th><th>File</th><th>Case</th><th>Cycles</th><th>Virtual time</th></tr>',
    ...results.map(row),
    '</table>',
  ]
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Tests</title><style>${style}</style></head><body><main>${main.join('\n')}</main></body></html>\n`
}

function failurePart({ status, file, name, failures, trace, milliseconds }: CaseResult): string {
  const items = failures.map(
    ({ line, column, message, milliseconds: at = milliseconds }) =>
      `<li><code>${escapeText(`${file}:${line}:${column}`)}</code> at ${timeText(at)}: ${escapeText(message)}</li>`,
  )
  const rows = trace.map(
    (one) =>
      `<tr><td>${escapeText(one.path)}</td><td>${plotSvg(one)}</td><td>${escapeText(shownValue(one.values.at(-1) ?? null))}</td></tr>`,
  )
  const cycles = trace[0]?.values.length
  const table =
    cycles === undefined
      ? ''
      : `<table><tr><th>Variable</th><th>The last ${cycles === 1 ? 'cycle' : `${cycles} cycles`}</th><th>Last</th></tr>${rows.join('')}</table>`
  return `<section><h2><span class="${status}">${status}</span> ${escapeText(name)}</h2><ul>${items.join('')}</ul>${table}</section>`
}

/** Steps from value to value; what has no order is a line with marks where it changes. */
function plotSvg({ path, values }: TraceLine): string {
  const numbers = values.map((one) => Number(ordinal(one)))
  const isOrdered = numbers.every((one) => Number.isFinite(one))
  const step = (width - 2 * edge) / Math.max(1, values.length)
  const [low, high] = isOrdered ? rangeOf(values) : [0, 1]
  const y = (i: number) => {
    if (!isOrdered) return height / 2
    const share = high === low ? (values[i] === true ? 1 : 0) : ((numbers[i] ?? low) - low) / (high - low)
    return height - edge - share * (height - 2 * edge)
  }
  const line = values.map(
    (_one, i) =>
      `${i === 0 ? 'M' : 'L'}${(edge + i * step).toFixed(1)} ${y(i).toFixed(1)}H${(edge + (i + 1) * step).toFixed(1)}`,
  )
  const changes = isOrdered
    ? []
    : values.flatMap((one, i) =>
        i > 0 && shownValue(one) !== shownValue(values[i - 1] ?? null)
          ? [`M${(edge + i * step).toFixed(1)} ${edge}V${height - edge}`]
          : [],
      )
  return `<svg class="plot" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeAttribute(`${path} over the last cycles`)}"><path d="${[...line, ...changes].join('')}"/></svg>`
}
