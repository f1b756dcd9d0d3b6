/** Sources of STEP 7 classic as programs: (system) blocks by number, protection, addresses into data blocks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSource } from '../testing/lower-source.ts'
import { compileSources } from './compile-sources.ts'

const station = `DATA_BLOCK DB 20
STRUCT
  Menge : INT := 7;
  Kopie : DINT;
END_STRUCT
BEGIN
END_DATA_BLOCK

FUNCTION_BLOCK FB 10
KNOW_HOW_PROTECT
VAR_INPUT
  Ein : BOOL;
END_VAR
VAR_OUTPUT
  Aus : BOOL;
  Stand : INT;
END_VAR
VAR
  Zeit : SFB 4;
  Zaehler : SFB 0;
END_VAR
VAR_TEMP
  ret : INT;
END_VAR
BEGIN
NETWORK
TITLE =
      CALL #Zeit (
           IN := #Ein,
           PT := T#2S,
           Q := #Aus);
      CALL #Zaehler (
           CU := #Ein,
           R := FALSE,
           PV := 10,
           CV := #Stand);
      CALL SFC 20 (
           SRCBLK := P#DB20.DBX 0.0 BYTE 2,
           RET_VAL := #ret,
           DSTBLK := P#DB20.DBX 4.0 BYTE 2);
      CALL "BLKMOV" (
           SRCBLK := P#DB20.DBX 0.0 BYTE 2,
           RET_VAL := #ret,
           DSTBLK := P#DB20.DBX 2.0 BYTE 2);
END_FUNCTION_BLOCK

DATA_BLOCK DB 10
 FB 10
BEGIN
END_DATA_BLOCK

DATA_BLOCK DB 11
 SFB 4
BEGIN
END_DATA_BLOCK

FUNCTION_BLOCK "Main"
VAR_INPUT
  Ein : BOOL;
END_VAR
VAR_OUTPUT
  Aus : BOOL;
  Spaet : BOOL;
  Stand : INT;
  Kopie : DINT;
END_VAR
BEGIN
NETWORK
      CALL FB 10, DB 10 (
           Ein := #Ein,
           Aus := #Aus,
           Stand := #Stand);
      CALL SFB 4, DB 11 (
           IN := #Ein,
           PT := T#3S,
           Q := #Spaet);
      L DB20.DBD 2;
      T #Kopie;
END_FUNCTION_BLOCK
`

test('a classic source runs: timers and counters by SFB number, moves by SFC number or quoted name', () => {
  const run = runSource(station)
  const seen = [0, 1999, 1, 1000].map((milliseconds) => {
    run.clock.advanceMilliseconds(milliseconds)
    run.set('Ein', true)
    run.scan()
    return ['Aus', 'Spaet', 'Stand', 'Kopie'].map((name) => run.get(name))
  })
  const copy = 0x0007_0007
  assert.deepEqual(seen, [
    [0, 0, 1, copy],
    [0, 0, 1, copy],
    [1, 0, 1, copy],
    [1, 1, 1, copy],
  ])
})

test('the word KNOW_HOW_PROTECT does not keep a source from being compiled; without code the block is protected', () => {
  assert.equal(compileSources(station).ok, true)
  const empty = 'FUNCTION FC 1 : VOID\nKNOW_HOW_PROTECT\nBEGIN\nNETWORK\nTITLE =\nEND_FUNCTION\n'
  const refused = compileSources(empty)
  assert.deepEqual(refused.ok || refused.errors.map(({ code, object }) => [code, object]), [['protected-block', 'FC1']])
})

test('a system function that an S7-1500 does not have is told by its name', () => {
  const source = 'FUNCTION FC 1 : VOID\nBEGIN\nNETWORK\n      CALL SFC 60;\nEND_FUNCTION\n'
  const refused = compileSources(source)
  assert.deepEqual(refused.ok || refused.errors.map(({ code, message }) => [code, message]), [
    ['unknown-instruction', 'GD_SND is no instruction that is known here.'],
  ])
})
