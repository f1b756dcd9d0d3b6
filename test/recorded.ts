/**
 * Compares whole answers with a recorded file. `UPDATE_SNAPSHOTS=1` writes the file again; then read the difference.
 */

import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The path of a file in the sources, also when the test that names it runs compiled. */
export function inSources(file: URL): string {
  return fileURLToPath(file).replace(/([\\/])dist-(?:test|mutate-\d+)\1/, '$1')
}

/** A file of the folder `fixtures` beside a test. */
function fixture(test: string, name: string): string {
  return inSources(new URL(`fixtures/${name}`, test))
}

/** Reads an input. @param test `import.meta.url` of the test */
export function fixtureText(test: string, name: string): string {
  return readFileSync(fixture(test, name), 'utf8')
}

/** @param test `import.meta.url` of the test */
export function assertRecorded(test: string, name: string, text: string): void {
  const path = fixture(test, name)
  if (process.env.UPDATE_SNAPSHOTS) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  assert.equal(text, readFileSync(path, 'utf8'), `${name} is another: look at the difference, then UPDATE_SNAPSHOTS=1`)
}
