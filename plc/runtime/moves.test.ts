import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Bool, Byte, DInt, Int, Real, Word } from '../program/scalars.ts'
import type { Access, Type } from '../program/type.ts'
import { array, codesOf, runScl, type SclTest, structure, text } from '../testing/runtime.ts'

const accesses: readonly Access[] = ['optimized', 'standard']
const pairs = accesses.flatMap((a) => accesses.map((b) => [a, b] as const))

/** One run of the body: `set` before, `get` after. */
function once(test: SclTest, set: Readonly<Record<string, unknown>>, get: readonly string[]): unknown[] {
  const run = runScl(test)
  for (const [path, value] of Object.entries(set)) run.set(path, value)
  run.scan()
  return [...get.map((path) => run.get(path))]
}

for (const [access, other] of pairs)
  describe(`from ${other} to ${access} access`, () => {
    const elements: readonly [Type, readonly unknown[]][] = [
      [Bool, [true, false, true, true, false, false, true, false, true, true]],
      [Int, [1, -2, 3, -4, 5, -6, 7, -8, 9, -10]],
      [Real, [1.5, -2.5, 0, 4, 5, 6, 7, 8, 9, 10]],
      [structure({ a: Byte, b: DInt }), Array.from({ length: 10 }, (_one, i) => ({ a: i, b: -i * 100_000 }))],
    ]
    for (const [type, values] of elements)
      test(`MOVE_BLK of ${type.kind} ${'name' in type ? type.name : ''}`, () => {
        const run = runScl({
          access,
          members: { to: array(-2, 7, type), i: 'Int', n: 'UDInt', ok: 'Bool' },
          blocks: { Source: { type: structure({ from: array(1, 10, type) }), access: other } },
          body: 'MOVE_BLK(IN := "Source".from[#i], COUNT := #n, OUT => #to[0], ENO => #ok);',
        })
        run.set('Source.from', values)
        run.set('i', 4)
        run.set('n', 3)
        const before = run.get('to') as unknown[]
        run.scan()
        assert.deepEqual(run.get('to'), [...before.slice(0, 2), ...values.slice(3, 6), ...before.slice(5)])
        assert.equal(run.get('ok'), true)
        for (const [i, n] of [
          [4, 9],
          [0, 1],
          [9, 3],
          [1, 0],
        ] as const) {
          run.set('i', i)
          run.set('n', n)
          const kept = run.get('to')
          run.scan()
          assert.deepEqual([run.get('ok'), run.get('to')], [false, kept], `${i} ${n}`)
        }
      })
    test('Serialize and Deserialize give back what was put in', () => {
      const type = structure({ flag: Bool, count: Int, list: array(0, 2, Real), name: text(5), next: Bool })
      const value = { flag: true, count: -3, list: [1, 2.5, -3], name: 'abc', next: true }
      const run = runScl({
        access,
        members: { bytes: array(0, 99, Byte), back: type, pos: 'DInt', end: 'DInt', r: 'Int', e: 'Int' },
        blocks: { Source: { type: structure({ value: type }), access: other } },
        body: `#pos := 3;
          #r := Serialize(SRC_VARIABLE := "Source".value, DEST_ARRAY => #bytes, POS := #pos);
          #end := #pos; #pos := 3;
          #e := Deserialize(SRC_ARRAY := #bytes, DEST_VARIABLE => #back, POS := #pos);`,
      })
      run.set('Source.value', value)
      run.scan()
      // Bool and gap 2, Int 2, three Reals 12, text 2 + 5, Bool 1.
      assert.deepEqual([run.get('back'), run.get('r'), run.get('e'), run.get('end')], [value, 0, 0, 3 + 24])
      assert.deepEqual((run.get('bytes') as number[]).slice(3, 11), [1, 0, 0xff, 0xfd, 0x3f, 0x80, 0, 0])
    })
  })

test('Serialize without room writes nothing and says why', () => {
  const [pos, r, bytes] = once(
    {
      members: { bytes: array(0, 3, Byte), value: 'LReal', pos: 'DInt', r: 'Int' },
      body: '#r := Serialize(SRC_VARIABLE := #value, DEST_ARRAY => #bytes, POS := #pos);',
    },
    { value: 1 },
    ['pos', 'r', 'bytes'],
  )
  assert.deepEqual([pos, (r as number) & 0xffff, bytes], [0, 0x8253, [0, 0, 0, 0]])
})

// TIA Portal help of Serialize and Deserialize, RET_VAL.
test('Serialize and Deserialize tell which parameter is wrong', () => {
  const members = { bytes: array(0, 3, Byte), words: array(0, 3, Int), value: 'LReal', pos: 'DInt', r: 'Int' } as const
  const status = (body: string, pos: number) => {
    const [r] = once({ members, body }, { pos }, ['r'])
    return (r as number) & 0xffff
  }
  const put = (target: string) => `#r := Serialize(SRC_VARIABLE := #value, DEST_ARRAY => ${target}, POS := #pos);`
  const get = (source: string) => `#r := Deserialize(SRC_ARRAY := ${source}, DEST_VARIABLE => #value, POS := #pos);`
  assert.deepEqual(
    [status(put('#bytes'), 5), status(put('#bytes'), -1), status(put('#bytes'), 4), status(put('#words'), 0)],
    [0x8382, 0x8382, 0x8253, 0x8254],
  )
  assert.deepEqual(
    [status(get('#bytes'), 5), status(get('#bytes'), -1), status(get('#bytes'), 0), status(get('#words'), 0)],
    [0x8382, 0x8382, 0x8153, 0x8154],
  )
  const own = (body: string) => {
    const [r] = once({ members: { ...members, b: structure({ list: array(0, 7, Byte) }) }, body }, {}, ['r'])
    return (r as number) & 0xffff
  }
  assert.equal(own('#r := Serialize(SRC_VARIABLE := #b.list[2], DEST_ARRAY => #b.list, POS := #pos);'), 0x80b0)
  assert.equal(own('#r := Deserialize(SRC_ARRAY := #b.list, DEST_VARIABLE => #b, POS := #pos);'), 0x80b0)
})

test('FILL_BLK fills with constants, variables and structures', () => {
  const point = structure({ x: Int, y: Int })
  const got = once(
    {
      members: { a: array(0, 4, Int), b: array(1, 3, point), p: point, n: 'Real', c: array(0, 1, Real) },
      body: `FILL_BLK(IN := -7, COUNT := 3, OUT => #a[1]);
        UFILL_BLK(IN := #p, COUNT := 2, OUT => #b[2]);
        FILL_BLK(IN := #n, COUNT := 2, OUT => #c[0]);`,
    },
    { p: { x: 1, y: 2 }, n: 2.5 },
    ['a', 'b', 'c'],
  )
  assert.deepEqual(got, [
    [0, -7, -7, -7, 0],
    [
      { x: 0, y: 0 },
      { x: 1, y: 2 },
      { x: 1, y: 2 },
    ],
    [2.5, 2.5],
  ])
})

// The examples of the help of FILL_BLK, "Filling structures".
test('FILL_BLK fills members of a structure that have one type', () => {
  const four = structure({ Member_1: Int, Member_2: Int, Member_3: Int, Member_4: Int })
  const mixed = structure({ a: Int, b: Int, c: Real })
  const inner = array(1, 2, structure({ NestedStruct: four }))
  const data = structure({ MyStruct1: four, MyStruct2: structure({ SubArray: inner }), mixed })
  for (const access of accesses) {
    const run = runScl({
      members: { n: 'UDInt', ok: 'Bool', two: 'Bool', one: 'Bool', none: 'Bool' },
      blocks: { Data_block_1: { type: data, access } },
      body: `FILL_BLK(IN := 10, COUNT := 2, OUT => "Data_block_1".MyStruct1.Member_2, ENO => #ok);
        FILL_BLK(IN := 10, COUNT := 2, OUT => "Data_block_1".MyStruct2.SubArray[1].NestedStruct.Member_2);
        FILL_BLK(IN := 4, COUNT := 4, OUT => "Data_block_1".MyStruct1.Member_2, ENO => #none);
        UFILL_BLK(IN := 7, COUNT := 2, OUT => "Data_block_1".mixed.a, ENO => #two);
        UFILL_BLK(IN := 8, COUNT := 1, OUT => "Data_block_1".mixed.b, ENO => #one);`,
    })
    run.scan()
    const filled = { Member_1: 0, Member_2: 10, Member_3: 10, Member_4: 0 }
    const empty = { Member_1: 0, Member_2: 0, Member_3: 0, Member_4: 0 }
    assert.deepEqual(run.get('Data_block_1.MyStruct1'), filled)
    assert.deepEqual(run.get('Data_block_1.MyStruct2.SubArray'), [{ NestedStruct: filled }, { NestedStruct: empty }])
    assert.deepEqual(run.get('Data_block_1.mixed'), { a: 0, b: 8, c: 0 })
    assert.deepEqual(
      ['ok', 'none', 'two', 'one'].map((name) => run.get(name)),
      [true, false, false, true],
    )
  }
})

test('MOVE_BLK_VARIANT: indices from 0, errors by number', () => {
  const body = `#r := MOVE_BLK_VARIANT(SRC := #a, COUNT := #n, SRC_INDEX := #i, DEST_INDEX := #k, DEST => #b);`
  const members = { a: array(1, 5, Int), b: array(0, 3, Int), n: 'UDInt', i: 'DInt', k: 'DInt', r: 'Int' } as const
  const a = [1, 2, 3, 4, 5]
  const call = (n: number, i: number, k: number) => {
    const [r, b] = once({ members, body }, { a, n, i, k }, ['r', 'b'])
    return [(r as number) & 0xffff, b]
  }
  assert.deepEqual(call(2, 1, 2), [0, [0, 0, 2, 3]])
  assert.deepEqual(call(1, 5, 0)[0], 0x8382)
  assert.deepEqual(call(5, 1, 0)[0], 0x8383)
  assert.deepEqual(call(1, 0, 4)[0], 0x8482)
  assert.deepEqual(call(4, 0, 1)[0], 0x8483)
  const [r] = once({ members: { ...members, b: array(0, 3, Real) }, body }, { a, n: 1, i: 0, k: 0 }, ['r'])
  assert.equal((r as number) & 0xffff, 0x80b4)
  const bools = { ...members, a: array(1, 5, Bool), b: array(0, 3, Bool) }
  const [refused] = once({ members: bools, body }, { n: 1, i: 0, k: 0 }, ['r'])
  assert.equal((refused as number) & 0xffff, 0x8154)
  const target = { ...members, b: array(0, 3, Bool) }
  const [other] = once({ members: target, body }, { n: 1, i: 0, k: 0 }, ['r'])
  assert.equal((other as number) & 0xffff, 0x8554)
})

test('SCATTER_BLK and GATHER_BLK begin where a bit string begins, and move as many as there is room for', () => {
  const members = { list: array(0, 3, Byte), bools: array(-2, 21, Bool), i: 'Int', n: 'UInt', ok: 'Bool' }
  const scatter = 'SCATTER_BLK(IN := #list[0], COUNT_IN := #n, OUT => #bools[#i], ENO => #ok);'
  const gather = 'GATHER_BLK(IN := #bools[#i], COUNT_OUT := #n, OUT => #list[1], ENO => #ok);'
  const set = (i: number, n: number) => {
    const got = once({ members, body: scatter }, { list: [255, 255, 255, 255], i, n }, ['bools', 'ok'])
    return [(got[0] as boolean[]).lastIndexOf(true) - 2, got[1]]
  }
  assert.deepEqual(set(-2, 2), [13, true])
  assert.deepEqual(set(6, 2), [21, true])
  assert.deepEqual(set(6, 3), [21, false])
  assert.deepEqual(set(5, 1), [-3, false])
  assert.deepEqual(set(-2, 5), [-3, false])
  const all = Array.from({ length: 24 }, () => true)
  const got = (i: number, n: number) => once({ members, body: gather }, { bools: all, i, n }, ['list', 'ok'])
  assert.deepEqual(got(6, 2), [[0, 255, 255, 0], true])
  assert.deepEqual(got(6, 3), [[0, 255, 255, 0], false])
  assert.deepEqual(got(-2, 4), [[0, 255, 255, 255], false])
  assert.deepEqual(got(5, 1), [[0, 0, 0, 0], false])
})

// TIA Portal help of GATHER: fewer or more Bools than bits are not moved.
test('GATHER takes exactly as many Bools as its bit string has bits', () => {
  for (const last of [6, 7, 8]) {
    const members = { bools: array(0, last, Bool), b: 'Byte', ok: 'Bool' } as const
    const all = Array.from({ length: last + 1 }, () => true)
    const got = once({ members, body: 'GATHER(IN := #bools, OUT => #b, ENO => #ok);' }, { bools: all }, ['b', 'ok'])
    assert.deepEqual(got, last === 7 ? [255, true] : [0, false], String(last))
  }
})

test('SCATTER and GATHER are each other’s inverse', () => {
  for (const access of accesses) {
    const run = runScl({
      access,
      members: {
        w: 'Word',
        bools: array(0, 15, Bool),
        back: 'Word',
        number: 'Int',
        list: array(0, 1, Byte),
        many: array(1, 16, Bool),
      },
      body: `SCATTER(IN := #w, OUT => #bools); GATHER(IN := #bools, OUT => #back); GATHER(IN := #bools, OUT => #number);
        GATHER_BLK(IN := #bools[0], COUNT_OUT := 2, OUT => #list[0]);
        SCATTER_BLK(IN := #list[0], COUNT_IN := 2, OUT => #many[1]);`,
    })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 65_535 }), (word) => {
        run.set('w', word)
        run.scan()
        assert.equal(run.get('back'), word)
        assert.equal(run.get('number'), (word << 16) >> 16)
        assert.deepEqual(run.get('list'), [word & 0xff, word >> 8])
        assert.deepEqual(run.get('many'), run.get('bools'))
        assert.deepEqual(
          run.get('bools'),
          Array.from({ length: 16 }, (_one, i) => ((word >> i) & 1) === 1),
        )
      }),
    )
  }
})

test('PEEK and POKE reach data blocks with standard access, and nothing else', () => {
  const got = once(
    {
      members: { w: 'Word', b: 'Byte', bit: 'Bool', ok: 'Bool', bad: 'Bool', outside: 'Bool', d: 'DWord' },
      blocks: {
        Plain: { type: structure({ a: Word, b: Word, c: array(0, 7, Bool) }), access: 'standard' },
        Other: { type: structure({ a: Word }) },
      },
      body: `POKE(area := 16#84, dbNumber := 1, byteOffset := 2, value := #w, ENO => #ok);
        #b := PEEK(area := 16#84, dbNumber := 1, byteOffset := 3);
        #d := PEEK_DWORD(area := 16#84, dbNumber := 1, byteOffset := 0);
        POKE_BOOL(area := 16#84, dbNumber := 1, byteOffset := 4, bitOffset := 6, value := TRUE);
        #bit := PEEK_BOOL(area := 16#84, dbNumber := 1, byteOffset := 4, bitOffset := 6);
        POKE(area := 16#84, dbNumber := 2, byteOffset := 0, value := B#16#1, ENO => #bad);
        POKE(area := 16#84, dbNumber := 1, byteOffset := 5, value := #w, ENO => #outside);
        POKE_BLK(area_src := 16#84, dbNumber_src := 1, byteOffset_src := 2, area_dest := 16#83, dbNumber_dest := 0, byteOffset_dest := 8, count := 2);
        #w := %MW8;`,
    },
    { w: 0x1234 },
    ['ok', 'b', 'd', 'bit', 'Plain.c', 'bad', 'outside', 'w'],
  )
  const bits = [false, false, false, false, false, false, true, false]
  assert.deepEqual(got, [true, 0x34, 0x1234, true, bits, false, false, 0x1234])
})

// TIA Portal help of PEEK and POKE, parameters AREA, DBNUMBER and BYTEOFFSET.
test('PEEK reads 16#1, POKE writes 16#2; I, Q and M have the number 0; offsets have 16 bits', () => {
  const got = once(
    {
      members: { oks: array(0, 7, Bool), b: 'Byte', c: 'Byte' },
      body: `%MB3 := 16#77; %QB5:P := 16#33;
        POKE(area := 16#2, dbNumber := 0, byteOffset := 4, value := B#16#5A, ENO => #oks[0]);
        POKE_BOOL(area := 16#2, dbNumber := 0, byteOffset := 5, bitOffset := 7, value := TRUE, ENO => #oks[1]);
        POKE(area := 16#1, dbNumber := 0, byteOffset := 4, value := B#16#5A, ENO => #oks[2]);
        #b := PEEK(area := 16#83, dbNumber := 0, byteOffset := 16#1_0003, ENO => #oks[3]);
        #c := PEEK(area := 16#2, dbNumber := 0, byteOffset := 4, ENO => #oks[4]);
        #c := PEEK(area := 16#83, dbNumber := 1, byteOffset := 3, ENO => #oks[5]);
        #c := PEEK(area := 16#1, dbNumber := 0, byteOffset := 3, ENO => #oks[6]);
        POKE_BLK(area_src := 16#1, dbNumber_src := 0, byteOffset_src := 0, area_dest := 16#83, dbNumber_dest := 0,
          byteOffset_dest := 3, count := 1, ENO => #oks[7]);`,
    },
    {},
    ['oks', 'b', 'c'],
  )
  assert.deepEqual(got, [[true, true, false, true, false, false, true, false], 0x77, 0])
})

test('SWAP turns the bytes round', () => {
  const got = once(
    {
      members: { w: 'Word', d: 'DWord', l: 'LWord' },
      body: '#w := SWAP(16#1234); #d := SWAP(#d); #l := SWAP(#l);',
    },
    { d: 0x12345678, l: 0x0102030405060708n },
    ['w', 'd', 'l'],
  )
  assert.deepEqual(got, [0x3412, 0x78563412, 0x0807060504030201n])
})

test('questions about arrays', () => {
  const got = once(
    {
      members: { a: array(-3, 5, Word), low: 'DInt', high: 'DInt', n: 'UDInt', is: 'Bool', no: 'Bool' },
      body: `#low := LOWER_BOUND(ARR := #a, DIM := 1); #high := UPPER_BOUND(ARR := #a, DIM := 1);
        #n := CountOfElements(#a); #is := IS_ARRAY(#a); #no := IS_ARRAY(#low);`,
    },
    {},
    ['low', 'high', 'n', 'is', 'no'],
  )
  assert.deepEqual(got, [-3, 5, 9, true, false])
})

// TIA Portal help of CountOfElements, and of UPPER_BOUND, whose DIM may be a variable.
test('fill bits count as elements of Bools; limits of a dimension by its number', () => {
  const run = runScl({
    members: {
      ...{ two: array(0, 1, Bool), nine: array(1, 9, Bool), counts: array(0, 2, Int), d: 'UInt', ok: 'Bool' },
      ...{
        grid: {
          kind: 'array',
          dimensions: [
            { low: -1, high: 2 },
            { low: 3, high: 5 },
          ],
          element: Bool,
        } as Type,
      },
      ...{ low: 'DInt', high: 'DInt' },
    },
    body: `#counts[0] := UDINT_TO_INT(CountOfElements(#two)); #counts[1] := UDINT_TO_INT(CountOfElements(#nine));
      #counts[2] := UDINT_TO_INT(CountOfElements(#grid));
      #low := LOWER_BOUND(ARR := #grid, DIM := #d); #high := UPPER_BOUND(ARR := #grid, DIM := #d, ENO => #ok);`,
  })
  const at = (d: number) => {
    run.set('d', d)
    run.scan()
    return ['low', 'high', 'ok'].map((name) => run.get(name))
  }
  assert.deepEqual([1, 2, 0, 3].map(at), [
    [-1, 2, true],
    [3, 5, true],
    [0, 0, false],
    [0, 0, false],
  ])
  assert.deepEqual(run.get('counts'), [8, 16, 32])
})

test('VariantGet and VariantPut copy equal types only', () => {
  const got = once(
    {
      members: { a: 'Int', b: 'Int', c: 'Real', ok: 'Bool', bad: 'Bool' },
      body: 'VariantGet(SRC := #a, DST => #b, ENO => #ok); VariantPut(SRC := #a, DST := #c, ENO => #bad);',
    },
    { a: 5 },
    ['b', 'c', 'ok', 'bad'],
  )
  assert.deepEqual(got, [5, 0, true, false])
})

test('what does not fit is said', () => {
  const members = { a: array(0, 3, Int), b: array(0, 3, Real), x: 'Int', d: 'DInt', on: 'Bool' } as const
  assert.deepEqual(codesOf({ members, body: 'MOVE_BLK(IN := #a[0], COUNT := 1, OUT => #b[0]);' }), ['type-mismatch'])
  assert.deepEqual(codesOf({ members, body: 'MOVE_BLK(IN := #a[0], OUT => #a[1]);' }), ['missing-parameter'])
  // A constant that the elements cannot hold is told once.
  assert.deepEqual(codesOf({ members, body: 'FILL_BLK(IN := 70_000, COUNT := 1, OUT => #a[0]);' }), [
    'constant-does-not-fit',
  ])
  assert.deepEqual(codesOf({ members, body: 'SCATTER(IN := #x, OUT => #a);' }), ['wrong-operand'])
  const bounds = (dim: string) => codesOf({ members, body: `#d := UPPER_BOUND(ARR := #a, DIM := ${dim});` })
  assert.deepEqual(bounds('1'), ['fixed-limits'])
  assert.deepEqual(bounds('2'), ['fixed-limits', 'wrong-operand'])
  assert.deepEqual(bounds("'1'"), ['fixed-limits', 'constant-does-not-fit'])
  assert.deepEqual(bounds('#on'), ['fixed-limits', 'type-mismatch'])
})

test('PEEK and POKE of every size at every place, and one beyond each end', () => {
  const size = 10
  const block = {
    Plain: { type: structure({ bytes: array(0, size - 1, Byte) }), access: 'standard' as const },
  }
  const members = { at: 'DInt', bit: 'DInt', ok: 'Bool', pok: 'Bool', on: 'Bool' }
  const start = [0x81, 0x02, 0x43, 0x84, 0xa5, 0x06, 0xc7, 0x18, 0xf9, 0x5a]
  const place = 'area := 16#84, dbNumber := 1, byteOffset := #at'
  const memory = (run: ReturnType<typeof runScl>) => run.get('Plain.bytes') as number[]
  for (const [width, type] of [
    [1, 'Byte'],
    [2, 'Word'],
    [4, 'DWord'],
    [8, 'LWord'],
  ] as const) {
    const value = 0x1122334455667788n & ((1n << BigInt(8 * width)) - 1n)
    const run = runScl({
      members: { ...members, got: type, put: type },
      blocks: block,
      body: `#ok := TRUE; #got := PEEK_${type.toUpperCase()}(${place}, ENO => #ok); POKE(${place}, value := #put, ENO => #pok);`,
    })
    for (let at = -1; at <= size; at++) {
      run.set('Plain.bytes', start)
      run.set('at', at)
      run.set('put', width === 8 ? value : Number(value))
      run.scan()
      const isInside = at >= 0 && at + width <= size
      const expected = [...start]
      let read = 0n
      if (isInside)
        for (let i = 0; i < width; i++) {
          read = (read << 8n) | BigInt(expected[at + i] ?? 0)
          expected[at + i] = Number((value >> BigInt(8 * (width - 1 - i))) & 0xffn)
        }
      const seen = [run.get('ok'), run.get('pok'), BigInt(run.get('got') as number), memory(run)]
      assert.deepEqual(seen, [isInside, isInside, read, expected], `${type} at ${at}`)
    }
  }
  const run = runScl({
    members: { ...members, got: 'Bool' },
    blocks: block,
    body: `#got := PEEK_BOOL(${place}, bitOffset := #bit, ENO => #ok); POKE_BOOL(${place}, bitOffset := #bit, value := #on, ENO => #pok);`,
  })
  for (const on of [true, false])
    for (let at = -1; at <= size; at++)
      for (let bit = -1; bit <= 8; bit++) {
        run.set('Plain.bytes', start)
        for (const [name, value] of Object.entries({ at, bit, on, got: false })) run.set(name, value)
        run.scan()
        const isInside = at >= 0 && at < size && bit >= 0 && bit <= 7
        const expected = [...start]
        const old = expected[at] ?? 0
        if (isInside) expected[at] = on ? old | (1 << bit) : old & ~(1 << bit)
        assert.deepEqual(
          [run.get('ok'), run.get('pok'), run.get('got'), memory(run)],
          [isInside, isInside, isInside && ((old >> bit) & 1) === 1, expected],
          `${at}.${bit}`,
        )
      }
})

test('POKE_BLK copies as if at once, all or nothing', () => {
  const run = runScl({
    members: { from: 'DInt', to: 'DInt', count: 'DInt', ok: 'Bool' },
    blocks: { Plain: { type: structure({ bytes: array(0, 7, Byte) }), access: 'standard' } },
    body: 'POKE_BLK(area_src := 16#84, dbNumber_src := 1, byteOffset_src := #from, area_dest := 16#84, dbNumber_dest := 1, byteOffset_dest := #to, count := #count, ENO => #ok);',
  })
  const start = [1, 2, 3, 4, 5, 6, 7, 8]
  for (const [from, to, count] of [
    [0, 2, 4],
    [2, 0, 4],
    [0, 0, 8],
    [7, 0, 1],
    [0, 1, 8],
    [1, 0, 8],
    [-1, 0, 2],
    [0, -1, 2],
    [8, 0, 1],
  ] as const) {
    run.set('Plain.bytes', start)
    for (const [name, value] of Object.entries({ from, to, count })) run.set(name, value)
    run.scan()
    const isInside = from >= 0 && to >= 0 && from + count <= 8 && to + count <= 8
    const expected = [...start]
    if (isInside) expected.splice(to, count, ...start.slice(from, from + count))
    assert.deepEqual([run.get('ok'), run.get('Plain.bytes')], [isInside, expected], `${from} ${to} ${count}`)
  }
})
