/**
 * Answers of the compiler that were checked against the semantics (docs/plc-semantics.md) and are compared as text: a
 * change shows as a diff. They are in `plc/compiler/fixtures`; `UPDATE_SNAPSHOTS=1` writes them again; then read them.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { assertRecorded } from '../../test/recorded.ts'
import { importedProgram, programText } from './program-text.ts'

const compiler = new URL('../compiler/', import.meta.url)
const fixtures = fileURLToPath(new URL('fixtures', compiler))

/** Compares a text with a recorded one. */
export function isAsRecorded(file: string, text: string): void {
  assertRecorded(new URL('any.ts', compiler).href, file, text)
}

/** The recorded sources of a folder, with their content. */
export function recordedSources(folder: string): readonly { readonly file: string; readonly bytes: Buffer }[] {
  return readdirSync(join(fixtures, folder))
    .filter((name) => !name.endsWith('.txt'))
    .sort()
    .map((name) => ({ file: `${folder}/${name}`, bytes: readFileSync(join(fixtures, folder, name)) }))
}

const tag = (row: string) => {
  const [name = '', dataType = '', logicalAddress = ''] = row.split(' ')
  return { name, dataType, logicalAddress }
}

/** Tags of all recorded programs. */
export const recordedTags = {
  name: 'Tags',
  tags: [
    ...[
      'Start Bool %I0.1',
      'Speed Int %IW2',
      'Level Real %ID4',
      'Far LInt %I8.0',
      'Lamp Bool %Q0.3',
      'Lamps Byte %QB1',
    ],
    ...['Rate Word %QW2', 'Sum DWord %MD4', 'Mark Bool %M1.7', 'Count UInt %MW10', 'Big LReal %M16.0'],
    ...['Delay_T Timer %T5', 'Pieces Counter %C3'],
  ].map(tag),
  constants: [
    { name: 'LAST', dataType: 'Int', value: '7' },
    { name: 'PAUSE', dataType: 'Time', value: 'T#2s' },
    { name: 'RATIO', dataType: 'Real', value: '1.25' },
  ],
}

/** Tests the programs of a folder: diagnostics, places and start values of data, code in the intermediate form. */
export function testRecordedPrograms(folder: string): void {
  for (const { file, bytes } of recordedSources(folder))
    test(`${file} is checked, laid out and lowered as recorded`, async () => {
      const { objects, faults } = await importedProgram(bytes, file)
      assert.deepEqual(faults, [])
      isAsRecorded(`${file}.txt`, programText(objects, [recordedTags]))
    })
}
