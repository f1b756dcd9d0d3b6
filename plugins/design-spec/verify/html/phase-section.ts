/** The section of one phase: its steps and transitions, and each requirement with its checks. */
import { counted } from '../../../../lib/counted.ts'
import type { RowReport } from '../report.ts'
import type { Check } from '../run-script.ts'
import { type Content, type Html, html, table } from './html.ts'
import { meaning, type ReportedPhase, resultText, type StepNames, stepNamesOf } from './words.ts'

/** Writes the section of a phase. */
export function phaseSection(phase: ReportedPhase, number: number): Html {
  const place = 4 + number
  const names = stepNamesOf(phase)
  const steps = phase.steps.map((step) => [
    step.number,
    step.name,
    step.reached ? 'yes' : html`<span class="open">no</span>`,
  ])
  const transitions = phase.transitions.map(({ from, to, condition, taken, inputs }) => [
    `${from} to ${to}`,
    html`<code>${condition}</code>`,
    taken ? 'yes' : html`<span class="open">no</span>`,
    values(Object.entries(inputs), names),
  ])
  const isRecorded = phase.checks !== undefined || phase.rows.every(({ checks }) => checks === 0)
  const note = isRecorded
    ? ''
    : html`<p>The single checks of this phase are not listed: the report has too many already.</p>`
  return html`<section class="phase">
<h2>${place} Phase ${phase.phase}</h2>
<p>Block <code>${phase.blockName}</code>, result: ${resultText(phase.result)}</p>
<h3>${place}.1 Coverage of steps: ${phase.coverage.reached} of ${phase.coverage.total}</h3>
${table('steps', ['Step', 'Name', 'Active'], steps)}
<h3>${place}.2 Coverage of transitions</h3>
${transitions.length === 0 ? html`<p>The phase has none.</p>` : table('transitions', ['Steps', 'Condition', 'Taken', 'With these inputs'], transitions)}
<h3>${place}.3 Requirements</h3>
${note}
${requirements(phase, place, names)}
</section>`
}

function requirements(phase: ReportedPhase, place: number, steps: StepNames): Content {
  const checks = new Map<string, Check[]>()
  for (const check of phase.checks ?? []) {
    const known = checks.get(check.row)
    if (known) known.push(check)
    else checks.set(check.row, [check])
  }
  return phase.rows.map((row, i) => requirement(row, checks.get(row.row) ?? [], `${place}.3.${i + 1}`, steps))
}

function requirement(row: RowReport, checks: readonly Check[], place: string, steps: StepNames): Html {
  const missing =
    row.missing.length === 0
      ? ''
      : html`<p class="rule open">Not tested: ${row.missing.map(({ step, reason }) => `${step === 0 ? '' : `step ${step}: `}${reason}`).join('; ')}</p>`
  const rows = checks.map((check) => [
    check.scan,
    `${(check.time / 1000).toFixed(3)} s`,
    check.step === 0 ? 'idle' : check.step,
    html`${values(Object.entries(check.written), steps)}${check.note === undefined ? '' : html`<span class="remark">${check.note}</span>`}`,
    values(Object.entries(check.expected), steps),
    observed(check, steps),
    resultText(check.passed ? 'passed' : 'failed'),
  ])
  const counts = `${counted(row.checks, 'check')}${row.failed > 0 ? `, ${row.failed} failed` : ''}`
  return html`<h3>${place} ${row.row} <span class="kicker">(${counts})</span> ${resultText(row.result)}</h3>
<p class="rule">${row.rule}</p>
${missing}
${table('checks', ['Check', 'Time', 'Step', 'Stimulus', 'Expected', 'Observed', 'Result'], rows)}`
}

function observed({ expected, observed: seen }: Check, steps: StepNames): Content {
  return Object.entries(seen).map(([name, value]) => {
    const isRight = String(expected[name]) === String(value)
    return html`<span class="value mono${isRight ? '' : ' wrong'}">${name} = ${meaning(name, value, steps)}</span>`
  })
}

function values(entries: readonly (readonly [string, unknown])[], steps: StepNames): Content {
  if (entries.length === 0) return html`<span class="value">-</span>`
  return entries.map(([name, value]) => html`<span class="value mono">${name} = ${meaning(name, value, steps)}</span>`)
}
