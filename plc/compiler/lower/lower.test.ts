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

const tag = (row: string) => {
  const [name = '', dataType = '', logicalAddress = ''] = row.split(' ')
  return { name, dataType, logicalAddress }
}

/** Tags of all programs. */
const tags = {
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
    ...[
      'Rate Word %QW2',
      'Sum DWord %MD4',
      'Mark Bool %M1.7',
      'Count UInt %MW10',
      'Big LReal %M16.0',
      'Delay_T Timer %T5',
    ],
    ...['Pieces Counter %C3'],
  ].map(tag),
  constants: [
    { name: 'LAST', dataType: 'Int', value: '7' },
    { name: 'PAUSE', dataType: 'Time', value: 'T#2s' },
    { name: 'RATIO', dataType: 'Real', value: '1.25' },
  ],
}

for (const name of readdirSync(folder).filter((one) => extname(one) !== '.txt'))
  test(`${name} is checked, laid out and lowered as before`, async () => {
    const { objects, faults } = await importedProgram(readFileSync(join(folder, name)), name)
    assert.deepEqual(faults, [])
    const file = join(folder, `${name}.txt`)
    const text = programText(objects, [tags])
    if (process.env.UPDATE_SNAPSHOTS) writeFileSync(file, text)
    else assert.equal(text, readFileSync(file, 'utf8'))
  })
