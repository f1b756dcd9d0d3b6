/**
 * For tests of the gateway as users start it: `dist/`, built from the current sources. `npm test` builds before it
 * starts; a test file that is run by itself builds here.
 */
import { execFileSync, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { packageDir } from '../core/boot/running-code.ts'

/** The folder of the package. */
export const root = packageDir

if (import.meta.url.endsWith('.ts'))
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' })

/** The build that the tests look at, when it is not the one that users run: scripts/mutate.ts changes it. */
const { TESTED_BUILD: otherBuild } = process.env

/** The command line's entry. */
export const launcher = join(root, otherBuild ? `${otherBuild}/core/cli/main.js` : 'core/cli/gantry.mjs')

/** URL of the module in `dist/` that is built from a source file. */
export function builtModule(path: string): URL {
  return pathToFileURL(join(root, otherBuild ?? 'dist', path.replace(/ts$/, 'js')))
}

/**
 * Runs `serve` on a free port and the data directory, in a process that the test ends.
 * @param entry the launcher, or other arguments for Node that start the command line
 */
export async function serve(
  t: TestContext,
  entry: readonly string[],
  dataDir: string,
  options: readonly string[] = [],
) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(GANTRY_|NODE_OPTIONS$)/.test(name)))
  const args = [...entry, 'serve', '--port', '0', '--data-dir', dataDir, ...options]
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  t.after(async () => {
    child.kill('SIGTERM')
    await ended
  })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (text: string) => {
      output += text
      // A note about the data directory can come before the address.
      const [found] = /http:\/\/[\d.:]+/.exec(output) ?? []
      if (found && output.includes('data directory')) resolve(found)
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    child.once('close', () => reject(new Error(output)))
  })
  const headers = {
    'x-api-key': (await readFile(join(dataDir, 'api-key'), 'utf8')).trim(),
    'content-type': 'application/json',
  }
  /** The JSON answer of a route, whatever its status. */
  return async <T = Record<string, unknown>>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${url}/api/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return (await response.json()) as T
  }
}
