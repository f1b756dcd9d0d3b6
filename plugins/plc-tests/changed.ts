/** What changed since a version in git, and which tests that touches. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { factsOf } from '../../plc/documentation/facts.ts'
import type { TestFile } from '../../plc/program-tests/model.ts'
import type { PlacedObject } from '../../plc/review/read-folder.ts'
import { pathFrom } from './test-content.ts'

const run = promisify(execFile)

/** Plain data. */
export interface ChangedFiles {
  /** From the folder. */
  readonly files: readonly string[]
  /** Files that are no longer there: nobody can say what used them. */
  readonly removed: readonly string[]
}

/** Git does not know the version, or the folder is in no repository. */
export class GitError extends Error {
  override readonly name = 'GitError'
}

/**
 * Files of a folder that differ from a version: changed, new or removed, committed or not.
 * @throws GitError
 */
export async function changedSince(folder: string, ref: string): Promise<ChangedFiles> {
  const git = async (...args: string[]): Promise<string> => {
    try {
      return (await run('git', args, { cwd: folder, maxBuffer: 256 * 1024 * 1024 })).stdout
    } catch (error) {
      const { code, stderr = '' } = error as NodeJS.ErrnoException & { stderr?: string }
      throw new GitError(code === 'ENOENT' ? 'git is not installed' : stderr.trim().replace(/^fatal: /, ''))
    }
  }
  // An option cannot be taken for a version.
  const commit = (await git('rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`)).trim()
  const parts = (await git('diff', '--name-status', '--no-renames', '--relative', '-z', commit, '--', '.')).split('\0')
  const files: string[] = []
  const removed: string[] = []
  for (let i = 0; i + 1 < parts.length; i += 2) (parts[i] === 'D' ? removed : files).push(parts[i + 1] as string)
  const added = (await git('ls-files', '--others', '--exclude-standard', '-z', '--', '.')).split('\0')
  return { files: [...files, ...added.filter((one) => one !== '')], removed }
}

const program = /\.(xml|s7dcl|s7res|scl|udt|db|awl|stl|xlsx|csv)$/i

/** Whether a test is touched: its file or what it names changed, or what its block or the program uses. */
export function touchedBy(
  { files, removed }: ChangedFiles,
  objects: readonly PlacedObject[],
): (file: TestFile) => boolean {
  const changed = new Set(files)
  if (
    removed.some((one) => program.test(one)) ||
    [...changed, ...removed].some((one) => /(^|\/)gantry\.ya?ml$/.test(one))
  )
    return () => true
  const names = new Set<string>()
  const open: string[] = []
  const add = (name: string) => {
    const key = name.toLowerCase()
    if (names.has(key)) return
    names.add(key)
    open.push(key)
  }
  for (const { object, file } of objects) {
    if (!changed.has(file)) continue
    add(object.name)
    for (const { name } of [...(object.tags ?? []), ...(object.constants ?? [])]) add(name)
  }
  const { usedBy } = factsOf(objects.map(({ object }) => object))
  // An instance data block is used as its function block is.
  const instances = new Map<string, string[]>()
  for (const { object } of objects)
    if (object.instanceOf !== undefined) {
      const key = object.instanceOf.toLowerCase()
      instances.set(key, [...(instances.get(key) ?? []), object.name])
    }
  for (let one = open.pop(); one !== undefined; one = open.pop())
    for (const user of [...(usedBy.get(one) ?? []).map(({ name }) => name), ...(instances.get(one) ?? [])]) add(user)
  const isProgramTouched = objects.some(({ object }) => object.kind === 'OB' && names.has(object.name.toLowerCase()))
  return (file) =>
    changed.has(file.path) ||
    [
      ...file.stubs.map((one) => one.file),
      ...file.cases.flatMap(({ steps }) => steps.flatMap(({ stimulus }) => stimulus?.file ?? [])),
    ].some((one) => changed.has(pathFrom(file.path, one))) ||
    (file.block === undefined ? isProgramTouched : names.has(file.block.toLowerCase())) ||
    (file.isBlockTest === true && isProgramTouched)
}
