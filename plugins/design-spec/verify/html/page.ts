/**
 * The report of a verification as one HTML file: no scripts, no other files, and a content security policy that allows
 * nothing but its own style (CSP level 3, https://www.w3.org/TR/CSP3/).
 */
import { createHash } from 'node:crypto'
import type { PhaseReport } from '../report.ts'
import { type Content, Html, html, table } from './html.ts'
import { phaseSection } from './phase-section.ts'
import { reportStyle } from './style.ts'
import { countsOf, meaning, type ReportedPhase, resultText, type StepNames, stepNamesOf, verdictOf } from './words.ts'

/** What the report says beside the results. */
export interface ReportFacts {
  readonly project: string
  readonly customer?: string
  /** Unit types with their place in the plant. */
  readonly units: readonly string[]
  readonly specFile: string
  /** SHA-256 of the spec. */
  readonly specHash: string
  readonly gantryVersion: string
  /** Milliseconds since the epoch. */
  readonly time: number
  /** Who ran it. */
  readonly actor: string
  readonly tester?: string
  readonly device?: string
  /** Phases of the spec that were not chosen. */
  readonly leftOut: readonly string[]
  /** Identifies the report. */
  readonly id: string
}

/** Writes the report. The same results and facts give the same bytes. */
export function reportPage(phases: readonly ReportedPhase[], facts: ReportFacts): string {
  const hash = createHash('sha256').update(reportStyle).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Verification report - ${facts.project} - ${facts.specFile}</title>
<style>${new Html(reportStyle)}</style>
</head>
<body>
${titlePage(phases, facts)}
${summary(phases)}
${deviations(phases)}
${notTested(phases, facts)}
${method(facts)}
${phases.map((phase, i) => phaseSection(phase, i + 1))}
${signatures(facts)}
</body>
</html>
`
  return page.text
}

function titlePage(phases: readonly ReportedPhase[], facts: ReportFacts): Html {
  const verdict = verdictOf(phases)
  const time = new Date(facts.time).toISOString()
  const rows: (readonly [string, Content] | undefined)[] = [
    ['Project', facts.project],
    facts.customer === undefined ? undefined : ['Customer', facts.customer],
    ['Unit', facts.units.join('; ')],
    ['Phases', phases.map(({ phase }) => phase).join(', ')],
    ['Design spec', facts.specFile],
    ['SHA-256 of the spec', html`<code>${facts.specHash}</code>`],
    ['Program version', html`<code>${programHash(phases)}</code><br>SHA-256 over the blocks listed in the summary`],
    facts.device === undefined ? undefined : ['PLC', facts.device],
    ['Gantry version', facts.gantryVersion],
    ['Date and time', `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`],
    ['Run by', facts.actor],
    facts.tester === undefined ? undefined : ['Tester', facts.tester],
    ['Report', html`<code>${facts.id}</code>`],
  ]
  return html`<section class="title">
<p class="kicker">Verification report</p>
<h1>Phases of ${facts.project}</h1>
<div class="verdict ${verdict.kind}"><strong>${verdict.title}</strong><span>${verdict.text}</span></div>
<table class="facts"><tbody>${rows.map((row) => (row ? html`<tr><th scope="row">${row[0]}</th><td>${row[1]}</td></tr>\n` : ''))}</tbody></table>
<p class="note">Every phase block was generated from the design spec, compiled, and run on a virtual controller. This report
shows what was stimulated, expected and observed. It does not replace the test of the plant.</p>
</section>`
}

/** One hash for all blocks: of their names and hashes. */
export function programHash(phases: readonly Pick<PhaseReport, 'blockName' | 'blockHash'>[]): string {
  const hash = createHash('sha256')
  for (const { blockName, blockHash = '' } of phases) hash.update(`${blockName}\t${blockHash}\n`)
  return hash.digest('hex')
}

function summary(phases: readonly ReportedPhase[]): Html {
  const total = countsOf(phases)
  const head = ['Phase', 'Checks', 'Passed', 'Failed', 'Steps', 'Transitions', 'Result']
  const rows = phases.map((phase) => {
    const counts = countsOf([phase])
    return [
      phase.phase,
      counts.checks,
      counts.checks - counts.failed,
      counts.failed,
      `${counts.reached} of ${counts.steps}`,
      `${counts.taken} of ${counts.transitions}`,
      resultText(phase.result),
    ]
  })
  const sum = [
    ...[html`<strong>All</strong>`, total.checks, total.checks - total.failed, total.failed],
    ...[`${total.reached} of ${total.steps}`, `${total.taken} of ${total.transitions}`, ''],
  ]
  const blocks = phases.map(({ blockName, blockHash, deviceBlock }) => [
    html`<code>${blockName}</code>`,
    html`<code>${blockHash ?? '-'}</code>`,
    ...(deviceBlock === undefined ? [] : [deviceBlock]),
  ])
  const hasDevice = phases.some(({ deviceBlock }) => deviceBlock !== undefined)
  return html`<section>
<h2>1 Summary</h2>
<p>A check is one call of a block, after which its whole instance data was compared with what the design spec requires.</p>
${table('overview', head, phases.length > 1 ? [...rows, sum] : rows)}
<h3>Blocks</h3>
${table('blocks', ['Block', 'SHA-256 of its source', ...(hasDevice ? ['In the PLC'] : [])], blocks)}
</section>`
}

function deviations(phases: readonly ReportedPhase[]): Html {
  const found = phases.flatMap((phase) => [
    ...phase.errors.map((error) => ({
      phase,
      title: 'The block does not compile',
      text: `${error.message}`,
      failure: undefined,
    })),
    ...phase.failures.map((failure) => ({
      phase,
      title: `Requirement ${failure.row}`,
      text: failure.message,
      failure,
    })),
  ])
  const content =
    found.length === 0
      ? html`<p>None.</p>`
      : found.map(({ phase, title, text, failure }, i) => {
          const where = failure ? `, step ${failure.step}, check ${failure.scan}` : ''
          const differences = failure?.differences ?? []
          const steps = stepNamesOf(phase)
          const rows = differences.map(({ variable, expected, actual }) => [
            html`<code>${variable}</code>`,
            meaning(variable, expected, steps),
            html`<span class="wrong">${meaning(variable, actual, steps)}</span>`,
          ])
          const trace = (failure?.trace ?? []).map(({ scan, row, written, state }) => [
            scan,
            row,
            pairs(written, steps),
            pairs(state, steps),
          ])
          return html`<div class="deviation"><h3>D${i + 1}: ${phase.phase}${where} - ${title}</h3>
<p>${text}</p>
${table('values', ['Variable', 'Expected', 'Observed'], rows)}
${table('trace', ['Check', 'Requirement', 'Written before', 'State after'], trace)}</div>`
        })
  return html`<section><h2>2 Deviations</h2>${content}</section>`
}

function notTested(phases: readonly ReportedPhase[], facts: ReportFacts): Html {
  const rows = [
    ...facts.leftOut.map((phase) => [phase, '-', 'The phase was not chosen for this run.']),
    ...phases.flatMap((phase) => [
      ...(phase.result === 'notCompiled' ? [[phase.phase, 'all', 'The block does not compile (see Deviations).']] : []),
      ...(phase.limited ? [[phase.phase, 'rest', 'The limit of checks ended the run.']] : []),
      ...phase.rows.flatMap(({ row, missing, result }) => {
        const told = missing.map(({ step, reason }) => [phase.phase, step === 0 ? row : `${row}, step ${step}`, reason])
        return told.length === 0 && result === 'notChecked' ? [[phase.phase, row, 'It was not reached.']] : told
      }),
      ...phase.transitions
        .filter(({ presets }) => presets.length > 0)
        .map(({ from, to, presets }) => {
          const text = `The check itself set ${presets.join(', ')}: In variables alone do not make the condition TRUE.`
          return [phase.phase, `transition ${from} to ${to}`, text]
        }),
    ]),
  ]
  const content =
    rows.length === 0
      ? html`<p>Every requirement was tested in every step to which it applies.</p>`
      : table('missing', ['Phase', 'Requirement', 'Why it was not tested, or with a restriction'], rows)
  return html`<section><h2>3 Not tested</h2>${content}</section>`
}

function method(facts: ReportFacts): Html {
  return html`<section><h2>4 How it was tested</h2>
<p>The expected behaviour is calculated from the design spec, independently of the generated program: a state machine of
the requirements, and an evaluation of the spec's conditions and actions. Inputs that make each condition FALSE and TRUE are
searched for. Each phase is then led through all its steps. After each call of the block every variable of its instance is
compared, so that a value that changes without a reason is a deviation too.</p>
<p>Environment: virtual controller of Gantry ${facts.gantryVersion}, one call of the block in each cycle of 1 ms, simulated
time; long times (minimum times, timeouts) pass in one cycle. Side roads such as an abort end with the instance put back as it
was before. Not covered: inputs and outputs, their wiring, the modules behind them, the call of the block in the program of the
plant, and the time behaviour of a real controller.</p></section>`
}

function signatures({ tester = '', customer = '' }: ReportFacts): Html {
  const fields = (who: string, name: string) => html`<div class="sign"><h3>${who}</h3>
<table><thead><tr><th scope="col">Name</th><th scope="col">Function</th><th scope="col">Date</th><th scope="col">Signature</th></tr></thead>
<tbody><tr><td>${name}</td><td></td><td></td><td></td></tr></tbody></table></div>`
  const choice = (text: string) => html`<p class="choice"><span class="box"></span>${text}</p>`
  return html`<section class="signatures"><h2>Acceptance</h2>
${choice('The verification is accepted without reservation.')}
${choice('The verification is accepted with the deviations and open points listed in this report.')}
${choice('The verification is not accepted; it is to be repeated.')}
${fields('Tester', tester)}
${fields(customer === '' ? 'Customer' : `Customer: ${customer}`, '')}
</section>`
}

function pairs(values: Readonly<Record<string, unknown>>, steps: StepNames): Content {
  const entries = Object.entries(values)
  if (entries.length === 0) return '-'
  return html`<code>${entries.map(([name, value]) => `${name}=${meaning(name, value, steps)}`).join('  ')}</code>`
}
