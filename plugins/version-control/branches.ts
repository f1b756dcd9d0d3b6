/** Branches and remotes of the repository of the project. */
import { problem } from '../../core/index.ts'
import { gitSaid, type Repository } from './git.ts'
import { requireLocal } from './switch.ts'

/** A branch. */
export interface Branch {
  readonly name: string
  readonly isCurrentBranch: boolean
  readonly isRemote: boolean
  readonly lastCommitSha: string
  readonly lastCommitMessage: string
}

/** All branches, those of remotes last. */
export async function branchesOf(git: Repository): Promise<Branch[]> {
  const form = '--format=%(refname)%00%(HEAD)%00%(objectname)%00%(symref)%00%(contents:subject)'
  const rows = (await git.text(['for-each-ref', form, 'refs/heads', 'refs/remotes'])).split('\n')
  return rows.flatMap((row) => {
    const [ref, mark, lastCommitSha, symbolic, lastCommitMessage] = row.split('\0')
    // origin/HEAD is another name of a branch.
    if (ref === undefined || lastCommitMessage === undefined || symbolic !== '') return []
    const isRemote = ref.startsWith('refs/remotes/')
    const name = ref.replace(/^refs\/(heads|remotes)\//, '')
    return [{ name, isCurrentBranch: mark === '*', isRemote, lastCommitSha: lastCommitSha!, lastCommitMessage }]
  })
}

/** @throws GatewayError `invalid_input` for a name that git does not take */
export async function requireBranchName(git: Repository, name: string): Promise<void> {
  if (!name.startsWith('-') && (await git.maybe(['check-ref-format', '--branch', name])) === name) return
  const message = 'is no name of a branch: no blanks, no .., ~, ^, :, ?, *, [, \\, no / or .lock at the end'
  throw problem('invalid_input', `/branchName: ${message}.`, {
    errors: [{ path: '/branchName', message, value: name }],
  })
}

/** Makes a branch at the last commit. @throws GatewayError `invalid_input`, `name_taken`, `conflict`: no commit */
export async function createBranch(git: Repository, name: string, dryRun: boolean): Promise<string> {
  await requireBranchName(git, name)
  if ((await git.maybe(['rev-parse', '--verify', '--quiet', `refs/heads/${name}`])) !== undefined)
    throw problem('name_taken', `There is a branch "${name}" already.`)
  const head = await git.head()
  if (head === undefined) throw problem('conflict', 'There is no commit that a branch could begin at. Commit first.')
  if (!dryRun) await git.text(['branch', '--no-track', '--', name])
  return head
}

/** @throws GatewayError `not_found`, `conflict` for the current branch and for commits that are nowhere else */
export async function deleteBranch(
  git: Repository,
  name: string,
  { force, dryRun }: { readonly force: boolean; readonly dryRun: boolean },
): Promise<string> {
  await requireLocal(git, name)
  const [sha, current] = [await git.commit(`refs/heads/${name}`), await git.maybe(['symbolic-ref', '-q', 'HEAD'])]
  if (current === `refs/heads/${name}`)
    throw problem('conflict', `"${name}" is checked out. Check another branch out first.`)
  const others = ['--exclude', `refs/heads/${name}`, '--all', 'HEAD']
  const own = Number(await git.text(['rev-list', '--count', `refs/heads/${name}`, '--not', ...others]))
  if (own > 0 && !force)
    throw problem('conflict', `"${name}" has ${own} commits that no other branch has.`, {
      errors: [{ path: '/force', message: 'true: delete it all the same', allowed: [true] }],
      suggestion: 'Merge it first, or send force: true.',
    })
  if (dryRun) return sha
  const { code, stderr } = await git.run(['branch', '--quiet', '-D', '--', name])
  if (code !== 0) throw gitSaid(stderr)
  return sha
}

/** The remotes that the repository names; without user names and passwords. */
export async function remotesOf(git: Repository): Promise<{ name: string; url: string }[]> {
  const text = (await git.maybe(['config', '-z', '--get-regexp', '^remote\\..*\\.url$'])) ?? ''
  return text.split('\0').flatMap((row) => {
    const [key, url] = row.split('\n')
    if (key === undefined || url === undefined) return []
    return [{ name: key.slice('remote.'.length, -'.url'.length), url: url.replace(/^(\w+:\/\/)[^/@]*@/, '$1') }]
  })
}
