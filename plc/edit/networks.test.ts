/** Edits of networks beside a plain list of what the block must have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../test/random.ts'
import { readSimaticMlText } from '../formats/simaticml/read.ts'
import { readSource } from '../formats/source/read.ts'
import { FormatError } from '../model/fault.ts'
import type { ImportedObject, Network } from '../model/object.ts'
import type { SymbolOperand } from '../model/operand.ts'
import { createObject } from './edit.ts'
import type { NetworkInput } from './network-input.ts'
import { editNetworks, type NetworkEdit } from './networks.ts'

/** What counts of a network: without the numbers of its elements. */
type Shown = readonly [language: string, title: string, comment: string, content: string]
const shown = ({ language, title, comment, graph, text, statements }: Network): Shown => {
  const nameOf = ({ path }: SymbolOperand) => path.map(({ name }) => name).join('.')
  const operands = graph?.nodes.flatMap((node) =>
    node.kind === 'operand' && node.operand.kind === 'symbol' ? [nameOf(node.operand)] : [],
  )
  const list = statements?.map(({ mnemonic, operand }) =>
    operand?.kind === 'symbol' ? `${mnemonic} ${nameOf(operand)}` : mnemonic,
  )
  const content = list?.join('; ') ?? operands?.sort().join(' ') ?? text ?? ''
  return [language, title['en-US'] ?? '', comment['en-US'] ?? '', content]
}
const shownOf = ({ networks }: ImportedObject) => networks.map(shown)
/** The object, whose own text is read again: an edit is one of the text. */
function checked(object: ImportedObject): ImportedObject {
  const again =
    object.xml === undefined
      ? readSource(object.text!).blocks[0]!.object
      : readSimaticMlText(`<Document><Engineering version="V19" />${object.xml}</Document>`).objects[0]!
  assert.deepEqual(shownOf(again), shownOf(object))
  assert.deepEqual(
    object.networks.map(({ number }) => number),
    object.networks.map((_, index) => index + 1),
  )
  return object
}

interface Kind {
  readonly object: ImportedObject
  /** A network of the number `n`, and what is shown of it. */
  readonly made: (n: number) => readonly [NetworkInput, Shown]
}
const ladder: Kind = {
  object: createObject({ name: 'L', type: 'FC', language: 'LAD' }),
  made: (n) => {
    const texts = { title: `title ${n}`, comment: n % 2 === 0 ? '' : `comment ${n}` }
    if (n % 3 === 0)
      return [{ ...texts, code: `"x${n}" := TRUE;` }, ['SCL', texts.title, texts.comment, `"x${n}" := TRUE;`]]
    if (n % 3 === 1)
      return [{ ...texts, expressions: `"x${n}" := "y";` }, ['LAD', texts.title, texts.comment, `x${n} y`]]
    return [
      { ...texts, language: 'FUP', expressions: `"x${n}" := "z";` },
      ['FBD', texts.title, texts.comment, `x${n} z`],
    ]
  },
}
const list: Kind['made'] = (n) => [
  { title: `title ${n}`, comment: n % 2 === 0 ? '' : `comment ${n}`, language: 'STL', code: `A "x${n}";\n= "y";` },
  ['STL', `title ${n}`, n % 2 === 0 ? '' : `comment ${n}`, `A x${n}; = y`],
]
const sourceOf = (lines: readonly string[], eol: string) => readSource(lines.join(eol)).blocks[0]!.object
const head = ['FUNCTION "S" : Void', "{ S7_Optimized_Access := 'TRUE' }", 'VERSION : 0.1']
const statementsFirst = [...head, 'BEGIN', 'NETWORK', 'TITLE = old', '  A "old";', 'END_FUNCTION', '']
const kinds: Readonly<Record<string, Kind>> = {
  'LAD block': ladder,
  'STL block': { object: createObject({ name: 'T', type: 'FC', language: 'STL' }), made: list },
  'STL source': { object: sourceOf(statementsFirst, '\n'), made: list },
  'STL source of DOS': { object: sourceOf(statementsFirst, '\r\n'), made: list },
}

for (const [kind, { object: start, made }] of Object.entries(kinds))
  test(`${kind}: networks are added, changed, deleted and moved as in a list`, () => {
    const random = randomFrom(7)
    const below = (count: number) => Math.floor(random() * count)
    let object = checked(start)
    const expected: Shown[] = [...shownOf(start)]
    const apply = (edit: NetworkEdit) => {
      object = checked(editNetworks(object, edit))
      assert.deepEqual(shownOf(object), expected, JSON.stringify(edit))
    }
    for (let n = 1; n <= 60; n++) {
      const [input, show] = made(n)
      const [next, showNext] = made(n + 100)
      const count = expected.length
      const number = 1 + below(count)
      const doing = count < 2 ? 0 : below(6)
      if (doing === 0) {
        expected.push(show)
        apply({ kind: 'add', networks: [input] })
      } else if (doing === 1) {
        const position = 1 + below(count + 1)
        expected.splice(position - 1, 0, show, showNext)
        apply({ kind: 'add', position, networks: [input, next] })
      } else if (doing === 2) {
        expected.splice(number - 1, 1)
        apply({ kind: 'delete', number })
      } else if (doing === 3) {
        const position = 1 + below(count)
        expected.splice(position - 1, 0, ...expected.splice(number - 1, 1))
        apply({ kind: 'move', number, position })
      } else if (doing === 4) {
        expected[number - 1] = show
        // A network gets the language of its new content.
        apply({ kind: 'update', networks: [{ language: show[0], ...input, number }] })
      } else {
        const [language, , , content] = expected[number - 1]!
        expected[number - 1] = [language, 'other <title>', `own ${n}`, content]
        apply({ kind: 'update', networks: [{ title: 'other <title>', comment: { 'en-US': `own ${n}` }, number }] })
      }
    }
  })

test('what surrounds the networks of a source stays as it was', () => {
  const { object } = kinds['STL source of DOS']!
  const text = object.text!
  const added = editNetworks(object, { kind: 'add', networks: [{ title: 'new', code: 'A "x";' }], position: 1 })
  assert.equal(
    added.text,
    text.replace('NETWORK\r\nTITLE = old', 'NETWORK\r\nTITLE = new\r\n      A "x";\r\nNETWORK\r\nTITLE = old'),
  )
  assert.equal(editNetworks(added, { kind: 'delete', number: 1 }).text, text)
  const empty = sourceOf([...head, 'BEGIN', 'END_FUNCTION', ''], '\n')
  assert.deepEqual(
    shownOf(editNetworks({ ...empty, language: 'STL' }, { kind: 'add', networks: [{ code: 'A "x";' }] })),
    [['STL', '', '', 'A x']],
  )
})

test('an SCL block has one network: statements are added in regions, replaced, and deleted', () => {
  const object = createObject({ name: 'F', type: 'FC', code: '#a := 1;' })
  const textOf = (edit: NetworkEdit, of = object) => checked(editNetworks(of, edit)).networks.map(({ text }) => text)
  assert.deepEqual(textOf({ kind: 'add', networks: [{ code: '#b := 2;\n\n' }, { title: 'last', code: '#c := 3;' }] }), [
    '#a := 1;\n\n#b := 2;\n\nREGION last\n#c := 3;\nEND_REGION',
  ])
  assert.deepEqual(textOf({ kind: 'add', networks: [{ code: '#b := 2;' }], position: 1 }), ['#b := 2;\n\n#a := 1;'])
  assert.deepEqual(textOf({ kind: 'update', networks: [{ number: 1, code: '#d := 4;' }] }), ['#d := 4;'])
  assert.deepEqual(textOf({ kind: 'update', networks: [{ number: 1, title: '' }] }), ['#a := 1;'])
  assert.deepEqual(textOf({ kind: 'update', networks: [] }), ['#a := 1;'])
  assert.deepEqual(textOf({ kind: 'move', number: 1, position: 1 }), ['#a := 1;'])
  assert.equal(editNetworks(object, { kind: 'delete', number: 1 }).networks[0]?.text ?? '', '')
})

test('a title of the network of an SCL block is that of a region, its comment stands before the statements', () => {
  const object = createObject({ name: 'F', type: 'FC', code: '#a := 1;' })
  const textOf = (edit: NetworkEdit, of = object) => checked(editNetworks(of, edit)).networks[0]?.text
  const update = (fields: NetworkInput, of = object) =>
    textOf({ kind: 'update', networks: [{ ...fields, number: 1 }] }, of)
  const region = 'REGION own\n#a := 1;\nEND_REGION'
  assert.equal(update({ title: 'own' }), region)
  assert.equal(update({ title: { 'en-US': 'own' } }), region)
  assert.equal(update({ title: 'own', code: '#b := 2;' }), 'REGION own\n#b := 2;\nEND_REGION')
  assert.equal(update({ comment: 'why\nso' }), '// why\n// so\n#a := 1;')
  const both = 'REGION own\n// why\n#a := 1;\nEND_REGION'
  assert.equal(update({ title: 'own', comment: 'why' }), both)
  // Creating a block and adding a network give the same; sent again it does not nest.
  const empty = createObject({ name: 'F', type: 'FC', code: '' })
  const network = { title: 'own', comment: 'why', code: '#a := 1;' }
  assert.equal(textOf({ kind: 'add', networks: [network] }, empty), both)
  const titled = editNetworks(object, { kind: 'update', networks: [{ number: 1, title: 'own' }] })
  assert.equal(update({ title: 'own' }, titled), region)
  assert.equal(update({ title: '', comment: '' }, titled), region)
})

test('XML of a network is put in as it was given', () => {
  const flow = (name: string) =>
    `<FlgNet xmlns="http://www.siemens.com/automation/Openness/SW/NetworkSource/FlgNet/v4"><Parts><Access Scope="GlobalVariable" UId="21"><Symbol><Component Name="${name}"/></Symbol></Access><Part Name="Coil" UId="22"/></Parts><Wires><Wire UId="23"><Powerrail/><NameCon UId="22" Name="in"/></Wire><Wire UId="24"><IdentCon UId="21"/><NameCon UId="22" Name="operand"/></Wire></Wires></FlgNet>`
  const { object } = ladder
  const one = checked(editNetworks(object, { kind: 'add', networks: [{ xml: flow('a') }] }))
  const two = checked(
    editNetworks(one, {
      kind: 'update',
      networks: [{ number: 1, xml: `<NetworkSource> ${flow('b')} </NetworkSource>` }],
    }),
  )
  assert.deepEqual([shownOf(one)[0]?.[3], shownOf(two)[0]?.[3]], ['a', 'b'])
  assert.ok(one.xml?.includes(flow('a')) && two.xml?.includes(flow('b')))
  assert.ok(!two.xml?.includes('NetworkSource><NetworkSource') && !two.xml?.includes(flow('a')))
})

test('what a block or network cannot have is refused with its place', () => {
  const two = editNetworks(ladder.object, { kind: 'add', networks: [{}, {}] })
  const one = editNetworks(ladder.object, { kind: 'add', networks: [{}] })
  const list = kinds['STL block']!.object
  const scl = createObject({ name: 'F', type: 'FC' })
  const add = (input: NetworkInput): NetworkEdit => ({ kind: 'add', networks: [{}, input] })
  const cases: readonly (readonly [ImportedObject, NetworkEdit, string])[] = [
    [ladder.object, { kind: 'delete', number: 1 }, '/number: "L" has no network 1; it has no networks'],
    [one, { kind: 'delete', number: 2 }, '/number: "L" has no network 2; it has one network'],
    [two, { kind: 'delete', number: 0 }, '/number: "L" has no network 0; it has networks 1 to 2'],
    [two, { kind: 'move', number: 1, position: 3 }, '/position: "L" has no network 3; it has networks 1 to 2'],
    [two, { kind: 'move', number: 1.5, position: 1 }, '/number: "L" has no network 1.5; it has networks 1 to 2'],
    [two, { kind: 'update', networks: [{ number: 3 }] }, '/number: "L" has no network 3; it has networks 1 to 2'],
    [two, { kind: 'add', networks: [{}], position: 4 }, '/position: 4 is not between 1 and 3'],
    [two, { kind: 'add', networks: [{}], position: 0 }, '/position: 0 is not between 1 and 3'],
    [
      two,
      { kind: 'update', networks: [{ number: 1, language: 'FBD' }] },
      '/networks/0/language: a network gets another language with its content only',
    ],
    [
      two,
      add({ language: 'Pascal' }),
      '/networks/1/language: "Pascal" is no language of networks; allowed: LAD, FBD, SCL, STL',
    ],
    [list, add({ language: 'LAD' }), '/networks/1/language: "T" is written in STL and cannot hold a LAD network'],
    [scl, add({ language: 'KOP' }), '/networks/1/language: "F" is written in SCL and cannot hold a LAD network'],
    [two, add({ code: ';', expressions: '' }), '/networks/1: give one of code and expressions, not both'],
    [
      two,
      add({ language: 'FBD', code: ';' }),
      '/networks/1/code: a FBD network takes expressions, a graph or xml; code is for SCL and STL',
    ],
    [
      two,
      add({ language: 'SCL', expressions: 'x' }),
      '/networks/1/expressions: a SCL network takes code; expressions is for LAD and FBD',
    ],
    [two, add({ language: 'STL', graph: {} }), '/networks/1/graph: a STL network takes code; graph is for LAD and FBD'],
    [createObject({ name: 'D', type: 'DB' }), { kind: 'add', networks: [{}] }, '"D" is a GlobalDB and has no networks'],
    [
      { ...two, language: 'GRAPH' },
      { kind: 'add', networks: [{}] },
      '"L" is written in GRAPH: its one network is its sequence; change it through rawXml',
    ],
    [{ ...two, language: 'F_CALL' }, { kind: 'add', networks: [{}] }, '"L" has no networks: it is written in F_CALL'],
  ]
  for (const [object, edit, message] of cases)
    assert.throws(
      () => editNetworks(object, edit),
      (error) => error instanceof FormatError && error.faults.length === 1 && error.faults[0]!.message === message,
      message,
    )
})

test('faults in the content of a network have its path', () => {
  const placeOf = (input: NetworkInput) => {
    try {
      editNetworks(ladder.object, { kind: 'add', networks: [{}, input] })
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      const [{ code, path, line, column } = { code: '' }] = error.faults
      return [code, path, line, column]
    }
    return undefined
  }
  assert.deepEqual(placeOf({ code: 'a := 1;\n  (* open' }), ['source-syntax', '/networks/1/code', 2, 3])
  assert.deepEqual(placeOf({ language: 'STL', code: 'A "x";\n  A ("x";' }), ['source-syntax', '/networks/1/code', 2, 6])
  assert.deepEqual(placeOf({ expressions: ['"x" := "y";', '"x" := ;'] })?.[1], '/networks/1/expressions/1')
  assert.deepEqual(placeOf({ language: 'LAD', xml: '<StructuredText/>' })?.slice(0, 2), [
    'xml-structure',
    '/networks/1/xml',
  ])
  assert.deepEqual(placeOf({ language: 'SCL', xml: '<FlgNet/>' })?.slice(0, 2), ['xml-structure', '/networks/1/xml'])
  assert.equal(placeOf({ language: 'FBD', xml: '<NetworkSource/>' }), undefined)
})
