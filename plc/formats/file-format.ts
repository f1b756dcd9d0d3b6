/**
 * File formats of plugins. Their readers make a text of a file that the readers here understand (an external source,
 * SimaticML or SIMATIC SD), so that everything behind them is the same for every format.
 */
import { decodeText } from '../model/decode.ts'
import { FormatError, type FormatFault } from '../model/fault.ts'

/** What a reader makes of a file. */
export interface FormatText {
  /** An external source (any number of blocks, types and data blocks), a SimaticML document or SIMATIC SD. */
  readonly text: string
  /** For each line of the text the line of the file that it comes from, from 1; without it every place is line 1. */
  readonly lines?: readonly number[]
  /** What was left out or guessed. */
  readonly warnings?: readonly string[]
  /** What is wrong with the file; nothing of it is read then. */
  readonly faults?: readonly { readonly message: string; readonly line?: number; readonly column?: number }[]
}

/** An object for a writer. */
export interface ObjectToWrite {
  readonly name: string
  /** `FB`, `FC`, `OB`, `GlobalDB`, `UDT` … */
  readonly kind: string
  /** SimaticML. */
  readonly xml: string
  /** The external source; absent for blocks that have none (LAD, FBD, GRAPH). */
  readonly source?: string
}

/** A format of a plugin. */
export interface ContributedFormat {
  /** `<plugin>.<name>`. */
  readonly name: string
  readonly title: string
  /** Endings of its files in lower case, with the dot: `.types.json`. */
  readonly extensions: readonly string[]
  /** Whether a text is of this format, where the ending alone does not say so. */
  detect?(text: string, path: string): boolean
  read(text: string, path: string): FormatText | Promise<FormatText>
  /** The text of a file for one object; throws with a sentence when the format cannot hold it. */
  write?(object: ObjectToWrite): string | Promise<string>
}

/** A file as its reader has translated it. Plain data. */
export interface TranslatedFile {
  /** Name of the format. */
  readonly format: string
  /** UTF-8 of the text. */
  readonly bytes: Uint8Array
  readonly lines: readonly number[]
  readonly warnings: readonly string[]
  readonly faults: readonly FormatFault[]
}

const hasEnding = ({ extensions }: ContributedFormat, path: string): boolean =>
  extensions.some((one) => path.toLowerCase().endsWith(one))

/** The format that the ending of a file means. */
export function formatNamed(formats: readonly ContributedFormat[], path: string): ContributedFormat | undefined {
  return formats.find((format) => hasEnding(format, path))
}

/**
 * Translates a file; undefined when no format is that of the file. Never throws because of its content, or of a reader.
 * @param path a text without a file has no ending: formats that detect their texts are asked
 */
export async function translateFile(
  formats: readonly ContributedFormat[],
  path: string,
  bytes: Uint8Array,
): Promise<TranslatedFile | undefined> {
  const isNamed = /\.[^/\\]+$/.test(path)
  const asked = formats.filter((format) => (isNamed ? hasEnding(format, path) : format.detect !== undefined))
  if (asked.length === 0) return undefined
  let text: string
  try {
    text = decodeText(bytes).text
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return undefined
  }
  for (const format of asked) {
    try {
      if (format.detect?.(text, path) === false) continue
      return translated(format.name, await format.read(text, path))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return failed(format.name, [{ message: `its format "${format.name}" failed: ${reason}` }])
    }
  }
  return undefined
}

function translated(format: string, read: FormatText): TranslatedFile {
  const { text, lines = [], warnings = [], faults = [] } = read
  if (faults.length > 0) return failed(format, faults)
  if (typeof text !== 'string') throw new TypeError('read() gave no { text }')
  return { format, bytes: new TextEncoder().encode(text), lines, warnings, faults: [] }
}

function failed(format: string, faults: NonNullable<FormatText['faults']>): TranslatedFile {
  const placed = faults.map(
    ({ message, line = 1, column = 1 }): FormatFault => ({
      code: 'unsupported',
      message: String(message),
      ...{ line, column },
    }),
  )
  return { format, bytes: new Uint8Array(), lines: [], warnings: [], faults: placed }
}

/** The line of the file that a line of its translation comes from. */
export function lineInFile({ lines }: Pick<TranslatedFile, 'lines'>, line: number): number {
  return lines[line - 1] ?? 1
}

/** What is wrong with a format of a plugin, beside its shape. */
export function formatFaults({ name, title, extensions }: ContributedFormat, plugin: string): string[] {
  const faults: string[] = []
  if (!/^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/.test(name) || !name.startsWith(`${plugin}.`))
    faults.push(`the name of a format is "${plugin}.<name>" in lower-case words with hyphens, not "${name}"`)
  if (title.trim() === '') faults.push('title must not be empty')
  if (extensions.length === 0) faults.push('extensions must name the ending of its files')
  for (const one of extensions)
    if (!/^(\.[a-z0-9_-]+)+$/.test(one)) faults.push(`an extension is like ".types.json" in lower case, not "${one}"`)
  return faults
}
