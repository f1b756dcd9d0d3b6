/** `gantry fmt`: formats SCL sources in place. */
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import type { CliTools } from '../../core/index.ts'
import { formatSource } from '../../plc/formats/source/format.ts'
import { type DecodedText, decodeText } from '../../plc/model/decode.ts'
import { FormatError } from '../../plc/model/fault.ts'
import { FolderError, pathsBelow } from './folder.ts'
import { localFiles } from './local-files.ts'

const codes = { ok: 0, changed: 1, usage: 2, unreadable: 3 } as const
const formatted = /\.(scl|udt|db)$/i

interface Options {
  readonly indent: number
  readonly keywords: 'upper' | 'keep'
}

/**
 * Formats files and the sources below folders.
 * @returns the exit code: 1 with `--check` when a file would change, 3 when a file cannot be read or parsed
 */
export async function runFmt(
  given: readonly string[],
  raw: Readonly<Record<string, unknown>>,
  tools: CliTools,
): Promise<number> {
  const options = readOptions(raw, tools)
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
  let faulty = 0
  for (const file of files) {
    const name = relative('.', file) || file
    const outcome = await formatFile(file, options, isCheck)
    if (outcome.fault !== undefined) {
      tools.note(`${name}${outcome.fault}`)
      faulty++
      unreadable++
    } else if (outcome.isChanged) {
      await tools.print(`${isCheck ? 'would change' : 'changed'} ${name}\n`)
      changed++
    }
  }
  const kept = files.length - changed - faulty
  tools.note(`${changed} ${isCheck ? 'would change' : 'changed'}, ${kept} as they were, ${unreadable} not readable`)
  if (unreadable > 0) return codes.unreadable
  return isCheck && changed > 0 ? codes.changed : codes.ok
}

function readOptions(raw: Readonly<Record<string, unknown>>, tools: CliTools): Options {
  const indent = raw.indent === undefined ? 4 : raw.indent === 'tab' ? 0 : Number(raw.indent)
  if (!Number.isInteger(indent) || indent < 0 || indent > 8 || (indent === 0 && raw.indent !== 'tab'))
    tools.fail('--indent is a number of blanks from 1 to 8, or tab.', codes.usage)
  const keywords = raw.keywords ?? 'upper'
  if (keywords !== 'upper' && keywords !== 'keep') tools.fail('--keywords is upper or keep.', codes.usage)
  return { indent, keywords: keywords as Options['keywords'] }
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
  options: Options,
  isCheck: boolean,
): Promise<{ readonly isChanged: boolean; readonly fault?: string }> {
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
  if (changed && !isCheck) await writeFile(path, `${decoded.hasBom ? '\ufeff' : ''}${text}`)
  return { isChanged: changed }
}
