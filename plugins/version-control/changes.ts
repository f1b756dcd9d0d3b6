/** What has changed in the open project since the last commit: what a save would write, compared with the commit. */
import { createHash } from 'node:crypto'
import type { CommandContext, Gateway, QueryContext } from '../../core/index.ts'
import { compareTexts } from '../../lib/compare-texts.ts'
import { type UnsavedFiles, unsavedFiles } from '../projects/index.ts'
import { type Repository, requireInside } from './git.ts'

/** A file of the project that is not as the commit has it. */
export interface Change {
  /** Below the folder of the project. */
  readonly filePath: string
  readonly status: 'Added' | 'Modified' | 'Removed'
  /** What it belongs to: `blocks`, `tags`, `hmi`, `device`, `project` … */
  readonly domain: string
  /** Empty: of no device. */
  readonly deviceName: string
  readonly itemName: string
}

/** The project as it is now, beside its last commit. */
export interface Working extends UnsavedFiles {
  /** The last commit; absent: none yet. */
  readonly head?: string
  /** Files of the project that differ, by path. */
  readonly changes: readonly Change[]
  /** Of these files with their contents, and of the commit: what a commit would record. */
  readonly contentHash: string
}

/** Git names of blobs, by the names that the gateway has for them: a project of ten thousand objects is read once. */
const known = new WeakMap<Gateway, ReadonlyMap<string, string>>()

/** Compares the project with its last commit. @throws GatewayError `no_project`, `git_failed` */
export async function workingOf(ctx: QueryContext | CommandContext, git: Repository): Promise<Working> {
  const unsaved = await unsavedFiles(ctx)
  const head = await git.head()
  const committed = await filesOf(git, head)
  const algorithm = (await git.text(['rev-parse', '--show-object-format'])).trim()
  const before = known.get(ctx.gateway)
  const names = new Map<string, string>()
  const changes: Change[] = []
  const contents = new Map<string, string>()
  for (const [path, file] of unsaved.files) {
    let name = file.blob === undefined ? undefined : before?.get(`${algorithm} ${file.blob}`)
    name ??= blobName(algorithm, await unsaved.content(file))
    if (file.blob !== undefined) names.set(`${algorithm} ${file.blob}`, name)
    if (committed.get(path) === name) continue
    changes.push(changeOf(path, committed.has(path) ? 'Modified' : 'Added'))
    contents.set(path, name)
  }
  known.set(ctx.gateway, names)
  for (const path of committed.keys())
    if (!unsaved.files.has(path) && unsaved.patterns.some((pattern) => pattern.test(path)))
      changes.push(changeOf(path, 'Removed'))
  changes.sort((a, b) => compareTexts(a.filePath, b.filePath))
  const whole = JSON.stringify([head, changes.map(({ filePath }) => [filePath, contents.get(filePath)])])
  const contentHash = createHash('sha256').update(whole).digest('hex')
  return { ...unsaved, ...(head === undefined ? {} : { head }), changes, contentHash }
}

/** Names of the contents of files below the folder of the project in a commit, by path. */
async function filesOf(git: Repository, commit: string | undefined): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  if (commit === undefined) return files
  for (const row of (await git.text(['ls-tree', '-r', '-z', commit])).split('\0')) {
    const found = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(row)
    if (found) files.set(found[2]!, found[1]!)
  }
  return files
}

/** The name that git gives a content (gitformat-loose: its type and length, then itself). */
function blobName(algorithm: string, content: Buffer): string {
  return createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest('hex')
}

function changeOf(filePath: string, status: Change['status']): Change {
  const segments = filePath.split('/').map(plain)
  const name = segments.at(-1)!
  const itemName = name.replace(/(\.[A-Za-z0-9]+)(\.json)?$/, '')
  if (segments[0] !== 'devices' || segments.length < 3) {
    const domain = segments.length > 1 ? segments[0]! : 'project'
    return { filePath, status, domain, deviceName: '', itemName }
  }
  const deviceName = segments[1]!
  if (segments.length === 3) return { filePath, status, domain: itemName, deviceName, itemName: deviceName }
  return { filePath, status, domain: segments[2]!, deviceName, itemName }
}

/** Names of files are encoded where file systems do not allow a character. */
function plain(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * The version of a file that a client names.
 * @param version a commit, or `WORKING`: what a save would write
 * @returns undefined when that version has no such file
 * @throws GatewayError `not_found` for a commit that is not there
 */
export async function fileAt(
  ctx: QueryContext,
  git: Repository,
  version: string,
  path: string,
): Promise<Buffer | undefined> {
  requireInside(path)
  if (version === workingVersion) {
    const { files, content } = await unsavedFiles(ctx)
    const file = files.get(path)
    return file && content(file)
  }
  const commit = await git.commit(version)
  const { code, stdout } = await git.run(['cat-file', 'blob', `${commit}:./${path}`])
  return code === 0 ? stdout : undefined
}

/** Stands for the project as it is, where a version is named. */
export const workingVersion = 'WORKING'
