/**
 * For tests of the gateway as users start it: `dist/` of the sources as they are. `npm test` builds before it starts; a test file that is run by
 * itself builds here.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The folder of the package. */
export const root = fileURLToPath(new URL('..', import.meta.url))

execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' })

/** The command line's entry. */
export const launcher = fileURLToPath(new URL('../core/cli/gantry.mjs', import.meta.url))

/** A module of the sources as it is in `dist/`. */
export function builtModule(path: string): URL {
  return new URL(`../dist/${path.replace(/ts$/, 'js')}`, import.meta.url)
}
