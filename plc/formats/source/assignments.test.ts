import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assignedPlaces, sourceAssignments } from './assignments.ts'

const block = (code: string) => `DATA_BLOCK "D"
VAR
  a : Int := 9;
END_VAR
BEGIN
${code}
END_DATA_BLOCK
`

test('every assignment behind BEGIN is listed in order, with its names and indices', () => {
  const code = block('a := 1;\nb.c[2, -1].d := 16#FF;\n"odd name"[3] := TRUE;')
  assert.deepEqual(sourceAssignments(code), [
    { names: ['a'], indices: [], value: '1' },
    { names: ['b', 'c', 'd'], indices: [2, -1], value: '16#FF' },
    { names: ['odd name'], indices: [3], value: 'TRUE' },
  ])
})

test('what is no assignment is passed over, and the next one is found', () => {
  const values = (code: string) => assignedPlaces(block(code)).map(({ place, value }) => `${place}=${value}`)
  assert.deepEqual(values(';; a := 1; ) ( b := 2; c := 3'), ['a=1', 'b=2', 'c=3'])
  assert.deepEqual(values(''), [])
  assert.deepEqual(assignedPlaces('BEGIN a := 1;'), [{ place: 'a', value: '1' }])
})
