import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnosticsOf, runSource } from './source-testing.ts'

const members = `VAR
  early : DTL := DTL#2024-01-31-14:30:00.5;
  late : DTL := DTL#2024-01-31-14:30:01;
  old : Date_And_Time := DT#2020-02-29-23:59:59.999;
  young : Date_And_Time := DT#2020-03-01-00:00:00;
  letter : Char := 'F';
  wide : WChar := WCHAR#'x';
  b : Array[0..9] of Bool;
END_VAR
BEGIN
`
const main = (body: string, access: boolean) =>
  `FUNCTION_BLOCK "Main"\n{ S7_Optimized_Access := '${access ? 'TRUE' : 'FALSE'}' }\n${members}${body}\nEND_FUNCTION_BLOCK\n`

for (const access of [true, false])
  test(`points in time and characters are compared, ${access ? 'optimized' : 'standard'} access`, () => {
    const run = runSource(
      main(
        `#b[0] := #early < #late;
#b[1] := #early = #late;
#b[2] := #early = DTL#2024-01-31-14:30:00.500;
#b[3] := DTL#1970-01-01-00:00:00 <> #late;
#b[4] := #old >= #young;
#b[5] := #old = DT#2020-02-29-23:59:59.999;
#b[6] := #letter = 'F';
#b[7] := 'G' <= #letter;
#b[8] := #wide = 'x';
#b[9] := #young > #old;`,
        access,
      ),
    )
    run.scan()
    const got = Array.from({ length: 10 }, (_one, i) => run.get(`b[${i}]`))
    assert.deepEqual(got, [1, 0, 1, 1, 0, 1, 1, 0, 1, 1])
  })

test('a text of two characters is no character, and points of two kinds are not compared', () => {
  const codes = (body: string) => diagnosticsOf(main(body, true)).map(({ code }) => code)
  assert.deepEqual(codes("#b[0] := #letter = 'FG';"), ['constant-does-not-fit'])
  assert.ok(codes('#b[0] := #early = #old;').length > 0)
})
