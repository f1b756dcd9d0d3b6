/** Patterns in arguments that are paths. */
import { expandPaths } from '../../lib/expand-paths.ts'
import { CliError, exitCodes } from './exit-codes.ts'

/**
 * The path that an argument names; a pattern may match one.
 * @throws CliError `usage` when it matches several
 */
export async function onePath(path: string): Promise<string> {
  const [first = path, ...others] = await expandPaths([path])
  if (others.length === 0) return first
  const some = [first, ...others].slice(0, 5).join(', ')
  throw new CliError(
    `${path} stands for ${others.length + 1} paths (${some}${others.length > 4 ? ' …' : ''}); name one.`,
    exitCodes.usage,
  )
}

/** The same for the arguments of a command, of which some take several paths. */
export function withoutPatterns(
  args: readonly (string | readonly string[] | undefined)[],
  specs: readonly { readonly isPath?: true }[],
): Promise<(string | readonly string[] | undefined)[]> {
  return Promise.all(
    args.map((arg, i) => {
      if (arg === undefined || specs[i]?.isPath !== true) return arg
      return typeof arg === 'string' ? onePath(arg) : expandPaths(arg)
    }),
  )
}
