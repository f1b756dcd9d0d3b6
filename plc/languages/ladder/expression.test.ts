import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FormatError } from '../../model/fault.ts'
import type { LogicNetwork, WireEnd } from '../../model/logic-network.ts'
import { calledBlocks } from '../../testing/called-blocks.ts'
import { instructionNetwork } from '../../testing/lower-ladder.ts'
import { canonicalNetwork } from './canonical.ts'
import { compileExpression } from './compile-expression.ts'
import { networkExpression } from './expression.ts'
import type { ProgramNames } from './program-names.ts'

const typesOfNames: Readonly<Record<string, string>> = {
  n: 'Int',
  m: 'Int',
  d: 'DInt',
  r: 'Real',
  run: 'Bool',
  t: 'Time',
  tmr: 'TON_TIME',
  cnt: 'CTU_INT',
  T_DB: '"TOF_TIME"',
  mine: '"TP_Valve"',
}
const programNames: ProgramNames = {
  typeOf: (operand) => (operand.kind === 'symbol' ? typesOfNames[operand.path.at(-1)?.name ?? ''] : 'Int'),
  isConstant: (name) => name === 'MAX',
  block: (name) => calledBlocks[name],
  instanceOf: (_, path) => (path.at(-1)?.name === 'Motor_DB' ? 'Motor' : undefined),
  scopeOf: (name) => (name === 'run' ? 'LocalVariable' : undefined),
}

function compiled(text: string, language: 'LAD' | 'FBD' = 'LAD'): LogicNetwork {
  return compileExpression(text, { language, names: programNames })
}

function shown(network: LogicNetwork, language: 'LAD' | 'FBD' = 'LAD'): string {
  return networkExpression(network, { language }).statements.join('\n')
}

/** Names of the boxes in order. */
function parts(network: LogicNetwork): string[] {
  return network.nodes.flatMap((node) => (node.kind === 'operand' ? [] : [node.name]))
}

/** Texts that stay as they are through a network of LAD. */
const ladder = [
  '#run := (#start OR #run) AND NOT #stop;',
  '#x := #a AND (#b AND #c OR #d) AND NOT #e;',
  '#x := #a AND (#b OR TRUE) AND #c;',
  '#x := TRUE;',
  '#x := (TRUE) AND NOT (FALSE);',
  '#x := NOT (#a AND #b);',
  'S(#x) := #a;\nR(#y) := #b;',
  '#x, S(#y), NOT(#z) := #a AND #b;',
  'P(#x, #mem) := #a;',
  '#x := P(#a, #mem) AND N(#b, #mem2);',
  '#x := P_TRIG(#a OR #b, #mem);',
  '#x := #n = 5 AND #r > 1.5 AND #n <> #m;',
  '#x := "T#1" AND %I0.0 AND "DB".list[#n, 2].on.%X3;',
  '#y := #a;\nwire#1 := #b AND #c;\n#x := wire#1;\n#z := wire#1 AND #d;'.replace(
    'wire#1 := #b AND #c;\n#x := wire#1;',
    'wire#1 := #b AND #c;\n#x := wire#1;',
  ),
  '#late := #tmr.TON(IN := #a AND #b, PT := T#5s).Q;',
  '"IEC".TON(IN := #a, PT := T#5s, ET => #t);',
  '#x := #tmr.TON(IN := #a, PT := T#5s).Q OR #b;',
  'CoilTON("T1", T#5s) := #a;',
  '#x := #cnt.CTU(CU := #a, R := #reset, PV := 10, CV => #n).Q;',
  'Sr(s := #a, r1 := (#b), operand := #x);',
  '#n := Move(5);',
  'IF #a THEN\n  #n := Move(#m);\n  #d := #n + #m + 1;\nEND_IF;',
  'IF #a THEN\n  #n := Move(#m);\nEND_IF;\nIF ENO AND #b THEN\n  #r := #n / 2.0;\nEND_IF;\n#x := ENO;',
  'S(#x) := #a;\nR(#y) := RLO;',
  '#n, #m := Move(0);',
  '#r := Convert(#n);',
  '#r := Normalize(0, #n, 100);',
  '#n := Scale_X(0, #r, 100);',
  '#n := Shl(#m, 3);',
  "#n := Calc('(IN1 + IN2) * IN3', #m, 2, #n);",
  'Inc(operand := #n);',
  'IF #a THEN\n  #motor."Motor"(enable := #b, speed := 1.5, ready => #x);\nEND_IF;',
  '"Motor_DB"."Motor"(enable := (#a), speed := #r);',
  '"Scale"(raw := #n, Ret_Val => #r);',
  'loop:\nJMP(loop) := #a;',
  'ReturnTrue() := #a;',
  '#x := InRange(1, #n, 10);',
  '??? := #a AND #b;',
  '#x := ???;',
  '#x := "MAX" = #n;',
]

test('an instance of an instruction is called by its name alone, as in SCL', () => {
  const cases: [string, string][] = [
    ['#tmr(IN := #a, PT := T#5s);', '#tmr.TON(IN := #a, PT := T#5s);'],
    ['#x := #cnt(CU := #a, R := #reset, PV := 10).Q;', '#x := #cnt.CTU(CU := #a, R := #reset, PV := 10).Q;'],
    ['"T_DB"(IN := #a, PT := T#5s);', '"T_DB".TOF(IN := #a, PT := T#5s);'],
  ]
  for (const [given, meant] of cases) assert.equal(shown(compiled(given)), meant)
  assert.throws(() => compiled('#mine(IN := #a);'), /it is not known of which block #mine is an instance/)
})

for (const text of ladder) {
  test(`LAD: ${text.replaceAll('\n', ' ')}`, () => {
    const network = compiled(text)
    assert.equal(shown(network), text)
    assert.deepEqual(canonicalNetwork(compiled(shown(network))), canonicalNetwork(network))
  })
}

/** Texts that stay as they are through a network of FBD. */
const functionBlocks = [
  '#run := (#start OR #run) AND NOT #stop;',
  '#x := #a;',
  '#x := NOT #a;',
  '#x := TRUE;',
  '#x := #a XOR #b XOR NOT #c;',
  '#x := #a AND (#b AND #c);',
  '#x := NOT (#a AND #b) OR #n = 3;',
  'wire#1 := #a OR #b;\n#x := wire#1;\nS(#y) := wire#1 AND #c;',
  '#x := #tmr.TON(IN := NOT #a, PT := T#5s).Q AND #b;',
  '#n := Move(5);',
  'IF #a OR #b THEN\n  #n := #m + 1;\nEND_IF;',
  '"Scale"(raw := #n, Ret_Val => #r);',
  '#x := P_TRIG(#a, #mem);',
]

for (const text of functionBlocks) {
  test(`FBD: ${text.replaceAll('\n', ' ')}`, () => {
    const network = compiled(text, 'FBD')
    assert.equal(shown(network, 'FBD'), text)
    assert.deepEqual(canonicalNetwork(compiled(shown(network, 'FBD'), 'FBD')), canonicalNetwork(network))
  })
}

test('a start and stop circuit is drawn as two branches in series with a negated contact and a coil', () => {
  const network = compiled('#run := (#start OR #run) AND NOT #stop')
  assert.deepEqual(parts(network), ['Contact', 'Contact', 'O', 'Contact', 'Coil'])
  const [rail] = network.wires
  assert.deepEqual(
    rail?.ends.map(({ kind }) => kind),
    ['powerrail', 'pin', 'pin'],
  )
  const either = network.nodes.find((node) => node.kind === 'part' && node.name === 'O')
  assert.deepEqual(either?.kind === 'part' && either.templates, [{ name: 'Card', type: 'Cardinality', value: '2' }])
  const stop = network.nodes.filter((node) => node.kind === 'part' && node.name === 'Contact').at(-1)
  assert.deepEqual(stop?.kind === 'part' && stop.negated, ['operand'])
})

test('in FBD the same text is boxes: no contact and no power rail', () => {
  const network = compiled('#run := (#start OR #run) AND NOT #stop', 'FBD')
  assert.deepEqual(parts(network).sort(), ['A', 'Coil', 'O'])
  assert.ok(network.wires.every(({ ends }) => ends.every(({ kind }) => kind !== 'powerrail')))
})

/** Other spellings of the same network. */
const sameText: readonly (readonly [string, string])[] = [
  ['#x := #a & #b', '#x := #a AND #b;'],
  ['#x := #a AND (#b AND #c)', '#x := #a AND #b AND #c;'],
  ['#x := run', '#x := #run;'],
  ['IF #a THEN #x := TRUE; #y := FALSE; END_IF', 'S(#x) := #a; R(#y) := #a;'.replace(/.*/, 'S(#x), R(#y) := #a;')],
  ['IF #a THEN GOTO done; END_IF; done:', 'done:\nJMP(done) := #a;'],
  ['#n := 5', '#n := Move(5);'],
  ['#n := MOVE(5)', '#n := Move(5);'],
  ['#n := #m', '#n := Move(#m);'],
  ['#r := "Scale"(raw := #n)', '"Scale"(raw := #n, Ret_Val => #r);'],
  ['"Motor_DB"(enable := #a)', '"Motor_DB"."Motor"(enable := #a);'],
  ['#x := #a AND NOT (#b OR #n = 1)', '#x := #a AND NOT #b AND #n <> 1;'],
  ['#x := #a XOR #b', '#x := #a AND NOT #b OR NOT #a AND #b;'],
  ['#x := #c AND (#a XOR #b)', '#x := #c AND (#a AND NOT #b OR NOT #a AND #b);'],
  ['#x := #c AND NOT (#a XOR #b)', '#x := #c AND (NOT #a OR #b) AND (#a OR NOT #b);'],
  ['#x := #n = 1 XOR #a', '#x := #n = 1 AND NOT #a OR #n <> 1 AND #a;'],
  ['#x := #a AND #tmr.TON(IN := #b, PT := T#1s).Q', '#x := #tmr.TON(IN := #b, PT := T#1s).Q AND #a;'],
  ['// a comment\n#x := #a (* and *) AND #b', '#x := #a AND #b;'],
]

for (const [text, written] of sameText) {
  test(`${text.replaceAll('\n', ' ')} is written ${written.replaceAll('\n', ' ')}`, () => {
    assert.equal(shown(compiled(text)), written)
  })
}

test('LAD: exclusive ors deep in each other are refused at once', () => {
  const deep = `${'#a XOR ('.repeat(60)}#b${')'.repeat(60)}`
  for (const text of [deep, `#c AND NOT (${deep})`]) assert.throws(() => compiled(`#x := ${text}`), FormatError)
})

test('LAD: an exclusive or of several operands is true for an odd number of them', () => {
  for (const [text, names] of [
    ['#a XOR #b XOR #c', 'abc'],
    ['#a XOR NOT #b XOR #c', 'abc'],
    ['#a XOR (#b OR #c)', 'abc'],
    ['(#a XOR #b) XOR (#c XOR #x)', 'abcx'],
    ['#a XOR #b XOR #c XOR #x XOR #y', 'abcxy'],
    ['#x AND (#a XOR #b XOR #c) OR NOT (#a XOR #b)', 'abcx'],
  ] as const) {
    const written = shown(compiled(`#run := ${text}`)).replace(/^#run := |;$/g, '')
    assert.doesNotMatch(written, /XOR/)
    const js = (expression: string) => {
      const body = expression
        .replace(/\bXOR\b/g, '!==')
        .replace(/\bAND\b/g, '&&')
        .replace(/\bOR\b/g, '||')
        .replace(/\bNOT\b/g, '!')
        .replaceAll('#', '')
      return new Function(...names, `return ${body}`) as (...values: boolean[]) => boolean
    }
    for (let bits = 0; bits < 1 << names.length; bits++) {
      const values = [...names].map((_, i) => ((bits >> i) & 1) === 1)
      assert.equal(js(written)(...values), js(text)(...values), `${text}: ${values}`)
    }
  }
})

test('data types follow from the operands, literals take the type of the box', () => {
  const templates = (text: string) =>
    compiled(text).nodes.flatMap((node) =>
      node.kind === 'part' ? node.templates.map(({ name, value }) => `${name}=${value}`) : [],
    )
  assert.deepEqual(templates('#x := #n = 5'), ['SrcType=Int'])
  assert.deepEqual(templates('#x := #n > #d'), ['SrcType=DInt'])
  assert.deepEqual(templates('#x := #n ={DInt} 5'), ['SrcType=DInt'])
  assert.deepEqual(templates('#r := Convert(#n)'), ['SrcType=Int', 'DestType=Real'])
  const literal = compiled('#x := #d = 5').nodes.find(
    (node) => node.kind === 'operand' && node.operand.kind === 'literal',
  )
  assert.deepEqual(literal?.kind === 'operand' && literal.operand, {
    kind: 'literal',
    scope: 'LiteralConstant',
    value: '5',
    type: 'DInt',
  })
})

/** A faulty text, the column, and a part of the message. */
const faultyTexts: readonly (readonly [string, number, RegExp])[] = [
  ['', 1, /no statement/],
  ['#x := ', 7, /expected an operand.*the text ends/],
  ['#x := #a AND', 13, /expected an operand/],
  ['#x := #a #b', 10, /expected ; or an operator/],
  ['#x := (#a', 10, /expected \)/],
  ['#x', 3, /expected :=/],
  ['#x := $', 7, /expected an operand.*\$/],
  ['#y := MOV(#n)', 7, /no instruction MOV, perhaps Move/],
  ['TON(IN := #a, PT := T#1s)', 1, /needs an instance/],
  ['#x := #q = #w', 7, /braces/],
  ['"Nix"(a := #a)', 1, /no block "Nix"/],
  ['"Scale"(row := #n)', 9, /no parameter row; it has raw, Ret_Val/],
  ['#m."Motor"(ready := #x)', 12, /output.*ready =>/],
  ['"Motor"(enable := #a)', 1, /needs an instance/],
  ['#x := wire#7', 7, /wire#7 is not given/],
  ['#x := ENO', 7, /box in a statement before/],
  ['IF #a THEN #x := #b AND #c; END_IF', 18, /inside an IF/],
  ['IF #a THEN #n := Move(1);', 1, /no END_IF/],
  ['IF #a THEN #n := 1; ELSE #n := 2; END_IF', 21, /no ELSE/],
  ['#x := #n + 1 AND #a', 7, /number and no condition/],
  ['S(#x)', 1, /takes a condition/],
  ['Foo(#x) := #a', 1, /no coil Foo/],
  ['#x := #tmr.TON(IN := #a, PT := T#1s).Q AND NOT (#b XOR P_TRIG(#c, #m))', 44, /cannot be inverted|join two values/],
  ['#x := #a XOR P_TRIG(#b, #m)', 7, /no exclusive or.*FBD/],
  ['#x := #a XOR #b XOR #c XOR #a XOR #b XOR #c', 7, /at most 64/],
  ['#x := "T".TON(IN := #a).Q AND "U".TON(IN := #b).Q', 31, /cannot join two values/],
  ['#x := #a; #y := nowhere', 11, /nowhere is not declared; write #nowhere/],
  ['CONNECT(#a, #b)', 1, /cannot be read back/],
]

for (const [text, column, message] of faultyTexts) {
  test(`refused: ${text || 'nothing'}`, () => {
    assert.throws(
      () => compiled(text),
      (error) => {
        assert.ok(error instanceof FormatError)
        const [fault] = error.faults
        assert.match(fault?.message ?? '', message)
        assert.equal(fault?.column, column, fault?.message)
        return true
      },
    )
  })
}

test('every faulty statement is reported, with the entry of the list it stands in', () => {
  assert.throws(
    () => compileExpression(['#x := #a;', '#y := ;\n#z := (;', '#w := #b'], { language: 'LAD' }),
    (error) => {
      assert.ok(error instanceof FormatError)
      assert.deepEqual(
        error.faults.map(({ path, line, column }) => [path, line, column]),
        [
          ['/expressions/1', 1, 7],
          ['/expressions/1', 2, 8],
        ],
      )
      return true
    },
  )
})

// ── Properties ──────────────────────────────────────────────────────────────────────────────────────────────────────

const bit = fc.constantFrom('#a', '#b', 'NOT #c', '"tag"', '%M0.1', '#n = 3', 'P(#e, #mem)', '#run')
const { logic } = fc.letrec<{ logic: string }>((tie) => ({
  logic: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    bit,
    fc.array(tie('logic'), { minLength: 2, maxLength: 4 }).map((items) => `(${items.join(' AND ')})`),
    fc.array(tie('logic'), { minLength: 2, maxLength: 4 }).map((items) => `(${items.join(' OR ')})`),
  ),
}))
const statement = fc.oneof(
  fc.tuple(fc.constantFrom('#x', 'S(#y)', '#z, R(#w)'), logic).map(([target, value]) => `${target} := ${value};`),
  fc
    .tuple(logic, fc.constantFrom('#n := Move(#m);', '#d := #d * 2;', 'Inc(#n);'))
    .map(([value, body]) => `IF ${value} THEN ${body} END_IF;`),
  logic.map((value) => `#late := #tmr.TON(IN := ${value}, PT := T#5s).Q AND #a;`),
)

for (const language of ['LAD', 'FBD'] as const)
  test(`${language}: text to network to text is stable, and the networks are equal`, () => {
    fc.assert(
      fc.property(fc.array(statement, { minLength: 1, maxLength: 4 }), (statements) => {
        const network = compiled(statements.join('\n'), language)
        const text = shown(network, language)
        const again = compiled(text, language)
        assert.deepEqual(canonicalNetwork(again), canonicalNetwork(network))
        assert.equal(shown(again, language), text)
      }),
      { numRuns: 300 },
    )
  })

test('literals in the power flow: contacts, coils and inverted pins keep their types', () => {
  const exact = (language: 'LAD' | 'FBD', text: string) => {
    const network = compiled(text, language)
    assert.equal(networkExpression(network, { language, detail: 'exact' }).statements.join('\n'), text)
    return parts(network)
  }
  assert.deepEqual(exact('LAD', '#x := ({Bool} true) AND NOT ({Bool} 1) AND #a;'), [
    'Contact',
    'Contact',
    'Contact',
    'Coil',
  ])
  assert.deepEqual(exact('LAD', '#x := ({Bool} 1);'), ['Contact', 'Coil'])
  assert.deepEqual(exact('LAD', '#x := {direct, Bool} 1;'), ['Coil'])
  assert.deepEqual(exact('LAD', '#x := NOT (#a);'), ['Contact', 'Not', 'Coil'])
  assert.deepEqual(exact('FBD', '#x := NOT ({Bool} 1);'), ['Coil'])
  const [pointer] = compiled('#n := Move({Any} P#DB1.DBX0.0 BYTE 10);').nodes
  assert.ok(pointer?.kind === 'operand' && pointer.operand.kind === 'literal')
  assert.deepEqual([pointer.operand.scope, pointer.operand.type], ['LiteralConstant', 'Any'])
})

test('fields of bits as boxes, and the coils that call a function or leave the block', () => {
  for (const text of [
    'IF #a THEN\n  RBitfield(n := {UInt} 20, operand := #list[0]);\nEND_IF;',
    'FcCoil("Scale") := #a;',
    'RET() := #a;',
  ]) {
    const network = compiled(text)
    assert.equal(networkExpression(network, { language: 'LAD', detail: 'exact' }).statements.join('\n'), text)
  }
})

test('any text compiles or is refused with its faults', () => {
  const piece = fc.constantFrom(
    ...[
      '#a',
      ' := ',
      ' AND ',
      ' OR ',
      'NOT ',
      '(',
      ')',
      ';',
      'IF ',
      ' THEN ',
      'END_IF',
      '{',
      '}',
      'TON',
      '"x"',
      '.',
      'Q',
      '1',
    ],
    ...[
      'wire#1',
      'ENO',
      'RLO',
      '???',
      ',',
      '=>',
      '=',
      '+',
      "'",
      '(*',
      'Part',
      '$',
      'TRUE',
      'RAIL',
      'P(',
      'A(',
      '[',
      ':',
    ],
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join('')),
  )
  fc.assert(
    fc.property(text, fc.constantFrom('LAD' as const, 'FBD' as const), (given, language) => {
      try {
        const network = compiled(given, language)
        assert.ok(
          networkExpression(network, { language }).statements.length > 0 ||
            network.labels.length > 0 ||
            network.nodes.length >= 0,
        )
      } catch (error) {
        assert.ok(error instanceof FormatError && error.faults.length > 0, String(error))
        for (const { line, column } of error.faults) assert.ok(line >= 1 && column >= 1)
      }
    }),
    { numRuns: 3000 },
  )
})

test('every network has a text that shows each of its elements', () => {
  const names = ['Contact', 'Coil', 'O', 'A', 'Eq', 'Move', 'Add', 'TON', 'Not', 'PBox', 'SCoil', 'Jump', 'Foo', 'Calc']
  const pins = ['in', 'out', 'operand', 'en', 'eno', 'in1', 'in2', 'in3', 'out1', 'pre', 'IN', 'PT', 'Q', 'bit', 'x']
  const end: fc.Arbitrary<WireEnd> = fc.oneof(
    fc.constant<WireEnd>({ kind: 'powerrail' }),
    fc.constant<WireEnd>({ kind: 'openbranch' }),
    fc.nat(12).map((uId): WireEnd => ({ kind: 'open', uId: 100 + uId })),
    fc.nat(13).map((uId): WireEnd => ({ kind: 'operand', uId })),
    fc.tuple(fc.nat(13), fc.constantFrom(...pins)).map(([uId, pin]): WireEnd => ({ kind: 'pin', uId, pin })),
  )
  const network = fc
    .tuple(
      fc.array(fc.constantFrom(...names, 'operand', 'call'), { minLength: 1, maxLength: 12 }),
      fc.array(fc.array(end, { minLength: 0, maxLength: 4 }), { maxLength: 20 }),
      fc.array(fc.constantFrom(...pins), { maxLength: 2 }),
    )
    .map(
      ([kinds, wires, negated]): LogicNetwork => ({
        labels: [],
        nodes: kinds.map((name, uId) => {
          if (name === 'operand')
            return {
              kind: 'operand',
              uId,
              operand: { kind: 'symbol', scope: 'LocalVariable', path: [{ name: `op${uId}` }] },
            }
          const box = { uId, negated, invisible: [] }
          if (name === 'call') return { kind: 'call', ...box, name: `block${uId}`, blockType: 'FC', parameters: [] }
          return { kind: 'part', ...box, name, templates: [], automaticTyped: [] }
        }),
        wires: wires.map((ends, i) => ({ uId: 200 + i, ends })),
      }),
    )
  fc.assert(
    fc.property(network, fc.constantFrom('LAD', 'FBD'), (given, language) => {
      const text = networkExpression(given, { language, detail: 'exact' }).statements.join('\n')
      for (const node of given.nodes) {
        if (node.kind === 'operand') assert.ok(text.includes(`#op${node.uId}`), `op${node.uId} is missing in\n${text}`)
        if (node.kind === 'call')
          assert.ok(text.includes(`"block${node.uId}"`), `block${node.uId} is missing in\n${text}`)
        if (node.kind === 'part' && node.name === 'Foo') assert.match(text, /Foo/)
      }
    }),
    { numRuns: 2000 },
  )
})

test('an edge that is fed by itself is told by the name of its wire', () => {
  const end = (pin: string): WireEnd => ({ kind: 'pin', uId: 0, pin })
  const network: LogicNetwork = {
    labels: [],
    nodes: [{ kind: 'part', uId: 0, negated: [], invisible: [], name: 'PBox', templates: [], automaticTyped: [] }],
    wires: [{ uId: 200, ends: [end('out'), end('in')] }],
  }
  const { statements } = networkExpression(network, { language: 'LAD', detail: 'exact' })
  assert.deepEqual(statements, ['wire#1 := P_TRIG(wire#1, ???);'])
})

test('a chain of 20000 contacts and a ring of boxes have a text', () => {
  const chain = compiled(`#x := ${Array.from({ length: 20_000 }, (_, i) => `#c${i}`).join(' AND ')}`)
  assert.equal(shown(chain).split(' AND ').length, 20_000)
  const deep = compiled(
    `${Array.from({ length: 500 }, (_, i) => `wire#${i + 1} := ${i === 0 ? '#s' : `NOT (wire#${i} OR #c${i})`};`).join(
      '\n',
    )}#x := wire#500;`,
  )
  assert.ok(networkExpression(deep, { language: 'LAD' }).isComplete)
})

test('a box with more inputs than are wired is written with all of them', () => {
  for (const [name, card, wired, written] of [
    ['Add', 2, 2, '#q := #a + #a;'],
    ['Add', 3, 2, '#q := #a + #a + ???;'],
    ['Add', 1, 2, '#q := #a +{Card := 1} #a;'],
    ['Mul', 4, 1, '#q := #a * ??? * ??? * ???;'],
    ['Max', 5, 2, '#q := Max(#a, #a, ???, ???, ???);'],
    ['And', 3, 1, '#q := And(#a, ???, ???);'],
  ] as const) {
    const inputs = Object.fromEntries(Array.from({ length: wired }, (_one, i) => [`in${i + 1}`, '#a']))
    const network = instructionNetwork([
      { name, card, types: { SrcType: 'Int' }, in: { en: 'RAIL', ...inputs }, out: { out: '#q' } },
    ])
    assert.equal(shown(network), written)
  }
})
