/** DRUM, DCAT, MCAT and SMC as their published pages describe them, with the page's example of DRUM. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runSource } from '../../testing/lower-source.ts'

/** A block with inputs named as its own; a call every `milliseconds`. */
function running(type: string, inputs: string, setup = '') {
  const names = inputs.split(' ')
  const declared = names.map((name) => `${name} : Bool;`).join(' ')
  const run = runSource(`FUNCTION_BLOCK "Main"
VAR_INPUT ${declared} END_VAR
VAR b : ${type}; isSet : Bool; END_VAR
BEGIN
IF NOT #isSet THEN ${setup} #isSet := TRUE; END_IF;
#b(${names.map((name) => `${name} := #${name}`).join(', ')});
END_FUNCTION_BLOCK`)
  return {
    run,
    /** Runs one call with these inputs on and no others; returns the values of these members. */
    scan(on: string, seen: string, milliseconds = 100): unknown[] {
      run.clock.advanceMilliseconds(milliseconds)
      for (const name of names) run.setBits(name, on.split(' ').includes(name) ? 1n : 0n)
      run.scan()
      return seen.split(' ').map((name) => run.get(`b.${name}`))
    },
  }
}

describe('DRUM', () => {
  const drum = (setup: string) => running('DRUM', 'RESET JOG DRUM_EN EVENT2', `#b.LST_STEP := 3; ${setup}`)
  const seen = 'DSC DCC Q OUT_WORD ERR_CODE'
  it('goes on by time and event, stops at its last step, and begins anew', () => {
    const { scan } = drum(
      '#b.S_PRESET[1] := 250; #b.S_PRESET[3] := 100; #b.OUT_VAL[1, 0] := TRUE; #b.OUT_VAL[2, 15] := TRUE;',
    )
    assert.deepEqual(scan('DRUM_EN', seen), [1, 250, 0, 1, 0])
    assert.deepEqual(scan('DRUM_EN', seen), [1, 150, 0, 1, 0])
    assert.deepEqual(scan('', seen), [1, 150, 0, 1, 0])
    assert.deepEqual(scan('DRUM_EN', seen), [1, 50, 0, 1, 0])
    assert.deepEqual(scan('DRUM_EN', seen), [2, 0, 0, 0x8000, 0])
    assert.deepEqual(scan('DRUM_EN', seen), [2, 0, 0, 0x8000, 0])
    assert.deepEqual(scan('DRUM_EN EVENT2', seen), [3, 100, 0, 0, 0])
    assert.deepEqual(scan('DRUM_EN', seen), [3, 0, 1, 0, 0])
    assert.deepEqual(scan('JOG', seen), [3, 0, 1, 0, 0])
    assert.deepEqual(scan('RESET', seen), [1, 250, 0, 1, 0])
    assert.deepEqual(scan('JOG', seen), [2, 0, 0, 0x8000, 0])
    assert.deepEqual(scan('JOG', seen), [2, 0, 0, 0x8000, 0])
  })
  it('bits outside the mask stay as they were', () => {
    const masked = [0, 5, 8, 9, 14].map((bit) => `#b.S_MASK[2, ${bit}] := FALSE;`).join(' ')
    const on = 'FOR #i := 0 TO 15 DO #b.OUT_VAL[1, #i] := TRUE; END_FOR;'
    const run = runSource(`FUNCTION_BLOCK "Main"
VAR b : DRUM; i : Int; n : Int; END_VAR
BEGIN
#b.S_PRESET[1] := 10; #b.S_PRESET[2] := 200; ${masked} ${on}
#b(DRUM_EN := TRUE, LST_STEP := 16#08);
END_FUNCTION_BLOCK`)
    run.scan()
    assert.equal(run.get('b.OUT_WORD'), 0xffff)
    run.clock.advanceMilliseconds(10)
    run.scan()
    assert.deepEqual(
      ['DSC', 'DCC', 'OUT_WORD', 'OUT1', 'OUT2', 'OUT15'].map((name) => run.get(`b.${name}`)),
      [2, 200, 0x4321, 1, 0, 1],
    )
  })
  for (const [setup, code] of [
    ['#b.LST_STEP := 0;', 11],
    ['#b.LST_STEP := 17;', 11],
    ['#b.DSC := 4;', 12],
    ['#b.DSP := 0;', 13],
  ] as const)
    it(setup, () => {
      assert.deepEqual(drum(setup).scan('DRUM_EN', 'ERR_CODE'), [code])
    })
})

describe('DRUM_X', () => {
  const drum = (setup: string) => running('DRUM_X', 'RESET JOG DRUM_EN EVENT2', `#b.LST_STEP := 2; ${setup}`)
  const seen = 'DSC DCC Q OUT_WORD OUT0 OUT15 ERR_CODE'
  it('writes masked bits from OUT0 on, and has no time left behind its last step', () => {
    const { scan } = drum(
      '#b.S_PRESET[1] := 250; #b.S_PRESET[2] := 900; #b.OUT_VAL[1, 0] := TRUE; #b.S_MASK[1, 0] := TRUE; #b.OUT_VAL[2, 15] := TRUE;',
    )
    assert.deepEqual(scan('RESET', seen), [1, 250, 0, 1, 1, 0, 0])
    assert.deepEqual(scan('DRUM_EN', seen), [1, 150, 0, 1, 1, 0, 0])
    // Step 2 has no bit in its mask: the outputs stay.
    assert.deepEqual(scan('JOG', seen), [2, 900, 0, 1, 1, 0, 0])
    assert.deepEqual(scan('', seen), [2, 900, 0, 1, 1, 0, 0])
    assert.deepEqual(scan('JOG', seen), [2, 0, 1, 1, 1, 0, 0])
  })
  for (const [setup, code] of [
    ['#b.LST_STEP := 17;', 0x8081],
    ['#b.DSC := 4;', 0x8082],
    ['#b.DSP := 0;', 0x8083],
    ['#b.S_PRESET[1] := 60000; #b.DTBP := 60000;', 0x8084],
  ] as const)
    it(setup, () => {
      assert.deepEqual(drum(setup).scan('DRUM_EN', 'ERR_CODE'), [code])
    })
})

describe('DCAT', () => {
  const seen = 'Q OA CA ET'
  const alarm = () => running('DCAT', 'CMD O_FB C_FB', '#b.PT := 150;').scan
  it('wants to be opened in time', () => {
    const scan = alarm()
    assert.deepEqual(scan('CMD', seen), [1, 0, 0, 0])
    assert.deepEqual(scan('CMD', seen), [1, 0, 0, 100])
    assert.deepEqual(scan('CMD', seen), [1, 1, 0, 200])
    assert.deepEqual(scan('CMD O_FB', seen), [1, 0, 0, 150])
    assert.deepEqual(scan('CMD', seen), [1, 1, 0, 250])
  })
  it('wants to be closed in time', () => {
    const scan = alarm()
    scan('CMD', seen)
    assert.deepEqual(scan('O_FB', seen), [0, 0, 0, 0])
    assert.deepEqual(scan('O_FB', seen), [0, 0, 0, 100])
    assert.deepEqual(scan('O_FB', seen), [0, 0, 1, 200])
    assert.deepEqual(scan('C_FB', seen), [0, 0, 0, 150])
    assert.deepEqual(scan('C_FB O_FB', seen), [0, 1, 1, 150])
  })
})

it('MCAT', () => {
  const { scan } = running('MCAT', 'O_CMD C_CMD S_CMD O_FB C_FB', '#b.PT := 150;')
  const seen = 'OO CO OA CA Q ET'
  for (const [on, wanted] of [
    ['', [0, 0, 0, 0, 1, 0]],
    ['O_CMD', [1, 0, 0, 0, 1, 0]],
    ['O_CMD', [1, 0, 0, 0, 1, 100]],
    ['', [1, 0, 0, 0, 1, 200]],
    ['', [0, 0, 1, 0, 0, 150]],
    ['O_FB', [0, 0, 0, 0, 1, 150]],
    ['C_CMD O_FB', [0, 1, 0, 0, 1, 0]],
    ['C_CMD', [0, 1, 0, 0, 1, 100]],
    ['C_FB', [0, 0, 0, 0, 1, 150]],
    ['C_FB O_FB', [0, 0, 1, 1, 0, 150]],
    ['O_CMD C_CMD', [0, 0, 0, 0, 1, 150]],
    ['O_CMD', [1, 0, 0, 0, 1, 0]],
    ['O_CMD S_CMD', [0, 0, 0, 0, 1, 0]],
  ] as const)
    assert.deepEqual(scan(on, seen), wanted, on)
})

it('SMC', () => {
  const { run, scan } = running(
    'SMC',
    'IN_BIT0 IN_BIT15',
    '#b.LAST := 3; #b.CMP_VAL[0, 7] := TRUE; #b.CMP_VAL[1, 0] := TRUE; #b.CMP_VAL[3, 0] := TRUE; #b.CMP_VAL[3, 15] := TRUE;',
  )
  const seen = 'OUT OUT_STEP ERR_CODE'
  assert.deepEqual(scan('IN_BIT0', seen), [1, 1, 0])
  assert.deepEqual(scan('', seen), [1, 2, 0])
  assert.deepEqual(scan('IN_BIT0 IN_BIT15', seen), [1, 3, 0])
  assert.deepEqual(scan('IN_BIT15', seen), [0, 4, 0])
  run.setBits('b.LAST', 16n)
  assert.deepEqual(scan('', 'OUT ERR_CODE'), [0, 14])
})
