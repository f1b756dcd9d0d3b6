/** Rule `positional-parameter`: parameters of a function block are given by their position. */
import type { BlockContext } from '../block-context.ts'
import type { CallArgument } from '../values.ts'

/**
 * Reports parameters that are given by their position: TIA Portal wants their names in calls of function blocks.
 * @param names of the inputs, in order
 */
export function checkPositional(
  context: BlockContext,
  name: string,
  names: readonly string[],
  given: readonly CallArgument[],
): void {
  const first = given.findIndex((argument) => argument.name === undefined && argument.operand !== undefined)
  const argument = given[first]
  if (argument === undefined) return
  const wanted = given.map((one, i) => one.name ?? names[i] ?? '').filter((one) => one !== '')
  context.report(
    'positional-parameter',
    argument.at,
    `The parameters of "${name}" are given without their names.`,
    `TIA Portal wants names in the call of a function block: ${wanted.map((one) => `${one} := …`).join(', ')}.`,
    'warning',
  )
}
