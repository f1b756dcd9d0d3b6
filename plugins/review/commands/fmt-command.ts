/** `gantry fmt`: formats SCL sources in place. */
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { CliTools } from '../../../core/index.ts'
import { defined } from '../../../lib/optional.ts'
import { formatSource } from '../../../plc/formats/source/format.ts'
import type { FormatOptions } from '../../../plc/languages/scl/format.ts'
import { type DecodedText, decodeText } from '../../../plc/model/decode.ts'
import { FormatError } from '../../../plc/model/fault.ts'
import { readConfig } from '../../../plc/review/config.ts'
import { formatStyles, keywordCases } from '../../../plc/review/config-schema.ts'
import { configNames, FolderError, pathsBelow } from '../folder/folder.ts'
import { localFiles } from '../folder/local-files.ts'

const codes = { ok: 0, changed: 1, usage: 2, unreadable: 3 } as const
const formatted = /\.(scl|udt|db)$/i

/**
 * Formats files and the sources below folders.
 * @returns the exit code: 1 with `--check` when a file would change, 3 when a file cannot be read or parsed
 */
export async function runFmt(
  given: readonly string[],
  raw: Readonly<Record<string, unknown>>,
  tools: CliTools,
): Promise<number> {
  const flags = readFlags(raw, tools)
  const settings = new Settings(tools)
  const isCheck = raw.check === true
  const files: string[] = []
  let [changed, unreadable] = [0, 0]
  for (const path of given.length === 0 ? ['.'] : given) {
    const info = await localFiles.stat(path)
    if (info === undefined) tools.fail(`There is no file or folder ${resolve(path)}.`, codes.unreadable)
    if (!info?.isDirectory) files.push(path)
    else {
      const found = await sourcesBelow(path).catch((error: unknown) => {
        if (error instanceof FolderError) return tools.fail(error.message, codes.unreadable)
        throw error
      })
      files.push(...found.files)
      for (const { path: name, message } of found.refused) tools.note(`${join(path, name)}: ${message}`)
      unreadable += found.refused.length
    }
  }
  let [faulty, unwritten] = [0, 0]
  for (const file of files) {
    const name = relative('.', file) || file
    const own = await settings.of(dirname(resolve(file)))
    const outcome = await formatFile(file, withFlags(own, flags), isCheck)
    if (outcome.fault !== undefined) {
      tools.note(`${name}${outcome.fault}`)
      faulty++
      if (outcome.isUnwritten) unwritten++
      else unreadable++
    } else if (outcome.isChanged) {
      await tools.print(`${isCheck ? 'would change' : 'changed'} ${name}\n`)
      changed++
    }
  }
  const kept = files.length - changed - faulty
  tools.note(
    `${changed} ${isCheck ? 'would change' : 'changed'}, ${kept} as they were, ${unreadable} not readable${unwritten > 0 ? `, ${unwritten} not writable` : ''}`,
  )
  if (unreadable + unwritten > 0) return codes.unreadable
  return isCheck && changed > 0 ? codes.changed : codes.ok
}

/** What the command line says of the style. */
interface Flags extends Pick<FormatOptions, 'indent' | 'keywords'> {
  readonly style?: (typeof formatStyles)[number]
}

function readFlags(raw: Readonly<Record<string, unknown>>, tools: CliTools): Flags {
  const { indent: blanks, keywords: written, style: named } = raw
  const indent = blanks === undefined ? undefined : blanks === 'tab' ? 0 : Number(blanks)
  if (
    indent !== undefined &&
    (!Number.isInteger(indent) || indent < 0 || indent > 8 || (indent === 0 && blanks !== 'tab'))
  )
    tools.fail('--indent is a number of blanks from 1 to 8, or tab.', codes.usage)
  const keywords = keywordCases.find((one) => one === written)
  if (written !== undefined && keywords === undefined) tools.fail('--keywords is upper or keep.', codes.usage)
  const style = formatStyles.find((one) => one === named)
  if (named !== undefined && style === undefined) tools.fail('--style is gantry or tia.', codes.usage)
  if (style === 'tia' && indent !== undefined)
    tools.fail('--indent has no effect with --style tia: TIA Portal has its own.', codes.usage)
  return defined({ indent, keywords, style })
}

/** The settings with what the command line says: it counts, and an indentation of its own is no style of TIA Portal. */
function withFlags({ style: set, ...own }: FormatOptions, { style: given, ...flags }: Flags): FormatOptions {
  const style = given ?? (flags.indent === undefined ? set : undefined)
  return { ...own, ...flags, ...(style === 'tia' ? { style } : {}) }
}

/** `format` of the `gantry.yml` of a folder, or of the next folder above up to the root of the repository. */
class Settings {
  readonly #tools: CliTools
  readonly #known = new Map<string, FormatOptions>()

  constructor(tools: CliTools) {
    this.#tools = tools
  }

  async of(folder: string): Promise<FormatOptions> {
    const known = this.#known.get(folder)
    if (known) return known
    const above = dirname(folder)
    const isTop = above === folder || (await localFiles.stat(join(folder, '.git'))) !== undefined
    const found = (await this.#in(folder)) ?? (isTop ? {} : await this.of(above))
    this.#known.set(folder, found)
    return found
  }

  async #in(folder: string): Promise<FormatOptions | undefined> {
    for (const name of configNames) {
      const path = join(folder, name)
      if (!(await localFiles.stat(path))?.isFile) continue
      const { config, faults } = readConfig(await readFile(path, 'utf8'))
      const told = faults.map(({ line, column, message }) => `${relative('.', path)}:${line}:${column}: ${message}`)
      if (told.length > 0) this.#tools.fail(told.join('\n'), codes.usage)
      return config.format
    }
    return undefined
  }
}

/**
 * Sources below a folder, or the file itself; hidden folders are left out.
 * @throws FolderError when the folder is too large
 */
async function sourcesBelow(root: string) {
  const isHidden = (path: string) => /(?:^|\/)\.[^/]*\//.test(path)
  const isSource = (path: string) => formatted.test(path) && !isHidden(path)
  const { paths, refused } = await pathsBelow(localFiles, root, { goesOn: true })
  return {
    files: paths.flatMap(({ path, full }) => (isSource(path) ? full : [])),
    refused: refused.filter(({ path, isDenied }) => isDenied || isSource(path)),
  }
}

/** @returns whether the file changes, or what is wrong with it, from `:line:column` on */
async function formatFile(
  path: string,
  options: FormatOptions,
  isCheck: boolean,
): Promise<{ readonly isChanged: boolean; readonly isUnwritten?: true; readonly fault?: string }> {
  let decoded: DecodedText
  try {
    decoded = decodeText(await readFile(path))
  } catch (error) {
    const message = error instanceof FormatError ? error.faults[0]!.message : (error as Error).message
    return { isChanged: false, fault: `: ${message}` }
  }
  // Another encoding could not be written back: what it cannot say would be lost.
  if (decoded.encoding !== 'utf-8')
    return { isChanged: false, fault: `: is in ${decoded.encoding}; save it as UTF-8 first` }
  const { text, changed, faults } = formatSource(decoded.text, options)
  const [fault] = faults
  if (fault !== undefined) return { isChanged: false, fault: `:${fault.line}:${fault.column}: ${fault.message}` }
  if (!changed || isCheck) return { isChanged: changed }
  try {
    await writeFile(path, `${decoded.hasBom ? '\ufeff' : ''}${text}`)
    return { isChanged: true }
  } catch (error) {
    return { isChanged: false, isUnwritten: true, fault: `: stays as it is: ${(error as Error).message}` }
  }
}
