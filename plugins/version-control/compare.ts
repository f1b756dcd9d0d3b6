/** The difference of two versions of the project, as a patch and by file. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { problem, type QueryContext } from '../../core/index.ts'
import { type Working, workingOf, workingVersion } from './changes.ts'
import type { Repository } from './git.ts'

export interface Compared {
  readonly fromSha: string
  /** `WORKING`: the project as it is. */
  readonly toSha: string
  /** Unified, by git. */
  readonly patch: string
  readonly files: readonly {
    readonly path: string
    readonly status: string
    readonly linesAdded: number
    readonly linesDeleted: number
  }[]
}

/** Longest patch that is answered, bytes: clients show it as a text. */
const mostPatch = 16 * 1024 * 1024

const plainDiff = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--relative']

/**
 * Compares two versions.
 * @param from a commit
 * @param to a commit, or `WORKING`
 * @throws GatewayError `not_found`, `payload_too_large` for a patch that nobody reads, `git_failed`
 */
export async function compare(ctx: QueryContext, git: Repository, from: string, to: string): Promise<Compared> {
  const fromSha = await git.commit(from)
  if (to === workingVersion) {
    const working = await workingOf(ctx, git)
    return withWorking(git, working, (env) => compared(git, ['--cached', fromSha], fromSha, to, env))
  }
  const toSha = await git.commit(to)
  return compared(git, [fromSha, toSha], fromSha, toSha)
}

async function compared(
  git: Repository,
  versions: readonly string[],
  fromSha: string,
  toSha: string,
  env: Record<string, string> = {},
): Promise<Compared> {
  const diff = (form: readonly string[]) => git.text(['diff', ...form, ...plainDiff, ...versions, '--', '.'], { env })
  const patch = await diff(['--patch'])
  if (patch.length > mostPatch)
    throw problem('payload_too_large', `The patch has ${patch.length} bytes; the limit is ${mostPatch}.`, {
      suggestion: 'Compare single files with file-content, or run git diff in the folder.',
    })
  const letters: Readonly<Record<string, string>> = { A: 'Added', D: 'Removed', T: 'Modified', M: 'Modified' }
  const rows = (await diff(['--name-status', '-z'])).split('\0')
  const statuses = new Map<string, string>()
  for (let i = 0; i + 1 < rows.length; i += 2) statuses.set(rows[i + 1]!, letters[rows[i]!] ?? 'Modified')
  const files = (await diff(['--numstat', '-z'])).split('\0').flatMap((row) => {
    const [added, deleted, path] = row.split('\t')
    if (path === undefined) return []
    // Of content that is no text there are no lines: "-".
    return [
      {
        path,
        status: statuses.get(path) ?? 'Modified',
        linesAdded: Number(added) || 0,
        linesDeleted: Number(deleted) || 0,
      },
    ]
  })
  return { fromSha, toSha, patch, files }
}

/** Shows git the project as it is, in an index and a store of objects that last as long as `use`. */
async function withWorking(
  git: Repository,
  { changes, files, content, head }: Working,
  use: (env: Record<string, string>) => Promise<Compared>,
): Promise<Compared> {
  const dir = await mkdtemp(join(tmpdir(), 'gantry-diff-'))
  try {
    const objects = (await git.text(['rev-parse', '--path-format=absolute', '--git-path', 'objects'])).trim()
    const env = {
      GIT_INDEX_FILE: join(dir, 'index'),
      GIT_OBJECT_DIRECTORY: dir,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
    }
    if (head !== undefined) await git.text(['read-tree', head], { env })
    const prefix = await git.prefix()
    const rows: string[] = []
    for (const { filePath } of changes) {
      const file = files.get(filePath)
      const bytes = file && (await content(file))
      const name = bytes && (await git.text(['hash-object', '-w', '--stdin'], { env, input: [bytes] })).trim()
      rows.push(`${name ? '100644' : '0'} ${name ?? '0'.repeat(head?.length ?? 40)}\t${prefix}${filePath}\0`)
    }
    await git.text(['update-index', '-z', '--index-info'], { env, input: [Buffer.from(rows.join(''))] })
    return await use(env)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
