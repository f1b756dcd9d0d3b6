import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { codesOf, runScl } from '../testing/runtime.ts'

/** Runs `body` with inputs, all of types given by the first letter: r Real, i Int, b Bool, w Word, l LReal. */
function once(body: string, members: Readonly<Record<string, string>>, set: Readonly<Record<string, unknown>> = {}) {
  const run = runScl({ members, body })
  for (const [path, value] of Object.entries(set)) run.set(path, value)
  run.scan()
  return (path: string) => run.get(path)
}

test('IN_RANGE and OUT_RANGE: limits belong to the range, NaN is outside', () => {
  const members = { x: 'Real', in: 'Bool', out: 'Bool' }
  const body =
    '#in := IN_RANGE(MIN := -1.0, IN := #x, MAX := 2.0); #out := OUT_RANGE(MIN := -1.0, IN := #x, MAX := 2.0);'
  for (const [x, isInside, isOutside] of [
    [-1, true, false],
    [2, true, false],
    [2.5, false, true],
    [-1.5, false, true],
    [Number.NaN, false, true],
  ] as const) {
    const get = once(body, members, { x })
    assert.deepEqual([get('in'), get('out')], [isInside, isOutside], String(x))
  }
})

test('NORM_X and SCALE_X are each other’s inverse; whole numbers are rounded', () => {
  const get = once(
    `#n := NORM_X(MIN := 0, VALUE := #i, MAX := 27648); #r := SCALE_X(MIN := -50.0, VALUE := #n, MAX := 50.0);
     #k := SCALE_X(MIN := 0, VALUE := 0.5, MAX := #top); #bad := NORM_X(MIN := 5, VALUE := #i, MAX := 5, ENO => #ok);
     #small := SCALE_X_INT(MIN := 0.0, VALUE := #n, MAX := 100000.0, ENO => #fits);`,
    { n: 'Real', i: 'Int', r: 'Real', k: 'Int', top: 'Int', bad: 'Real', ok: 'Bool', small: 'Int', fits: 'Bool' },
    { i: 13_824, top: 25, ok: true, fits: true },
  )
  assert.deepEqual([get('n'), get('r'), get('k'), get('ok'), get('fits')], [0.5, 0, 12, false, false])
})

test('SCALE and UNSCALE of analog values', () => {
  const members = { i: 'Int', r: 'Real', w: 'Word', ok: 'Bool', bi: 'Bool', back: 'Int', v: 'Word' }
  const body = `#w := SCALE(IN := #i, HI_LIM := 100.0, LO_LIM := 0.0, BIPOLAR := #bi, OUT => #r, ENO => #ok);
    #v := UNSCALE(IN := #r, HI_LIM := 100.0, LO_LIM := 0.0, BIPOLAR := #bi, OUT => #back);`
  for (const [i, bi, r, w, back] of [
    [0, false, 0, 0, 0],
    [27_648, false, 100, 0, 27_648],
    [13_824, false, 50, 0, 13_824],
    [30_000, false, 100, 8, 27_648],
    [-1, false, 0, 8, 0],
    [0, true, 50, 0, 0],
    [-27_648, true, 0, 0, -27_648],
  ] as const) {
    const get = once(body, members, { i, bi })
    assert.deepEqual([get('r'), get('w'), get('ok'), get('back'), get('v')], [r, w, w === 0, back, 0], `${i}`)
  }
})

test('bits: DECO, ENCO, BITSUM', () => {
  const run = runScl({
    members: { n: 'UInt', d: 'DWord', w: 'Word', e: 'Int', c: 'Int', ok: 'Bool' },
    body: '#d := DECO(#n); #w := DECO_WORD(#n); #e := ENCO(IN := #d, ENO => #ok); #c := BITSUM(16#F0F0_0001);',
  })
  fc.assert(
    fc.property(fc.nat(65_535), (n) => {
      run.set('n', n)
      run.scan()
      assert.deepEqual(
        [run.get('d'), run.get('w'), run.get('e'), run.get('ok')],
        [2 ** (n % 32), 2 ** (n % 16), n % 32, true],
      )
    }),
  )
  assert.equal(run.get('c'), 9)
  const get = once('#e := ENCO(IN := #w, ENO => #ok);', { w: 'Word', e: 'Int', ok: 'Bool' }, { ok: true, e: 5 })
  assert.deepEqual([get('e'), get('ok')], [0, false])
})

test('INC, DEC, NEG, INV, EXPT', () => {
  const get = once(
    '#a := 5; INC(#a); INC(#a); DEC(#a); #b := NEG(#a); #w := INV(16#00FF); #r := EXPT(2.0, 10); INC(IN_OUT := #top, ENO => #ok);',
    { a: 'Int', b: 'Int', w: 'Word', r: 'Real', top: 'SInt', ok: 'Bool' },
    { top: 127, ok: true },
  )
  assert.deepEqual([get('a'), get('b'), get('w'), get('r'), get('top'), get('ok')], [6, -6, 0xff00, 1024, -128, false])
})

test('program control reaches the host', () => {
  const run = runScl({ members: { x: 'Int' }, body: 'RE_TRIGR(); STP(); #x := 1;' })
  run.scan()
  assert.deepEqual([run.events, run.get('x')], [['retrigger', 'stop'], 1])
})

test('what is not there is said', () => {
  assert.deepEqual(codesOf({ members: { x: 'Bool' }, body: 'INC(#x);' }), ['wrong-operand'])
})

test('UNSCALE rounds halves to the even number, and limits what is outside', () => {
  const members = { r: 'Real', high: 'Real', low: 'Real', bi: 'Bool', out: 'Int', v: 'Word', ok: 'Bool' }
  const body = '#v := UNSCALE(IN := #r, HI_LIM := #high, LO_LIM := #low, BIPOLAR := #bi, OUT => #out, ENO => #ok);'
  // 27648 / 32768 of the value: 16 is 13.5.
  for (const [bi, low, r, out, v] of [
    [false, 0, 16, 14, 0],
    [false, 0, 48, 40, 0],
    [false, 0, 80, 68, 0],
    [false, 0, 20, 17, 0],
    [true, -32_768, -16, -14, 0],
    [true, -32_768, -48, -40, 0],
    [true, -32_768, 32_768, 27_648, 0],
    [true, -32_768, -32_768, -27_648, 0],
    [false, 0, 32_769, 27_648, 8],
    [false, 0, -1, 0, 8],
    [true, -32_768, -32_769, -27_648, 8],
    [false, 0, Number.NaN, 0, 8],
    // Limits in the wrong order, and equal ones.
    [true, 32_769, 5, -27_648, 8],
    [false, 32_768, 32_768, 0, 8],
  ] as const) {
    const get = once(body, members, { bi, low, high: 32_768, r })
    assert.deepEqual([get('out'), get('v'), get('ok')], [out, v, v === 0], `${r} from ${low}, ${bi}`)
  }
})

test('SCALE at and beyond the ends of the analog range', () => {
  const members = { i: 'Int', bi: 'Bool', r: 'Real', v: 'Word', ok: 'Bool' }
  const body = '#v := SCALE(IN := #i, HI_LIM := 500.0, LO_LIM := -100.0, BIPOLAR := #bi, OUT => #r, ENO => #ok);'
  for (const [i, bi, r, v] of [
    [0, false, -100, 0],
    [27_648, false, 500, 0],
    [6912, false, 50, 0],
    [-1, false, -100, 8],
    [27_649, false, 500, 8],
    [-27_648, true, -100, 0],
    [-13_824, true, 50, 0],
    [0, true, 200, 0],
    [-27_649, true, -100, 8],
    [27_649, true, 500, 8],
  ] as const) {
    const get = once(body, members, { i, bi })
    assert.deepEqual([get('r'), get('v'), get('ok')], [r, v, v === 0], `${i} ${bi}`)
  }
})

test('ENCO finds the lowest of several bits', () => {
  const run = runScl({ members: { d: 'DWord', e: 'Int' }, body: '#e := ENCO(#d);' })
  for (const [pattern, bit] of [
    [0xffff_ffff, 0],
    [0xf000_0100, 8],
    [0x8000_0000, 31],
    [0xc000_0000, 30],
  ] as const) {
    run.set('d', pattern)
    run.scan()
    assert.equal(run.get('e'), bit)
  }
})

test('NaN is neither equal nor unequal to any number, itself included', () => {
  const members = { x: 'Real', y: 'LReal', z: 'Real', a: 'Bool', b: 'Bool', c: 'Bool', d: 'Bool', e: 'Bool', f: 'Bool' }
  const body = `#a := #x <> #x; #b := #x = #x; #c := #x <> 1.0; #d := #y <> #x; #e := NOT (#x = 1.0); #f := #z <> #x;`
  for (const [x, y, z, results] of [
    [Number.NaN, 1, 1, [false, false, false, false, true, false]],
    [1, Number.NaN, Number.NaN, [false, true, false, false, false, false]],
    [Infinity, Infinity, -Infinity, [false, true, true, false, true, true]],
    [0, 5e-324, -0, [false, true, true, true, true, false]],
  ] as const) {
    const get = once(body, members, { x, y, z })
    assert.deepEqual(['a', 'b', 'c', 'd', 'e', 'f'].map(get), results, `${x}, ${y}, ${z}`)
  }
})

test('a signed number in a longer bit string is extended by its sign, an unsigned one and a bit string by zeros', () => {
  const get = once(
    `#d1 := INT_TO_DWORD(-1); #d2 := SINT_TO_WORD(#s); #l1 := DINT_TO_LWORD(#n); #l2 := INT_TO_LWORD(#i);
     #d3 := UINT_TO_DWORD(16#FFFF); #d4 := WORD_TO_DWORD(16#8000); #w := INT_TO_BYTE(-2); #ok := ENO;`,
    {
      d1: 'DWord',
      d2: 'DWord',
      d3: 'DWord',
      d4: 'DWord',
      l1: 'LWord',
      l2: 'LWord',
      w: 'Word',
      s: 'SInt',
      n: 'DInt',
      i: 'Int',
      ok: 'Bool',
    },
    { s: -3, n: -2, i: 5 },
  )
  assert.deepEqual(['d1', 'd2', 'd3', 'd4', 'w', 'ok'].map(get), [0xffff_ffff, 0xfffd, 0xffff, 0x8000, 0xfe, true])
  assert.deepEqual(['l1', 'l2'].map(get), [0xffff_ffff_ffff_fffen, 5n])
})
