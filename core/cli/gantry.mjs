#!/usr/bin/env node
// The command line. Plain JavaScript because it decides how TypeScript is run: compiled beforehand, or else by a loader.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compiledTree } from '../boot/compiled-tree.mjs'

/** The first start compiles for about a second; who waits longer is told what for. */
const notice = setTimeout(() => {
  if (process.stderr.isTTY)
    process.stderr.write('gantry: the sources are being compiled; the next start will not wait for it.\n')
}, 2000)
const tree = await compiledTree()
clearTimeout(notice)
if (tree === undefined) {
  const { register } = await import('tsx/esm/api').catch((error) => {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error
    process.stderr.write('gantry: the packages it needs are not installed; run "npm ci" in its folder first.\n')
    process.exit(1)
  })
  register()
  await import('./main.ts')
} else {
  process.setSourceMapsEnabled(true)
  await import(pathToFileURL(join(tree, 'core/cli/main.js')).href)
}
