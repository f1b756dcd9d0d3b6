/** Which tests a change touches: by their files, their blocks, and what these and the program use. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runProgramTests } from '../../test/program-tests.ts'
import type { ChangedFiles } from './changed.ts'

const fc = (name: string, body: string) => `FUNCTION "${name}" : Int\nBEGIN\n  ${body}\nEND_FUNCTION\n`
const steps = '    steps: [{ run: 1 cycle }]\n'
const files = {
  'plc/Base.scl': fc('Base', '#Base := 1;'),
  'plc/Middle.scl': fc('Middle', '#Middle := "base"();'),
  'plc/Motor.scl':
    'FUNCTION_BLOCK "Motor"\nVAR_OUTPUT\n  n : Int;\nEND_VAR\nBEGIN\n  #n := "Middle"();\nEND_FUNCTION_BLOCK\n',
  'plc/Motor_DB.scl': 'DATA_BLOCK "Motor_DB" "Motor"\nBEGIN\nEND_DATA_BLOCK\n',
  'plc/Shows.scl': fc('Shows', '#Shows := "Motor_DB".n;'),
  'plc/Alone.scl': fc('Alone', '#Alone := 1;'),
  'plc/Plain.scl': fc('Plain', '#Plain := 2;'),
  'plc/Reads.scl': fc('Reads', '#Reads := "Level";'),
  'plc/Tags.csv': 'Name,Path,Data Type,Logical Address\nLevel,Tags,Int,%MW10\n',
  'plc/Main.scl': 'ORGANIZATION_BLOCK "Main"\nBEGIN\n  "Motor_DB"();\nEND_ORGANIZATION_BLOCK\n',
  'stubs/Base.scl': fc('Base', '#Base := 5;'),
  'motor.test.yml': `block: Motor\ncases:\n  - name: motor\n${steps}`,
  'shows.test.yml': `block: Shows\ncases:\n  - name: shows\n${steps}`,
  'alone.test.yml': `block: Alone\ncases:\n  - name: alone\n${steps}`,
  'reads.test.yml': `block: Reads\ncases:\n  - name: reads\n${steps}`,
  'stubbed.test.yml': `block: Plain\nstubs: stubs/Base.scl\ncases:\n  - name: stubbed\n${steps}`,
  'program.test.yml': `program: true\ncases:\n  - name: program\n${steps}`,
}
const all = ['alone', 'motor', 'program', 'reads', 'shows', 'stubbed']

async function touched(changed: Partial<ChangedFiles>): Promise<string[]> {
  const { results, faults } = await runProgramTests(files, { changed: { files: [], removed: [], ...changed } })
  assert.deepEqual(faults, [])
  return results.map(({ name }) => name).sort()
}

test('a change touches the tests of what uses it, directly or not, of its instances and of the program', async () => {
  assert.deepEqual(await touched({}), [])
  assert.deepEqual(await touched({ files: ['plc/Base.scl'] }), ['motor', 'program', 'shows'])
  assert.deepEqual(await touched({ files: ['plc/Shows.scl'] }), ['shows'])
  assert.deepEqual(await touched({ files: ['plc/Main.scl'] }), ['program'])
  assert.deepEqual(await touched({ files: ['plc/Alone.scl', 'readme.md'] }), ['alone'])
  assert.deepEqual(await touched({ files: ['plc/Tags.csv'] }), ['reads'])
})

test('a test is touched by its own file and its stubs; what is gone and settings touch all', async () => {
  assert.deepEqual(await touched({ files: ['reads.test.yml', 'stubs/Base.scl'] }), ['reads', 'stubbed'])
  assert.deepEqual(await touched({ removed: ['plc/Gone.SCL'] }), all)
  assert.deepEqual(await touched({ removed: ['gone.test.yml', 'notes.txt'] }), [])
  for (const name of ['gantry.yml', 'gantry.yaml', 'deep/gantry.yml']) {
    assert.deepEqual(await touched({ files: [name] }), all)
    assert.deepEqual(await touched({ removed: [name] }), all)
  }
  assert.deepEqual(await touched({ files: ['not-gantry.yml'] }), [])
})
