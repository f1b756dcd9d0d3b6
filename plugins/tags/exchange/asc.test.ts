import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAsc, readAsc } from './asc.ts'
import { RowFaults } from './content.ts'

/** A row as STEP 7 writes it. */
const row = (name: string, address: string, dataType: string, comment = '') =>
  `126,${name.padEnd(24)}${address.padEnd(12)}${dataType.padEnd(10)}${comment.padEnd(80)}`

test('a symbol table in columns is known by its first row', () => {
  const cases: [text: string, expected: boolean][] = [
    [row('Start', 'E       0.1', 'BOOL', 'start button'), true],
    [`\r\n${row('Start', 'M 10.0', 'BOOL').trimEnd()}\r\nrubbish`, true],
    [row('Cycle', 'OB      1', 'OB      1'), true],
    [row('Table', 'VAT     1', ''), true],
    [row('Level', 'PEW   256', 'INT'), true],
    [row('Start', '', 'BOOL'), false],
    [row('Start', 'E 0.9', 'BOOL'), false],
    ['126,Start,E 0.1,BOOL', false],
    [row('Start', 'E 0.1', 'BOOL').replace('126', '127'), false],
    ['-----BEGIN PGP SIGNATURE-----', false],
    ['', false],
  ]
  for (const [text, expected] of cases) assert.equal(isAsc(text), expected, text)
})

test('rows of a symbol table in columns: tags with comments, blocks that are no tags, faults with their line', () => {
  const text = [
    row('Not-Aus "1"', 'E       0.1', 'BOOL', 'Not-Aus, quittiert; 1S1'),
    row('a name of 24 characters.', 'MD    120', 'REAL').trimEnd(),
    '',
    row('Level', 'PEW   256', 'INT'),
    row('Takt', 'T      10', 'TIMER'),
    row('Motor', 'FB     12', 'FB     12', 'block'),
    row('DB_Motor', 'DB     12', 'FB     12'),
    row('', 'M 1.0', 'BOOL'),
    '"Sensor","E 0.2","BOOL",""',
  ].join('\r\n')
  const steps: number[] = []
  assert.deepEqual(
    readAsc(text, new RowFaults(), (rows) => steps.push(rows)),
    {
      tags: [
        {
          ...{ place: { line: 1 }, name: 'Not-Aus "1"', dataType: 'BOOL', logicalAddress: 'E       0.1' },
          comments: { '': 'Not-Aus, quittiert; 1S1' },
        },
        {
          ...{ place: { line: 2 }, name: 'a name of 24 characters.', dataType: 'REAL', logicalAddress: 'MD    120' },
          comments: { '': '' },
        },
        {
          ...{ place: { line: 4 }, name: 'Level', dataType: 'INT', logicalAddress: 'EW   256' },
          comments: { '': '' },
        },
        {
          ...{ place: { line: 5 }, name: 'Takt', dataType: 'TIMER', logicalAddress: 'T      10' },
          comments: { '': '' },
        },
      ],
      constants: [],
      tables: [],
      faults: [
        { line: 8, message: 'the name is missing', value: '' },
        { line: 9, message: 'the row does not begin with "126,", as each row of a symbol table (.asc) does' },
      ],
      omitted: 0,
      failed: 2,
      warnings: [
        '2 symbols of blocks and data types are no tags; they were left out',
        '1 symbol is an address of the periphery ("Level", PEW 256): its tag has that of the process image, and the program gets past it with "Level":P',
      ],
    },
  )
  assert.deepEqual(steps, [])
})
