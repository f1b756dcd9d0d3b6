/**
 * What the compiler answers about the programs in `plc/compiler/fixtures`, as it was checked against the semantics
 * (docs/plc-semantics.md): a change shows as a diff. `UPDATE_SNAPSHOTS=1` writes the answers again; then read them.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { importedProgram, programText } from '../../testing/program-text.ts'

const folder = fileURLToPath(new URL('../fixtures', import.meta.url))

for (const name of readdirSync(folder).filter((one) => extname(one) !== '.txt'))
  test(`${name} is checked, laid out and lowered as before`, async () => {
    const { objects, faults } = await importedProgram(readFileSync(join(folder, name)), name)
    assert.deepEqual(faults, [])
    const file = join(folder, `${name}.txt`)
    const text = programText(objects)
    if (process.env.UPDATE_SNAPSHOTS) writeFileSync(file, text)
    else assert.equal(text, readFileSync(file, 'utf8'))
  })
