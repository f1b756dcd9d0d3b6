/** The manifest of a project: written and read back whole, and what each wrong field is told with. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fault } from '../../../core/index.ts'
import { damagedJson } from '../../../test/damaged-json.ts'
import { assertRecorded } from '../../../test/recorded.ts'
import type { Project } from '../project.ts'
import { isManifest, type Manifest, readManifest, writeManifest } from './manifest.ts'

const manifest: Manifest = {
  ...{ id: 'a1', author: 'anna', comment: 'a plant', version: 'V19', createdAt: 1_700_000_000_000 },
  ...{ simulationSupport: true, cultures: ['en-US', 'de-DE'], parts: ['devices', 'tags'] },
}
const text = writeManifest(manifest as unknown as Project, manifest.parts)

/** The manifest, or the faults of it as lines. */
function read(changed: string): Manifest | string[] {
  try {
    return readManifest('Plant.gantry', changed)
  } catch (error) {
    return (error as { details: { errors: Fault[] } }).details.errors.map(
      ({ path, message: one, value, allowed }) =>
        `  ${path} ${one} ${JSON.stringify(value)}${allowed === undefined ? '' : ` (${JSON.stringify(allowed)})`}`,
    )
  }
}

test('a manifest is read as it was written; what may be left out has a value of its own', () => {
  assert.deepEqual(read(text), manifest)
  const least = { format: 'gantry-project', formatVersion: 1, id: 'x', version: 'V16', createdAt: '2024-01-02' }
  assert.deepEqual(read(JSON.stringify(least)), {
    ...{ id: 'x', version: 'V16', author: '', comment: '', createdAt: Date.UTC(2024, 0, 2), simulationSupport: false },
    ...{ cultures: [], parts: [] },
  })
})

test('each field that is missing, of another kind, or wrong', () => {
  const told: string[] = []
  const tell = (what: string, changed: string) => {
    const result = read(changed)
    told.push(what, ...(Array.isArray(result) ? result : ['  is read']))
  }
  const data = JSON.parse(text) as object
  for (const [what, changed] of damagedJson(data)) tell(what, changed)
  for (const more of [
    { format: 'other' },
    { formatVersion: 3 },
    { formatVersion: 0 },
    { id: ' ' },
    { version: 'V15' },
    { version: 'V22', createdAt: 'yesterday', simulationSupport: 'yes' },
    { cultures: [1], parts: {} },
  ])
    tell(JSON.stringify(more), JSON.stringify({ ...data, ...more }))
  for (const wrong of ['', '[]', '{"format": }', 'null']) tell(JSON.stringify(wrong), wrong)
  assertRecorded(import.meta.url, 'manifest.txt', `${told.join('\n')}\n`)
})

test('a manifest is a file that has a name', () => {
  const paths = ['a.gantry', 'b/a.gantry', '.gantry', 'b/.gantry', 'a.gantry/x', 'a.gantry.zip', 'a.Gantry']
  assert.deepEqual(paths.filter(isManifest), ['a.gantry', 'b/a.gantry'])
})
