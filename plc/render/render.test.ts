import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { SaxesParser } from 'saxes'
import { escapeText } from '../../lib/xml-text.ts'
import { programFolders, publicDir } from '../../test/corpus.ts'
import { objectsIn } from '../../test/corpus-objects.ts'
import { generateObject } from '../generate/object-of.ts'
import type { LogicNetwork } from '../model/logic-network.ts'
import { operandText } from '../model/operand-text.ts'
import type { Sequence } from '../model/sequence.ts'
import { branchedWays, links } from '../testing/hand-sequence.ts'
import { graphOf } from './network-graph.ts'
import { layoutOf } from './network-layout.ts'
import { type NetworkHead, networkPicture } from './network-svg.ts'
import { sequencePicture } from './sequence-svg.ts'
import { lineHeight, textWidth } from './svg.ts'

/** All elements of a picture, which must be well-formed XML. */
function elementsOf(svg: string): { name: string; attributes: Record<string, string> }[] {
  const elements: { name: string; attributes: Record<string, string> }[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => assert.fail(error))
  parser.on('opentag', ({ name, attributes }) =>
    elements.push({ name, attributes: attributes as Record<string, string> }),
  )
  parser.write(svg).close()
  return elements
}

test('networks of the corpus: each box is drawn once, each operand is there, boxes do not overlap', async () => {
  let networks = 0
  let folded = 0
  const crossed: string[] = []
  for (const folder of programFolders)
    for (const { object, file } of await objectsIn(join(publicDir, folder)))
      for (const { graph, language, number } of object.networks) {
        if (graph === undefined) continue
        networks++
        const where = `${file} network ${number}`
        const svg = networkPicture(graph, { number, language, title: 'a <b> & "c"' })
        const drawn = elementsOf(svg).flatMap(({ attributes }) => attributes['data-uid'] ?? [])
        const boxes = graph.nodes.filter(({ kind }) => kind !== 'operand')
        assert.deepEqual(drawn.map(Number).sort(byNumber), boxes.map(({ uId }) => uId).sort(byNumber), where)
        for (const operand of wiredOperands(graph)) assert.ok(svg.includes(escapeText(operand)), `${where}: ${operand}`)
        noneOverlap(graph, language, where)
        crossed.push(...crossings(svg).map((one) => `${where}: ${one}`))
        if (isFolded(svg, graph, language, where)) folded++
      }
  assert.deepEqual(crossed, [])
  assert.ok(folded > 30, `only ${folded} networks are too wide for one row`)
  assert.ok(networks > 300, `only ${networks} networks`)
})

test('FBD: lines to several inputs turn beside each other, and beside the operands of the other inputs', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'q']
  const spec = {
    ...{ kind: 'FB', name: 'Gates', number: 1, language: 'FBD' },
    interface: [
      { section: 'Input', members: names.map((name) => ({ name, dataType: 'Bool' })) },
      { section: 'Static', members: ['n', 'm'].map((name) => ({ name, dataType: 'Int' })) },
    ],
    networks: [
      '#q := (#a AND #b AND NOT #c) OR (#d AND #e) OR #f',
      '#q := (#a OR #b) AND (#c OR #d OR #e) AND NOT (#f AND #g)',
      'IF #a AND #n > 3 THEN #m := #n + #m; END_IF',
      '#q := ((#a AND #b) OR (#c AND #d)) AND ((#e AND #f) OR (#g AND #a)) AND (#b OR (#c AND (#d OR #e)))',
      '#q := #n > 5 AND #m <= 100 AND #n < #m',
    ].map((expressions) => ({ expressions })),
  }
  const { object } = generateObject(spec as never, { version: 'V18' as never })
  assert.equal(object.networks.length, 5)
  for (const { graph, number } of object.networks) {
    noneOverlap(graph!, 'FBD', `network ${number}`)
    assert.deepEqual(crossings(networkPicture(graph!, { language: 'FBD' })), [], `network ${number}`)
  }
})

const bits = ['a', 'b', 'c', 'run', 'ready', 'mem', 'q', 'y', 'z']

/** The network of statements, drawn. */
function drawn(language: 'LAD' | 'FBD', expressions: string, head: Partial<NetworkHead> = {}): string {
  const spec = {
    ...{ kind: 'FB', name: 'Invented', number: 1, language },
    interface: [
      {
        section: 'Static',
        members: [
          ...bits.map((name) => ({ name, dataType: 'Bool' })),
          { name: 'tmr', dataType: 'TON_TIME' },
          ...['n', 'r'].map((name) => ({ name, dataType: name === 'n' ? 'Int' : 'Real' })),
        ],
      },
    ],
    networks: [{ expressions }],
  }
  const { object } = generateObject(spec as never, { version: 'V18' as never })
  return networkPicture(object.networks[0]!.graph!, { language, ...head })
}

/** The texts of a picture in their places, from the top and the left. */
function textsOf(svg: string): { text: string; x: number; y: number }[] {
  return [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*>(?:<title>[^<]*<\/title>)?([^<]+)/g)].map(
    ([, x, y, text = '']) => ({ text, x: Number(x), y: Number(y) }),
  )
}

test('FBD writes what TIA Portal writes into boxes: negated assignments, edges, jumps with the label above', () => {
  const texts = (expressions: string) => textsOf(drawn('FBD', expressions)).map(({ text }) => text)
  assert.deepEqual(texts('NOT(#q) := #a AND #b;').sort(), ['#a', '#b', '#q', '&amp;', '/='])
  assert.deepEqual(texts('#q := P(#a, #mem) AND #b;').sort(), ['#a', '#b', '#mem', '#q', '&amp;', '=', 'P'])
  assert.deepEqual(texts('P(#q, #mem) := #a;').sort(), ['#a', '#mem', '#q', 'P='])
  assert.deepEqual(
    texts('#q := P_TRIG(#a OR #b, #mem);')
      .filter((one) => /^(CLK|Q|P_TRIG)$/.test(one))
      .sort(),
    [...['CLK', 'P_TRIG', 'Q']],
  )
  for (const language of ['LAD', 'FBD'] as const) {
    const [jump, label] = ['JMP', 'done'].map((wanted) =>
      textsOf(drawn(language, 'done:\nJMP(done) := #a;')).findLast(({ text }) => text === wanted),
    )
    assert.equal(label?.x, jump?.x, language)
    assert.ok(label!.y < jump!.y, language)
  }
})

test('long titles and comments are broken between words', () => {
  const words = Array.from({ length: 60 }, (_, i) => `word${i}`)
  const svg = drawn('LAD', '#q := #a;', { number: 1, title: words.join(' '), comment: `${words.join(' ')}\n  - one` })
  const [picture] = elementsOf(svg)
  assert.ok(Number(picture?.attributes.width) <= 1000, picture?.attributes.width)
  const lines = textsOf(svg).map(({ text }) => text)
  assert.deepEqual(lines.join(' ').match(/word\d+/g), [...words, ...words])
  assert.ok(lines.includes('  - one'), 'what fits stays as it is')
  assert.ok(textsOf(svg).find(({ text }) => text === '#a')!.y > lines.length * 10)
})

test('LAD: a box is below the line that joins the rung above it', () => {
  const svg = drawn('LAD', '#run := (#a OR #run) AND NOT #b;\n#ready := #tmr.TON(IN := #run, PT := T#2s).Q AND #c;')
  const instance = textsOf(svg).find(({ text }) => text === '#tmr')
  const ends = [...svg.matchAll(/<path class="wire" d="([^"]*)"/g)].flatMap(([, d = '']) => {
    const points = [...d.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const)
    return points.length === 4 ? [points[1]!] : []
  })
  assert.equal(ends.length, 1)
  assert.ok(instance!.y - lineHeight > ends[0]![1], `${instance!.y} is not below ${ends[0]![1]}`)
})

/** A network that is too wide has rows: no box is outside, and each line that goes on has its number at both ends. */
function isFolded(svg: string, graph: LogicNetwork, language: string, where: string): boolean {
  const { width } = layoutOf(graphOf(graph), language, 0)
  const numbers = [...svg.matchAll(/<text [^>]*class="type">(\d+)<\/text>/g)].map(([, number]) => Number(number))
  const marks = svg.match(/<path class="symbol" d="[^"]*Z"\/>/g)?.length ?? 0
  if (width <= 1000) {
    assert.equal(marks, 0, where)
    return false
  }
  assert.ok(marks > 0 && marks % 2 === 0, where)
  for (let number = 1; number <= marks / 2; number++)
    assert.ok(numbers.filter((one) => one === number).length >= 2, `${where}: line ${number} is not at both ends`)
  const [picture, ...shapes] = elementsOf(svg)
  const right = Number(picture?.attributes.width)
  assert.ok(right < width, `${where}: ${right} is not less than ${width}`)
  for (const { name, attributes } of shapes)
    if (name === 'rect') assert.ok(Number(attributes.x) + Number(attributes.width) <= right, where)
  return true
}

/** What a reader takes for another circuit: lines through texts, lines of two outputs that lie on each other. */
function crossings(svg: string): string[] {
  const lines = [...svg.matchAll(/<path class="wire" d="([^"]*)"(?: data-flow="([^"]*)")?\/>/g)].flatMap(
    ([, d = '', flow]) => {
      const points = [...d.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const)
      return flow === undefined
        ? []
        : points
            .slice(1)
            .map((to, i) => ({ flow, from: points[i]!, to, isJoined: (points[i + 2]?.[0] ?? to[0]) < to[0] }))
    },
  )
  const found: string[] = []
  const upright = lines.filter(({ from, to }) => from[0] === to[0] && from[1] !== to[1])
  const ends = ({ from, to }: (typeof lines)[number]) => [Math.min(from[1], to[1]), Math.max(from[1], to[1])] as const
  for (const [, x = '', y = '', more = '', text = ''] of svg.matchAll(
    /<text x="([\d.]+)" y="([\d.]+)"([^>]*)>(?:<title>[^<]*<\/title>)?([^<]*)/g,
  )) {
    const width = textWidth(text.replace(/&\w+;/g, '_'))
    const left = Number(x) - (more.includes('middle') ? width / 2 : more.includes('end') ? width : 0)
    for (const line of upright) {
      const [top, bottom] = ends(line)
      const isThrough =
        line.from[0] > left + 2 && line.from[0] < left + width - 2 && top < Number(y) - 4 && bottom > Number(y) - 4
      if (isThrough) found.push(`the line of ${line.flow} goes through "${text}"`)
    }
  }
  for (const [i, one] of upright.entries())
    for (const other of upright.slice(i + 1)) {
      if (one.flow === other.flow || one.from[0] !== other.from[0] || (one.isJoined && other.isJoined)) continue
      const [[top, bottom], [above, below]] = [ends(one), ends(other)]
      if (Math.max(top, above) < Math.min(bottom, below))
        found.push(`the lines of ${one.flow} and ${other.flow} lie on each other`)
    }
  return found
}

const byNumber = (a: number, b: number) => a - b

function wiredOperands({ nodes, wires }: LogicNetwork): string[] {
  const wired = new Set(
    wires.flatMap(({ ends }) =>
      ends.length > 1 ? ends.flatMap((end) => (end.kind === 'operand' ? end.uId : [])) : [],
    ),
  )
  return nodes.flatMap((node) => (node.kind === 'operand' && wired.has(node.uId) ? operandText(node.operand) : []))
}

function noneOverlap(graph: LogicNetwork, language: string, where: string): void {
  const placed = [...layoutOf(graphOf(graph), language, 0).boxes.values()].filter(({ shape }) => shape.kind !== 'join')
  for (const column of new Set(placed.map((one) => one.column))) {
    const boxes = placed.filter((one) => one.column === column)
    const sorted = boxes.sort((a, b) => a.y - a.shape.up - (b.y - b.shape.up))
    for (const [i, one] of sorted.entries()) {
      const next = sorted[i + 1]
      if (next === undefined || one.x + one.shape.symbol <= next.x || next.x + next.shape.symbol <= one.x) continue
      assert.ok(
        one.y + one.shape.down <= next.y - next.shape.up,
        `${where}: ${one.box.node.uId} and ${next.box.node.uId}`,
      )
    }
  }
}

const text = { 'en-US': '' }
const step = (number: number, isInitial = false) => ({
  number,
  name: `Step ${number}`,
  isInitial,
  comment: text,
  actions: number === 2 ? [{ qualifier: 'N', event: '', needsInterlock: true, text: '#valve', operands: [] }] : [],
})
const transition = (number: number) => ({ number, name: `Trans${number}`, language: 'LAD', comment: text })
/** Alternatives of which one holds simultaneous branches, another jumps back, and the last one ends. */
const branched: Sequence = {
  title: text,
  comment: text,
  steps: [step(1, true), step(2), step(3), step(4), step(5), step(6)],
  transitions: [1, 2, 3, 4, 5, 6, 7].map(transition),
  ...branchedWays,
}

/** The values of an attribute in a picture. */
const drawnIn = (svg: string, name: string) => elementsOf(svg).flatMap(({ attributes }) => attributes[name] ?? [])

test('a sequence with branches: every step and transition once, in its order', () => {
  const svg = sequencePicture(branched, 'Filling')
  assert.deepEqual(drawnIn(svg, 'data-step').sort(), ['1', '2', '3', '4', '5', '6'])
  assert.deepEqual(drawnIn(svg, 'data-transition').sort(), ['1', '2', '3', '4', '5', '6', '7'])
  assert.match(svg, />S1 Step 1<\/text>/, 'the jump names its target')
  assert.match(svg, />NC #valve</)
  assert.equal(sequencePicture({ ...branched, steps: [], connections: [] }, '').includes('data-step'), false)
})

test('a sequence whose last transition leads back to its first step ends in a jump', () => {
  const circle = { ...branched, branches: [], connections: links('S1->T1 T1->S2 S2->T2 T2->S1') }
  assert.match(sequencePicture(circle, ''), />S1 Step 1<\/text>/)
})

test('ways of one branch that end at different joins each lead where they lead', () => {
  const crossed: Sequence = {
    ...branched,
    steps: [1, 2, 3, 4].map((number) => step(number, number === 1)),
    branches: [
      { number: 1, type: 'AltBegin', cardinality: 3 },
      { number: 2, type: 'AltBegin', cardinality: 2 },
      { number: 3, type: 'AltEnd', cardinality: 2 },
      { number: 4, type: 'AltEnd', cardinality: 2 },
    ],
    // T1 and T5 lead to step 3, T2 and T4 to step 4.
    connections: links(
      'S1->B1 B1.0->T1 B1.1->T2 B1.2->T3 T1->B3 T2->B4 T3->S2 S2->B2 B2.0->T4 B2.1->T5 T4->B4 T5->B3 B3->S3 B4->S4 S3->T6 T6=>S1 S4->T7 T7=>S1',
    ),
  }
  const svg = sequencePicture(crossed, '')
  assert.deepEqual(drawnIn(svg, 'data-step').sort(), ['1', '2', '3', '4'])
  const jumps = textsOf(svg).filter(({ text }) => /^S\d Step/.test(text))
  const below = (transition: string) => {
    const { x, y } = textsOf(svg).find(({ text }) => text === transition)!
    return jumps.find((one) => Math.abs(one.x + 8 - x) < 1 && one.y > y && one.y < y + 60)?.text
  }
  assert.equal(below('T5'), 'S3 Step 3')
  assert.equal(below('T4'), undefined)
  assert.deepEqual(jumps.map(({ text }) => text).sort(), ['S1 Step 1', 'S1 Step 1', 'S3 Step 3', 'S4 Step 4'])
})
