/**
 * Module hooks for third-party plugins. Plain JavaScript because Node runs hooks in a thread without other loaders.
 *
 * - TypeScript is an ES module, whether or not a `package.json` near it says so.
 * - Who imports Gantry's sources by path or name gets the copy that runs (the compiled tree), not a second one with its own state.
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
  const running =
    tree !== sources && path.startsWith(sources) ? `${tree}${path.slice(sources.length).replace(/ts$/, 'js')}` : ''
  const isRunning = running !== '' && existsSync(fileURLToPath(running))
  return { ...found, url: isRunning ? running : found.url, format: 'module' }
}
