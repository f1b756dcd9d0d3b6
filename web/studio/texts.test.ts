import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assistant } from './texts/assistant.ts'
import { changes } from './texts/changes.ts'
import { design } from './texts/design.ts'
import { frame } from './texts/frame.ts'
import { hardware } from './texts/hardware.ts'
import { jobs } from './texts/jobs.ts'
import { live } from './texts/live.ts'
import { missing } from './texts/missing.ts'
import { program } from './texts/program.ts'
import { project } from './texts/project.ts'

const files: readonly Record<string, readonly string[]>[] = [
  assistant,
  changes,
  design,
  frame,
  hardware,
  jobs,
  live,
  missing,
  program,
  project,
]

test('each text stands in one file, in both languages, with the same places for values', () => {
  const all = files.flatMap((file) => Object.entries(file))
  assert.equal(new Set(all.map(([key]) => key)).size, all.length)
  const placesOf = (text: string) => [...new Set(text.match(/\{\d\}/g) ?? [])].sort()
  for (const [key, texts] of all) {
    assert.equal(texts.length, 2, key)
    const [english = '', german = ''] = texts
    assert.ok(english.trim() !== '' && german.trim() !== '', key)
    assert.deepEqual(placesOf(german), placesOf(english), key)
  }
})
