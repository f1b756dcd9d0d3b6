/** Networks with every sign of LAD and FBD, and with rare forms of connections, for pictures and for formats. */
import { cardinality, NetworkBuilder, pinEnd, typeTemplate } from '../languages/ladder/build.ts'
import type { LogicNetwork } from '../model/logic-network.ts'
import type { Operand } from '../model/operand.ts'
import { parseOperand } from '../model/operand-reader.ts'

const operand = (text: string) => parseOperand(text) as Operand

/** Every sign that is written into or above a symbol; pins that are negated, open, or have an edge memory. */
export function signs(): NetworkBuilder {
  const g = new NetworkBuilder().label('start').label('a second label')
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
export function titles(): NetworkBuilder {
  const g = new NetworkBuilder()
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
export function gates(): NetworkBuilder {
  const g = new NetworkBuilder()
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

const flow = (g: NetworkBuilder, ...boxes: readonly number[]) => {
  for (const [i, uId] of boxes.entries()) if (i > 0) g.connect(pinEnd(boxes[i - 1]!, 'out'), pinEnd(uId, 'in'))
}
const contact = (g: NetworkBuilder, name: string) => {
  const uId = g.instruction('Contact')
  g.input(uId, 'operand', operand(`#${name}`))
  return uId
}
const coil = (g: NetworkBuilder, name: string) => {
  const uId = g.instruction('Coil')
  g.input(uId, 'operand', operand(`#${name}`))
  return uId
}
const join = (g: NetworkBuilder, count: number, ...from: readonly number[]) => {
  const uId = g.instruction('O', { templates: [cardinality(count)] })
  for (const [i, one] of from.entries()) g.connect(pinEnd(one, 'out'), pinEnd(uId, `in${i + 1}`))
  return uId
}

/** Connections that are rare, or that no editor makes, by their names. */
export function oddNetworks(): Readonly<Record<string, LogicNetwork>> {
  const made = (build: (g: NetworkBuilder) => void) => {
    const g = new NetworkBuilder()
    build(g)
    return g.network()
  }
  return {
    nothing: made(() => {}),
    'labels alone': made((g) => g.label('here').label('and there').label('')),
    'branches that meet': made((g) => {
      const ways = ['a', 'b', 'c'].map((name) => contact(g, name))
      for (const way of ways) g.powerrail(way, 'in')
      flow(g, join(g, 3, ...ways), contact(g, 'd'), coil(g, 'q'))
    }),
    'a branch inside of a branch': made((g) => {
      const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => contact(g, name)) as [number, number, number, number]
      g.powerrail(a, 'in').powerrail(d, 'in')
      flow(g, a, b)
      flow(g, a, c)
      const inner = join(g, 2, b, c)
      flow(g, join(g, 2, inner, d), coil(g, 'q'))
    }),
    'a branch to several coils': made((g) => {
      const a = contact(g, 'a')
      g.powerrail(a, 'in')
      for (const name of ['p', 'q', 'r']) flow(g, a, contact(g, `${name}0`), coil(g, name))
    }),
    'coils behind each other': made((g) => {
      const a = contact(g, 'a')
      g.powerrail(a, 'in')
      flow(g, a, coil(g, 'p'), coil(g, 'q'))
    }),
    'an operand at two boxes': made((g) => {
      const shared = g.operand(operand('#shared'))
      const [a, b] = [g.instruction('Contact'), g.instruction('Contact')]
      for (const uId of [a, b]) g.connect({ kind: 'operand', uId: shared }, pinEnd(uId, 'operand'))
      g.powerrail(a, 'in')
      flow(g, a, b, coil(g, 'q'))
    }),
    'an output to two operands': made((g) => {
      const uId = g.instruction('Add', { templates: [cardinality(2), typeTemplate('SrcType', 'Int')] })
      g.powerrail(uId, 'en')
      for (const pin of ['in1', 'in2']) g.input(uId, pin, operand('5'))
      for (const name of ['#x', '#y']) g.output(uId, 'out', operand(name))
    }),
    'an output to another box': made((g) => {
      const [one, two] = ['Add', 'Mul'].map((name) =>
        g.instruction(name, { templates: [cardinality(2), typeTemplate('SrcType', 'Int')] }),
      ) as [number, number]
      g.powerrail(one, 'en')
        .connect(pinEnd(one, 'eno'), pinEnd(two, 'en'))
        .connect(pinEnd(one, 'out'), pinEnd(two, 'in2'))
      g.input(one, 'in1', operand('#x'))
      g.input(two, 'in1', operand('"Data".y'))
      g.output(two, 'out', operand('#z'))
    }),
    'outputs of a timer': made((g) => {
      const timer = g.instruction('TON', {
        version: '1.0',
        instance: { scope: 'LocalVariable', path: [{ name: 'timer' }] },
        templates: [typeTemplate('time_type', 'Time')],
      })
      const a = contact(g, 'a')
      g.powerrail(a, 'in').connect(pinEnd(a, 'out'), pinEnd(timer, 'IN'))
      g.input(timer, 'PT', operand('T#5s'))
      g.output(timer, 'ET', operand('#elapsed'))
      g.connect(pinEnd(timer, 'Q'), pinEnd(coil(g, 'q'), 'in'))
    }),
    'an instance elsewhere': made((g) => {
      const timer = g.instruction('TON', { instance: { scope: 'Undef', path: [{ name: 'timer' }] } })
      g.powerrail(timer, 'IN')
    }),
    'a call with parameters': made((g) => {
      const called = g.call('Fill', 'FB', {
        instance: { scope: 'GlobalVariable', path: [{ name: 'Fill_DB' }] },
        parameters: [
          { name: 'in', section: 'Input', type: 'Bool' },
          { name: 'a b', section: 'InOut', type: 'Int' },
          { name: 'done', section: 'Output', type: 'Bool' },
        ],
        negated: ['in'],
        comment: { 'en-US': 'why' },
      })
      g.powerrail(called, 'en').powerrail(called, 'in')
      g.input(called, 'a b', operand('"Data".list[#i].x'))
      const q = coil(g, 'q')
      g.connect(pinEnd(called, 'done'), pinEnd(q, 'in'))
    }),
    'pins that are open': made((g) => {
      const uId = g.instruction('Add', { templates: [cardinality(3), typeTemplate('SrcType', 'Int')] })
      g.powerrail(uId, 'en').input(uId, 'in2', operand('1'))
      g.open(uId, 'in1', 'input').open(uId, 'out', 'output')
    }),
    'branches that lead to nothing': made((g) => {
      const a = contact(g, 'a')
      g.powerrail(a, 'in').connect({ kind: 'powerrail' }, { kind: 'openbranch' })
      g.connect(pinEnd(a, 'out'), pinEnd(coil(g, 'q'), 'in'), { kind: 'openbranch' })
    }),
    'a branch that begins nowhere': made((g) => {
      g.connect({ kind: 'openbranch' }, pinEnd(coil(g, 'q'), 'in'))
    }),
    'an open branch behind no rung': made((g) => {
      const uId = g.operand(operand('#a'))
      g.connect({ kind: 'operand', uId }, { kind: 'openbranch' })
      flow(g, contact(g, 'b'), coil(g, 'q'))
    }),
    'a circle': made(circle),
    'a join without all its inputs': made((g) => {
      const a = contact(g, 'a')
      g.powerrail(a, 'in')
      flow(g, join(g, 2, a), coil(g, 'q'))
    }),
    'a join that leads to nothing': made((g) => {
      const ways = ['a', 'b'].map((name) => contact(g, name))
      for (const way of ways) g.powerrail(way, 'in')
      join(g, 2, ...ways)
    }),
    'a negated join': made((g) => {
      const ways = ['a', 'b'].map((name) => contact(g, name))
      for (const way of ways) g.powerrail(way, 'in')
      const uId = join(g, 2, ...ways)
      g.negate(uId, 'in2')
      flow(g, uId, coil(g, 'q'))
    }),
    'an operand as the flow': made((g) => {
      const q = coil(g, 'q')
      g.input(q, 'in', operand('#a'))
    }),
    'ENO where it is not made': made((g) => {
      const move = g.instruction('Move', { disabledEno: true, templates: [cardinality(2)] })
      g.powerrail(move, 'en').input(move, 'in', operand('5'))
      for (const pin of ['out1', 'out2']) g.output(move, pin, operand(`#${pin}`))
    }),
    'an expression with quotes': made((g) => {
      const calc = g.instruction('Calc', {
        equation: 'in1 + "x" $',
        templates: [cardinality(2), typeTemplate('SrcType', 'LReal')],
      })
      g.powerrail(calc, 'en').output(calc, 'out', operand('#x'))
      for (const pin of ['in1', 'in2']) g.input(calc, pin, operand('2.5'))
    }),
    jumps: made((g) => {
      const a = contact(g, 'a')
      g.powerrail(a, 'in').label('done')
      const jump = g.instruction('JumpNot')
      g.connect({ kind: 'operand', uId: g.operand({ kind: 'label', name: 'done' }) }, pinEnd(jump, 'label'))
      flow(g, a, jump)
    }),
    'operands of STL': made((g) => {
      const uId = g.instruction('Contact')
      g.powerrail(uId, 'in').connect(
        { kind: 'operand', uId: g.operand({ kind: 'status', name: 'BR' } as never) },
        pinEnd(uId, 'operand'),
      )
    }),
  }
}

function circle(g: NetworkBuilder): void {
  const [a, b] = [contact(g, 'a'), contact(g, 'b')]
  flow(g, a, b, a)
}
