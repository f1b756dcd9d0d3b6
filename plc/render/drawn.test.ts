/**
 * Pictures of dense networks and sequences as they were looked at (`fixtures/*.svg`): every kind of box, branch and
 * join, what is longer than its place, a network that is too wide for one row. `UPDATE_SNAPSHOTS=1` draws them again;
 * then look.
 */
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../test/recorded.ts'
import { readSimaticMlText } from '../formats/simaticml/read.ts'
import { cardinality, NetworkBuilder, typeTemplate } from '../languages/ladder/build.ts'
import { compileExpression } from '../languages/ladder/compile-expression.ts'
import type { Operand } from '../model/operand.ts'
import { parseOperand } from '../model/operand-reader.ts'
import type { Sequence } from '../model/sequence.ts'
import { branchedWays, links } from '../testing/hand-sequence.ts'
import { networkPicture } from './network-svg.ts'
import { sequencePicture } from './sequence-svg.ts'

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

/** Every sign that is written into or above a symbol; pins that are negated, open, or have an edge memory. */
function signs(): NetworkBuilder {
  const g = new NetworkBuilder().label('start').label('a second label')
  const operand = (text: string) => parseOperand(text) as Operand
  const contacts = ['Contact', 'PContact', 'NContact', 'Eq', 'Ne', 'Lt', 'Le', 'Gt', 'Ge']
  const coils = [
    'Coil',
    'Coil',
    'SCoil',
    'RCoil',
    'PCoil',
    'NCoil',
    'SpCoil',
    'SeCoil',
    'SdCoil',
    'SsCoil',
    'SfCoil',
    'CoilTP',
  ]
  const timers = ['CoilTON', 'CoilTOF', 'CoilTONR', 'PresetIECTimerCoil', 'ResetIECTimerCoil', 'FcCoil']
  const ends = ['Return', 'ReturnTrue', 'ReturnFalse', 'Jump', 'JumpNot', 'TrCoil']
  const rungs = [...coils, ...timers, ...ends]
  for (const [i, coil] of rungs.entries()) {
    const contact = g.instruction(contacts[i % contacts.length]!, i === 9 ? { negated: ['operand'] } : {})
    const isComparison = i % contacts.length > 2
    g.powerrail(contact, isComparison || i % contacts.length > 0 ? 'pre' : 'in')
    for (const pin of isComparison ? ['in1', 'in2'] : ['operand']) g.input(contact, pin, operand(`#${pin}${i}`))
    if (!isComparison && i % contacts.length > 0) g.input(contact, 'bit', operand(`#edge${i}`))
    const end = g.instruction(coil, i === 0 ? { negated: ['operand'] } : {})
    g.connect({ kind: 'pin', uId: contact, pin: 'out' }, { kind: 'pin', uId: end, pin: 'in' })
    if (!ends.includes(coil)) g.input(end, 'operand', operand(`"Data".${coil}`))
    if (/^[PN]Coil$/.test(coil)) g.input(end, 'bit', operand('#edge'))
    if (/^(S.Coil|CoilT|Preset)/.test(coil)) g.input(end, 'value', operand('T#5s'))
  }
  return g
}

/** Boxes with each title, types, equations and instances; pins that are negated, open or wired to each other. */
function titles(): NetworkBuilder {
  const g = new NetworkBuilder()
  const operand = (text: string) => parseOperand(text) as Operand
  const values = [
    'Move',
    'Add',
    'Sub',
    'Mul',
    'Div',
    'Mod',
    'Not',
    'Normalize',
    'Scale_X',
    'InRange',
    'OutRange',
    'S_Move',
  ]
  const more = [
    'Inc',
    'Dec',
    'And',
    'Or',
    'Xor',
    'Abs',
    'Neg',
    'Round',
    'Trunc',
    'Swap',
    'Shl',
    'Shr',
    'Rol',
    'Ror',
    'Sqrt',
  ]
  for (const [i, name] of [...values, ...more].entries()) {
    const uId = g.instruction(name, i % 4 === 0 ? { templates: [typeTemplate('SrcType', 'Int')] } : {})
    g.powerrail(uId, 'en')
    g.input(uId, i % 2 === 0 ? 'in' : 'in1', operand(`#${name}`))
    if (i % 5 === 0) g.open(uId, 'in2', 'input')
    if (i % 6 === 1) g.open(uId, 'eno', 'output')
    g.output(uId, 'out', operand(`#r${i}`))
  }
  const [from, to] = [typeTemplate('SrcType', 'Int'), typeTemplate('DestType', 'Real')]
  const convert = g.instruction('Convert', { templates: [from, to], negated: ['en'], disabledEno: true })
  g.powerrail(convert, 'en')
  const calc = g.instruction('Calc', {
    equation: '(in1 + in2) / 2',
    templates: [cardinality(2), typeTemplate('SrcType', 'LReal')],
  })
  for (const pin of ['in1', 'in2']) g.input(calc, pin, operand(`"Data".values[${pin === 'in1' ? 1 : 2}]`))
  g.connect({ kind: 'pin', uId: convert, pin: 'eno' }, { kind: 'pin', uId: calc, pin: 'en' })
  const called = g.call('Fill', 'FC', { blockNumber: 12, negated: ['isFull'] })
  g.input(called, 'isFull', operand('#full'))
  g.connect({ kind: 'pin', uId: calc, pin: 'eno' }, { kind: 'pin', uId: called, pin: 'en' })
  g.output(called, 'amountOfTheWholeDay', operand('"Statistics of the plant".days[3].amountOfTheSecondTank.inLitres'))
  for (const [name, pin] of [
    ['Sp', 's'],
    ['Sr', 's'],
    ['Rs', 'r'],
    ['PBox', 'in'],
    ['NBox', 'in'],
  ] as const) {
    const uId = g.instruction(name)
    g.input(uId, pin, operand('#set'))
    if (name.endsWith('Box')) g.input(uId, 'bit', operand('"a long name".ofAnEdgeMemory'))
    else g.input(uId, name === 'Sp' ? 'timer' : 'operand', operand('#state'))
    const negated = name === 'Sr' ? { negated: ['in'] } : {}
    const end = g.instruction('Coil', negated)
    g.connect({ kind: 'pin', uId, pin: name.endsWith('Box') ? 'out' : 'q' }, { kind: 'pin', uId: end, pin: 'in' })
    g.input(end, 'operand', operand(`#${name}`))
  }
  const timer = g.instruction('TON', {
    instance: { scope: 'GlobalVariable', path: [{ name: 'Timers of the plant' }, { name: 'startOfTheSecondPump' }] },
    templates: [typeTemplate('time_type', 'Time')],
  })
  g.powerrail(timer, 'IN').open(timer, 'ET', 'output').input(timer, 'PT', operand('T#5s'))
  return g
}

/** Operations of FBD that are fed from above and below, and whose output goes to several. */
function gates(): NetworkBuilder {
  const g = new NetworkBuilder()
  const operand = (text: string) => parseOperand(text) as Operand
  const gate = (name: string, count: number, negated: readonly string[] = []) =>
    g.instruction(name, { templates: [cardinality(count)], negated })
  const out = (uId: number) => ({ kind: 'pin', uId, pin: 'out' }) as const
  const pin = (uId: number, name: string) => ({ kind: 'pin', uId, pin: name }) as const
  const [first, second, third] = [gate('A', 2), gate('O', 3, ['in2']), gate('X', 2)] as [number, number, number]
  for (const [uId, count] of [
    [first, 2],
    [second, 3],
    [third, 2],
  ] as const)
    for (let i = 1; i <= count; i++) g.input(uId, `in${i}`, operand(`#v${uId}${i}`))
  const all = gate('A', 4, ['in4', 'out'])
  g.connect(out(first), pin(all, 'in3'))
  g.input(all, 'in2', operand('#beside'))
  g.connect(out(second), pin(all, 'in1'))
  g.connect(out(third), pin(all, 'in4'))
  const [one, two, jump] = [g.instruction('Coil'), g.instruction('RCoil'), g.instruction('Jump')]
  g.connect(out(all), pin(one, 'in'), pin(two, 'in'), pin(jump, 'in'))
  for (const uId of [one, two]) g.input(uId, 'operand', operand(`#q${uId}`))
  return g
}

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
