import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What LevelDB dropped when it opened the database. */
export interface Dropped {
  readonly file: string
  readonly detail: string
}

/**
 * LevelDB drops damaged parts of its `.log` file on open without an error. It only reports them in its info log, the
 * file LOG ("(ignoring error) …/000005.log: dropping 1234 bytes; Corruption: checksum mismatch",
 * DBImpl::RecoverLogFile).
 */
export async function droppedAtOpen(path: string): Promise<Dropped | undefined> {
  const text = await readFile(join(path, 'LOG'), 'latin1').catch(() => '')
  const found = /([0-9]+\.log): (dropping \d+ bytes; .*)/.exec(text)
  return found === null ? undefined : { file: found[1] as string, detail: found[2] as string }
}
