/** `gantry init`: settings, a sample test and pipeline files. */
import { writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { CliTools } from '../../core/index.ts'
import { makeDirectory } from '../../lib/make-directory.ts'
import { readFolderContent } from './folder.ts'
import { localFiles } from './local-files.ts'
import { pipelines, type Service, sampleTest, settings } from './pipelines.ts'

const services = Object.keys(pipelines) as Service[]
const codes = { ok: 0, failed: 1, usage: 2, unreadable: 3 } as const

/** @returns the exit code */
export async function runInit(
  given: string | undefined,
  raw: Readonly<Record<string, unknown>>,
  tools: CliTools,
): Promise<number> {
  const root = resolve(given ?? '.')
  if (!(await localFiles.stat(root))?.isDirectory) tools.fail(`There is no folder ${root}.`, codes.unreadable)
  const wanted = (raw.ci as readonly string[] | undefined) ?? services
  const unknown = wanted.filter((one) => !(services as string[]).includes(one))
  if (unknown.length > 0) tools.fail(`--ci is one of ${services.join(', ')}.`, codes.usage)
  const program = raw.program === undefined ? await programFolder(root) : String(raw.program).replace(/^\.\/|\/$/g, '')
  // The folder is written into scripts of pipelines.
  if (!/^[\p{L}\p{N}_./ -]+$/u.test(program) || program.startsWith('-') || program.split('/').includes('..'))
    tools.fail(`"${program}" is no name for a folder in a pipeline: letters, digits, spaces, _ . / and -.`, codes.usage)
  if (raw.program !== undefined && !(await localFiles.stat(join(root, program)))?.isDirectory)
    tools.fail(`There is no folder ${join(root, program)}.`, codes.unreadable)
  const repository = raw.repository as string | undefined
  if (repository !== undefined && !/^[\w@:/.+~-]+$/.test(repository))
    tools.fail(`"${repository}" is no address of a repository.`, codes.usage)
  const files: Record<string, string> = { [join(program, 'gantry.yml')]: settings }
  for (const [path, text] of Object.entries(sampleTest)) files[join(program, path)] = text
  for (const service of wanted as readonly Service[]) {
    const { file, text } = pipelines[service]
    files[file] = text(program, repository)
  }
  let kept = 0
  for (const [path, text] of Object.entries(files)) {
    const full = join(root, path)
    if (raw.force !== true && (await localFiles.stat(full))) {
      tools.note(`${path} is there and stays; --force replaces it.`)
      kept++
      continue
    }
    await makeDirectory(dirname(full))
    await writeFile(full, text)
    await tools.print(`wrote ${path}\n`)
  }
  if (repository === undefined)
    tools.note(
      'The pipelines need the variable GANTRY_REPOSITORY: the address that Gantry is cloned from (or run init with --repository).',
    )
  await tools.print(`Try it: gantry check ${program.includes(' ') ? `"${program}"` : program}\n`)
  return kept === Object.keys(files).length ? codes.failed : codes.ok
}

/** The topmost folder below which all exports are; the root itself when they are in several. */
async function programFolder(root: string): Promise<string> {
  const { program, hardware } = await readFolderContent(localFiles, root)
  // The report that the pipelines write is no export.
  const exports = [...program, ...hardware].filter(({ path }) => !/(^|\/)gantry-tests\.xml$/.test(path))
  const [first, ...others] = exports.map(({ path }) => path.split('/').slice(0, -1))
  if (first === undefined) return '.'
  const shared = others.reduce((common, parts) => common.slice(0, firstOther(common, parts)), first)
  return shared.join('/') || '.'
}

function firstOther(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((one, i) => one !== b[i])
  return at === -1 ? a.length : at
}
