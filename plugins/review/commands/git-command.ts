/** `gantry git`: makes git compare and merge exports of programs with this command. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { CliTools } from '../../../core/index.ts'
import { makeDirectory } from '../../../lib/make-directory.ts'
import { contentText } from '../../../plc/edit/content-text.ts'
import { decodeText } from '../../../plc/model/decode.ts'
import { FormatError } from '../../../plc/model/fault.ts'
import { textIn } from '../../../plc/model/multilingual-text.ts'
import { rowsText } from '../compare/diff.ts'
import { readFolderContent } from '../folder/folder.ts'
import { folderObjects } from '../folder/folder-objects.ts'
import { localFiles } from '../folder/local-files.ts'

const codes = { ok: 0, failed: 1, usage: 2, unreadable: 3 } as const
const run = promisify(execFile)

/** Endings of files that git hands over. Other XML is compared and merged by lines. */
const patterns = ['xml', 's7dcl', 'scl', 'udt', 'db', 'awl', 'stl'].map((ending) => `*.${ending}`)
const attributes = ['diff=gantry', 'merge=gantry'] as const
const sections = ['diff.gantry', 'difftool.gantry', 'merge.gantry'] as const

/** @returns the exit code */
export async function runGit(
  [action, given]: readonly (string | undefined)[],
  raw: Readonly<Record<string, unknown>>,
  tools: CliTools,
): Promise<number> {
  if (action === 'textconv') return textconv(given ?? tools.fail('The file is missing.', codes.usage), tools)
  if (action !== 'install' && action !== 'uninstall')
    return tools.fail(`"${action}" is not an action: there are install, uninstall and textconv.`, codes.usage)
  const isGlobal = raw.global === true
  if (isGlobal && given !== undefined) tools.fail('--global takes no folder.', codes.usage)
  const cwd = resolve(given ?? '.')
  const git = async (...args: string[]): Promise<string> => {
    try {
      return (await run('git', args, { cwd })).stdout.trim()
    } catch (error) {
      const { code, stderr } = error as { code?: unknown; stderr?: string }
      if (code === 1 || (code === 128 && args.includes('--remove-section'))) return ''
      if (code === 'ENOENT') return tools.fail(`git is not installed, or there is no folder ${cwd}.`, codes.unreadable)
      return tools.fail((stderr ?? String(error)).trim().replace(/^fatal: /, ''), codes.unreadable)
    }
  }
  const scope = isGlobal ? '--global' : '--local'
  const file = isGlobal
    ? await globalAttributes(git)
    : join(await git('rev-parse', '--show-toplevel'), '.gitattributes')
  if (action === 'uninstall') {
    for (const section of sections) await git('config', scope, '--remove-section', section)
    await changeLines(file, withoutOurs)
    await tools.print(`git compares and merges by lines again; ${file} has no lines of gantry\n`)
    return codes.ok
  }
  const command = (raw.command as string | undefined) ?? ownCommand()
  for (const [name, value] of settings(command)) await git('config', scope, '--replace-all', name, value)
  const kept: string[] = []
  await changeLines(file, (lines) => withOurs(lines, kept))
  for (const line of kept) tools.note(`${file} has "${line}", which stays.`)
  await tools.print(
    `git diff shows programs as text, "git difftool --tool=gantry" compares them by meaning, merges go by meaning\n` +
      `settings: git config ${scope}; files: ${file}\n`,
  )
  return codes.ok
}

/** What git runs. Git gives it to a shell, and replaces %O (base), %A (ours), %B (theirs) and %P (path). */
function settings(command: string): readonly (readonly [name: string, value: string])[] {
  return [
    ['diff.gantry.textconv', `${command} git textconv`],
    ['difftool.gantry.cmd', `${command} diff "$LOCAL" "$REMOTE"`],
    ['difftool.gantry.trustExitCode', 'false'],
    ['merge.gantry.name', 'PLC programs by meaning'],
    ['merge.gantry.driver', `${command} merge %O %A %B --output %A --path %P`],
  ]
}

/** This command, for a shell. */
function ownCommand(): string {
  const word = (text: string) => `'${text.replaceAll('\\', '/').replaceAll("'", "'\\''")}'`
  return `${word(process.execPath)} ${word(resolve(process.argv[1] ?? 'gantry'))}`
}

/** Where git looks for attributes of all repositories. */
async function globalAttributes(git: (...args: string[]) => Promise<string>): Promise<string> {
  const own = await git('config', '--global', '--path', 'core.attributesFile')
  return own === '' ? join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git', 'attributes') : own
}

async function changeLines(file: string, change: (lines: readonly string[]) => string[]): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  const changed = change(lines)
  if (changed.join(eol) === lines.join(eol)) return
  await makeDirectory(dirname(file))
  await writeFile(file, changed.length === 0 ? '' : changed.join(eol) + eol)
}

/** Adds what is missing; an attribute that a line sets to something else stays. */
function withOurs(lines: readonly string[], kept: string[]): string[] {
  const added = patterns.flatMap((pattern) => {
    const own = lines.map((line) => line.trim().split(/\s+/)).filter(([first]) => first === pattern)
    const missing = attributes.filter((attribute) => {
      const name = attribute.replace(/=.*/, '')
      const set = own.find((words) => words.slice(1).some((word) => word.replace(/^[-!]|=.*/g, '') === name))
      if (set !== undefined && !set.includes(attribute)) kept.push(set.join(' '))
      return set === undefined
    })
    return missing.length === 0 ? [] : [[pattern, ...missing].join(' ')]
  })
  return [...lines, ...added]
}

/** Takes the attributes away, and lines that then say nothing. */
function withoutOurs(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const [pattern = '', ...words] = line.trim().split(/\s+/)
    const others = words.filter((word) => !(attributes as readonly string[]).includes(word))
    if (!patterns.includes(pattern) || others.length === words.length) return [line]
    return others.length === 0 ? [] : [[pattern, ...others].join(' ')]
  })
}

/** Language of titles and comments; any other one where a text has none in it. */
const culture = 'en-US'

/** Prints a file as text that git compares by lines; a file that is no export, or has faults, as it is. */
async function textconv(path: string, tools: CliTools): Promise<number> {
  const info = await localFiles.stat(path)
  if (info === undefined) tools.fail(`There is nothing at ${path}.`, codes.unreadable)
  const { objects, unread } = await folderObjects(await readFolderContent(localFiles, path), culture)
  const isDrawn = objects.some(({ object }) => object.format !== 'source')
  if (unread.length > 0 || !isDrawn) {
    const bytes = await readFile(path)
    await tools.print(plainText(bytes))
    return codes.ok
  }
  const texts = objects.map(({ object }) => {
    const { sourceText, declarations = '', networks = [] } = contentText(object)
    const { kind, name, number, version } = object
    const [title, comment] = [textIn(object.title, culture), textIn(object.comment, culture)]
    const head = [
      `${kind} "${name}"${number === undefined ? '' : ` number ${number}`}`,
      ...(title === '' ? [] : [`TITLE = ${title}`]),
      ...(comment === '' ? [] : [comment]),
      ...(version === '' ? [] : [`VERSION : ${version}`]),
    ].join('\n')
    if (sourceText !== undefined && networks.length === 0) return `${head}\n${sourceText}`
    const bodies = networks.map(
      (one) => `NETWORK ${one.language}${one.title ? ` ${one.title}` : ''}\n${one.comment ?? ''}\n${one.text}\n`,
    )
    return [head, declarations, ...bodies, rowsText(object)].join('\n')
  })
  await tools.print(`${texts.join('\n').trimEnd()}\n`)
  return codes.ok
}

function plainText(bytes: Uint8Array): string {
  try {
    return decodeText(bytes).text
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return new TextDecoder('latin1').decode(bytes)
  }
}
