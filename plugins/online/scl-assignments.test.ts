import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assignmentsOf } from './scl-assignments.ts'

const text = `#a := 1;
IF #x > 1 THEN
  #a := #b
    + 2;
ELSIF #y THEN
  IF NOT #z THEN #a := 3; END_IF;
ELSE
  #other := 4;
  #a := 5;
END_IF;
CASE #mode OF
  1, 2..4: #a := 6;
  5: ;
ELSE
  #a := 7;
END_CASE;
FOR #i := 1 TO 3 DO
  #a := 8;
END_FOR;
WHILE #x < 2 DO
  #a := 9;
END_WHILE;
REPEAT
  #a := 10;
UNTIL #x END_REPEAT;
REGION Last
  #a := 11;
END_REGION
#timer(IN := #a,
       PT := T#2s);
#timer.IN := #b;
"Call"(#a, OUT => #a);
#other := "Sum"(in := #a, more => #a);
#timer.TON(IN := #c, Q => #d);
`

test('assignments to an operand with the conditions around them, those of earlier branches turned round', () => {
  assert.deepEqual(
    assignmentsOf(text, (target) => target === '#a').map(({ line, text: own, value, conditions }) => [
      line,
      own,
      value,
      ...conditions,
    ]),
    [
      [1, '#a := 1;', '1'],
      [3, '#a := #b + 2;', '#b + 2', '#x > 1'],
      [6, '#a := 3;', '3', 'NOT (#x > 1)', '#y', 'NOT #z'],
      [9, '#a := 5;', '5', 'NOT (#x > 1)', 'NOT (#y)'],
      [12, '#a := 6;', '6', '#mode = 1, 2..4'],
      [15, '#a := 7;', '7', '#mode: no other label'],
      [18, '#a := 8;', '8'],
      [21, '#a := 9;', '9', '#x < 2'],
      [24, '#a := 10;', '10'],
      [27, '#a := 11;', '11'],
      [32, 'OUT => #a', '"Call".OUT'],
      [33, 'more => #a', '"Sum".more'],
    ],
  )
})

test('a call of an instance assigns its inputs and what its outputs lead to; a loop its counter', () => {
  const of = (wanted: string) =>
    assignmentsOf(text, (target) => target === wanted).map(({ line, text: own, value }) => [line, own, value])
  assert.deepEqual(of('#timer.IN'), [
    [29, 'IN := #a', '#a'],
    [31, '#timer.IN := #b;', '#b'],
    [34, 'IN := #c', '#c'],
  ])
  assert.deepEqual(of('#timer.PT'), [[30, 'PT := T#2s', 'T#2s']])
  assert.deepEqual(of('#timer.Q'), [])
  assert.deepEqual(of('#d'), [[34, 'Q => #d', '#timer.Q']])
  assert.deepEqual(of('"Call".OUT'), [])
  // Who knows that an instance is that of a timer says so.
  const isTimer = (instance: string) => instance === '#timer'
  assert.deepEqual(
    assignmentsOf(text, () => false, isTimer).map(({ line, text: own, value }) => [line, own, value]),
    [
      [29, '#timer(IN := #a, PT := T#2s)', 'IN := #a, PT := T#2s'],
      [34, '#timer.TON(IN := #c, Q => #d)', 'IN := #c'],
    ],
  )
  assert.deepEqual(of('#i'), [[17, 'FOR #i := 1 TO 3', '1 TO 3']])
})
