import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readStatements } from '../../formats/source/statements-read.ts'
import type { ProgramBlock } from '../../program/program.ts'
import { Bool, Byte, DWord, Int, Word } from '../../program/scalars.ts'
import type { Type } from '../../program/type.ts'
import { runScl, type SclRun, type SclTest, sclDiagnostics, structure, systemTypes } from '../../testing/runtime.ts'

const standardMembers = {
  a: 'Bool',
  b: 'Bool',
  c: 'Bool',
  d: 'Bool',
  q: 'Bool',
  r: 'Bool',
  m: 'Bool',
  i: 'Int',
  j: 'Int',
  k: 'Int',
  x: 'DInt',
  y: 'DInt',
  z: 'DInt',
  f: 'Real',
  g: 'Real',
  w: 'Word',
  v: 'DWord',
  n: 'Byte',
} satisfies Record<string, Type | string>

function source(text: string, more: Partial<SclTest> = {}): SclTest {
  const names = more.members ?? standardMembers
  const networks = text.split('NETWORK').map((one, k) => ({
    number: k + 1,
    title: '',
    language: 'STL',
    statements: readStatements(one.replace(/;/g, ';\n'), { names: { isLocal: (name: string) => name in names } }),
  }))
  return { members: standardMembers, body: '', setsEno: false, ...more, networks }
}

function stl(text: string, values: Readonly<Record<string, unknown>> = {}, more: Partial<SclTest> = {}): SclRun {
  const run = runScl(source(text, more))
  for (const [name, value] of Object.entries(values)) run.set(name, value)
  run.scan()
  return run
}

/** `a b c` of all rows of a truth table. */
function table(text: string, expected: (a: boolean, b: boolean, c: boolean, d: boolean) => boolean): void {
  const run = runScl(source(text))
  for (let row = 0; row < 16; row++) {
    const [a, b, c, d] = [0, 1, 2, 3].map((bit) => ((row >> bit) & 1) === 1) as [boolean, boolean, boolean, boolean]
    for (const [name, value] of Object.entries({ a, b, c, d, q: false })) run.set(name, value)
    run.scan()
    assert.equal(run.get('q'), expected(a, b, c, d), `${text} with ${[a, b, c, d]}`)
  }
}

describe('STL: bit logic', () => {
  const cases: [string, (a: boolean, b: boolean, c: boolean, d: boolean) => boolean][] = [
    ['A #a; A #b; = #q', (a, b) => a && b],
    ['AN #a; AN #b; = #q', (a, b) => !a && !b],
    ['O #a; ON #b; = #q', (a, b) => a || !b],
    ['X #a; X #b; XN #c; = #q', (a, b, c) => (a !== b) === c],
    ['A #a; A #b; O; A #c; A #d; = #q', (a, b, c, d) => (a && b) || (c && d)],
    ['A #a; O; A #b; AN #c; O #d; = #q', (a, b, c, d) => a || (b && !c) || d],
    ['A(; O #a; O #b; ); A(; O #c; O #d; ); = #q', (a, b, c, d) => (a || b) && (c || d)],
    ['A #a; AN(; A #b; A(; O #c; O #d; ); ); = #q', (a, b, c, d) => a && !(b && (c || d))],
    ['A #a; O(; A #b; X #c; ); = #q', (a, b, c) => a || b !== c],
    ['X(; A #a; A #b; ); X(; O #c; O #d; ); = #q', (a, b, c, d) => (a && b) !== (c || d)],
    ['A #a; O; A(; O #b; O #c; ); A #d; = #q', (a, b, c, d) => a || ((b || c) && d)],
    ['A #a; NOT; A #b; = #q', (a, b) => !a && b],
    ['A #a; = #r; A #b; = #q', (_a, b) => b],
    ['SET; = #q', () => true],
    ['A #a; CLR; = #q', () => false],
    ['A #a; SAVE; CLR; A BR; A #b; = #q', (a, b) => a && b],
    ['A #a; S #q; A #b; R #q', (a, b) => a && !b],
    ['A #a; JC yes; A #b; = #q; BEU; yes: A #c; = #q', (a, b, c) => (a ? c : b)],
    ['A #a; JCN no; A #b; = #q; no: NOP 0', (a, b) => a && b],
    ['A #a; BEC; A #b; = #q', (a, b) => !a && b],
    ['A #a; JNB no; A #b; = #q; JU end; no: A #c; = #q; end: NOP 0', (a, b, c) => (a ? b : c)],
    // A string of logic that continues past a label which is also a jump target.
    ['A #a; JU go; go: A #b; = #q', (a, b) => a && b],
    ['A #d; JC go; A #a; go: A #b; = #q', (a, b, _c, d) => (d ? b : a && b)],
    ['A(; A #a; JNB no; A #b; SAVE; CLR; no: A BR; ); A #c; = #q', (a, b, c) => a && b && c],
    ['A #a; A #b; = L 40.1; A L 40.1; A #c; = #q', (a, b, c) => a && b && c],
    ['A #a; JC over NETWORK A #b; = #q; BEU NETWORK over: A #c; = #q', (a, b, c) => (a ? c : b)],
  ]
  for (const [text, expected] of cases) it(text, () => table(text, expected))

  it('edges', () => {
    const run = runScl(source('A #a; FP #m; = #q; A #a; FN #r; = #b'))
    const seen = [false, true, true, false, false, true].map((a) => {
      run.set('a', a)
      run.scan()
      return `${run.get('q')} ${run.get('b')}`
    })
    assert.deepEqual(seen, ['false false', 'true false', 'false false', 'false true', 'false false', 'true false'])
  })
})

describe('STL: accumulators', () => {
  const cases: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ['L #i; L #j; +I; T #k', { i: 30_000, j: 10_000 }, { k: -25_536 }],
    ['L #i; L #j; -I; T #k', { i: 5, j: 7 }, { k: -2 }],
    ['L #i; L #j; *I; T #z', { i: -300, j: 300 }, { z: -90_000 }],
    ['L #i; L #j; /I; T #k; T #v', { i: -7, j: 2 }, { k: -3, v: 0xfffffffd }],
    ['L #i; L #j; /I; T #k', { i: 7, j: 0 }, { k: 0 }],
    ['L #x; L #y; +D; T #z', { x: 2_147_483_647, y: 1 }, { z: -2_147_483_648 }],
    ['L #x; L #y; *D; T #z', { x: 70_000, y: -2 }, { z: -140_000 }],
    ['L #x; L #y; /D; T #z', { x: -7, y: 2 }, { z: -3 }],
    ['L #x; L #y; MOD; T #z', { x: -7, y: 2 }, { z: -1 }],
    ['L #f; L 2.0; *R; T #g', { f: 1.5 }, { g: 3 }],
    ['L #f; SQRT; T #g', { f: 9 }, { g: 3 }],
    ['L #f; NEGR; ABS; T #g', { f: 4 }, { g: 4 }],
    ['L #f; RND; T #z', { f: 2.5 }, { z: 2 }],
    ['L #f; RND+; T #z', { f: 2.1 }, { z: 3 }],
    ['L #f; RND-; T #z', { f: -2.1 }, { z: -3 }],
    ['L #f; TRUNC; T #z', { f: -2.9 }, { z: -2 }],
    ['L #i; ITD; DTR; T #g', { i: -5 }, { g: -5 }],
    ['L #i; + 5; T #k', { i: -7 }, { k: -2 }],
    ['L #x; + L#100000; T #z', { x: 5 }, { z: 100_005 }],
    ['L W#16#0123; BTI; T #k', {}, { k: 123 }],
    ['L W#16#F123; BTI; T #k', {}, { k: -123 }],
    ['L #i; ITB; T #w', { i: -905 }, { w: 0xf905 }],
    ['L #i; ITB; T #w', { i: 1234 }, { w: 1234 }],
    ['L DW#16#F1234567; BTD; T #z', {}, { z: -1_234_567 }],
    ['L #x; DTB; T #v', { x: 1_234_567 }, { v: 0x01234567 }],
    ['L #i; NEGI; T #k', { i: 5 }, { k: -5 }],
    ['L #x; NEGD; T #z', { x: -5 }, { z: 5 }],
    ['L #i; INVI; T #k', { i: 0 }, { k: -1 }],
    ['L DW#16#11223344; CAW; T #v', {}, { v: 0x11224433 }],
    ['L DW#16#11223344; CAD; T #v', {}, { v: 0x44332211 }],
    ['L #w; AW W#16#FF; T #w', { w: 0x1234 }, { w: 0x34 }],
    ['L #w; L W#16#F000; OW; T #w', { w: 0x1234 }, { w: 0xf234 }],
    ['L #v; XOD DW#16#FFFFFFFF; T #v', { v: 0x0f0f0f0f }, { v: 0xf0f0f0f0 }],
    ['L DW#16#11118001; SLW 4; T #v', {}, { v: 0x11110010 }],
    ['L W#16#8000; SRW 15; T #w', {}, { w: 1 }],
    ['L #i; SSI 2; T #k', { i: -8 }, { k: -2 }],
    ['L 4; L #v; SLD; T #v', { v: 1 }, { v: 16 }],
    ['L DW#16#80000001; RLD 4; T #v', {}, { v: 0x18 }],
    ['L #v; SLD 1; RLDA; T #v', { v: 0x80000000 }, { v: 1 }],
    ['L 1; L 2; TAK; T #k; TAK; T #i', {}, { k: 1, i: 2 }],
    ['L 7; PUSH; L 1; POP; T #k', {}, { k: 7 }],
    ['L 255; INC 1; T #k', {}, { k: 0 }],
    ["L 'AB'; T #w", {}, { w: 0x4142 }],
    ['L B#(1,2,3,4); T #v', {}, { v: 0x01020304 }],
    ['L -1; T #k; T #v', {}, { k: -1, v: 0xffff }],
    ['L #n; T #w', { n: 0x80 }, { w: 0x80 }],
    ['L 5; LOOPS: T #i; L #k; L 2; +I; T #k; L #i; LOOP LOOPS', {}, { k: 10 }],
    ['L #i; L 1; ==I; = #q; >I; = #r', { i: 1 }, { q: true, r: false }],
    ['L #f; L 1.5; <=R; A #a; = #q', { f: 1, a: true }, { q: true }],
    [
      'L #i; L #j; -I; JZ zero; JM minus; L 3; JU end; zero: L 1; JU end; minus: L 2; end: T #k',
      { i: 1, j: 5 },
      { k: 2 },
    ],
    [
      'L #i; L #j; -I; JZ zero; JM minus; L 3; JU end; zero: L 1; JU end; minus: L 2; end: T #k',
      { i: 5, j: 5 },
      { k: 1 },
    ],
    ['L #i; L #j; +I; JO over; CLR; = #q; BE; over: SET; = #q', { i: 32_767, j: 1 }, { q: true }],
    ['L #i; L #j; +I; JO over; CLR; = #q; BE; over: SET; = #q', { i: 32_766, j: 1 }, { q: false }],
    ['L #x; L #y; +D; A OV; = #q; A >0; = #r', { x: -2_147_483_648, y: -1 }, { q: true, r: true }],
    ['L #i; L #j; +I; L 1; L 1; +I; A OS; = #q; A OV; = #r', { i: 32_767, j: 1 }, { q: true, r: false }],
    ['L #i; JL oops; JU z0; JU z1; oops: L 99; T #k; BE; z0: L 10; T #k; BE; z1: L 11; T #k', { i: 1 }, { k: 11 }],
    ['L #i; JL oops; JU z0; JU z1; oops: L 99; T #k; BE; z0: L 10; T #k; BE; z1: L 11; T #k', { i: 2 }, { k: 99 }],
    ['L 3; T MW 10; L P#10.0; LAR1; L MW [AR1,P#0.0]; T #k', {}, { k: 3 }],
    ['L P#10.0; T MD 20; L 7; T MW [MD 20]; L MW 10; T #k', {}, { k: 7 }],
    ['LAR1 P#M 10.3; SET; = [AR1,P#0.1]; L MB 10; T #n', {}, { n: 16 }],
    ['LAR1 P#M 10.0; +AR1 P#2.0; L 9; T W [AR1,P#0.0]; L MW 12; T #k; TAR1; T #v', {}, { k: 9, v: 0x83000060 }],
  ]
  for (const [text, values, expected] of cases)
    it(`${text} ${JSON.stringify(values)}`, () => {
      const run = stl(text, values)
      for (const [name, value] of Object.entries(expected)) assert.equal(run.get(name), value, name)
      assert.deepEqual(run.faults, [])
    })
})

describe('STL: data blocks', () => {
  const blocks = {
    Data: { type: structure({ bit: Bool, one: Byte, two: Word, three: DWord }), access: 'standard' as const },
    Other: { type: structure({ two: Word }), access: 'standard' as const },
  }

  it('opens blocks by number and by name and reads the one that is open', () => {
    const run = stl(
      'OPN DB 1; L DW#16#12345678; T DBD 4; L DBW 6; T #w; SET; = DBX 0.0; OPN "Other"; L 5; T DBW 0; L DBNO; T #k; L DBLG; T #i',
      {},
      { blocks },
    )
    assert.deepEqual([run.get('w'), run.get('Data.bit'), run.get('Other.two')], [0x5678, true, 5])
    assert.deepEqual([run.get('k'), run.get('i')], [2, 2])
  })

  it('opens a block whose number is worked out; what lies outside is a fault', () => {
    const text = 'L #i; T MW 4; OPN DB [MW 4]; L 5; T DBW 2; L P#6.0; LAR1; L 7; T DBW [AR1,P#0.0]'
    const run = stl(text, { i: 1 }, { blocks })
    assert.deepEqual([run.get('Data.two'), run.get('Data.three'), run.faults], [5, 7, []])
    assert.equal(stl(text, { i: 2 }, { blocks }).faults.length, 2)
    assert.equal(stl(text, { i: 9 }, { blocks }).faults.length, 2)
  })

  it('reaches the last bit of the open block and no further, when its number is worked out', () => {
    const at = (address: string) => stl(`L #i; T MW 4; OPN DB [MW 4]; SET; = DBX ${address}`, { i: 2 }, { blocks })
    const last = at('1.7')
    assert.deepEqual([last.get('Other.two'), last.faults], [0x0080, []])
    assert.equal(at('2.0').faults.length, 1)
  })

  it('reads the own instance as DI', () => {
    const run = stl('L 5; T DIW 0; L #one; T #two', {}, { members: { one: 'Int', two: 'Int' }, access: 'standard' })
    assert.equal(run.get('two'), 5)
  })
})

describe('STL: S5 timers and counters', () => {
  function timer(
    mode: string,
    steps: readonly (readonly [milliseconds: number, signal: boolean])[],
    more = '',
  ): string {
    const run = runScl(source(`A #a; L S5T#1s; ${mode} T 5; ${more} A T 5; = #q; L T 5; T #k; LC T 5; T #w`))
    return steps
      .map(([milliseconds, signal]) => {
        run.clock.advanceMilliseconds(milliseconds)
        run.set('a', signal)
        run.scan()
        return run.get('q') ? '1' : '0'
      })
      .join('')
  }
  it('SP ends with its signal', () => {
    assert.equal(
      timer('SP', [
        [0, true],
        [999, true],
        [1, true],
        [1, false],
        [1, true],
        [1, false],
      ]),
      '110010',
    )
  })
  it('SE runs to its end', () => {
    assert.equal(
      timer('SE', [
        [0, true],
        [500, false],
        [499, false],
        [1, false],
      ]),
      '1110',
    )
  })
  it('SD waits while its signal is on', () => {
    assert.equal(
      timer('SD', [
        [0, true],
        [999, true],
        [1, true],
        [1, false],
        [5, true],
        [500, false],
        [600, false],
      ]),
      '0010000',
    )
  })
  it('SS waits by itself until it is reset', () => {
    assert.equal(
      timer('SS', [
        [0, true],
        [500, false],
        [500, false],
        [9000, false],
      ]),
      '0011',
    )
    assert.equal(
      timer(
        'SS',
        [
          [0, true],
          [1000, false],
        ],
        'SET; R T 5;',
      ),
      '00',
    )
  })
  it('SF goes off late', () => {
    assert.equal(
      timer('SF', [
        [0, false],
        [1, true],
        [5000, true],
        [1, false],
        [999, false],
        [1, false],
      ]),
      '011110',
    )
  })
  it('loads the time that is left', () => {
    const run = stl('A #a; L S5T#1s; SD T 5; L T 5; T #k; LC T 5; T #w', { a: true })
    run.clock.advanceMilliseconds(250)
    run.scan()
    assert.deepEqual([run.get('k'), run.get('w')], [75, 0x75])
  })
  it('counters count up and down, are set and reset', () => {
    const run = runScl(
      source('A #a; CU C 3; A #b; CD C 3; A #c; L C#10; S C 3; A #d; R C 3; A C 3; = #q; L C 3; T #k; LC C 3; T #w'),
    )
    const step = (values: Record<string, boolean>) => {
      for (const name of ['a', 'b', 'c', 'd']) run.set(name, values[name] ?? false)
      run.scan()
      return [run.get('k'), run.get('w'), run.get('q')]
    }
    assert.deepEqual(step({}), [0, 0, false])
    assert.deepEqual(step({ c: true }), [10, 0x10, true])
    assert.deepEqual(step({ a: true, c: true }), [11, 0x11, true])
    assert.deepEqual(step({ a: true }), [11, 0x11, true])
    assert.deepEqual(step({ b: true }), [10, 0x10, true])
    assert.deepEqual(step({ d: true }), [0, 0, false])
    assert.deepEqual(step({ b: true }), [0, 0, false])
  })
})

describe('STL: calls', () => {
  const scale: ProgramBlock = {
    name: 'Scale',
    kind: 'FC',
    number: 7,
    language: 'SCL',
    access: 'optimized',
    isIecCheckOn: false,
    setsEno: false,
    isKnowHowProtected: false,
    members: [
      { name: 'in', type: Int, section: 'Input', isRetentive: false, comment: '' },
      { name: 'out', type: Int, section: 'Output', isRetentive: false, comment: '' },
      { name: 'sum', type: Int, section: 'InOut', isRetentive: false, comment: '' },
    ],
    returnType: Int,
    networks: [
      {
        number: 1,
        title: '',
        language: 'SCL',
        text: '#out := #in * 2; #sum := #sum + #in; #Scale := #in - 1; ENO := #in > 0;',
      },
    ],
    document: '',
  }
  const text = 'CALL "Scale"\n(in := #i,\nRET_VAL := #k,\nout := #j,\nsum := #n2)\nA BR; = #q'

  it('passes inputs, outputs, in-outs and the return value; BR is ENO', () => {
    const more = { others: [scale], members: { ...standardMembers, n2: 'Int' } }
    const run = stl(text, { i: 5, n2: 10 }, more)
    assert.deepEqual(
      ['j', 'k', 'n2', 'q'].map((name) => run.get(name)),
      [10, 4, 15, true],
    )
    assert.equal(stl(text, { i: -5 }, more).get('q'), false)
  })

  it('calls a timer with its instance', () => {
    const run = runScl(
      source('CALL #t\n(IN := #a,\nPT := T#1s,\nQ := #q)', {
        members: { ...standardMembers, t: systemTypes.timer('TON_TIME') },
      }),
    )
    const seen = [0, 999, 1].map((milliseconds) => {
      run.clock.advanceMilliseconds(milliseconds)
      run.set('a', true)
      run.scan()
      return run.get('q')
    })
    assert.deepEqual(seen, [false, false, true])
  })
})

describe('STL: faults', () => {
  const cases: [string, string, number][] = [
    ['A #a; MCRA; = #q', 'unknown-statement', 2],
    ['A(; A #a; = #q', 'unbalanced-bracket', 1],
    ['A #a; ); = #q', 'unbalanced-bracket', 2],
    ['JU nowhere', 'no-label', 1],
    ['L 1; T DBW 2', 'no-open-block', 2],
    ['L #a', 'wrong-operand', 1],
    ['A #i', 'wrong-operand', 1],
    ['A(; JU out; ); out: = #q', 'unbalanced-bracket', 2],
    ['one: L 1; one: L 2', 'duplicate-label', 2],
    ['L 1; SLW 99', 'wrong-operand', 2],
    ['CALL "Nothing"', 'undeclared', 1],
  ]
  for (const [text, code, line] of cases)
    it(`${text}: ${code}`, () => {
      const found = sclDiagnostics(source(text)).map((one) => [one.code, one.line])
      assert.deepEqual(found[0], [code, line])
    })

  it('one fault does not hide the next', () => {
    assert.equal(sclDiagnostics(source('L #a; MCRA; JU nowhere')).length, 3)
  })
})
