/** Arguments of instructions: by name or by position. */
import type { SourceRange } from '../block-context.ts'
import type { InstructionCall } from '../instructions.ts'
import type { Operand } from '../values.ts'

/** An argument that was given. */
export interface Given {
  readonly name: string
  readonly operand: Operand
  readonly at: SourceRange
}

/**
 * The arguments in the order of `names`; all must be there, and nothing else.
 * @returns undefined when something is wrong, which was reported, or when an argument itself was
 */
export function bindArguments(call: InstructionCall, names: readonly string[]): Given[] | undefined {
  const { context, arguments: given, name: instruction, at } = call
  const found = new Map<string, Given>()
  let isRight = true
  for (const [i, argument] of given.entries()) {
    const name = argument.name?.toUpperCase() ?? names[i]
    if (name === undefined || !names.includes(name)) {
      context.report(
        'unknown-parameter',
        argument.at,
        argument.name === undefined
          ? `${instruction} takes ${names.length} values, more are given.`
          : `${instruction} has no parameter "${argument.name}".`,
        `Its parameters: ${names.join(', ')}.`,
      )
      isRight = false
    } else if (found.has(name)) {
      context.report('duplicate-parameter', argument.at, `Parameter "${name}" is given twice.`)
      isRight = false
    } else if (argument.operand) found.set(name, { name, operand: argument.operand, at: argument.at })
  }
  for (const name of names) {
    if (found.has(name)) continue
    context.report(
      'missing-parameter',
      at,
      `Parameter "${name}" of ${instruction} is not given.`,
      `Its parameters: ${names.join(', ')}.`,
    )
    isRight = false
  }
  const bound = names.flatMap((name) => found.get(name) ?? [])
  return isRight && bound.every(({ operand }) => operand.kind !== 'wrong') ? bound : undefined
}
