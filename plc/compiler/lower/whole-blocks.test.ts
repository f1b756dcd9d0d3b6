/** Data blocks of a PLC data type as a whole, and types of equal structure. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Bool, Int } from '../../program/scalars.ts'
import { instructionNetwork, networkDiagnostics, runNetworks } from '../../testing/lower-ladder.ts'
import { diagnosticsOf, runSource } from '../../testing/lower-source.ts'
import { structure, text } from '../../testing/runtime.ts'

const access = (isOptimized: boolean) => `{ S7_Optimized_Access := '${isOptimized ? 'TRUE' : 'FALSE'}' }`
const declared = (isFirst: boolean, isSecond: boolean) => `TYPE "Set"
STRUCT on : Bool; speed : Int; name : String[8]; ramp : Array[0..1] of Real; END_STRUCT;
END_TYPE
TYPE "Row"
STRUCT a : Bool; b : Int; c : String[8]; d : Array[0..1] of Real; END_STRUCT;
END_TYPE
TYPE "Long"
STRUCT on : Bool; speed : Int; name : String[9]; ramp : Array[0..1] of Real; END_STRUCT;
END_TYPE
TYPE "Nested"
STRUCT set : "Set"; END_STRUCT;
END_TYPE
TYPE "OtherNested"
STRUCT row : "Row"; END_STRUCT;
END_TYPE
DATA_BLOCK "D1"
${access(isFirst)}
"Set"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "D2"
${access(isSecond)}
"Set"
BEGIN
on := TRUE; speed := 7; name := 'seven'; ramp[1] := 2.5;
END_DATA_BLOCK
DATA_BLOCK "R1"
"Row"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Free"
STRUCT on : Bool; speed : Int; name : String[8]; ramp : Array[0..1] of Real; END_STRUCT;
BEGIN
END_DATA_BLOCK
FUNCTION "Made" : "Set"
BEGIN
#Made.speed := 9;
END_FUNCTION
FUNCTION "Two" : Void
VAR_INPUT from : "Set"; END_VAR
VAR_OUTPUT to : "Set"; END_VAR
BEGIN
#to := #from;
END_FUNCTION
FUNCTION_BLOCK "Kept"
VAR_INPUT from : "Set"; END_VAR
VAR_OUTPUT to : "Set"; END_VAR
BEGIN
#to := #from;
END_FUNCTION_BLOCK
DATA_BLOCK "Kept_DB"
"Kept"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Kept_DB2"
"Kept"
BEGIN
END_DATA_BLOCK
`
const members = `VAR set : "Set"; row : "Row"; long : "Long"; nested : "Nested"; other : "OtherNested"; plain : Struct a : Bool; b : Int; c : String[8]; d : Array[0..1] of Real; END_STRUCT;
  short : Array[0..3] of String[8]; wider : Array[0..3] of String[9]; sets : Array[0..1] of "Set"; rows : Array[1..2] of "Row"; dtl : DTL; parts : Struct a : UInt; b, c, d, e, f, g : USInt; h : UDInt; END_STRUCT; number : DB_ANY;
END_VAR
BEGIN
`
const main = (body: string, isFirst = true, isSecond = true) =>
  `${declared(isFirst, isSecond)}FUNCTION_BLOCK "Main"\n${members}${body}\nEND_FUNCTION_BLOCK\n`

for (const [isFirst, isSecond] of [
  [true, true],
  [true, false],
  [false, true],
  [false, false],
] as const)
  test(`the values of a whole data block are copied, ${isFirst ? 'optimized' : 'standard'} from ${isSecond ? 'optimized' : 'standard'}`, () => {
    const run = runSource(
      main(
        '"D1" := "D2"; #set := "D2"; #row := "D2"; "R1" := #row; "Two"(from := "D2", to => #sets[0]); "Kept_DB"(from := "D1", to => #sets[1]); #number := "D2";',
        isFirst,
        isSecond,
      ),
    )
    run.scan()
    assert.deepEqual(run.faults, [])
    const all = (prefix: string, names: readonly string[], block?: string) =>
      names.map((name) => run.get(`${prefix}${name}`, block))
    const own = ['on', 'speed', 'name', 'ramp[1]']
    const others = ['a', 'b', 'c', 'd[1]']
    for (const got of [
      all('', own, 'D1'),
      all('set.', own),
      all('row.', others),
      all('', others, 'R1'),
      all('sets[0].', own),
      all('sets[1].', own),
    ])
      assert.deepEqual(got, [1, 7, 'seven', 2.5])
    assert.ok((run.get('number') as number) > 0)
  })

test('a whole data block takes the value of a function and goes to outputs', () => {
  const run = runSource(main('"D1" := "Made"(); "Two"(from := "D2", to => "R1");'.replace('to => "R1"', 'to => "D2"')))
  run.scan()
  assert.equal(run.get('speed', 'D1'), 9)
  assert.equal(run.get('name', 'D2'), 'seven')
})

const codes = (body: string) => diagnosticsOf(main(body)).map(({ code }) => code)

// TIA help, "Transferring a tag of the PLC data type (UDT)".
test('PLC data types and structures of equal structure are assigned, whatever their members are called', () => {
  for (const body of ['#set := #row;', '#plain := #set;', '#row := #plain;', '#nested := #other;', '#sets := #rows;'])
    assert.deepEqual(codes(body), [], body)
  for (const body of ['#set := #long;', '#short := #wider;', '#dtl := #parts;', '#parts := #dtl;', '#nested := #set;'])
    assert.deepEqual(codes(body), ['type-mismatch'], body)
  // A parameter wants the type that it is declared with.
  assert.deepEqual(codes('"Two"(from := #row, to => #set);'), ['type-mismatch'])
})

test('data blocks without a PLC data type are no values', () => {
  for (const [body, code] of [
    ['"D1" := "Free";', 'type-mismatch'],
    ['"Free" := "D1";', 'not-assignable'],
    ['"Kept_DB" := "Kept_DB2";', 'not-assignable'],
    ['#set := "Kept_DB";', 'type-mismatch'],
    ['"Made" := "D1";', 'not-assignable'],
    ['"D1" := 5;', 'type-mismatch'],
    ['#number := "Made";', 'no-scalar'],
  ] as const)
    assert.deepEqual(codes(body), [code], body)
  const [{ message, hint } = { message: '', hint: '' }] = diagnosticsOf(main('"Free" := "D1";'))
  assert.match(message, /"Free" is no data block of a PLC data type/)
  assert.equal(hint, 'Assign its members one by one.')
})

test('MOVE moves whole data blocks in LAD and FBD', () => {
  const type = structure({ on: Bool, speed: Int, name: text(8) }, 'Set')
  const blocks = { A: { type }, B: { type, access: 'standard' as const } }
  const move = instructionNetwork([
    { name: 'Move', in: { en: '#go', in: '"A"' }, out: { out1: '"B"', out2: '#own' }, card: 2 },
    { name: 'Coil', in: { in: '0.eno', operand: '#done' } },
  ])
  const run = runNetworks({ go: 'Bool', done: 'Bool', own: type }, [move], { blocks })
  const value = { on: true, speed: -3, name: 'abc' }
  run.set('A', value)
  run.scan()
  assert.deepEqual([run.get('B.speed'), run.get('done')], [0, false])
  run.set('go', true)
  run.scan()
  assert.deepEqual([run.get('B'), run.get('own'), run.get('done')], [value, value, true])
  const unnamed = structure({ on: Bool, speed: Int, name: text(8) })
  assert.deepEqual(
    networkDiagnostics({ go: 'Bool', done: 'Bool', own: type }, [move], {
      blocks: { A: { type: unnamed }, B: { type } },
    }).map(({ code }) => code),
    ['type-mismatch'],
  )
})
