/** Commits as git lists them. */
import type { Repository } from './git.ts'

/** One commit. */
export interface LogEntry {
  readonly sha: string
  readonly shortSha: string
  readonly message: string
  readonly author: string
  /** ISO 8601. */
  readonly timestamp: string
  /** Of the project. */
  readonly filesChanged: number
}

/**
 * Reads commits.
 * @param args what `git log` takes: how many, from where; only those that change the folder of the project
 */
export async function entriesOf(git: Repository, args: readonly string[]): Promise<LogEntry[]> {
  // Each commit: a record separator, five fields with a unit separator behind each, then the names of its files.
  const form = '--format=%x1e%H%x1f%h%x1f%an%x1f%aI%x1f%B%x1f'
  const text = await git.text(['log', form, '--name-only', '-m', '--first-parent', '-z', ...args, '--', '.'])
  return text.split('\x1e').flatMap((record) => {
    const [sha, shortSha, author, time, message, files] = record.split('\x1f')
    if (sha === undefined || files === undefined) return []
    const filesChanged = files.split('\0').filter((name) => name.trim() !== '').length
    const timestamp = new Date(time!).toISOString()
    return [{ sha, shortSha: shortSha!, message: message!.trim(), author: author!, timestamp, filesChanged }]
  })
}

/** The commit that is checked out, also one that has nothing of the project. */
export async function lastCommit(git: Repository, sha: string) {
  const text = await git.text(['log', '-1', '--format=%aI%x1f%B', sha])
  const [time, message] = text.split('\x1f')
  const lastCommitDate = new Date(time!).toISOString()
  return { lastCommitSha: sha, lastCommitMessage: message!.trim(), lastCommitDate }
}
