/** Rules that plugins add: apart from the built-in ones, since a gateway knows these before it checks anything. */
import { type Rule, ruleGroups } from './rule.ts'

/** The code of a rule of a plugin: `<plugin>.<name>`. Those here have no dot. */
export const contributedCode = /^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/

/** What is wrong with a rule of a plugin, beside its shape. */
export function ruleFaults({ code, group, severity, title, why, options = {} }: Rule, plugin: string): string[] {
  const faults: string[] = []
  if (!contributedCode.test(code) || !code.startsWith(`${plugin}.`))
    faults.push(`the code of a rule is "${plugin}.<name>" in lower-case words with hyphens, not "${code}"`)
  const choices: readonly (readonly [string, string, readonly string[]])[] = [
    ['group', group, ruleGroups],
    ['severity', severity, ['off', 'error', 'warning', 'information']],
  ]
  for (const [name, value, allowed] of choices)
    if (!allowed.includes(value)) faults.push(`${name} is one of ${allowed.join(', ')}, not "${value}"`)
  if (title.trim() === '' || why.trim() === '') faults.push('title and why must not be empty')
  for (const [name, option] of Object.entries(options)) {
    const { value, description } = (option ?? {}) as { value?: unknown; description?: unknown }
    const isList = Array.isArray(value) && value.every((one) => typeof one === 'string')
    if (!isList && !['number', 'string', 'boolean'].includes(typeof value))
      faults.push(`the value of option "${name}" is a number, a text, true, false or a list of texts`)
    if (typeof description !== 'string') faults.push(`option "${name}" has no description`)
  }
  return faults
}
