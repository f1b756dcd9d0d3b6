/** MSK_FLT, DMSK_FLT, READ_ERR: masked errors call no OB and are found in the register. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSource } from '../testing/lower-source.ts'

const members = `VAR_INPUT i : DInt; mask : DWord; END_VAR
VAR list : Array[0..3] of Int; x : Int; r : Int; s : Int; u : Int; p : DWord; a : DWord; seen : DWord; q : DWord; END_VAR`

test('a masked area error is kept for READ_ERR; unmasked it calls the OB; the mask ends with the block', () => {
  const run = runSource(`FUNCTION_BLOCK "Main"
${members}
BEGIN
#r := MSK_FLT(PRGFLT_SET_MASK := #mask, ACCFLT_SET_MASK := 16#FFFF_FFFF, PRGFLT_MASKED => #p, ACCFLT_MASKED => #a);
#x := #list[#i];
#s := READ_ERR(PRGFLT_QUERY := 16#FFFF_FFFF, ACCFLT_QUERY := 0, PRGFLT_CLR => #seen, ACCFLT_CLR => #q);
#u := DMSK_FLT(PRGFLT_RESET_MASK := 16#4, ACCFLT_RESET_MASK := 0, PRGFLT_MASKED => #q);
END_FUNCTION_BLOCK`)
  run.setBits('i', 9n)
  run.setBits('mask', 0x4n)
  run.scan()
  // 16#2522, read outside: bit 2. Access errors are bits 2 and 3.
  assert.deepEqual([run.bits('p'), run.bits('a'), run.bits('seen'), run.bits('q')], [4n, 12n, 4n, 0n])
  assert.deepEqual([run.get('r'), run.get('s'), run.get('u')], [0, 1, 0])
  assert.deepEqual(run.faults, [])
  run.setBits('mask', 0x8n)
  run.scan()
  // Only writing outside is masked now: nothing is left of the mask of the last call.
  assert.deepEqual([run.bits('p'), run.bits('seen'), run.get('u')], [8n, 0n, 1])
  assert.deepEqual(run.faults, ['Main'])
})

test('masking twice, and bits without an error', () => {
  const run = runSource(`FUNCTION_BLOCK "Main"
${members}
BEGIN
#r := MSK_FLT(PRGFLT_SET_MASK := 16#FFFF_FFFF, ACCFLT_SET_MASK := 0, PRGFLT_MASKED => #p);
#s := MSK_FLT(PRGFLT_SET_MASK := 16#2, ACCFLT_SET_MASK := 0);
END_FUNCTION_BLOCK`)
  run.scan()
  assert.deepEqual([run.bits('p'), run.get('r'), run.get('s')], [0xf43f_033en, 0, 1])
})
