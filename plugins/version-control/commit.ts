/** Commits the project as it is, without a detour over the working tree. */
import { type CommandContext, problem } from '../../core/index.ts'
import type { Working } from './changes.ts'
import type { Repository } from './git.ts'

/** Who makes a commit. */
export interface Author {
  readonly authorName: string
  readonly authorEmail: string
}

/** The caller; the address is the one that git is set to, else one that reaches nobody (RFC 2606). */
export async function authorOf({ actor }: Pick<CommandContext, 'actor'>, git: Repository): Promise<Author> {
  const authorName = actor.name.replace(/[<>\p{Cc}]/gu, ' ').trim() || 'gantry'
  const set = await git.maybe(['config', 'user.email'])
  return { authorName, authorEmail: set || `${authorName.replace(/[^\w.-]+/g, '-')}@gantry.invalid` }
}

/**
 * Makes a commit of the changes of the project on the branch that is checked out. Other files of the repository stay as
 * the last commit has them.
 * @returns its name
 * @throws GatewayError `conflict` when no branch is checked out or a merge is under way, `git_failed`
 */
export async function commitWorking(
  ctx: CommandContext,
  git: Repository,
  { changes, head, files, content }: Working,
  message: string,
): Promise<string> {
  const branch = await requireBranch(git)
  const prefix = await git.prefix()
  const { authorName, authorEmail } = await authorOf(ctx, git)
  const by = `${authorName} <${authorEmail}> ${Math.floor(ctx.now / 1000)} +0000`
  async function* commands(): AsyncGenerator<Buffer> {
    const text = Buffer.from(message)
    yield Buffer.from(`feature done\ncommit ${branch}\nauthor ${by}\ncommitter ${by}\ndata ${text.length}\n`)
    yield text
    yield Buffer.from(head === undefined ? '\n' : `\nfrom ${head}\n`)
    for (const { filePath } of changes) {
      const file = files.get(filePath)
      const path = quoted(`${prefix}${filePath}`)
      if (!file) yield Buffer.from(`D ${path}\n`)
      else {
        const bytes = await content(file)
        yield Buffer.from(`M 100644 inline ${path}\ndata ${bytes.length}\n`)
        yield bytes
        yield Buffer.from('\n')
      }
    }
    yield Buffer.from('done\n')
  }
  await git.text(['fast-import', '--quiet'], { input: commands() })
  // The index has the new versions too, so that git in the folder sees no changes; what was staged beside stays.
  const paths = changes.map(({ filePath }) => `:(literal)${filePath}\0`).join('')
  await git.run(['reset', '--quiet', '--pathspec-from-file=-', '--pathspec-file-nul'], { input: [Buffer.from(paths)] })
  return git.commit('HEAD')
}

/** The branch that is checked out, `refs/heads/main`. @throws GatewayError `conflict` */
export async function requireBranch(git: Repository): Promise<string> {
  const branch = await git.maybe(['symbolic-ref', '--quiet', 'HEAD'])
  if (branch === undefined)
    throw problem('conflict', 'No branch is checked out (HEAD is detached).', {
      suggestion: 'POST /api/source-control/branches/checkout with branchName.',
    })
  if ((await git.maybe(['rev-parse', '--verify', '--quiet', 'MERGE_HEAD'])) !== undefined)
    throw problem('conflict', 'A merge is under way in the folder of the project.', {
      suggestion: 'End it there with git merge --continue or --abort.',
    })
  return branch
}

/** A path as fast-import reads it. */
function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
}
