/**
 * Module hooks for third-party plugins beside the compiled tree. Plain JavaScript because Node runs hooks in a thread without other loaders.
 *
 * - TypeScript is an ES module, whether or not a `package.json` near it says so.
 * - Who imports Gantry's sources by path gets the copy that runs, not a second one with its own state.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

let sources = ''
let tree = ''

export function initialize(data) {
  sources = data.sources
  tree = data.tree
}

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  const path = found.url.replace(/[?#].*$/, '')
  if (!/\.m?ts$/.test(path)) return found
  // Before anything is said of packages: Gantry itself may be one of another project.
  const running = path.startsWith(sources) ? `${tree}${path.slice(sources.length).replace(/ts$/, 'js')}` : ''
  if (running !== '' && existsSync(fileURLToPath(running))) return { ...found, url: running, format: 'module' }
  return path.includes('/node_modules/') ? found : { ...found, format: 'module' }
}
