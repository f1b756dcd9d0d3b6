/** The three-way merge of lists, declarations and documents. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { publicDir } from '../../test/corpus.ts'
import { changedElements } from '../edit/changed-elements.ts'
import { importFile } from '../formats/import.ts'
import type { LogicNetwork, NetworkNode } from '../model/logic-network.ts'
import { mergeFile } from './file.ts'
import { mergeKeys, mergeLists, mergeText } from './lines.ts'

const names = { ours: 'ours', theirs: 'theirs' }

test('a merge with an unchanged side is the other side, and both orders of the sides merge the same lines', () => {
  // Small lists in every combination: whatever is taken must be the change of a side.
  const lists = ['', 'a', 'b', 'ab', 'ba', 'aab', 'abc', 'acb', 'axbc', 'abcx', 'bc', 'xyz'].map((text) => [...text])
  for (const base of lists)
    for (const ours of lists)
      for (const theirs of lists) {
        const taken = (x: readonly string[], y: readonly string[]) => {
          const pieces = mergeLists(base, x, y)
          return pieces.some(({ kind }) => kind === 'conflict')
            ? undefined
            : pieces.flatMap((one) => (one.kind === 'taken' ? one.items : [])).join('')
        }
        const name = `${base.join('')} ${ours.join('')} ${theirs.join('')}`
        assert.equal(taken(base, theirs), theirs.join(''), name)
        assert.equal(taken(ours, base), ours.join(''), name)
        assert.equal(taken(ours, ours), ours.join(''), name)
        assert.equal(taken(ours, theirs), taken(theirs, ours), name)
      }
})

test('keys that both sides added at one place are named, and deleted neighbours do not hide them', () => {
  assert.deepEqual(mergeKeys(['a', 'b'], ['a', 'x', 'b'], ['a', 'y', 'b']), {
    order: ['a', 'x', 'y', 'b'],
    contested: [{ ours: 'x', theirs: 'y' }],
    isMoved: false,
  })
  assert.deepEqual(mergeKeys(['a', 'b'], ['a', 'x', 'b'], ['y', 'b']).contested, [{ ours: 'x', theirs: 'y' }])
  assert.deepEqual(mergeKeys(['a', 'b'], ['a', 'b', 'x'], ['y', 'a', 'b']), {
    order: ['y', 'a', 'b', 'x'],
    contested: [],
    isMoved: false,
  })
  assert.equal(mergeKeys(['a', 'b'], ['a', 'b'], ['b', 'a']).isMoved, true)
})

test('members are the same in any case, and with or without quotes', () => {
  const text = (...members: readonly string[]) => ['VAR', ...members, 'END_VAR'].join('\n')
  const both = mergeText(
    text('a : Int;', 'b : Int;'),
    text('A : Int;', 'b : Int;'),
    text('a : Int;', '"B" : Real;'),
    names,
  )
  assert.deepEqual(both, { text: text('A : Int;', '"B" : Real;'), conflicts: [] })
  const fight = mergeText(text('a : Int;'), text('A : Real;'), text('"a" : Word;'), names)
  assert.equal(fight.conflicts.length, 1)
  // Both added one of that name: it is the same member.
  const added = mergeText(text('x : Int;'), text('x : Int;', 'a : Int;'), text('x : Int;', 'A : Real;'), names)
  assert.equal(added.conflicts.length, 1)
})

test('labels of CASE and calls are statements, not members; line ends are those of ours', () => {
  const text = 'VAR\r\n  a : Int;\r\nEND_VAR\r\nBEGIN\r\nIDLE: #a := 1;\r\nEND\r\n'
  const ours = text.replace('  a : Int;', '  a : Int;\r\n  b : Int;')
  const theirs = text.replaceAll('\r', '').replace('  a : Int;', '  a : Int;\n  c : Int;')
  assert.deepEqual(mergeText(text, ours, theirs, names), {
    text: ours.replace('  b : Int;', '  b : Int;\r\n  c : Int;'),
    conflicts: [],
  })
  const label = (one: string) => text.replace('IDLE: #a := 1;', one)
  const fight = mergeText(
    text,
    label('IDLE: #a := 1;\r\nRUN: #a := 2;'),
    label('IDLE: #a := 1;\r\nSTOP: #a := 3;'),
    names,
  )
  assert.deepEqual(fight.conflicts, [{ line: 6, endLine: 10 }])
})

/** A LAD function of networks, each of one coil with a title. */
const ladder = (coils: readonly string[], members = ['in1', 'in2'], ids = 10): string => {
  const unit = (coil: string, i: number) => {
    const [name, title = ''] = coil.split(' ')
    const id = (k: number) => (ids + i * 5 + k).toString(16).toUpperCase()
    return `      <SW.Blocks.CompileUnit ID="${id(0)}" CompositionName="CompileUnits"><AttributeList><NetworkSource><FlgNet xmlns="http://www.siemens.com/automation/Openness/SW/NetworkSource/FlgNet/v4"><Parts><Access Scope="GlobalVariable" UId="21"><Symbol><Component Name="${name}" /></Symbol></Access><Part Name="Coil" UId="22" /></Parts><Wires><Wire UId="23"><Powerrail /><NameCon UId="22" Name="in" /></Wire><Wire UId="24"><IdentCon UId="21" /><NameCon UId="22" Name="operand" /></Wire></Wires></FlgNet></NetworkSource><ProgrammingLanguage>LAD</ProgrammingLanguage></AttributeList><ObjectList><MultilingualText ID="${id(1)}" CompositionName="Title"><ObjectList><MultilingualTextItem ID="${id(2)}" CompositionName="Items"><AttributeList><Culture>en-US</Culture><Text>${title}</Text></AttributeList></MultilingualTextItem></ObjectList></MultilingualText></ObjectList></SW.Blocks.CompileUnit>`
  }
  const declared = members.map((name) => `<Member Name="${name}" Datatype="Bool" />`).join('\n')
  const input = declared === '' ? '<Section Name="Input" />' : `<Section Name="Input">\n${declared}\n</Section>`
  return `<?xml version="1.0" encoding="utf-8"?>
<Document><Engineering version="V19" />
  <SW.Blocks.FC ID="0"><AttributeList><Interface><Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5">
${input}
<Section Name="Return"><Member Name="Ret_Val" Datatype="Void" /></Section></Sections></Interface>
<MemoryLayout>Optimized</MemoryLayout><Name>L</Name><Number>1</Number><ProgrammingLanguage>LAD</ProgrammingLanguage></AttributeList>
    <ObjectList>
${coils.map(unit).join('\n')}
    </ObjectList></SW.Blocks.FC>
</Document>
`
}

const merged = async (base: string, ours: string, theirs: string) => {
  const [a, b, c] = [base, ours, theirs].map((text) => Buffer.from(text))
  const { bytes, conflicts } = await mergeFile({ base: a!, ours: b!, theirs: c!, path: 'L.xml', names })
  const text = Buffer.from(bytes).toString()
  return {
    coils: [...text.matchAll(/Component Name="(\w+)"[\s\S]*?<Text>(\w*)</g)].map(([, coil, title]) =>
      `${coil} ${title}`.trim(),
    ),
    members: [...text.matchAll(/Member Name="(\w+)" Datatype="Bool"/g)].map(([, name]) => name),
    conflicts: conflicts.map(({ path, message }) => `${path}: ${message}`),
    text,
  }
}

test('networks and members of both sides are merged; order that is not known is a conflict', async () => {
  const base = ladder(['a t1', 'b t2', 'c'])
  const both = await merged(
    base,
    ladder(['a t1', 'x', 'b t2', 'c'], ['in1', 'own', 'in2']),
    ladder(['a t1', 'b new', 'd'], ['in2', 'more'], 90),
  )
  assert.deepEqual(both.coils, ['a t1', 'x', 'b new', 'd'])
  assert.deepEqual(both.members, ['own', 'in2', 'more'])
  assert.deepEqual(both.conflicts, [])

  const cases: readonly (readonly [string[], string[], string[], string])[] = [
    [['a x', 'p'], ['a x', 'q'], ['a x'], '"L".network 2: both sides added a network here'],
    [['a2 x'], ['a3 x'], ['a x'], '"L".network 1: both sides changed it'],
    [['b'], ['a2 x', 'b'], ['a x', 'b'], '"L".network 1: our side removed it, their side changed it'],
    [['a2 x', 'b'], ['b'], ['a x', 'b'], '"L".network 1: their side removed it, our side changed it'],
    [['a one'], ['a two'], ['a x'], '"L".network 1.title.en-US.Text: both sides changed it'],
  ]
  for (const [ours, theirs, before, message] of cases) {
    const { conflicts, coils } = await merged(ladder(before), ladder(ours), ladder(theirs))
    assert.equal(conflicts.length, 1, `${message} / ${conflicts}`)
    assert.ok(conflicts[0]!.startsWith(message), `${conflicts[0]} / ${message}`)
    assert.deepEqual(coils, ours, message)
  }
  const same = await merged(ladder(['a']), ladder(['a', 'n']), ladder(['a', 'n'], ['in1', 'in2', 'z'], 70))
  assert.deepEqual([same.coils, same.members, same.conflicts], [['a', 'n'], ['in1', 'in2', 'z'], []])
  const first = await merged(ladder(['a'], []), ladder(['b'], []), ladder(['a'], ['new']))
  assert.deepEqual([first.coils, first.members, first.conflicts], [['b'], ['new'], []])
  const moved = await merged(ladder(['a']), ladder(['a'], ['in1', 'x', 'in2']), ladder(['a'], ['in2', 'in1']))
  assert.deepEqual(moved.conflicts, ['"L".Input: their side changed the order'])
})

/** Contacts in a row and a coil; `!a` is negated. */
const rung = (...operands: readonly string[]): LogicNetwork => {
  const nodes: NetworkNode[] = []
  const wires: LogicNetwork['wires'][number][] = []
  for (const [i, text] of operands.entries()) {
    const [operand, box] = [100 + i * 10, 101 + i * 10]
    const name = i === operands.length - 1 ? 'Coil' : 'Contact'
    const negated = text.startsWith('!') ? ['operand'] : []
    nodes.push(
      {
        kind: 'operand',
        uId: operand,
        operand: { kind: 'variable', scope: 'local', path: [{ name: text.replace('!', '') }] } as never,
      },
      { kind: 'part', uId: box, name, negated, invisible: [], templates: [], automaticTyped: [] },
    )
    const from = i === 0 ? ({ kind: 'powerrail' } as const) : ({ kind: 'pin', uId: box - 10, pin: 'out' } as const)
    wires.push({ uId: 500 + i * 2, ends: [from, { kind: 'pin', uId: box, pin: 'in' }] })
    wires.push({
      uId: 501 + i * 2,
      ends: [
        { kind: 'operand', uId: operand },
        { kind: 'pin', uId: box, pin: 'operand' },
      ],
    })
  }
  return { labels: [], nodes, wires }
}

test('only the elements that differ are marked, the same ones from either side', () => {
  const marks = (left: LogicNetwork, right: LogicNetwork) => {
    const found = changedElements(left, right)
    const back = changedElements(right, left)
    const swapped = (list: ReadonlyMap<number, string>) =>
      [...list].map(([uId, mark]) => [uId, mark === 'added' ? 'removed' : mark === 'removed' ? 'added' : mark])
    assert.deepEqual([...found.left].sort(), swapped(back.right).sort())
    assert.deepEqual([...found.right].sort(), swapped(back.left).sort())
    return [[...found.left], [...found.right]]
  }
  assert.deepEqual(marks(rung('a', 'b', 'q'), rung('a', 'b', 'q')), [[], []])
  assert.deepEqual(marks(rung('a', 'b', 'q'), rung('a', '!b', 'q')), [[[111, 'changed']], [[111, 'changed']]])
  assert.deepEqual(marks(rung('a', 'q'), rung('a', 'x', 'q')), [[], [[111, 'added']]])
  // Neither the order of negated pins nor that of wires says anything.
  const row = rung('a', 'b', 'q')
  const negated = (pins: readonly string[]) => ({
    ...row,
    nodes: row.nodes.map((node) =>
      node.kind === 'part' && node.name === 'Contact' ? { ...node, negated: pins } : node,
    ),
  })
  const box = (wires: LogicNetwork['wires']) => ({
    ...negated(['in', 'operand']),
    wires: [
      ...wires,
      {
        uId: 601,
        ends: [
          { kind: 'operand' as const, uId: 100 },
          { kind: 'pin' as const, uId: 111, pin: 'bit' },
        ],
      },
    ],
  })
  assert.deepEqual(marks(negated(['in', 'operand']), negated(['operand', 'in'])), [[], []])
  assert.deepEqual(marks(box(row.wires), { ...box(row.wires), wires: [...box(row.wires).wires].reverse() }), [[], []])
})

test('networks that have too little in common for a search are matched box by box', () => {
  const boxes = (count: number, from: number, name: string): LogicNetwork => ({
    labels: [],
    wires: [],
    nodes: Array.from({ length: count }, (_, i) => ({
      ...{ kind: 'part' as const, uId: from + i, name, negated: [], invisible: [], templates: [], automaticTyped: [] },
      equation: `${name} ${from + i}`,
    })),
  })
  const { left, right } = changedElements(boxes(1100, 1, 'Calc'), boxes(1105, 5001, 'Calc'))
  const counts = (marks: ReadonlyMap<number, string>) => [...marks.values()].filter((mark) => mark === 'changed').length
  assert.deepEqual([left.size, counts(left), right.size, counts(right)], [1100, 1100, 1105, 1100])
  assert.deepEqual(
    [...right].slice(-5).map(([uId, mark]) => [uId, mark]),
    [6101, 6102, 6103, 6104, 6105].map((uId) => [uId, 'added']),
  )
  const others = changedElements(boxes(1100, 1, 'Calc'), boxes(1100, 5001, 'Move'))
  assert.deepEqual(
    [new Set(others.left.values()), new Set(others.right.values())],
    [new Set(['removed']), new Set(['added'])],
  )
})

test('statements in SCL inside SimaticML are merged by lines', async () => {
  const text = readFileSync(
    join(
      publicDir,
      'bulaofen0036-coder+TIA_Portal_Openness_MCP/templates/mcp-full-e2e-verify/plc/blocks/MCPVerify_FC_SCL_E2E.xml',
    ),
    'utf8',
  )
  const constants = [...text.matchAll(/<ConstantValue(?: UId="\d+")?>(\d+)</g)]
  const put = (at: number) => {
    const { index, 0: found } = constants.at(at)!
    return text.slice(0, index) + found.replace(/>\d+</, '>77<') + text.slice(index + found.length)
  }
  const [base, ours, theirs] = [text, put(0), put(-1)].map((one) => Buffer.from(one))
  const { bytes, conflicts } = await mergeFile({ base: base!, ours: ours!, theirs: theirs!, path: 'a.xml', names })
  assert.deepEqual(conflicts, [])
  const { objects, faults } = await importFile(bytes, { path: 'a.xml' })
  assert.deepEqual(faults, [])
  assert.equal(objects[0]!.networks[0]!.text?.match(/\b77\b/g)?.length, 2)
})
