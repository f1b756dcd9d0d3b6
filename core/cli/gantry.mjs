#!/usr/bin/env node
// The command line. Plain JavaScript because it decides how TypeScript is run: compiled beforehand, or else by a loader.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compiledTree } from '../boot/compiled-tree.mjs'

const tree = await compiledTree()
if (tree === undefined) {
  const { register } = await import('tsx/esm/api')
  register()
  await import('./main.ts')
} else {
  process.setSourceMapsEnabled(true)
  await import(pathToFileURL(join(tree, 'core/cli/main.js')).href)
}
