/** Rules as clients read them. */
import { compareTexts } from '../../../lib/compare-texts.ts'
import { diagnosticCodes } from '../../../plc/diagnostics/codes.ts'
import type { OptionValue, Rule, RuleExample } from '../../../plc/review/rule.ts'
import { rules, rulesByCode } from '../../../plc/review/rules.ts'

export interface DescribedRule {
  readonly code: string
  readonly group: string
  readonly severity: string
  readonly title: string
  readonly why: string
  readonly hasFixes: boolean
  readonly options: readonly { readonly name: string; readonly value: OptionValue; readonly description: string }[]
  readonly fails: string
  readonly passes: string
}

const textOf = (example: string | RuleExample): string =>
  typeof example === 'string' ? example : `${example.tags === undefined ? '' : `${example.tags}\n\n`}${example.program}`

function described({ code, group, severity, title, why, fixes, options = {}, ...rule }: Rule): DescribedRule {
  return {
    ...{ code, group, severity, title, why, hasFixes: fixes === true },
    options: Object.entries(options).map(([name, { value, description }]) => ({ name, value, description })),
    fails: textOf(rule.fails),
    passes: textOf(rule.passes),
  }
}

/** All rules, those of plugins too, and what the compiler warns of, in the order of their codes. */
export function describedRules(more: readonly Rule[] = []): DescribedRule[] {
  const compiler = [...diagnosticCodes]
    .filter(([, { severity }]) => severity !== 'error')
    .map(([code]) => describedRule(code)!)
  return [...[...rules, ...more].map(described), ...compiler].sort((a, b) => compareTexts(a.code, b.code))
}

/** One rule, or one message of the compiler. */
export function describedRule(code: string, more: readonly Rule[] = []): DescribedRule | undefined {
  const rule = rulesByCode.get(code) ?? more.find((one) => one.code === code)
  if (rule) return described(rule)
  const one = diagnosticCodes.get(code)
  return (
    one && {
      ...{ code, group: 'compiler', severity: one.severity, title: one.title, why: one.explanation, hasFixes: false },
      ...{ options: [], fails: one.fails, passes: one.passes },
    }
  )
}
