/** `gantry rules`. */
import type { CliTools } from '../../../core/index.ts'
import { nearest } from '../../../lib/nearest.ts'
import { diagnosticCodes } from '../../../plc/diagnostics/codes.ts'
import { rules, rulesByCode } from '../../../plc/review/rules.ts'
import { describedRule, describedRules } from '../manual/described-rule.ts'

/** @returns the exit code */
export async function runRules(
  code: string | undefined,
  raw: Readonly<Record<string, unknown>>,
  tools: CliTools,
): Promise<number> {
  if (code === undefined) {
    if (raw.json === true) await tools.print(`${JSON.stringify(describedRules(), null, 2)}\n`)
    else {
      const width = Math.max(...rules.map((rule) => rule.code.length))
      const lines = rules.map((rule) => `${rule.code.padEnd(width)}  ${rule.severity.padEnd(11)}  ${rule.title}`)
      await tools.print(`${lines.join('\n')}\n`)
    }
    return 0
  }
  const rule = rulesByCode.get(code)
  const compiler = diagnosticCodes.get(code)
  if (!rule && !compiler) {
    const near = nearest(code, [...rulesByCode.keys(), ...diagnosticCodes.keys()])
    tools.fail(`There is no rule "${code}"${near ? `; do you mean "${near}"?` : '.'}`, 2)
  }
  const one = describedRule(code)!
  if (raw.json === true) await tools.print(`${JSON.stringify(one, null, 2)}\n`)
  else
    await tools.print(
      [
        `${one.code} (${one.severity}): ${one.title}`,
        '',
        one.why,
        ...one.options.map((option) => `  ${option.name} (${JSON.stringify(option.value)}): ${option.description}`),
        '',
        'Fails:',
        one.fails,
        'Passes:',
        one.passes,
      ].join('\n'),
    )
  return 0
}
