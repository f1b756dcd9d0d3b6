import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { compiledTree } from './compiled-tree.mjs'

test('what fails in a thread of the compiled tree names the line of the source', async () => {
  const tree = await compiledTree()
  assert(tree !== undefined)
  const compiled: typeof import('./running-code.ts') = await import(
    pathToFileURL(join(tree, 'core/boot/running-code.js')).href
  )
  // It needs settings and gets none.
  const thread = compiled.startThread(pathToFileURL(join(tree, 'core/engine/worker.js')), {})
  const [error] = (await once(thread, 'error').catch((failure: unknown) => [failure])) as [Error]
  assert.match(error.stack!, /[\\/]core[\\/]engine[\\/]worker\.ts:\d+/)
  assert.doesNotMatch(error.stack!, /worker\.js/)
})
