/** Temporary folders of tests. */
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import type { TestContext } from 'node:test'

/** A path of this system with `/`, as tests name files. */
export const withSlashes = (path: string): string => path.replaceAll(sep, '/')

/** Folders that Windows could not remove yet. */
const held = new Set<string>()

/** A folder of its own below the system's one for temporary files, removed after the test. */
export async function temporaryFolder(t: TestContext, prefix = 'gantry-test-'): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), prefix))
  t.after(() => removeFolder(dir))
  return dir
}

/**
 * Removes a folder with all that is in it. Hooks of node:test run in the order in which they were given, so what has
 * been opened in a folder may still be open: Windows removes no open file, and those wait for the end of the process.
 */
export async function removeFolder(dir: string): Promise<void> {
  try {
    await rm(dir, { recursive: true, force: true })
  } catch (error) {
    if (process.platform !== 'win32') throw error
    if (held.size === 0) process.once('exit', removeHeld)
    held.add(dir)
  }
}

function removeHeld(): void {
  for (const dir of held) {
    try {
      rmSync(dir, { recursive: true, force: true })
    } catch {
      // A process that the test has killed may hold it still; the system clears its temporary files.
    }
  }
}
