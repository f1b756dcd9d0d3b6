/** Merge conflicts that version control left in the files of a project. */
import { problem } from '../../../core/index.ts'

/** Reads files and keeps the conflicts found in them. */
interface ReadFiles {
  /** By path, of every file that was read. */
  readonly hashes: ReadonlyMap<string, string>
  readonly conflicts: ReadonlyMap<string, readonly number[]>
  read(path: string): Promise<unknown>
}

/** How Git, Mercurial and Subversion begin and end a conflict: seven signs, a blank, a name. */
const conflictMarker = /^(?:<{7}|>{7}) /

/** Lines, from 1, at which the conflicts of a text begin; also the line of an end without a beginning. */
export function conflictLines(content: Buffer): number[] {
  if (!content.includes('<<<<<<< ') && !content.includes('>>>>>>> ')) return []
  const lines: number[] = []
  let isOpen = false
  for (const [i, line] of content.toString('utf8').split('\n').entries()) {
    if (!conflictMarker.test(line)) continue
    const begins = line.startsWith('<')
    if (begins || !isOpen) lines.push(i + 1)
    isOpen = begins
  }
  return lines
}

/**
 * The error that names every merge conflict, undefined when there is none. Files that were not read yet are searched
 * too, so that all conflicts are reported at once.
 *
 * @param paths the files of the project
 */
export async function conflictProblem(files: ReadFiles, paths: readonly string[]) {
  for (const path of paths) if (!files.hashes.has(path)) await files.read(path)
  const faults = [...files.conflicts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, lines]) => lines.map((line) => ({ path, line, message: 'merge conflict' })))
  const [first] = faults
  if (first === undefined) return undefined
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  return problem(
    'unacceptable_content',
    `The project has merge conflicts: ${first.path}, line ${first.line}${more}. Nothing was opened.`,
    { errors: faults, suggestion: 'Resolve the conflicts with your version control, then open the project again.' },
  )
}
