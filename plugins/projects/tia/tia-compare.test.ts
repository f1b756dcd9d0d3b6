/** What was read of a project beside exports of it: by controller, what is equal, what differs, what is only there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareTia } from './tia-compare.task.ts'

const block = (name: string, ...statements: string[]) =>
  [`FUNCTION "${name}" : Void`, 'BEGIN', ...statements, 'END_FUNCTION', ''].join('\n')
const files = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([path, content]) => ({ path, content }))
const exported = (texts: Readonly<Record<string, string>>) =>
  files(texts).map(({ path, content }) => ({ path, content: Buffer.from(content) }))
const compare = (read: Readonly<Record<string, string>>, exports: Readonly<Record<string, string>>) =>
  compareTia({ files: files(read), exports: exported(exports) })

test('each controller is compared with the exports in a folder of its name', async () => {
  const read = {
    'PLC_1/A.scl': block('A', '  ;', '  RETURN;'),
    'PLC_1/B.scl': block('B'),
    'PLC_2/A.scl': block('A'),
    'PLC_3/C.scl': block('C'),
  }
  const { counts, ...compared } = await compare(read, {
    'out/plc_1/deep/A.scl': block('A', '  ;', '  ;'),
    'out/PLC_1/New.scl': block('New'),
    'out/PLC_2/A.scl': block('A'),
    'A.scl': block('A'),
    'PLC_2.scl': block('Z'),
    'out/PLC_1/Bad.scl': 'FUNCTION "Bad" : Void',
    'out/PLC_2/Empty.udt': '// nothing',
  })
  assert.deepEqual(
    [counts.blocks, counts.sclLines],
    [
      { equal: 1, total: 3 },
      { equal: counts.sclLines.equal, total: counts.sclLines.total },
    ],
  )
  assert.ok(counts.sclLines.equal < counts.sclLines.total)
  assert.deepEqual(compared, {
    differences: compared.differences,
    omitted: 0,
    onlyInFile: [
      { controller: 'PLC_1', name: 'B', kind: 'FC' },
      { controller: 'PLC_3', name: 'C', kind: 'FC' },
    ],
    onlyInExports: [{ controller: 'PLC_1', name: 'New', kind: 'FC' }],
    notCompared: [
      'A.scl: none of its folders is called like a controller of the file',
      'PLC_2.scl: none of its folders is called like a controller of the file',
      'out/PLC_1/Bad.scl: expected END_FUNCTION of FUNCTION "Bad", found the end of the file',
      compared.notCompared[3],
    ],
  })
  assert.match(compared.notCompared[3]!, /^out\/PLC_2\/Empty\.udt: /)
  assert.ok(compared.differences.length > 0)
  assert.ok(compared.differences.every(({ controller, name }) => controller === 'PLC_1' && name === 'A'))
})

test('the only controller takes everything; 2000 differences are listed, 1000 of each object, the others counted', async () => {
  const data = (name: string, prefix: string, members: number) =>
    [
      `DATA_BLOCK "${name}"`,
      'VAR',
      ...Array.from({ length: members }, (_, i) => `  ${prefix}${i} : Int;`),
      'END_VAR',
      'BEGIN',
      'END_DATA_BLOCK',
      '',
    ].join('\n')
  const same = await compare({ 'PLC_1/Data.scl': data('Data', 'a', 2) }, { 'Other.scl': data('DATA', 'a', 2) })
  assert.deepEqual([same.differences, same.omitted, same.onlyInExports, same.notCompared], [[], 0, [], []])
  const differing = async (...members: number[]) => {
    const side = (prefix: string) =>
      Object.fromEntries(members.map((count, i) => [`PLC_1/D${i}.scl`, data(`D${i}`, prefix, count)]))
    const { differences, omitted } = await compare(side('a'), side('b'))
    return [differences.length, omitted]
  }
  assert.deepEqual(await differing(500), [1000, 0])
  assert.deepEqual(await differing(502), [1000, 4])
  assert.deepEqual(await differing(500, 500), [2000, 0])
  assert.deepEqual(await differing(500, 501, 5), [2000, 12])
})
