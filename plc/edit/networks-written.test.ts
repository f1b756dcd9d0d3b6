/**
 * What an edit of networks changes in the text of a block, and which boxes of two networks are told to differ
 * (`fixtures/*.txt`).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../test/recorded.ts'
import { readSimaticMlText } from '../formats/simaticml/read.ts'
import { readSource } from '../formats/source/read.ts'
import { compileExpression } from '../languages/ladder/compile-expression.ts'
import { FormatError } from '../model/fault.ts'
import type { LogicNetwork } from '../model/logic-network.ts'
import type { ImportedObject } from '../model/object.ts'
import { operandText } from '../model/operand-text.ts'
import { changedLines } from '../testing/outline.ts'
import { type ChangedElements, changedElements } from './changed-elements.ts'
import type { NetworkInput } from './network-input.ts'
import { editNetworks, type NetworkEdit } from './networks.ts'

const texts: readonly NetworkInput[] = [
  { title: 'new', comment: { 'en-US': 'why', 'de-DE': 'warum' }, expressions: '#go := #go AND NOT #rows' },
  { language: 'FBD', expressions: ['S(#go) := #go', 'R(#go) := NOT #go'] },
  { language: 'SCL', code: 'IF #go THEN\n  #go := FALSE; // done\nEND_IF;' },
  { language: 'STL', code: 'A #go;\n= #go; // again\nCALL "Other" (\n  in := #go);' },
  { title: 'empty' },
]
const update = (number: number, network: NetworkInput): NetworkEdit => ({
  kind: 'update',
  networks: [{ ...network, number }],
})
const edits: readonly NetworkEdit[] = [
  ...texts.map((network): NetworkEdit => ({ kind: 'add', networks: [network] })),
  { kind: 'add', networks: texts, position: 1 },
  { kind: 'add', networks: texts.slice(0, 2), position: 2 },
  { kind: 'add', networks: [{ code: '#go := ;' }] },
  { kind: 'add', networks: [{}], position: 9 },
  ...[1, 2].flatMap((number) => [
    ...texts.map((network) => update(number, network)),
    update(number, { title: 'renamed & "quoted"' }),
    update(number, { comment: { 'de-DE': 'nur deutsch' } }),
    update(number, { title: '', comment: '' }),
    update(number, { code: '#go := ;' }),
    { kind: 'delete', number } as const,
    { kind: 'move', number, position: 3 - number } as const,
    { kind: 'move', number, position: 3 } as const,
  ]),
  { kind: 'delete', number: 4 },
  { kind: 'move', number: 3, position: 1 },
]

/** The text without the content of networks in XML, which the tests of that format have. */
const linesOf = ({ xml, text }: ImportedObject) =>
  (xml ?? text ?? '')
    .replace(
      /<NetworkSource>[\s\S]*?<\/NetworkSource>/g,
      (source) => `<NetworkSource ${source.split('\n').length} lines>`,
    )
    .split('\n')

/** The networks in their order, with the IDs that they have in XML. */
function orderOf({ networks, xml = '' }: ImportedObject): string {
  const ids = [...xml.matchAll(/<SW\.Blocks\.CompileUnit ID="(\w+)"/g)].map(([, id]) => id)
  return networks.map(({ language, title }, i) => `${ids[i] ?? ''} ${language} ${JSON.stringify(title)}`).join(', ')
}

test('what edits of networks change in the text', () => {
  const [dense] = readSimaticMlText(fixtureText(import.meta.url, '../../formats/simaticml/fixtures/dense.xml')).objects
  const list = readSource(fixtureText(import.meta.url, '../../formats/source/fixtures/dense.awl')).blocks
  const blocks = [
    dense!,
    ...list.filter(({ object }) => object.networks.length > 0).map(({ object }) => object),
    readSource(
      'FUNCTION "S" : Void\nVAR_TEMP\n  go : Bool;\nEND_VAR\nBEGIN\n  // first\n  #go := TRUE;\nEND_FUNCTION\n',
    ).blocks[0]!.object,
  ]
  const told: string[] = []
  for (const object of blocks)
    for (const edit of edits) {
      told.push(`── ${object.name} ${JSON.stringify(edit)}`)
      try {
        const edited = editNetworks(object, edit)
        told.push(`  ${orderOf(edited)}`)
        told.push(...changedLines(linesOf(object), linesOf(edited), 24).map((line) => `  ${line}`))
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        told.push(...error.faults.map(({ path, line, message }) => `  refused ${path ?? ''} ${line ?? ''} ${message}`))
      }
    }
  assertRecorded(import.meta.url, 'networks-written.txt', `${told.join('\n')}\n`)
})

/** The box with its operands, as a reader finds it in the picture. */
function boxName({ nodes, wires }: LogicNetwork, uId: number): string {
  const node = nodes.find((one) => one.uId === uId)
  const operands = wires.flatMap(({ ends }) =>
    ends.some((end) => end.kind === 'pin' && end.uId === uId)
      ? ends.flatMap((end) => {
          const operand = end.kind === 'operand' && nodes.find((one) => one.uId === end.uId)
          return operand && operand.kind === 'operand' ? [operandText(operand.operand)] : []
        })
      : [],
  )
  return `${node?.kind === 'operand' ? '?' : node?.name} ${operands.join(' ')}`.trim()
}

test('which boxes of two networks differ', () => {
  const pairs: readonly (readonly [string, string])[] = [
    ['#q := #a AND #b', '#q := #a AND #b'],
    ['#q := #a AND #b', '#q := #b AND #a'],
    ['#q := #a AND #b', '#q := #a AND NOT #b'],
    ['#q := #a AND #b', '#q := #a AND #c'],
    ['#q := #a AND #b', '#q := #a AND #b AND #c'],
    ['#q := #a AND #b', '#q := #a OR #b'],
    ['#q := #a OR #b', '#q := #a OR #b OR #c'],
    ['#q := #a AND #b', 'S(#q) := #a AND #b'],
    ['#q := #a AND #b', '#r := #a AND #b'],
    ['#q := #a', '#q := #a; #r := #b'],
    ['#q := #a; #r := #b', '#r := #b; #q := #a'],
    ['#q := #a; #r := #b; #s := #c', '#q := #a; #s := #c'],
    ['#q := #a; #r := #b', '#q := #b; #r := #a'],
    ['#q := (#a OR #b) AND #c', '#q := #a OR (#b AND #c)'],
    ['#l := #t.TON(IN := #a, PT := T#5s).Q', '#l := #t.TON(IN := #a, PT := T#6s).Q'],
    ['#l := #t.TON(IN := #a, PT := T#5s).Q', '#l := #u.TON(IN := #a, PT := T#5s).Q'],
    ['#l := #t.TON(IN := #a, PT := T#5s).Q', '#l := #t.TOF(IN := #a, PT := T#5s).Q'],
    ['#l := #t.TON(IN := #a, PT := T#5s).Q', '#l := #t.TON(IN := #a AND #b, PT := T#5s).Q'],
    ['IF #a THEN #n := Move(5); END_IF', 'IF #a THEN #m := Move(5); END_IF'],
    ['IF #a THEN #n := Move(5); END_IF', 'IF #b THEN #n := Move(5); END_IF'],
    ['#q := #x >{Int} 5', '#q := #x >{Real} 5'],
    ['#q := #x >{Int} 5', '#q := #x >={Int} 5'],
    ['#s := #x +{Int} #y', '#s := #x +{Int} #y +{Int} #z'],
    ['"D"."F"(on := #a, n := 1)', '"D"."F"(on := #a, n := 2)'],
    ['"D"."F"(on := #a, n := 1)', '"E"."F"(on := #a, n := 1)'],
    ['"D"."F"(on := #a, n := 1)', '"D"."G"(on := #a, n := 1)'],
  ]
  const told: string[] = []
  for (const language of ['LAD', 'FBD'] as const)
    for (const [from, to] of pairs) {
      const [left, right] = [from, to].map((text) =>
        compileExpression(text.includes('IF') ? text : text.split('; '), { language }),
      ) as [LogicNetwork, LogicNetwork]
      const marks = (graph: LogicNetwork, found: ChangedElements['left']) =>
        [...found].map(([uId, mark]) => `${mark} ${boxName(graph, uId)}`).join(', ') || 'the same'
      const found = changedElements(left, right)
      told.push(`${language} ${from}  →  ${to}`, `  ${marks(left, found.left)}  →  ${marks(right, found.right)}`)
    }
  assertRecorded(import.meta.url, 'changed-elements.txt', `${told.join('\n')}\n`)
})

test('a box that is taken off the power rail, or off the box before it, is another one', () => {
  const whole = compileExpression(['#q := #a'], { language: 'LAD' })
  for (const kind of ['powerrail', 'pin'] as const) {
    const wires = whole.wires.filter(({ ends: [first] }) => first?.kind !== kind)
    assert.equal(wires.length, whole.wires.length - 1)
    const { left, right } = changedElements(whole, { ...whole, wires })
    const name = kind === 'powerrail' ? 'Contact #a' : 'Coil #q'
    for (const marks of [left, right])
      assert.deepEqual(
        [...marks].map(([uId, mark]) => `${mark} ${boxName(whole, uId)}`),
        [`changed ${name}`],
      )
  }
})
