import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { readSource } from '../../formats/source/read.ts'
import { visitAll } from '../../ir/walk.ts'
import { linkProgram } from '../../program/link-program.ts'
import type { ProgramBlock } from '../../program/program.ts'
import { runSource } from '../../testing/lower-source.ts'
import { lowerBlock } from '../lower/lower-block.ts'
import { withChunks } from './chunks.ts'

/** What a FOR with EXIT at one round and CONTINUE at another does; the run variable wraps as in the CPU. */
function expected(from: bigint, to: bigint, by: bigint, bits: number, exit: number, next: number) {
  let [rounds, sum, at] = [0, 0n, from]
  for (; by > 0n ? at <= to : at >= to; at += by) {
    rounds++
    if (rounds === exit) break
    if (rounds !== next) sum += at
  }
  return { rounds, sum: BigInt.asUintN(64, sum), last: BigInt.asUintN(bits, at) }
}

describe('a FOR with a variable end runs as often as one that counts each round', () => {
  for (const [type, bits, isSigned] of [
    ['SInt', 8, true],
    ['USInt', 8, false],
    ['Int', 16, true],
    ['UInt', 16, false],
    ['DInt', 32, true],
    ['UDInt', 32, false],
    ['LInt', 64, true],
  ] as const) {
    const high = isSigned ? 2n ** (BigInt(bits) - 1n) - 1n : 2n ** BigInt(bits) - 1n
    const low = isSigned ? -(2n ** (BigInt(bits) - 1n)) : 0n
    const long = bits > 8 ? 10_000n : 100n
    const cases: (readonly [bigint, bigint, bigint])[] = [
      [high - long, high, 1n],
      [high - long, high, 3n],
      [high - 8192n > low ? high - 8191n : low, high, 1n],
      [high, high, 1n],
      [low, low + long, 1n],
      [3n, 2n, 1n],
      ...(isSigned
        ? ([
            [low + long, low, -1n],
            [low + long, low, -7n],
            [0n, 0n, -1n],
          ] as const)
        : []),
    ]
    for (const [from, to, by] of cases)
      for (const section of ['VAR', 'VAR_TEMP'])
        it(`${type} ${from} TO ${to} BY ${by}, run variable in ${section}`, () => {
          for (const [exit, next] of [
            [-1, -1],
            [5, 2],
            [4097, 4096],
          ] as const) {
            const run = runSource(`FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VAR from : ${type} := ${from}; to : ${type} := ${to}; rounds : DInt; sum : LInt; last : ${type}; END_VAR
${section} i : ${type}; END_VAR
BEGIN
FOR #i := #from TO #to BY ${by} DO
  #rounds += 1;
  IF #rounds = ${exit} THEN EXIT; END_IF;
  IF #rounds = ${next} THEN CONTINUE; END_IF;
  #sum += ${type === 'LInt' ? '#i' : `${type.toUpperCase()}_TO_LINT(#i)`};
END_FOR;
#last := #i;
END_FUNCTION_BLOCK
`)
            run.scan()
            const { rounds, sum, last } = expected(from, to, by, bits, exit, next)
            assert.deepEqual([run.get('rounds'), run.bits('sum'), run.bits('last')], [rounds, sum, last])
          }
        })
  }
})

test('WHILE and REPEAT run as often as their conditions say, whatever the size of a block of rounds', () => {
  for (const most of [0, 1, 7, 8, 9, 23, 24, 25, 56, 1000, 5000]) {
    const run = runSource(`FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VAR most : DInt := ${most}; n : DInt; odd : DInt; m : DInt; k : DInt; END_VAR
BEGIN
WHILE #n < #most DO
  #n += 1;
  IF #n MOD 2 = 0 THEN CONTINUE; END_IF;
  #odd += 1;
END_WHILE;
REPEAT
  #m += 1;
UNTIL #m >= #most END_REPEAT;
WHILE TRUE DO
  IF #k >= #most THEN EXIT; END_IF;
  #k += 1;
END_WHILE;
END_FUNCTION_BLOCK
`)
    run.scan()
    const found = ['n', 'odd', 'm', 'k'].map((name) => run.get(name))
    assert.deepEqual(found, [most, Math.ceil(most / 2), Math.max(1, most), most])
  }
})

test('loops that never end are noticed', () => {
  const bodies = [
    'WHILE TRUE DO #n := 1; END_WHILE;',
    'REPEAT #n := 1; UNTIL FALSE END_REPEAT;',
    'FOR #i := 0 TO #to DO #i := 0; END_FOR;',
    'FOR #k := 0 TO #to DO #k := 0; END_FOR;',
    'WHILE TRUE DO FOR #i := 0 TO #n DO ; END_FOR; END_WHILE;',
    'FOR #i := 0 TO #to DO WHILE #n = 0 DO ; END_WHILE; END_FOR;',
  ]
  for (const body of bodies) {
    const run = runSource(`FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VAR n : DInt; to : DInt := 9; k : DInt; END_VAR
VAR_TEMP i : DInt; END_VAR
BEGIN
#n := 0;
${body}
END_FUNCTION_BLOCK
`)
    assert.throws(() => run.scan(), /endless/, body)
  }
})

const head = `FUNCTION "Add" : Int
VAR_INPUT a : Int; END_VAR
BEGIN
#Add := #a + 1;
END_FUNCTION
FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VAR s : Int; n : Int; x : Bool; text : String; l : LInt; END_VAR
VAR_TEMP i : Int; k : Int; j : LInt; u : UDInt; END_VAR
BEGIN
`

/** How the rounds of each loop of a body are counted, the outer one first. */
function counting(body: string): string[] {
  const { blocks } = readSource(`${head}${body}\nEND_FUNCTION_BLOCK\n`)
  const program = linkProgram(blocks.map(({ object }) => ({ object })))
  const { code } = lowerBlock(program, program.blocks.get('main') as ProgramBlock)
  assert.ok(code, body)
  const found: string[] = []
  visitAll(withChunks(code).body, {
    statement(statement) {
      if (statement.kind !== 'loop' || statement.atMost !== undefined) return
      // A FOR sets the last value of its chunk and counts its rounds beside the loop in it.
      const isAhead = statement.body.length === 5
      found.push(statement.rounds === undefined ? 'each round' : isAhead ? 'ahead' : 'in blocks')
    },
  })
  return found
}

test('rounds are counted ahead where a FOR knows them, in blocks in short loops, else one by one', () => {
  for (const [body, ...expected] of [
    ['FOR #i := 0 TO #n DO #s += #i; END_FOR;', 'ahead'],
    ['FOR #i := #n TO 0 BY -1 DO #s += #i; END_FOR;', 'ahead'],
    ['FOR #i := 0 TO #n BY 3 DO #s += #i; END_FOR;', 'ahead'],
    ['FOR #j := 0 TO #l DO #s += 1; END_FOR;', 'in blocks'],
    ['FOR #u := 0 TO 10 DO #s += 1; END_FOR;', 'ahead'],
    ['FOR #i := 0 TO 9 DO #s += #i; END_FOR;', 'ahead'],
    ['FOR #s := 0 TO #n DO #x := NOT #x; END_FOR;', 'in blocks'],
    ['FOR #i := 0 TO #n BY #s DO #x := NOT #x; END_FOR;', 'in blocks'],
    ['FOR #i := 0 TO #n DO #i := #i + 1; END_FOR;', 'in blocks'],
    ['FOR #i := 0 TO #n DO #i := "Add"(#i); END_FOR;', 'each round'],
    ['FOR #i := 0 TO #n DO #s := "Add"(#i); END_FOR;', 'ahead'],
    ['FOR #i := 0 TO #n DO IF #x THEN EXIT; END_IF; #s += 1; END_FOR;', 'ahead'],
    ['FOR #i := 0 TO #n DO IF #x THEN CONTINUE; END_IF; #s += 1; END_FOR;', 'ahead'],
    ['FOR #i := 0 TO #n DO IF #x THEN RETURN; END_IF; #s += 1; END_FOR;', 'ahead'],
    ['FOR #i := 0 TO #n DO FOR #k := 0 TO #s DO #x := NOT #x; END_FOR; END_FOR;', 'ahead', 'ahead'],
    ['WHILE #s < #n DO #s += 1; END_WHILE;', 'in blocks'],
    ['REPEAT #s += 1; UNTIL #s > #n END_REPEAT;', 'in blocks'],
    ['WHILE #s < #n DO #s := "Add"(#s); END_WHILE;', 'each round'],
    ['WHILE #s < #n DO #s += LEN(#text); END_WHILE;', 'each round'],
    ['WHILE #s < LEN(#text) DO #s += 1; END_WHILE;', 'each round'],
    ['WHILE #s < #n DO #s += REAL_TO_INT(SIN(INT_TO_REAL(#s))); END_WHILE;', 'in blocks'],
    ['WHILE #s < #n DO WHILE #x DO #x := FALSE; END_WHILE; #s += 1; END_WHILE;', 'each round', 'in blocks'],
    ['WHILE #s < #n DO #s += 1; IF #x THEN GOTO on; END_IF; #s += 1; on: ; END_WHILE;', 'each round'],
    ['again: #s += 1; IF #s < #n THEN GOTO again; END_IF;'],
    ['WHILE #x DO again: #s += 1; IF #s < #n THEN GOTO again; END_IF; #x := FALSE; END_WHILE;', 'each round'],
  ] as const)
    assert.deepEqual(counting(body), expected, body)
})
