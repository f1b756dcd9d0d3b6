/** Brings another version of the files into the folder of the project, and opens the project anew from it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CommandContext, problem } from '../../core/index.ts'
import { counted } from '../../lib/counted.ts'
import { isModified, reloadProject, requireProject } from '../projects/index.ts'
import { workingOf } from './changes.ts'
import { authorOf, requireBranch } from './commit.ts'
import { gitSaid, type Repository, requireInside } from './git.ts'

/** @throws GatewayError `conflict`: what is not committed would be lost or mixed up with the other version */
async function requireCommitted(ctx: CommandContext, git: Repository): Promise<void> {
  const { changes } = await workingOf(ctx, git)
  if (changes.length > 0)
    throw problem('conflict', `The project has ${counted(changes.length, 'file')} that are not committed.`, {
      errors: changes.map(({ filePath, status }) => ({ path: filePath, message: status })),
      suggestion: 'Commit the changes, or undo them, first.',
    })
  requireSaved(ctx)
}

/** @throws GatewayError `conflict`: opening the files would discard what is only in the gateway */
function requireSaved(ctx: CommandContext): void {
  const project = requireProject(ctx)
  if (isModified(project))
    throw problem('conflict', `Project "${project.name}" has unsaved changes.`, {
      suggestion: 'POST /api/projects/actions/save first.',
    })
}

/**
 * Opens the project from the files that are now there. When that fails the files are as before, and the project stays
 * open: the command fails as a whole.
 * @throws what opening throws
 */
async function reload(ctx: CommandContext, putBack: () => Promise<unknown>): Promise<readonly string[]> {
  try {
    return await reloadProject(ctx)
  } catch (error) {
    await putBack()
    throw error
  }
}

/**
 * Checks a branch out.
 * @throws GatewayError `conflict` when the project has changes, `not_found`, `git_failed`: it would overwrite files
 */
export async function checkOut(ctx: CommandContext, git: Repository, branchName: string): Promise<readonly string[]> {
  await requireLocal(git, branchName)
  await requireCommitted(ctx, git)
  const before = await requireBranch(git)
  if (before === `refs/heads/${branchName}`) return []
  if (ctx.dryRun) return []
  await git.text(['checkout', '--quiet', branchName, '--'])
  return reload(ctx, () => git.text(['checkout', '--quiet', before.replace('refs/heads/', ''), '--']))
}

/** @throws GatewayError `not_found` with the branches that there are */
export async function requireLocal(git: Repository, branchName: string): Promise<void> {
  const found = await git.maybe(['rev-parse', '--verify', '--quiet', '--end-of-options', `refs/heads/${branchName}`])
  if (found !== undefined) return
  const { notFound } = await import('../../core/index.ts')
  const names = (await git.text(['for-each-ref', '--format=%(refname:short)', 'refs/heads'])).trim().split('\n')
  throw notFound('branch', branchName, names)
}

/** How a merge ended. */
export interface Merged {
  /** What it did, for people. */
  readonly message: string
  readonly commitSha: string
  readonly merged: boolean
  readonly warnings: readonly string[]
}

/**
 * Merges a branch into the one that is checked out. With conflicts nothing is merged.
 * @throws GatewayError `conflict` with the files that both have changed; as {@link checkOut}
 */
export async function merge(ctx: CommandContext, git: Repository, branchName: string): Promise<Merged> {
  await requireLocal(git, branchName)
  const into = (await requireBranch(git)).replace('refs/heads/', '')
  await requireCommitted(ctx, git)
  const before = await git.commit('HEAD')
  const ahead = Number(await git.maybe(['rev-list', '--count', `HEAD..refs/heads/${branchName}`]))
  if (ahead === 0 || ctx.dryRun) {
    const message = ahead === 0 ? `"${into}" has all of "${branchName}" already.` : `"${branchName}" would be merged.`
    return { message, commitSha: before, merged: false, warnings: [] }
  }
  const { authorName, authorEmail } = await authorOf(ctx, git)
  const identity = ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, authorName],
    [`GIT_${who}_EMAIL`, authorEmail],
  ])
  const text = `Merge branch '${branchName}' into ${into}`
  const args = ['merge', '--quiet', '--no-edit', '-m', text, `refs/heads/${branchName}`]
  const { code, stdout, stderr } = await git.run(args, { env: Object.fromEntries(identity) })
  if (code !== 0) {
    const names = (await git.text(['diff', '--name-only', '--relative', '--diff-filter=U', '-z']))
      .split('\0')
      .filter((one) => one)
    await git.run(['merge', '--abort'])
    if (names.length === 0) throw gitSaid(stderr || stdout.toString('utf8'))
    throw problem(
      'conflict',
      `"${branchName}" and "${into}" have both changed ${names.join(', ')}. Nothing is merged.`,
      {
        errors: names.map((path) => ({ path, message: 'merge conflict' })),
        suggestion: 'Merge in the folder with git and resolve the conflicts there, then open the project again.',
      },
    )
  }
  const warnings = await reload(ctx, () => git.text(['reset', '--quiet', '--keep', before]))
  const commitSha = await git.commit('HEAD')
  const files = (await git.text(['diff', '--name-only', '--relative', '-z', before, commitSha])).split('\0').length - 1
  return {
    message: `Merged "${branchName}" into "${into}": ${counted(files, 'file')}.`,
    commitSha,
    merged: true,
    warnings,
  }
}

/**
 * Brings a file back as a commit has it.
 * @returns warnings about the project as it is then
 * @throws GatewayError `conflict` when the project has unsaved changes, `not_found`; what opening throws
 */
export async function restore(
  ctx: CommandContext,
  git: Repository,
  commitSha: string,
  filePath: string,
): Promise<readonly string[]> {
  requireInside(filePath)
  const commit = await git.commit(commitSha)
  if ((await git.maybe(['cat-file', '-e', `${commit}:./${filePath}`])) === undefined)
    throw problem('not_found', `Commit ${commit.slice(0, 7)} has no file "${filePath}" of the project.`)
  requireSaved(ctx)
  if (ctx.dryRun) return []
  const file = join(git.project.path, filePath)
  const before = await readFile(file).catch(() => undefined)
  await git.text(['restore', '--quiet', `--source=${commit}`, '--worktree', '--', `:(literal)${filePath}`])
  const putBack = async () => {
    const { rm, writeFile } = await import('node:fs/promises')
    await (before === undefined ? rm(file, { force: true }) : writeFile(file, before))
  }
  return reload(ctx, putBack)
}
