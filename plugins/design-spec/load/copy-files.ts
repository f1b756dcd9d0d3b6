/** Files of the copy of a spec in the project's folder (docs/design.md#design-specs). */
import type { CommandContext, QueryContext } from '../../../core/index.ts'
import { fileNameOf, type Project } from '../../projects/index.ts'
import type { LoadedSpec } from '../spec.ts'

/** The folder that contains the copy, relative to the project's folder. */
export const copyFolder = '.gantry/cdc'

/** Files that editors and file transactions leave next to another file; they are not copies. */
const noCopy = /^[.~]|~$|\.(tmp|bak|swp|lock|orig|rej)$/i

/** Returns the path of a spec's copy, relative to the project's folder. */
export function copyPath(spec: Pick<LoadedSpec, 'sourceName'>): string {
  return `${copyFolder}/${fileNameOf(spec.sourceName)}`
}

/** Returns the file name from which `copyPath` made a path. The default hierarchy and the generated blocks use it. */
export function sourceNameOfCopy(path: string): string {
  const file = path.slice(path.lastIndexOf('/') + 1)
  return file.replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/**
 * Makes the copy of a spec the only one in the project's folder. The previous copy is deleted. Any other file in the
 * folder is kept as `<file>.bak`, because somebody put it there and it was never loaded.
 */
export async function writeCopy(
  ctx: CommandContext,
  project: Project,
  spec: LoadedSpec,
  before: LoadedSpec | undefined,
): Promise<void> {
  const own = before?.projectId === project.id ? copyPath(before) : undefined
  const target = copyPath(spec)
  for (const path of await copiesOnDisk(ctx.files, project)) {
    const file = `${project.path}/${path}`
    if (path !== own && path !== target) await ctx.files.write(`${file}.bak`, await ctx.files.read(file))
    if (path !== target) await ctx.files.remove(file)
  }
  await ctx.files.writeBlob(`${project.path}/${target}`, spec.source)
}

/** Deletes the copy of a spec. */
export async function removeCopy(ctx: CommandContext, project: Project, spec: LoadedSpec): Promise<void> {
  if (spec.projectId !== project.id) return
  const path = copyPath(spec)
  if ((await copiesOnDisk(ctx.files, project)).includes(path)) await ctx.files.remove(`${project.path}/${path}`)
}

/** Lists the files that can be a copy, by their paths relative to the project's folder. */
export async function copiesOnDisk(
  files: Pick<QueryContext['files'], 'stat' | 'list'>,
  project: Project,
): Promise<string[]> {
  const folder = `${project.path}/${copyFolder}`
  if (!(await files.stat(folder))?.isDirectory) return []
  const entries = await files.list(folder)
  return copiesAmong(entries.filter((entry) => !entry.isDirectory).map((entry) => `${copyFolder}/${entry.name}`))
}

/** Selects the paths (relative to the project's folder) that can be a copy. */
export function copiesAmong(paths: readonly string[]): string[] {
  return paths.filter((path) => {
    const slash = path.lastIndexOf('/')
    return path.slice(0, slash) === copyFolder && !noCopy.test(path.slice(slash + 1))
  })
}
