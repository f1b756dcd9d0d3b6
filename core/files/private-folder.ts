/** Access lists of Windows: a folder that only its user, administrators and the system may open. */
import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { win32 } from 'node:path'
import { promisify } from 'node:util'
import { pathBelow } from '../../lib/path-below.ts'

/** Runs a program of the system and gives its output; replaced in tests. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string>

const runOf: RunProgram = async (program, args) =>
  (await promisify(execFile)(program, [...args], { windowsHide: true, timeout: 20_000 })).stdout

/** LocalSystem and the group of administrators, who can open everything anyway (Microsoft: Well-known SIDs). */
const always = ['S-1-5-18', 'S-1-5-32-544']

/**
 * Makes a new folder private. In the user's profile it is so by what it inherits; elsewhere (`C:\gantry`, another
 * drive) it inherits that all users of the machine may read, and mostly write.
 *
 * @returns what could not be done, to be told: the gateway runs all the same
 */
export async function makePrivateOnWindows(
  folder: string,
  profile = homedir(),
  run: RunProgram = runOf,
): Promise<string | undefined> {
  if (pathBelow(profile, folder, win32) !== undefined) return undefined
  try {
    const user = /S-1-[\d-]+/.exec(await run('whoami', ['/user', '/fo', 'csv', '/nh']))?.[0]
    if (user === undefined) throw new Error('whoami names no user')
    const grants = [...new Set([user, ...always])].flatMap((sid) => ['/grant:r', `*${sid}:(OI)(CI)F`])
    await run('icacls', [folder, '/inheritance:r', ...grants])
    return undefined
  } catch (error) {
    const [reason = ''] = (error as Error).message.trim().split('\n')
    return `other users of this machine may read the data directory ${folder}, which holds keys: its access list could not be set (${reason}). Set it with icacls, or take a directory in your profile.`
  }
}
