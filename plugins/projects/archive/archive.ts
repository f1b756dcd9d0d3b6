/** Archives: the project as one `.zapNN` file, and back. */

import { basename, dirname, extname, join } from 'node:path'
import { type CommandContext, defined, problem } from '../../../core/index.ts'
import { counted } from '../../../lib/counted.ts'
import { unpackFiles } from '../files/folder-access.ts'
import { isManifest, manifestExtension } from '../files/manifest.ts'
import { fileNameOf, folderTaken } from '../files/names.ts'
import { FolderFiles, readTree } from '../files/tree.ts'
import type { Opened } from '../import-content.ts'
import { contentOf, openFiles } from '../open.ts'
import { isModified, type Project } from '../project.ts'
import { type ArchivedFile, packTask, type Unpacked } from './archive.task.ts'
import { unpackLimits } from './archive-limits.ts'

const archiveExtension = /\.zap(\d+)?$/i

export interface Archived {
  readonly archivePath: string
  readonly size: number
  readonly files: number
}

/** Where an archive is to be written. */
export interface ArchiveTarget {
  /** A file, or an existing folder. */
  readonly archivePath?: string
  readonly targetDirectory?: string
  readonly targetName?: string
  readonly overwrite?: boolean
}

/** Packs the project's folder as saved. Left out: version control folders, leftovers, and other archives of it. */
export async function archiveProject(ctx: CommandContext, project: Project, target: ArchiveTarget): Promise<Archived> {
  if (isModified(project)) {
    throw problem('conflict', `Project "${project.name}" has unsaved changes; an archive holds what is saved.`, {
      suggestion: 'Send { "save": true }, or POST /api/projects/actions/save-sync first.',
    })
  }
  const archivePath = await archivePathOf(ctx, project, target)
  const tree = await readTree(ctx.files, project.path)
  const paths = tree.files.filter((path) => !archiveExtension.test(path))
  const files: ArchivedFile[] = []
  let total = 0
  for (const [i, path] of paths.entries()) {
    ctx.signal.throwIfAborted()
    const content = await ctx.files.read(join(project.path, path))
    total += content.length
    if (total > unpackLimits.totalBytes)
      throw problem(
        'payload_too_large',
        `The project has more than ${unpackLimits.totalBytes} bytes; that is the limit of an archive.`,
      )
    files.push({ path, content, modifiedAt: tree.modifiedAt.get(path) ?? project.createdAt })
    if (i % 50 === 0) ctx.progress((60 * i) / paths.length, `Reading ${paths.length} files`)
  }
  const packed = await ctx.engine.run<Uint8Array>(packTask({ files }))
  await ctx.files.write(archivePath, packed)
  return { archivePath, size: packed.byteLength, files: files.length }
}

async function archivePathOf(ctx: CommandContext, project: Project, target: ArchiveTarget): Promise<string> {
  const number = project.version.slice(1)
  let path: string
  let field = '/targetName'
  const named = target.archivePath === undefined ? undefined : await ctx.files.resolve(target.archivePath)
  if (named !== undefined && !(await ctx.files.stat(named))?.isDirectory) {
    path = named
    field = '/archivePath'
  } else {
    const folder = named ?? (await ctx.files.resolve(target.targetDirectory ?? dirname(project.path)))
    path = join(folder, target.targetName ?? project.name)
  }
  const given = archiveExtension.exec(path)
  if (!given) path += `.zap${number}`
  else if (given[1] !== undefined && given[1] !== number) {
    throw problem(
      'invalid_input',
      `${field}: "${basename(path)}" names version ${given[1]}, but the project is of ${project.version}; end it in .zap${number}.`,
      {
        errors: [
          {
            path: field,
            message: `must end in .zap${number} or .zap`,
            value: basename(path),
            allowed: [`.zap${number}`, '.zap'],
          },
        ],
      },
    )
  }
  path = await ctx.files.resolve(path)
  const there = await ctx.files.stat(path)
  if (there?.isDirectory) throw problem('conflict', `"${path}" is a folder.`)
  if (there && target.overwrite !== true) {
    throw problem('name_taken', `"${path}" exists already.`, {
      suggestion: 'Send { "overwrite": true } or another name.',
    })
  }
  return path
}

/** An archive that a client named or sent. */
interface Archive {
  readonly name: string
  readonly content: Uint8Array
}

/** Where an archive is unpacked, and what of a TIA Portal project is taken. */
export interface RestoreOptions {
  readonly targetDirectory: string
  /** Leaves damaged records of a TIA Portal project out. */
  readonly continueOnError?: boolean
  /** Takes an earlier save of a TIA Portal project, from 1. */
  readonly asOfSave?: number
}

/** Unpacks an archive into `<targetDirectory>/<project>` and opens it. */
export async function restoreArchive(ctx: CommandContext, archive: Archive, options: RestoreOptions): Promise<Opened> {
  const { name: archiveName, content } = archive
  const { targetDirectory } = options
  ctx.progress(2, 'Unpacking')
  const unpacked = await unpackFiles(ctx, content, manifestExtension)
  if (unpacked.kind === 'tia') return restoreTia(ctx, archive, unpacked, options)
  const { root, manifest } = findManifest(
    archiveName,
    unpacked.files.map(({ path }) => path),
  )
  const name = manifest.slice(0, -manifestExtension.length)
  const folder = await ctx.files.resolve(join(await ctx.files.resolve(targetDirectory), name))
  if (await ctx.files.stat(folder)) throw folderTaken(folder)
  const contents = new Map(
    unpacked.files.flatMap(({ path, content: bytes, modifiedAt }) =>
      path.startsWith(root) ? [[path.slice(root.length), { bytes: Buffer.from(bytes), modifiedAt }] as const] : [],
    ),
  )
  // The manifest last: a folder without one is not taken for a whole project.
  for (const [path, { bytes, modifiedAt }] of contents)
    if (path !== manifest) await ctx.files.write(join(folder, path), bytes, { modifiedAt })
  await ctx.files.write(join(folder, manifest), contents.get(manifest)!.bytes)
  const files = new FolderFiles([...contents.keys()].sort(), {
    read: async (path) => contents.get(path)!.bytes,
    modifiedAt: async (path) => contents.get(path)!.modifiedAt,
  })
  const opened = await openFiles(ctx, { how: 'restored', folder, manifest, files, savedAt: ctx.now })
  const ignored =
    unpacked.ignored.length > 0
      ? [
          `${counted(unpacked.ignored.length, 'entry', 'entries')} of version control folders ${unpacked.ignored.length === 1 ? 'was' : 'were'} left out.`,
        ]
      : []
  return { ...opened, warnings: [...opened.warnings, ...ignored] }
}

/** The manifest is at the top, or in the one folder that contains everything. */
function findManifest(archive: string, paths: readonly string[]): { root: string; manifest: string } {
  const tops = new Set(paths.map((path) => path.split('/')[0]!))
  const roots = ['', ...(tops.size === 1 ? [`${[...tops][0]}/`] : [])]
  for (const root of roots) {
    const found = paths.filter(
      (path) => path.startsWith(root) && !path.slice(root.length).includes('/') && isManifest(path),
    )
    if (found.length > 1)
      throw problem('unacceptable_content', `"${archive}" holds ${found.length} projects: ${found.join(', ')}.`)
    if (found[0] !== undefined) return { root, manifest: found[0].slice(root.length) }
  }
  throw problem(
    'unacceptable_content',
    `"${archive}" is not the archive of a project: it has no manifest (*${manifestExtension}). ${contentOf(paths)}`,
  )
}

/** Opens the project of TIA Portal that an archive holds; Gantry's own project goes into a new folder. */
async function restoreTia(
  ctx: CommandContext,
  { name, content }: Archive,
  unpacked: Unpacked & { kind: 'tia' },
  options: RestoreOptions,
): Promise<Opened> {
  const [{ openTia }, { requireStore }] = await Promise.all([
    import('../tia/tia-open.ts'),
    import('../tia/tia-source.ts'),
  ])
  const source = requireStore(name, content, unpacked)
  const root = await ctx.files.resolve(options.targetDirectory)
  const folder = await ctx.files.resolve(join(root, fileNameOf(nameOf(source.header ? unpacked.file : name))))
  if (await ctx.files.stat(folder)) throw folderTaken(folder)
  const { continueOnError = false, asOfSave } = options
  return openTia(ctx, source, folder, { continueOnError, ...defined({ asOfSave }) })
}

/** A file's name without folder and extension. */
const nameOf = (path: string): string => basename(path, extname(path))
