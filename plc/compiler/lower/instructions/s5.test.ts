import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { diagnosticsOf, runSource } from '../../../testing/lower-source.ts'

const head = `FUNCTION_BLOCK "Main"
VAR_INPUT go : Bool; reset : Bool; up : Bool; down : Bool; set : Bool; END_VAR
VAR q : Bool; bi : Word; left : S5Time; cv : Word; digits : Word; END_VAR
BEGIN
`

/** Q after each step of `signal milliseconds`. */
function trace(name: string, steps: string): string {
  const run = runSource(
    `${head}#left := ${name}(T_NO := T5, S := #go, TV := S5T#1s, R := #reset, BI => #bi, Q => #q);\nEND_FUNCTION_BLOCK`,
  )
  return steps
    .split(' ')
    .map((step) => {
      const [, signals = '', time = '0'] = /^([a-z]*)(\d*)$/.exec(step) ?? []
      run.clock.advanceMilliseconds(Number(time))
      run.setBits('go', signals.includes('s') ? 1n : 0n)
      run.setBits('reset', signals.includes('r') ? 1n : 0n)
      run.scan()
      return run.get('q')
    })
    .join('')
}

describe('S5 timers in SCL', () => {
  for (const [name, steps, seen] of [
    ['S_PULSE', 's0 s999 s1', '110'],
    ['S_PULSE', 's0 0', '10'],
    ['S_PEXT', 's0 999 1', '110'],
    ['S_ODT', 's0 s999 s1 0', '0010'],
    ['S_ODTS', 's0 999 1 r0', '0010'],
    ['S_OFFDT', 's0 0 999 1', '1110'],
    ['S_OFFDT', 's0 0 r0', '110'],
  ] as const)
    it(`${name} ${steps}`, () => assert.equal(trace(name, steps), seen))

  it('gives the time left with its unit, and as a number', () => {
    const run = runSource(`${head}#left := S_ODT(T_NO := %T5, S := #go, TV := S5T#5s, BI => #bi);\nEND_FUNCTION_BLOCK`)
    run.scan()
    run.setBits('go', 1n)
    run.scan()
    run.clock.advanceMilliseconds(1260)
    run.scan()
    // 374 times 10 ms.
    assert.equal(run.bits('bi'), 374n)
    assert.equal(run.bits('left'), 0x0374n)
  })

  it('takes a timer as a parameter', () => {
    const run = runSource(`FUNCTION "Wait" : Bool
VAR_INPUT t : TIMER; go : Bool; END_VAR
VAR_TEMP left : S5Time; END_VAR
BEGIN
#left := S_PULSE(T_NO := #t, S := #go, TV := S5T#1s, Q => #Wait);
END_FUNCTION
${head}#q := "Wait"(t := T7, go := #go);
#left := S_PULSE(T_NO := T8, S := FALSE, TV := S5T#1s, Q => #set);
END_FUNCTION_BLOCK`)
    run.setBits('go', 1n)
    run.scan()
    assert.deepEqual([run.get('q'), run.get('set')], [1, 0])
  })
})

describe('S5 counters in SCL', () => {
  it('count, are set and reset', () => {
    const run = runSource(
      `${head}#digits := S_CUD(C_NO := C3, CU := #up, CD := #down, S := #set, PV := C#010, R := #reset, CV => #cv, Q => #q);\nEND_FUNCTION_BLOCK`,
    )
    const seen: string[] = []
    for (const names of ['', 'set', 'up', 'up', '', 'up', 'down', 'reset']) {
      for (const name of ['up', 'down', 'set', 'reset']) run.setBits(name, names === name ? 1n : 0n)
      run.scan()
      seen.push(`${run.bits('cv')} ${run.bits('digits').toString(16)} ${run.get('q')}`)
    }
    assert.deepEqual(seen, ['0 0 0', '10 10 1', '11 11 1', '11 11 1', '11 11 1', '12 12 1', '11 11 1', '0 0 0'])
  })
  it('S_CU and S_CD', () => {
    const run = runSource(
      `${head}#digits := S_CU(C_NO := C4, CU := #up);\n#cv := S_CD(C_NO := C5, CD := #down, S := #set, PV := 16#123);\nEND_FUNCTION_BLOCK`,
    )
    run.setBits('up', 1n)
    run.setBits('set', 1n)
    run.scan()
    run.setBits('down', 1n)
    run.scan()
    assert.deepEqual([run.bits('digits'), run.bits('cv')], [1n, 0x122n])
  })
})

it('names what does not fit', () => {
  const codes = (text: string) =>
    diagnosticsOf(`${head}${text}\nEND_FUNCTION_BLOCK`)
      .filter(({ severity }) => severity === 'error')
      .map(({ code }) => code)
  assert.deepEqual(codes('#left := S_ODT(T_NO := C5, S := #go, TV := S5T#1s);'), ['wrong-operand'])
  assert.deepEqual(codes('#left := S_ODT(T_NO := #bi, S := #go, TV := S5T#1s);'), ['wrong-operand'])
  assert.deepEqual(codes('#left := S_ODT(T_NO := T5, S := #go, TV := T#1s);'), ['wrong-operand'])
  assert.deepEqual(codes('#digits := S_CU(C_NO := C9999, CU := #up);'), ['address-outside'])
  assert.deepEqual(codes('#digits := S_CU(C_NO := C5, CD := #up);'), ['unknown-parameter'])
})
