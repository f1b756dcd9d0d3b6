/**
 * What the pages of the TIA Portal help V19 "STL (S7-1500)" say of status bits and accumulators; each test names its
 * page. The status word is BR 8, CC 1 7, CC 0 6, OV 5, OS 4, RLO 1.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readStatements } from '../../formats/source/statements-read.ts'
import { runSource } from '../../testing/lower-source.ts'
import { runScl, sclDiagnostics } from '../../testing/runtime.ts'

const members = {
  ...{ a: 'Bool', b: 'Bool', q: 'Bool', r: 'Bool', s: 'Bool', m: 'Bool' },
  ...{ k: 'Int', v: 'DWord', w: 'Word', x: 'DWord', f: 'Real', g: 'Real' },
}

function program(text: string) {
  const statements = readStatements(text.replace(/;/g, ';\n'), {
    names: { isLocal: (name: string) => name in members },
  })
  return { members, body: '', setsEno: false, networks: [{ number: 1, title: '', language: 'STL', statements }] }
}

function stl(text: string, values: Readonly<Record<string, unknown>> = {}) {
  const run = runScl(program(text))
  for (const [name, value] of Object.entries(values)) run.set(name, value)
  run.scan()
  return run
}

/** CC 1, CC 0, OV and OS after the statements. */
function status(text: string, values: Readonly<Record<string, unknown>> = {}): string {
  const word = stl(`${text}; L STW; T #w`, values).get('w') as number
  return ((word >> 4) & 15).toString(2).padStart(4, '0')
}

describe('STL of the help: status bits', () => {
  const infinity = Number.POSITIVE_INFINITY
  const reals: [page: string, text: string, values: Record<string, number>, expected: string][] = [
    ['+R', '+R', { f: 1, g: 2 }, '1000'],
    ['+R', '+R', { f: 1, g: -1 }, '0000'],
    ['+R', '+R', { f: -3e38, g: -3e38 }, '0111'],
    ['+R', '+R', { f: infinity, g: 1 }, '1111'],
    ['+R', '+R', { f: 1, g: Number.NaN }, '1111'],
    ['*R', '*R', { f: 1e38, g: 1e38 }, '1011'],
    // Result with fewer digits: JZ, "the value gradually drops below the permitted range".
    ['JZ', '*R', { f: 1e-38, g: -0.01 }, '0011'],
    ['JZ', '*R', { f: 1e-38, g: 1e-38 }, '0000'],
    ['/R', '/R', { f: 1, g: 0 }, '1111'],
    ['/R', '/R', { f: -7, g: 2 }, '0100'],
    ['SQRT', 'SQRT', { f: 0, g: -1 }, '1111'],
    ['SQRT', 'SQRT', { f: 0, g: 0 }, '0000'],
    ['LN', 'LN', { f: 0, g: 0 }, '1111'],
    ['LN', 'LN', { f: 0, g: -2 }, '1111'],
    ['LN', 'LN', { f: 0, g: 0.5 }, '0100'],
    ['EXP', 'EXP', { f: 0, g: 100 }, '1011'],
    ['EXP', 'EXP', { f: 0, g: infinity }, '1111'],
    ['ASIN', 'ASIN', { f: 0, g: 1.5 }, '1111'],
    ['ATAN', 'ATAN', { f: 0, g: infinity }, '1111'],
    ['? R', '>R', { f: Number.NaN, g: 1 }, '1111'],
    ['ABS', 'ABS', { f: 0, g: -1 }, '0000'],
    ['RND', 'RND', { f: 0, g: 3e9 }, '0011'],
    ['TRUNC', 'TRUNC', { f: 0, g: Number.NaN }, '0011'],
  ]
  for (const [page, text, values, expected] of reals)
    it(`${page}: ${text} of ${values.f} and ${values.g}: ${expected}`, () => {
      assert.equal(status(`L #f; L #g; ${text}`, values), expected)
    })

  const patterns: [page: string, text: string, expected: string][] = [
    ['BTI', 'L W#16#0915; BTI', '0000'],
    ['BTI', 'L W#16#0A15; BTI', '0011'],
    ['BTI', 'L W#16#7999; BTI', '0000'],
    ['BTD', 'L DW#16#00A00000; BTD', '0011'],
    ['ITB', 'L 1000; ITB', '0011'],
    ['NEGI', 'L -32768; NEGI', '0111'],
    ['NEGD', 'L L#-2147483648; NEGD', '0111'],
    ['NEGD', 'L L#-5; NEGD', '1000'],
    ['/I', 'L 13; L 0; /I', '1111'],
    ['MOD', 'L 13; L 0; MOD', '1111'],
    ['MOD', 'L L#13; L L#4; MOD', '1000'],
    ['AW', 'L W#16#F0; AW W#16#0F', '0000'],
    ['AW', 'L W#16#F0; AW W#16#FF', '1000'],
    ['SLW', 'L W#16#8000; SLW 1', '1000'],
    ['SLW: 0 places clear CC 1', 'L 2; L 1; >I; L 5; SLW 0', '0000'],
    ['SLW: 0 places clear CC 1 and keep CC 0', 'L 1; L 0; /I; L 5; SLW 0', '0111'],
    ['SRD: 0 places in ACCU 2', 'L 1; L 0; /I; L 0; L 5; SRD', '0111'],
    ['SRD: 1 place in ACCU 2', 'L 1; L 0; /I; L 1; L 5; SRD', '1001'],
    ['RRD: 0 places', 'L 2; L 1; >I; RRD 0', '0000'],
    ['SP: no BCD', 'L W#16#0A00; CLR; SP T 1', '0011'],
    ['SP: BCD again', 'L W#16#0A00; CLR; SP T 1; L S5T#10ms; CLR; SP T 1', '0001'],
    ['S: no BCD', 'L W#16#000F; SET; S C 1', '0011'],
    ['S: BCD', 'L C#999; SET; S C 1', '0000'],
    ['OS stays', 'L 32767; L 1; +I; L 1; L 1; +I', '1001'],
    ['T STW', 'L W#16#01F2; T STW', '1111'],
  ]
  for (const [page, text, expected] of patterns)
    it(`${page}: ${text}: ${expected}`, () => assert.equal(status(text), expected))

  it('L STW: BR and RLO; T STW sets both', () => {
    const run = stl('SET; SAVE; L STW; T #w; CLR; L STW; T #v; L W#16#2; T STW; = #q; A BR; = #r')
    assert.deepEqual(
      ['w', 'v', 'q', 'r'].map((name) => run.get(name)),
      [0x102, 0x100, true, false],
    )
  })

  it('SP: a start with a value that is no BCD is a programming error, and starts nothing', () => {
    const run = stl('A #a; L W#16#0A00; SP T 1; A T 1; = #q; A #a; L S5T#1s; SP T 2; A T 2; = #r', { a: true })
    const seen = () => [run.get('q'), run.get('r'), run.programmingFaults.map(({ id }) => id)]
    assert.deepEqual(seen(), [false, true, [0x2521]])
    run.scan()
    assert.deepEqual(seen(), [false, true, [0x2521]], 'once for each edge')
    run.set('a', false)
    run.scan()
    run.set('a', true)
    run.scan()
    assert.deepEqual(seen(), [false, true, [0x2521, 0x2521]])
  })

  it('BCDCPL gives its result at ERR_CODE', () => {
    assert.equal(stl('CALL BCDCPL (IN := DW#16#01234567, ERR_CODE := #v)').get('v'), 0x8765433)
  })

  it('Set counter: a value that is no BCD leaves the counter', () => {
    assert.equal(stl('L C#25; SET; S C 1; L W#16#00FF; CLR; S C 1; SET; S C 1; L C 1; T #k').get('k'), 25)
  })

  it('Close branch: BR is again what it was before the bracket', () => {
    const run = stl('SET; SAVE; A(; A #a; SAVE; A BR; ); = #q; A BR; = #r', { a: false })
    assert.deepEqual([run.get('q'), run.get('r')], [false, true])
  })

  it('A(: at most 7 brackets are open', () => {
    const nested = (depth: number) => program(`${'A(; '.repeat(depth)}A #a; ${'); '.repeat(depth)}= #q`)
    assert.deepEqual(sclDiagnostics(nested(7)), [])
    assert.deepEqual(
      sclDiagnostics(nested(8)).map(({ code, line, message }) => [code, line, message]),
      [['unbalanced-bracket', 8, 'At most 7 brackets are open at a time.']],
    )
  })

  it('JC, JCN, JCB, JNB and BEC leave the RLO 1', () => {
    for (const [jump, rlo] of [
      ['JC x', 'CLR'],
      ['JCN x', 'SET'],
      ['JCB x', 'CLR'],
      ['JNB x', 'SET'],
      ['BEC', 'CLR'],
    ])
      assert.equal(stl(`${rlo}; ${jump}; x: = #q`).get('q'), true, jump)
  })

  it('JCB, JNB: BR is the RLO', () => {
    for (const jump of ['JCB', 'JNB'])
      for (const a of [false, true])
        assert.equal(stl(`A #a; ${jump} x; x: A BR; = #q`, { a }).get('q'), a, `${jump} ${a}`)
  })
})

describe('STL of the help: accumulators and registers', () => {
  const cases: [page: string, text: string, expected: Record<string, unknown>][] = [
    ['/I', 'L 13; L 4; /I; T #v', { v: 0x10003 }],
    ['/I', 'L 13; L 0; /I; T #v', { v: 0 }],
    ['MOD', 'L L#13; L L#4; MOD; T #v', { v: 1 }],
    ['+', 'L DW#16#0001FFFF; + 1; T #v', { v: 0x10000 }],
    ['+', 'L DW#16#0001FFFF; + L#1; T #v', { v: 0x20000 }],
    ['INC', 'L W#16#01FF; INC 5; T #w', { w: 0x0104 }],
    ['DEC', 'L W#16#0100; DEC 5; T #w', { w: 0x01fb }],
    ['BTI: bits 12 to 14 do not count', 'L W#16#7915; BTI; T #k', { k: 915 }],
    ['ITB', 'L -413; ITB; T #w', { w: 0xf413 }],
    ['ITB: not converted', 'L 1000; ITB; T #w', { w: 1000 }],
    ['INVI', 'L DW#16#123463AE; INVI; T #v', { v: 0x12349c51 }],
    ['INVD', 'L DW#16#6F8C63AE; INVD; T #v', { v: 0x90739c51 }],
    ['NEGI', 'L W#16#5D38; NEGI; T #w', { w: 0xa2c8 }],
    ['NEGD', 'L DW#16#5F645D38; NEGD; T #v', { v: 0xa09ba2c8 }],
    ['CAW', 'L DW#16#A1B20F0C; CAW; T #v', { v: 0xa1b20c0f }],
    ['CAD', 'L DW#16#F00F00FF; CAD; T #v', { v: 0xff000ff0 }],
    ['RND', 'L 101.5; RND; T #v', { v: 102 }],
    ['RND', 'L -101.5; RND; T #v', { v: 2 ** 32 - 102 }],
    ['RND+', 'L -100.5; RND+; T #v', { v: 2 ** 32 - 100 }],
    ['RND-', 'L 100.5; RND-; T #v', { v: 100 }],
    ['AW', 'L W#16#6C2A; L W#16#DA93; AW; T #w', { w: 0x4802 }],
    ['SSI', 'L 30; L W#16#8001; SSI; T #w', { w: 0xffff }],
    ['SLW', 'L 16; L DW#16#1234FFFF; SLW; T #v', { v: 0x12340000 }],
    ['SRD', 'L DW#16#5F645D3B; SRD 7; T #v', { v: 0x00bec8ba }],
    ['RLD', 'L 6; L DW#16#A8A29BCD; RLD; T #v', { v: 0x28a6f36a }],
    ['RLD: more than 32', 'L 34; L DW#16#80000001; RLD; T #v', { v: 6 }],
    ['RRD', 'L DW#16#5F645D3B; RRD 4; T #v', { v: 0xb5f645d3 }],
    ['RLDA', 'L 2; L 1; >I; L DW#16#5F645D3B; RLDA; T #v; A >0; = #q', { v: 0xbec8ba77, q: false }],
    ['RRDA', 'L 2; L 1; >I; L DW#16#5F645D3B; RRDA; T #v; A >0; = #q', { v: 0xafb22e9d, q: true }],
    ['PUSH, POP', 'L 1; PUSH; L 2; POP; T #k', { k: 1 }],
    ['LOOP', 'L 0; T #v; L 3; x: T #k; L #v; L 2; +D; T #v; L #k; LOOP x', { v: 6, k: 1 }],
    ['JL: beyond the list', 'L 3; JL y; JU x; JU x; y: L 9; T #k; x: NOP 0', { k: 9 }],
    ['JL: lowest byte', 'L W#16#0100; JL y; JU x; JU y; y: L 9; T #k; x: NOP 0', { k: 0 }],
    ['+AR1', 'LAR1 P#M 10.0; L -8; +AR1; TAR1; T #v', { v: 0x83000048 }],
    ['CAR', 'LAR1 P#1.0; LAR2 P#2.0; CAR; TAR1; T #v; TAR2; T #x', { v: 16, x: 8 }],
    ['LAR1 AR2', 'LAR2 P#2.0; LAR1 AR2; TAR1; T #v', { v: 16 }],
    ['TAR1 AR2', 'LAR1 P#3.0; TAR1 AR2; TAR2; T #v', { v: 24 }],
    ['L DBNO, L DBLG: none is open', 'L 7; L DBNO; T #k; L DBLG; T #v', { k: 0, v: 0 }],
  ]
  for (const [page, text, expected] of cases)
    it(`${page}: ${text}`, () => {
      const run = stl(text)
      const got = Object.fromEntries(Object.keys(expected).map((name) => [name, run.get(name)]))
      assert.deepEqual(got, expected)
    })
})

describe('STL of the help: calls of instructions', () => {
  const declarations = `VAR a : Bool; q : Bool; x : Int; y : Int; u : UInt; d : DWord; f : Real; id : Word;
    e : ErrorStruct; list : Array[0..3] of Int; bits : Array[0..15] of Bool; w : Word;
    rise : R_TRIG; fall : F_TRIG; n : UDInt; END_VAR`
  const block = (statements: string) => `FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
${declarations}
BEGIN
NETWORK
${statements.replace(/; /g, ';\n')}
END_FUNCTION_BLOCK`
  /** Sets the members of each row, runs a scan, and gives what the members of `wanted` then are. */
  function runs(source: string, rows: readonly Record<string, number>[], wanted: Record<string, readonly unknown[]>) {
    const run = runSource(source)
    const names = Object.keys(wanted)
    const seen = rows.map((row) => {
      for (const [name, value] of Object.entries(row)) run.set(name, value)
      run.scan()
      return names.map((name) => run.get(name))
    })
    assert.deepEqual(Object.fromEntries(names.map((name, i) => [name, seen.map((row) => row[i])])), wanted)
  }
  const edges = [0, 1, 1, 0].map((a) => ({ a }))
  const errors = [{ x: 1, id: 0x77 }, { x: 9 }, { x: 1 }]
  const access = 'L #list[#x]; T #y; '
  const cases: [page: string, statements: string, rows: Record<string, number>[], Record<string, unknown[]>][] = [
    ['R_TRIG', 'CALL R_TRIG, #rise (CLK := #a, Q := #q);', edges, { q: [0, 1, 0, 0] }],
    ['F_TRIG', 'CALL F_TRIG, #fall (CLK := #a, Q := #q);', edges, { q: [0, 0, 0, 1] }],
    ['SEL', 'CALL SEL (G := #a, IN0 := W#16#0, IN1 := W#16#FFFF, OUT := #w);', edges, { w: [0, 65_535, 65_535, 0] }],
    ['DECO', 'CALL DECO (IN := #u, OUT := #d);', [{ u: 3 }, { u: 33 }], { d: [8, 2] }],
    ['ENCO', 'CALL ENCO (IN := #d, OUT := #x);', [{ d: 0x58 }, { d: 1 }, { d: 0 }], { x: [3, 0, 0] }],
    ['MIN', 'CALL MIN (IN1 := #x, IN2 := 4, IN3 := 2, OUT := #y);', [{ x: 3 }, { x: -5 }], { y: [2, -5] }],
    ['LIMIT', 'CALL LIMIT (MN := 1, IN := #x, MX := 4, OUT := #y);', [{ x: 9 }, { x: -5 }], { y: [4, 1] }],
    ['SCALE_X', 'CALL SCALE_X (MIN := 10, VALUE := #f, MAX := 30, OUT := #y);', [{ f: 0.5 }], { y: [20] }],
    [
      'SCATTER',
      'CALL SCATTER (IN := #w, OUT := #bits);',
      [{ w: 5 }],
      { 'bits[0]': [1], 'bits[1]': [0], 'bits[2]': [1] },
    ],
    [
      'MOVE_BLK',
      'CALL MOVE_BLK (IN := #list[0], COUNT := 2, OUT := #list[2]);',
      [{ 'list[1]': 8 }],
      { 'list[3]': [8] },
    ],
    ['CountOfElements', 'CALL CountOfElements (IN := #bits, RET_VAL := #n);', [{ n: 7 }], { n: [16] }],
    ['GET_ERR_ID', `${access}CALL GET_ERR_ID (RET_VAL := #id);`, errors, { id: [0x77, 0x2522, 0x2522] }],
    ['GET_ERROR', `${access}CALL GET_ERROR (ERROR := #e);`, errors, { 'e.ERROR_ID': [0, 0x2522, 0x2522] }],
  ]
  for (const [page, statements, rows, wanted] of cases) it(page, () => runs(block(statements), rows, wanted))

  // EQ_Type, NE_Type, EQ_ElemType, NE_ElemType, IS_NULL, NOT_NULL, IS_ARRAY, in this order, beside an Int.
  const questions = [
    ...['EQ_Type', 'NE_Type', 'EQ_ElemType', 'NE_ElemType'].map((name) => [name, 'IN1 := #v, IN2 := #i'] as const),
    ...['IS_NULL', 'NOT_NULL', 'IS_ARRAY'].map((name) => [name, 'OPERAND := #v'] as const),
  ]
  const ask = `FUNCTION "Ask" : Void
{ S7_Optimized_Access := 'TRUE' }
VAR_INPUT v : Variant; END_VAR
VAR_IN_OUT bits : Array[0..15] of Bool; i : Int; END_VAR
BEGIN
NETWORK
${questions.map(([name, pins], i) => `CALL ${name} (${pins}, RET_VAL := #bits[${i}]);`).join('\n')}
END_FUNCTION
`
  for (const [given, wanted] of [
    ['#y', '1010010'],
    ['#w', '0101010'],
    ['#list', '0110011'],
    ['#bits', '0101011'],
  ] as const)
    it(`${questions.map(([name]) => name).join(', ')} of ${given}`, () => {
      const seen = Object.fromEntries([...wanted].map((one, i) => [`bits[${i}]`, [Number(one)]]))
      runs(ask + block(`CALL "Ask" (v := ${given}, bits := #bits, i := #x);`), [{}], seen)
    })
})
