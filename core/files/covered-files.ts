/** Keeps the files of this process from the processes that it starts. */
import { closeSync, fstatSync, openSync, readdirSync } from 'node:fs'
import { devNull } from 'node:os'

/**
 * Starts a process that gets an empty file in the place of every regular file that this process has open. LevelDB opens
 * its files without O_CLOEXEC (1.20, util/env_posix.cc), so that a new process would hold the database: deleted tables
 * would keep their disk space, and the process could write to it. Windows passes on nothing that it is not told to.
 *
 * @param from first descriptor that the process is not given on purpose
 * @param start spawns it at once, with these entries of `stdio` from that descriptor on
 */
export function withCoveredFiles<T>(from: number, start: (stdio: readonly ('ignore' | number)[]) => T): T {
  const open = new Set(openFiles())
  const last = Math.max(from - 1, ...open)
  const empty = openSync(devNull, 'r')
  try {
    return start(Array.from({ length: last - from + 1 }, (_, n) => (open.has(from + n) ? empty : 'ignore')))
  } finally {
    closeSync(empty)
  }
}

function openFiles(): number[] {
  try {
    // Linux and macOS
    return readdirSync('/dev/fd').map(Number).filter(isRegularFile)
  } catch {
    return []
  }
}

/** Node opens everything else (sockets, pipes) so that no process inherits it. */
function isRegularFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile()
  } catch {
    return false // the one that the list was read with is closed again
  }
}
