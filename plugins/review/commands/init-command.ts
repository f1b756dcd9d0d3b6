/** `gantry init`: settings, a sample test and pipeline files. */
import { writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import type { CliTools } from '../../../core/index.ts'
import { makeDirectory } from '../../../lib/make-directory.ts'
import { readFolderContent } from '../folder/folder.ts'
import { localFiles } from '../folder/local-files.ts'
import { pipelines, type Service, type Source, sampleTest, settings, variableOf } from './pipelines.ts'
import { fileSchemas, schemaText } from './schema-command.ts'

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
  const program =
    raw.program === undefined
      ? await programFolder(root)
      : String(raw.program)
          .replaceAll(sep, '/')
          .replace(/^\.\/|\/$/g, '')
  // The folder is written into scripts of pipelines.
  if (!/^[\p{L}\p{N}_./ -]+$/u.test(program) || program.startsWith('-') || program.split('/').includes('..'))
    tools.fail(`"${program}" is no name for a folder in a pipeline: letters, digits, spaces, _ . / and -.`, codes.usage)
  if (raw.program !== undefined && !(await localFiles.stat(join(root, program)))?.isDirectory)
    tools.fail(`There is no folder ${join(root, program)}.`, codes.unreadable)
  const source = sourceOf(raw, tools)
  const up = program === '.' ? '' : '../'.repeat(program.split('/').length)
  const schemas = '.gantry/schemas'
  const files: Record<string, string> = {
    [join(program, 'gantry.yml')]: settings(`${up === '' ? './' : up}${schemas}/${fileSchemas.config.file}`),
  }
  for (const [path, text] of Object.entries(sampleTest(`../${up}${schemas}/${fileSchemas.test.file}`)))
    files[join(program, path)] = text
  for (const name of ['config', 'test'] as const) files[join(schemas, fileSchemas[name].file)] = await schemaText(name)
  for (const service of wanted as readonly Service[]) {
    const { file, text } = pipelines[service]
    files[file] = text(program, source)
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
  const variable = variableOf(source)
  if (variable !== undefined)
    tools.note(
      source.kind === 'image'
        ? `The pipelines need the variable ${variable}: the container image, as "docker build" of Gantry's folder makes it.`
        : `The pipelines need the variable ${variable}: what npm installs, the file that "npm pack" of Gantry makes (its path in the repository with ./ before it, or an address), or name@version in your registry. Or run init with --package or --image.`,
    )
  await tools.print(`Try it: gantry check ${program.includes(' ') ? `"${program}"` : program}\n`)
  return kept === Object.keys(files).length ? codes.failed : codes.ok
}

/** What the pipelines run. Names are written into scripts. */
function sourceOf({ package: spec, image }: Readonly<Record<string, unknown>>, tools: CliTools): Source {
  if (spec !== undefined && image !== undefined) tools.fail('It is either --package or --image.', codes.usage)
  if (spec !== undefined && !/^[\w@./][\w@:/.+~^=?&%-]*$/.test(String(spec)))
    tools.fail(`"${spec}" is nothing that npm installs: a file .tgz, its address, or name@version.`, codes.usage)
  if (image === undefined) {
    // npm takes "folder/name.tgz" for a repository of GitHub.
    const isRelative = /\.t(ar\.)?gz$/i.test(String(spec)) && !/^([./]|\w+:)/.test(String(spec))
    return { kind: 'package', name: spec === undefined ? undefined : `${isRelative ? './' : ''}${spec}` }
  }
  if (!/^[\w][\w.:/@-]*$/.test(String(image)))
    tools.fail(`"${image}" is no name of a container image: registry/name:tag.`, codes.usage)
  return { kind: 'image', name: image === 'variable' ? undefined : String(image) }
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
