/**
 * Pictures of dense networks and sequences as they were looked at (`fixtures/*.svg`): every kind of box, branch and
 * join, what is longer than its place, a network that is too wide for one row. `UPDATE_SNAPSHOTS=1` draws them again;
 * then look.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../test/recorded.ts'
import { readSimaticMlText } from '../formats/simaticml/read.ts'
import { compileExpression } from '../languages/ladder/compile-expression.ts'
import type { Sequence } from '../model/sequence.ts'
import { branchedWays, links } from '../testing/hand-sequence.ts'
import { gates, signs, titles } from '../testing/sign-networks.ts'
import { networkPicture } from './network-svg.ts'
import { sequencePicture } from './sequence-svg.ts'
import { textWidth } from './svg.ts'

const networks: Readonly<Record<string, readonly string[]>> = {
  branches: [
    '#run := (#start OR #run OR (#jog AND NOT #local)) AND NOT #stop AND (#ready OR #forced)',
    'S(#alarm) := #hot OR (#cold AND (#wet OR #dry))',
  ],
  boxes: [
    'IF #a THEN #speed := Move(5); END_IF',
    '#late := #tmr.TON(IN := #a, PT := T#5s).Q',
    '#same := #a AND (#count >{Int} 5) AND ("Data with a long name".limits.upperLimitOfTheSecondTank <={Real} 3.5)',
    '#sum := #x +{Int} #y *{Int} 2',
    '"FB_Motor_DB"."FB_Motor"(enable := #on, speed := 12.5)',
  ],
  // The operand of an output that leads on to a box is above the line.
  outputs: [
    '#late := #tmr.TON(IN := #a, PT := T#5s, Q => #done, ET => #gone).Q',
    '#n := #counter.CTU(CU := NOT #a, R := #b OR #c, PV := 3, Q => #full, CV => #now).Q AND #d',
  ],
  coils: [
    '#q := P_TRIG(#a AND P(#b, #memory), "edge")',
    'R(#x) := #a AND NOT #b',
    'NOT(#n) := #a AND #b',
    'P(#p, "edge2") := #a XOR #c',
    '#r := NOT (#p OR #q)',
  ],
  wide: [`#out := ${Array.from({ length: 16 }, (_, i) => `#contactWithALongName${i}`).join(' AND ')} AND (#x OR #y)`],
}

for (const language of ['LAD', 'FBD'] as const)
  test(`${language}: networks are drawn as they were looked at`, () => {
    for (const [name, expressions] of Object.entries(networks)) {
      const graph = compileExpression(expressions, { language })
      const texts = { title: `Network of ${name}`, comment: `What it is for. ${'It goes on and on. '.repeat(9)}` }
      const svg = networkPicture(graph, { number: 3, language, ...(name === 'coils' ? {} : texts) })
      assertRecorded(import.meta.url, `${name}-${language}.svg`, `${svg}\n`)
    }
  })

/** Texts of a picture that touch one of its lines, or are nearer than a pixel and a half. */
function touching(svg: string): string[] {
  const texts = [
    ...svg.matchAll(
      /<text x="([-\d.]+)" y="([-\d.]+)"(?: text-anchor="(\w+)")?[^>]*>(?:<title>.*?<\/title>)?([^<]+)</g,
    ),
  ].map(([, x, y, anchor, text = '']) => {
    const width = textWidth(text.replace(/&\w+;/g, 'x'))
    const left = Number(x) - (anchor === 'end' ? width : anchor === 'middle' ? width / 2 : 0)
    // Capitals above the base line, descenders below it.
    return { text, left, right: left + width, top: Number(y) - 8.5, bottom: Number(y) + 2.5 }
  })
  const lines = [...svg.matchAll(/<path class="(?:wire|rail)" d="([^"]*)"/g)].flatMap(([, d = '']) => {
    const points = [...d.matchAll(/[ML]([-\d.]+) ([-\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const)
    return points.slice(1).map((to, i) => [points[i] as readonly [number, number], to] as const)
  })
  const gap = 1.5
  return texts
    .filter(({ left, right, top, bottom }) =>
      lines.some(
        ([[x1, y1], [x2, y2]]) =>
          Math.min(x1, x2) - gap < right &&
          Math.max(x1, x2) + gap > left &&
          Math.min(y1, y2) - gap < bottom &&
          Math.max(y1, y2) + gap > top,
      ),
    )
    .map(({ text }) => text)
}

test('no text touches a line', () => {
  for (const language of ['LAD', 'FBD'] as const)
    for (const [name, expressions] of Object.entries(networks))
      assert.deepEqual(
        touching(networkPicture(compileExpression(expressions, { language }), { language })),
        [],
        `${name} ${language}`,
      )
})

test('every sign and title is drawn as it was looked at, with and without a head', () => {
  const drawn = { signs, titles, gates }
  for (const [name, made] of Object.entries(drawn))
    for (const language of ['LAD', 'FBD'] as const) {
      if (name === 'gates' && language === 'LAD') continue
      const network = made().network()
      const box = network.nodes.findLast(({ kind }) => kind !== 'operand')!
      const head = {
        language,
        ...(name === 'titles' ? { comment: ' One\n\n Two ', marks: new Map([[box.uId, 'here']]) } : {}),
      }
      assertRecorded(import.meta.url, `${name}-${language}.svg`, `${networkPicture(network, head)}\n`)
    }
})

/** Alternatives: one with simultaneous ways inside, one that jumps back, one that ends; steps with lines of actions. */
const branched: Sequence = {
  title: {},
  comment: {},
  steps: [1, 2, 3, 4, 5, 6].map((number) => ({
    number,
    name: number === 4 ? 'A step whose name is much longer than its box' : `Step ${number}`,
    isInitial: number === 1,
    comment: {},
    ...(number === 2 ? { maximumTime: 'T#10S', warningTime: 'T#7S' } : {}),
    ...(number === 3 ? { interlock: { language: 'LAD' }, supervision: { language: 'LAD' } } : {}),
    actions: Array.from({ length: [0, 0, 3, 1, 0, 2, 0][number] ?? 0 }, (_, i) => ({
      qualifier: ['N', 'S', 'D'][i] ?? '',
      event: i === 1 ? 'S1' : '',
      needsInterlock: i === 0,
      text: ['#valve', '"Motor".state.isRunning := TRUE AND NOT "Motor".state.isBlocked', '#late, T#2s'][i] ?? '',
      operands: [],
    })),
  })),
  transitions: [1, 2, 3, 4, 5, 6, 7].map((number) => ({
    number,
    name: number === 5 ? 'A transition with a name that is long' : `Trans${number}`,
    language: 'LAD',
    comment: {},
  })),
  ...branchedWays,
}

test('sequences are drawn as they were looked at', () => {
  const [object] = readSimaticMlText(
    fixtureText(import.meta.url, '../../formats/simaticml/fixtures/dense-graph.xml'),
  ).objects
  const dense = object?.networks[0]?.chart?.sequences[0] as Sequence
  assertRecorded(import.meta.url, 'sequence-dense.svg', `${sequencePicture(dense, '')}\n`)
  assertRecorded(import.meta.url, 'sequence-branched.svg', `${sequencePicture(branched, 'Filling of the tank')}\n`)
  // A title that is wider than the sequence widens the picture.
  const small = {
    ...branched,
    steps: branched.steps.slice(0, 2),
    branches: [],
    connections: links('S1->T1 T1->S2 S2->T2 T2->S1'),
  }
  assertRecorded(import.meta.url, 'sequence-circle.svg', `${sequencePicture(small, 'A wide title '.repeat(6))}\n`)
})

/** A sequence of these connections; branches are named by the kinds of their beginnings and ends. */
function sequenceOf(list: string, types: Readonly<Record<number, Sequence['branches'][number]['type']>>): Sequence {
  const numbers = (kind: string) =>
    [...new Set([...list.matchAll(new RegExp(`\\b${kind}(\\d+)`, 'g'))].map(([, number]) => Number(number)))].sort(
      (a, b) => a - b,
    )
  const named = { title: {}, comment: {}, language: 'LAD', actions: [] }
  return {
    ...named,
    steps: numbers('S').map((number) => ({ ...named, number, name: `Step${number}`, isInitial: false })),
    transitions: numbers('T').map((number) => ({ ...named, number, name: `Trans${number}` })),
    branches: Object.entries(types).map(([number, type]) => ({ number: Number(number), type, cardinality: 2 })),
    connections: list === '' ? [] : links(list),
  }
}

/** Sequences whose ways end, jump and meet in all ways, also those that no editor makes. */
const sequences: Readonly<Record<string, Sequence>> = {
  nothing: sequenceOf('', {}),
  'one step': { ...sequenceOf('S4->T1', {}), connections: [] },
  'a step that is not there': sequenceOf('S1->T1 T1->S9', {}),
  'both ways end': sequenceOf('S1->B1 B1.0->T1 B1.1->T2 T1->S2 T2->S3 S2->T3 S3->T4 T3->END T4=>S1', { 1: 'AltBegin' }),
  'a way of the branch is a jump': sequenceOf('S1->B1 B1.0->T1 B1.1=>S1 T1->END', { 1: 'AltBegin' }),
  'a jump to a transition, and one to nothing': sequenceOf('S1->B1 B1.0=>T9 B1.1=>END', { 1: 'SimBegin' }),
  'simultaneous ways in simultaneous ways': sequenceOf(
    'S1->T1 T1->B1 B1.0->S2 B1.1->S3 S2->T2 T2->B2 B2.0->S4 B2.1->S5 S4->B3 S5->B3 B3->T3 T3->S6 S6->B4 S3->B4 B4->T4 T4=>S1',
    { 1: 'SimBegin', 2: 'SimBegin', 3: 'SimEnd', 4: 'SimEnd' },
  ),
  'the inner ways meet where the outer ones do': sequenceOf(
    'S1->B1 B1.0->T1 B1.1->T2 T1->S2 S2->B2 B2.0->T3 B2.1->T4 T3->B3 T4->B3 T2->B3 B3->S3 S3->T5 T5->END',
    { 1: 'AltBegin', 2: 'AltBegin', 3: 'AltEnd' },
  ),
  'a way meets others further down': sequenceOf(
    'S1->B1 B1.0->T1 B1.1->T2 B1.2->T3 T1->B2 T2->B2 T3->B3 B2->S2 S2->T4 T4->B3 B3->S3 S3->T5 T5=>S1',
    { 1: 'AltBegin', 2: 'AltEnd', 3: 'AltEnd' },
  ),
  'a way goes to the end of another join': sequenceOf(
    'S1->B1 B1.0->T1 B1.1->T2 T1->S2 S2->B2 B2.0->T3 B2.1->T4 T3->B3 T4->B4 T2->B4 B3->B4 B4->END',
    { 1: 'AltBegin', 2: 'AltBegin', 3: 'AltEnd', 4: 'AltEnd' },
  ),
  'joins in a circle': sequenceOf('S1->B1 B1.0->T1 B1.1->T2 T1->B2 T2->B3 B2->B3 B3->B2', {
    1: 'AltBegin',
    2: 'AltEnd',
    3: 'AltEnd',
  }),
  'a join that leads to itself': sequenceOf('S1->B1 B1.0->T1 B1.1->T2 T1->B2 T2->B3 B3->B3', {
    1: 'AltBegin',
    2: 'AltEnd',
    3: 'AltEnd',
  }),
  'a branch without ways': sequenceOf('S1->B1', { 1: 'AltBegin' }),
  'a branch that is not there': sequenceOf('S1->B7 B7->T1', {}),
}

/** What is drawn where: texts, lines and circles. */
function shapesOf(svg: string): string {
  const head = /width="(\d+)" height="(\d+)"/.exec(svg)
  const shapes = [
    ...svg.matchAll(
      /<(?:text x="([-\d.]+)" y="([-\d.]+)"[^>]*>([^<]*)|path class="(\w+)" d="([^"]*)"|circle [^>]*cx="([-\d.]+)" cy="([-\d.]+)")/g,
    ),
  ]
  const told = shapes.map(([, x, y, text, kind, d, cx, cy]) =>
    text !== undefined ? `${text} ${x},${y}` : d === undefined ? `o ${cx},${cy}` : kind === 'rail' ? `= ${d}` : d,
  )
  return `${head?.[1]} x ${head?.[2]}: ${told.join(' | ')}`
}

test('sequences that end, jump and meet in all ways have each part in its place', () => {
  const told = Object.entries(sequences).map(([name, one]) => `${name}\n  ${shapesOf(sequencePicture(one, ''))}`)
  assertRecorded(import.meta.url, 'sequences.txt', `${told.join('\n')}\n`)
})
