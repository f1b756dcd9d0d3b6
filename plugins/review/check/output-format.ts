/** The format of a report: that of `--format`, else what the name of its file says. */
import type { CliTools } from '../../../core/index.ts'

/** Formats that a name can stand for; the first is meant when none is given. */
export type NamedFormats<F extends string> = readonly (readonly [name: RegExp, formats: readonly F[]])[]

/** Names of files that no command here can write. */
const foreign = /\.(pdf|docx?|xlsx?|png|jpe?g|gif|webp)$/i

/**
 * The format of what a command writes. Ends the command with `usage` when the name of the file contradicts it: who
 * opens a file goes by its name.
 * @param given that of `--format`
 * @param formats all that there are; the first is the default
 */
export function outputFormat<const F extends string>(
  { format: given, out }: { readonly format?: unknown; readonly out?: unknown },
  formats: readonly F[],
  names: NamedFormats<F>,
  { tools, usage }: { readonly tools: Pick<CliTools, 'fail'>; readonly usage: number },
): F {
  const format = formats.find((one) => one === given)
  if (given !== undefined && format === undefined) {
    const last = formats.length > 2 ? formats.join(', ') : formats.join(' or ')
    return tools.fail(`--format is ${formats.length > 2 ? 'one of ' : ''}${last}.`, usage)
  }
  if (typeof out !== 'string') return format ?? formats[0]!
  const named = names.find(([name]) => name.test(out))?.[1] ?? (foreign.test(out) ? [] : undefined)
  if (named === undefined) return format ?? formats[0]!
  const [meant] = named
  if (meant === undefined)
    return tools.fail(`--out ${out}: no format of this command has such a name (${formats.join(', ')}).`, usage)
  if (format !== undefined && !named.includes(format))
    return tools.fail(`--format ${format} contradicts --out ${out}, which is a name for ${named.join(' or ')}.`, usage)
  return format ?? meant
}
