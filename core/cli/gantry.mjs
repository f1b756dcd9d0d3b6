#!/usr/bin/env node
// The command line as a user starts it: runs the build.
import { existsSync } from 'node:fs'

const main = new URL('../../dist/core/cli/main.js', import.meta.url)
if (!existsSync(main)) fail('it is not built; run "npm ci && npm run build" in its folder first')

process.setSourceMapsEnabled(true)
await import(main.href).catch((error) => {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error
  fail(`a package it needs is not installed; run "npm ci" in its folder first (${error.message})`)
})

function fail(reason) {
  process.stderr.write(`gantry: ${reason}.\n`)
  process.exit(1)
}
