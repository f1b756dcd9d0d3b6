/** Runs the rules over a program with the settings of a project. */
import type { Severity } from '../diagnostics/diagnostic-code.ts'
import { isOfGantryTest } from '../library/gantry-test.ts'
import type { Diagnostic } from '../program/program.ts'
import type { ReviewConfig } from './config.ts'
import type { ReviewedObject, ReviewedProgram } from './reviewed-program.ts'
import type { Finding, Options, Rule } from './rule.ts'
import { rules } from './rules.ts'
import { covers, type Suppression, suppressionsIn } from './suppressions.ts'

/** What a program has, and what it accepts itself. */
export interface Reviewed {
  readonly findings: readonly Finding[]
  /** Findings that a comment or attribute accepts, with its reason. */
  readonly suppressed: readonly (Finding & { readonly reason: string })[]
  /** Rules of plugins that ended with an error. */
  readonly failed: readonly { readonly code: string; readonly message: string }[]
}

/**
 * Applies the rules to a program and the settings to what the compiler says.
 * @param diagnostics of the compiler
 * @param more rules of plugins: one that throws is left out, and named in `failed`
 */
export function review(
  program: ReviewedProgram,
  diagnostics: readonly Diagnostic[],
  config: ReviewConfig,
  more: readonly Rule[] = [],
): Reviewed {
  const all: Finding[] = diagnostics.flatMap((one) => withSetting(one, program, config))
  const failed: { code: string; message: string }[] = []
  const apply = (rule: Rule, into: Finding[]) => {
    const setting = config.rules.get(rule.code)
    const severity = setting?.severity ?? rule.severity
    if (severity !== 'off') run(rule, program, severity, new RuleOptions(rule, setting?.options ?? {}), into)
  }
  for (const rule of rules) apply(rule, all)
  for (const rule of more) {
    const own: Finding[] = []
    try {
      apply(rule, own)
      all.push(...own)
    } catch (error) {
      failed.push({ code: rule.code, message: error instanceof Error ? error.message : String(error) })
    }
  }
  return { ...withoutAccepted(program, all), failed }
}

function withSetting(diagnostic: Diagnostic, program: ReviewedProgram, config: ReviewConfig): Finding[] {
  const severity = config.rules.get(diagnostic.code)?.severity ?? diagnostic.severity
  const kind = program.named(diagnostic.object)?.kind ?? 'TagTable'
  return severity === 'off' ? [] : [{ ...diagnostic, severity, kind }]
}

function run(rule: Rule, program: ReviewedProgram, severity: Severity, options: Options, into: Finding[]): void {
  const { code } = rule
  rule.check(
    program,
    (object, place, message, { fix, ...more } = {}) => {
      const { name, kind } = object
      if (typeof message !== 'string') throw new TypeError('report(object, place, message) got no message')
      // The blocks of GantryTest that lie beside tests are none of the user's.
      if (isOfGantryTest(object.object)) return
      // Code that cannot be read may mean something else than what the fix is for.
      const isSafe = fix?.edits.every(({ network }) => !isFaulty(object, network)) === true
      into.push({ ...place, code, severity, object: name, kind, message, ...more, ...(isSafe ? { fix } : {}) })
    },
    options,
  )
}

function isFaulty({ scl }: ReviewedObject, number: number): boolean {
  return scl.some(({ network, hasFaults }) => network === number && hasFaults)
}

class RuleOptions implements Options {
  readonly #rule: Rule
  readonly #given: Readonly<Record<string, unknown>>

  constructor(rule: Rule, given: Readonly<Record<string, unknown>>) {
    this.#rule = rule
    this.#given = given
  }

  number(name: string): number {
    return Number(this.#value(name))
  }

  text(name: string): string {
    return String(this.#value(name))
  }

  list(name: string): readonly string[] {
    return this.#value(name) as readonly string[]
  }

  #value(name: string): unknown {
    return this.#given[name] ?? this.#rule.options?.[name]?.value
  }
}

/** Takes out what the program accepts with a reason; says which suppressions have none or are of nothing. */
function withoutAccepted(program: ReviewedProgram, all: readonly Finding[]): Omit<Reviewed, 'failed'> {
  const byObject = new Map<string, { readonly object: ReviewedObject; readonly list: readonly Suppression[] }>()
  for (const object of program.objects) {
    // Most objects say nothing: one search in the text is less than a look at every comment.
    if (!(object.object.xml ?? object.object.text ?? '').match(/gantry-?ignore/i)) continue
    const list = suppressionsIn(object)
    if (list.length > 0) byObject.set(`${object.kind} ${object.name}`, { object, list })
  }
  if (byObject.size === 0) return { findings: all, suppressed: [] }
  const findings: Finding[] = []
  const suppressed: (Finding & { reason: string })[] = []
  for (const finding of all) {
    const list = byObject.get(`${finding.kind} ${finding.object}`)?.list ?? []
    const accepted = finding.severity === 'error' ? undefined : list.find((one) => covers(one, finding.code, finding))
    if (accepted) accepted.isUsed = true
    if (accepted && accepted.reason !== '') suppressed.push({ ...finding, reason: accepted.reason })
    else findings.push(finding)
  }
  for (const { object, list } of byObject.values())
    for (const { codes, reason, place, isUsed } of list) {
      const about = { ...place, object: object.name, kind: object.kind }
      const names = [...codes].join(', ')
      if (reason === '')
        findings.push({
          ...about,
          code: 'suppression-without-reason',
          severity: 'warning',
          message: `${names} is accepted here without a reason, so it is not.`,
          hint: `Write gantry-ignore ${names}: and why.`,
        })
      else if (!isUsed)
        findings.push({
          ...about,
          code: 'suppression-unused',
          severity: 'information',
          message: `There is no finding of ${names} here (any more).`,
          hint: 'Delete the comment or attribute.',
        })
    }
  return { findings, suppressed }
}
