import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Byte, Char } from '../program/scalars.ts'
import { array, codesOf, runScl } from '../testing/runtime.ts'

// S7-1200 system manual, examples of STRG_VAL.
for (const [text, format, out, isRight] of [
  ['123', 0, 123, true],
  ['-00456', 0, -456, true],
  ['12,345', 1, 12, true],
  ['1.23E-4', 2, 0, true],
  ['x', 0, 0, false],
  ['70000', 0, 0, false],
  ['1', 4, 0, false],
] as const)
  test(`STRG_VAL of ${text}, format ${format}`, () => {
    const run = runScl({
      members: { s: 'String[20]', f: 'Word', i: 'Int', ok: 'Bool', r: 'Real' },
      body: 'STRG_VAL(IN := #s, FORMAT := #f, P := 1, OUT => #i, ENO => #ok); STRG_VAL(IN := #s, FORMAT := 2, P := 1, OUT => #r);',
    })
    run.set('s', text)
    run.set('f', format)
    run.scan()
    assert.deepEqual([run.get('i'), run.get('ok')], [out, isRight])
    if (text === '1.23E-4') assert.equal(run.get('r'), Math.fround(1.23e-4))
  })

test('VAL_STRG puts a number into a text, right-justified', () => {
  const run = runScl({
    members: { s: 'String[20]', t: 'String[20]', u: 'String[20]', v: 'String[20]', x: 'Real', ok: 'Bool' },
    body: `#s := 'Temp =      degree';
      VAL_STRG(IN := 123, SIZE := 5, PREC := 0, FORMAT := 0, P := 7, OUT => #s);
      VAL_STRG(IN := #x, SIZE := 10, PREC := 4, FORMAT := 16#0007, P := 1, OUT => #t, ENO => #ok);
      VAL_STRG(IN := -12345, SIZE := 10, PREC := 3, FORMAT := 4, P := 1, OUT => #u);
      VAL_STRG(IN := 123456, SIZE := 4, PREC := 0, FORMAT := 0, P := 1, OUT => #v, ENO => #ok);`,
  })
  run.set('x', -0.00123)
  run.scan()
  assert.deepEqual(
    [run.get('s'), run.get('t'), run.get('u'), run.get('v'), run.get('ok')],
    ['Temp =  123 degree', '-1,2300E-3', '   -12.345', '', false],
  )
})

// TIA Portal help, "VAL_STRG": the text before P is filled with blanks, SIZE 0 takes as many characters as needed.
test('VAL_STRG behind the end of a text, with SIZE 0, and of numbers that are none', () => {
  const members = { s: 'String[40]', t: 'String[40]', u: 'String', v: 'String', w: 'WString[9]', x: 'Real' }
  const body = `#s := 'ABC'; #t := 'ABCDEF'; #w := WSTRING#'';
    VAL_STRG(IN := 123, SIZE := 6, PREC := 0, FORMAT := 4, P := 6, OUT => #s, ENO => #k);
    VAL_STRG(IN := 12345, SIZE := 0, PREC := 1, FORMAT := 0, P := 3, OUT => #t, ENO => #l);
    VAL_STRG(IN := -1.0 / #x, SIZE := 6, PREC := 4, FORMAT := 0, P := 2, OUT => #u, ENO => #m);
    VAL_STRG(IN := #x / #x, SIZE := 5, PREC := 4, FORMAT := 0, P := 1, OUT => #v, ENO => #n);
    VAL_STRG(IN := 7, SIZE := 5, PREC := 0, FORMAT := 0, P := 8, OUT => #w, ENO => #o);`
  const run = runScl({ members: { ...members, k: 'Bool', l: 'Bool', m: 'Bool', n: 'Bool', o: 'Bool' }, body })
  run.scan()
  assert.deepEqual(['s', 't', 'u', 'v'].map(run.get), ['ABC    +123', 'AB1234.5', '   -INF', '  NaN'])
  assert.deepEqual(['k', 'l', 'm', 'n', 'o'].map(run.get), [true, true, false, false, false])
})

test('characters to arrays and back', () => {
  const run = runScl({
    members: {
      s: 'String[10]',
      chars: array(0, 9, Char),
      n: 'UInt',
      t: 'String[10]',
      small: array(0, 1, Byte),
      ok: 'Bool',
    },
    body: `Strg_TO_Chars(Strg := #s, pChars := 2, Cnt => #n, Chars := #chars);
      Chars_TO_Strg(Chars := #chars, pChars := 3, Cnt := 0, Strg => #t);
      Strg_TO_Chars(Strg := #s, pChars := 0, Cnt => #n, Chars := #small, ENO => #ok);`,
  })
  run.set('s', 'abcd')
  run.scan()
  assert.deepEqual([run.get('chars'), run.get('t'), run.get('ok')], [[0, 0, 97, 98, 99, 100, 0, 0, 0, 0], 'bcd', false])
})

for (const access of ['optimized', 'standard'] as const)
  test(`ATH and HTA, ${access} access`, () => {
    const run = runScl({
      access,
      members: { w: 'Word', d: 'DWord', s: 'String[10]', r: 'Word', list: array(0, 2, Byte), ok: 'Bool', back: 'Word' },
      body: `#r := HTA(IN := #d, N := 4, OUT => #s); ATH(IN := #s, N := 6, OUT => #list); ATH(IN := '12G4', N := 4, OUT => #w, RET_VAL => #back, ENO => #ok);`,
    })
    run.set('d', 0x123af012)
    run.scan()
    assert.deepEqual(
      [run.get('s'), run.get('r'), run.get('list'), run.get('back'), run.get('ok')],
      ['123AF012', 0, [0x12, 0x3a, 0xf0], 7, false],
    )
  })

test('names with their type behind', () => {
  const run = runScl({ members: { w: 'Word', i: 'Int' }, body: '#w := SHL_WORD(IN := 1, N := 3); #i := ABS_INT(#i);' })
  run.set('i', -4)
  run.scan()
  assert.deepEqual([run.get('w'), run.get('i')], [8, 4])
})

test('only texts and numbers', () => {
  const members = { s: 'String', b: 'Bool' } as const
  assert.deepEqual(codesOf({ members, body: 'STRG_VAL(IN := #s, FORMAT := 0, P := 1, OUT => #b);' }), ['wrong-operand'])
})

// TIA Portal help of ATH and HTA, RET_VAL.
test('ATH and HTA tell which side is too short', () => {
  const run = runScl({
    members: { d: 'DWord', w: 'Word', s: 'String[4]', a: 'Int', b: 'Int', c: 'Int', e: 'Int' },
    body: `#a := ATH(IN := '12', N := 4, OUT => #d); #b := ATH(IN := '123456', N := 6, OUT => #w);
      #c := HTA(IN := #w, N := 4, OUT => #s); #e := HTA(IN := #d, N := 4, OUT => #s);`,
  })
  run.scan()
  const codes = ['a', 'b', 'c', 'e'].map((name) => (run.get(name) as number) & 0xffff)
  assert.deepEqual(codes, [0x8182, 0x8482, 0x8182, 0x8482])
})

test('ATH: an odd last digit is the high half of its byte', () => {
  for (const [digits, count, bytes] of [
    ['12A4', 4, [0x12, 0xa4, 9]],
    ['12A', 3, [0x12, 0xa0, 9]],
    ['F', 1, [0xf0, 9, 9]],
    ['12A4', 3, [0x12, 0xa0, 9]],
    ['', 0, [9, 9, 9]],
  ] as const) {
    const run = runScl({
      members: { list: array(0, 2, Byte), back: 'Int', b0: 'Byte', b1: 'Byte', b2: 'Byte' },
      body: `#list[0] := 9; #list[1] := 9; #list[2] := 9; #back := ATH(IN := '${digits}', N := ${count}, OUT => #list); #b0 := #list[0]; #b1 := #list[1]; #b2 := #list[2];`,
    })
    run.scan()
    assert.deepEqual(
      ['back', 'b0', 'b1', 'b2'].map((name) => run.get(name)),
      [0, ...bytes],
      digits,
    )
  }
})

// TIA Portal help of STRG_VAL, all examples.
for (const [text, format, type, out, isRight] of [
  ['123.45', 0, 'Int', 123, true],
  ['67.89', 0, 'Int', 68, true],
  ['+2345', 0, 'DInt', 2345, true],
  ['00123AB', 0, 'DInt', 123, true],
  ['123', 0, 'Real', 123, true],
  ['-00456', 1, 'Real', -456, true],
  ['123.45', 0, 'Real', 123.45, true],
  ['123.45', 1, 'Real', 12_345, true],
  ['123,45', 0, 'Real', 12_345, true],
  ['123,45', 1, 'Real', 123.45, true],
  ['.00123AB', 1, 'Real', 123, true],
  ['1.23e-4', 0, 'Real', 1.23, true],
  ['1.23E-4', 2, 'Real', 1.23e-4, true],
  ['12,345.67', 0, 'Real', 12_345.67, true],
  ['12,345.67', 1, 'Real', 12.345, true],
  ['3.4e39', 2, 'Real', Number.POSITIVE_INFINITY, false],
  ['-3.4e39', 2, 'Real', Number.NEGATIVE_INFINITY, false],
  ['1.1754943e-38', 2, 'Real', 0, true],
  ['12345', 0, 'SInt', 0, false],
  ['A123', 0, 'Int', 0, false],
  ['9007199254740993', 0, 'LInt', 9007199254740993n, true],
] as const)
  test(`STRG_VAL of ${text} with format ${format} as ${type}`, () => {
    const run = runScl({
      members: { o: type, ok: 'Bool' },
      body: `STRG_VAL(IN := '${text}', FORMAT := ${format}, P := 1, OUT => #o, ENO => #ok);`,
    })
    run.scan()
    const expected = type === 'Real' ? Math.fround(out as number) : out
    assert.deepEqual([run.get('o'), run.get('ok')], [expected, isRight])
  })

test('STRG_VAL gives whole numbers within their type, rounded, halves to the even neighbour; others are 0', () => {
  const bitsOf = { SInt: 8, Int: 16, DInt: 32, LInt: 64, USInt: 8, UInt: 16, UDInt: 32, ULInt: 64 } as const
  const types = Object.keys(bitsOf) as (keyof typeof bitsOf)[]
  const run = runScl({
    members: {
      s: 'String[30]',
      ...Object.fromEntries(
        types.flatMap((type) => [
          [`v${type}`, type],
          [`o${type}`, 'Bool'],
        ]),
      ),
    },
    body: types
      .map((type) => `STRG_VAL(IN := #s, FORMAT := 0, P := 1, OUT => #v${type}, ENO => #o${type});`)
      .join('\n'),
  })
  const limits = types.flatMap((type) => {
    const bits = BigInt(bitsOf[type])
    const [low, high] = type.startsWith('U') ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n]
    return [low - 1n, low, high, high + 1n]
  })
  const rounded = [
    ['0.5', 0n],
    ['1.5', 2n],
    ['2.5', 2n],
    ['-0.5', 0n],
    ['-1.5', -2n],
    ['-2.5', -2n],
    ['2.4999', 2n],
  ] as const
  const more = [
    ['127.5', 128n],
    ['-128.5', -128n],
    ['255.4', 255n],
    ['255.5', 256n],
    ['+7', 7n],
    ['007', 7n],
  ] as const
  for (const [text, value] of [...limits.map((one) => [String(one), one] as const), ...rounded, ...more]) {
    run.set('s', text)
    run.scan()
    for (const type of types) {
      const bits = bitsOf[type]
      const wrapped = type.startsWith('U') ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value)
      const isInside = wrapped === value
      assert.deepEqual(
        [BigInt(run.get(`v${type}`) as number | bigint), run.get(`o${type}`)],
        [isInside ? value : 0n, isInside],
        `${text} as ${type}`,
      )
    }
  }
})

test('STRG_VAL gives real numbers: those below the normal range are 0, those above infinite', () => {
  const run = runScl({
    members: { s: 'String[30]', r: 'Real', l: 'LReal', okR: 'Bool', okL: 'Bool' },
    body: `STRG_VAL(IN := #s, FORMAT := 2, P := 1, OUT => #r, ENO => #okR);
      STRG_VAL(IN := #s, FORMAT := 2, P := 1, OUT => #l, ENO => #okL);`,
  })
  const infinite = Number.POSITIVE_INFINITY
  for (const [text, real, isReal, long, isLong] of [
    ['1.5E0', 1.5, true, 1.5, true],
    ['1.1754944E-38', Math.fround(1.1754944e-38), true, 1.1754944e-38, true],
    ['1.0E-38', 0, true, 1e-38, true],
    ['-1.0E-39', 0, true, -1e-39, true],
    ['2.3E-308', 0, true, 2.3e-308, true],
    ['1.0E-308', 0, true, 0, true],
    ['3.4E38', Math.fround(3.4e38), true, 3.4e38, true],
    ['-3.5E38', -infinite, false, -3.5e38, true],
    ['1.8E308', infinite, false, infinite, false],
    ['x', 0, false, 0, false],
  ] as const) {
    run.set('s', text)
    run.scan()
    assert.deepEqual([run.get('r'), run.get('okR'), run.get('l'), run.get('okL')], [real, isReal, long, isLong], text)
  }
})
