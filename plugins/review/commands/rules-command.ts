/** `gantry rules`. */
import type { CliTools } from '../../../core/index.ts'
import { nearest } from '../../../lib/nearest.ts'
import { diagnosticCodes } from '../../../plc/diagnostics/codes.ts'
import { rules } from '../../../plc/review/rules.ts'
import { pluginsOfFolder } from '../folder/folder-plugins.ts'
import { describedRule, describedRules } from '../manual/described-rule.ts'

/** @returns the exit code */
export async function runRules(
  code: string | undefined,
  raw: Readonly<Record<string, unknown>>,
  tools: CliTools,
): Promise<number> {
  const { rules: more, faults } = await pluginsOfFolder(process.cwd())
  for (const { line, column, message } of faults) tools.note(`gantry.yml:${line}:${column}: ${message}`)
  if (code === undefined) {
    if (raw.json === true) await tools.print(`${JSON.stringify(describedRules(more), null, 2)}\n`)
    else {
      const all = [...rules, ...more]
      const width = Math.max(...all.map((rule) => rule.code.length))
      const lines = all.map((rule) => `${rule.code.padEnd(width)}  ${rule.severity.padEnd(11)}  ${rule.title}`)
      await tools.print(`${lines.join('\n')}\n`)
    }
    return 0
  }
  const one = describedRule(code, more)
  if (one === undefined) {
    const near = nearest(code, [...[...rules, ...more].map((rule) => rule.code), ...diagnosticCodes.keys()])
    return tools.fail(`There is no rule "${code}"${near ? `; do you mean "${near}"?` : '.'}`, 2)
  }
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
