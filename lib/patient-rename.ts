/**
 * Renames on Windows, where a file that another program has open (a virus scanner, an index of the system, a backup)
 * cannot be replaced. Such programs are done with it in a moment, so a refused rename is tried again for about two
 * seconds, as editors and package managers do. Elsewhere open files do not stand in the way, and nothing is repeated.
 */
import { lstatSync, renameSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Before each further try, ms. */
const pauses = [10, 20, 40, 80, 160, 320, 400, 400, 400]

/** What Windows answers while another program has the file: a sharing violation, or a target that is open. */
const heldCodes: ReadonlySet<string | undefined> = new Set(['EBUSY', 'EPERM', 'EACCES'])

/** The parts of the system, for tests. */
export interface RenameParts<R> {
  readonly platform: NodeJS.Platform
  readonly rename: (from: string, to: string) => R
  readonly pause: (ms: number) => R
}

/**
 * Renames a file or folder; what was called `to` is replaced.
 * @throws the error of the system, after the last try
 */
export function renameFile(
  from: string,
  to: string,
  { rename: once, ...system }: RenameParts<Promise<unknown>> = { ...thisSystem, rename },
): Promise<void> {
  return patiently(() => once(from, to), to, system)
}

const thisSystem = { platform: process.platform, pause: (ms: number): Promise<unknown> => sleep(ms) }

/**
 * Does something that another program's hold of a file can fail, again and again for about two seconds.
 * @param to what is replaced: when that is a folder, nothing is repeated
 * @throws the error of the system, after the last try
 */
export async function patiently(
  work: () => Promise<unknown>,
  to?: string,
  { platform, pause }: Omit<RenameParts<Promise<unknown>>, 'rename'> = thisSystem,
): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await work()
      return
    } catch (error) {
      const ms = pauseAfter(error, tries, to, platform)
      if (ms === undefined) throw error
      await pause(ms)
    }
  }
}

/** The same for code that must not wait for promises: the thread stands still meanwhile. */
export function renameFileSync(
  from: string,
  to: string,
  { platform, rename: once, pause }: RenameParts<unknown> = {
    ...{ platform: process.platform, rename: renameSync, pause: standStill },
  },
): void {
  for (let tries = 0; ; tries++) {
    try {
      once(from, to)
      return
    } catch (error) {
      const ms = pauseAfter(error, tries, to, platform)
      if (ms === undefined) throw error
      pause(ms)
    }
  }
}

/** How long to wait before the next try; undefined: there is none. */
function pauseAfter(
  error: unknown,
  tries: number,
  to: string | undefined,
  platform: NodeJS.Platform,
): number | undefined {
  if (platform !== 'win32' || !heldCodes.has((error as NodeJS.ErrnoException).code)) return undefined
  // A folder of that name does not go away.
  if (tries === 0 && to !== undefined && isFolder(to)) return undefined
  return pauses[tries]
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory()
  } catch {
    return false
  }
}

const standStill = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
