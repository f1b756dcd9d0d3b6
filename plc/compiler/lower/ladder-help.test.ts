/**
 * What the pages of the TIA Portal help V19 "LAD (S7-1200, S7-1500)" say of edges, flip-flops, bit fields, jumps,
 * selection, shifts, ranges, fields and errors; each case names its page. Values are those of the pages.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Bool, Int, Real, Word } from '../../program/scalars.ts'
import {
  type InstructionSpec,
  instructionNetwork,
  networkDiagnostics,
  runNetworks,
} from '../../testing/lower-ladder.ts'
import { array, structure, systemTypes } from '../../testing/runtime.ts'

const error = structure(
  {
    ...{ ERROR_ID: Word, FLAGS: Word, REACTION: Word },
    ...{ CODE_ADDRESS: structure({ BLOCK_TYPE: Word, CB_NUMBER: Word }), DATA_ADDRESS: structure({ AREA: Word }) },
  },
  'ErrorStruct',
  true,
)
const members = {
  ...{ a: 'Bool', b: 'Bool', c: 'Bool', q: 'Bool', r: 'Bool', m: 'Bool' },
  ...{ x: 'Int', y: 'Int', z: 'Int', k: 'Int', u: 'UInt', di: 'DInt', w: 'Word', id: 'Word', f: 'Real', n: 'UDInt' },
  ...{ bits: array(0, 9, Bool), list: array(-2, 2, Int), reals: array(-10, 10, Real), error },
  ...{ rise: systemTypes.edge('R_TRIG'), fall: systemTypes.edge('F_TRIG') },
}

type Row = Readonly<Record<string, unknown>>
type Seen = Readonly<Record<string, readonly unknown[]>>

/** Sets the members of each row, runs a scan, and compares what the members then have. */
function runs(networks: readonly ReturnType<typeof instructionNetwork>[], rows: readonly Row[], wanted: Seen): void {
  const run = runNetworks(members, networks)
  const names = Object.keys(wanted)
  const seen = rows.map((row) => {
    for (const [name, value] of Object.entries(row)) run.set(name, value)
    run.scan()
    return names.map((name) => run.get(name))
  })
  assert.deepEqual(Object.fromEntries(names.map((name, i) => [name, seen.map((row) => row[i])])), wanted)
}

const contact = (operand: string, from = 'RAIL'): InstructionSpec => ({ name: 'Contact', in: { in: from, operand } })
const coil = (from: string, operand = '#q'): InstructionSpec => ({ name: 'Coil', in: { in: from, operand } })
const local = (name: string) => ({ scope: 'LocalVariable', path: [{ name }] }) as const
const bools = (text: string): boolean[] => [...text].map((one) => one === '1')
const series = (name: string, text: string): Row[] => bools(text).map((value) => ({ [name]: value }))

describe('LAD of the help: edges', () => {
  const rows = series('a', '0110100')
  const [rising, falling] = [bools('0100100'), bools('0001010')]
  for (const [page, name, wanted] of [
    ['P_TRIG', 'PBox', rising],
    ['N_TRIG', 'NBox', falling],
  ] as const)
    it(page, () => {
      const box = { name, in: { in: '0.out', bit: '#m' } }
      runs([instructionNetwork([contact('#a'), box, coil('1.out')])], rows, { q: wanted })
    })
  for (const [page, name, wanted] of [
    ['--(P)--', 'PCoil', rising],
    ['--(N)--', 'NCoil', falling],
  ] as const)
    it(`${page}: what follows has the RLO, not the edge`, () => {
      const edge = { name, in: { in: '0.out', bit: '#m', operand: '#q' } }
      runs([instructionNetwork([contact('#a'), edge, coil('1.out', '#r')])], rows, { q: wanted, r: bools('0110100') })
    })
  it('--|P|--: the edge is seen with and without flow', () => {
    const edge = { name: 'PContact', in: { pre: '0.out', operand: '#b', bit: '#m' } }
    const network = instructionNetwork([contact('#a'), edge, contact('#c', '1.out'), coil('2.out')])
    const inputs = [{ a: true, c: true }, { b: true }, {}, { b: false }, { a: false, b: true }, { a: true }]
    runs([network], inputs, { q: bools('010000') })
  })
  for (const [page, instance, wanted] of [
    ['R_TRIG', 'rise', rising],
    ['F_TRIG', 'fall', falling],
  ] as const)
    it(page, () => {
      const box = { name: page, instance: local(instance), in: { en: 'RAIL', CLK: '#a' }, out: { Q: '#q' } }
      runs([instructionNetwork([box])], rows, { q: wanted })
    })
  it('F_TRIG: with Stat_Bit TRUE a CLK that is FALSE at the start is an edge', () => {
    const box = { name: 'F_TRIG', instance: local('fall'), in: { en: 'RAIL', CLK: '#a' }, out: { Q: '#q' } }
    runs([instructionNetwork([box])], [{ 'fall.Stat_Bit': true }, {}], { q: [true, false] })
  })
})

describe('LAD of the help: flip-flops', () => {
  const rows = ['10', '00', '01', '00', '11', '10', '11'].map((row) => ({ a: row[0] === '1', b: row[1] === '1' }))
  for (const [page, name, pins, wanted] of [
    ['SR', 'Sr', { s: '#a', r1: '#b' }, bools('1100010')],
    ['RS', 'Rs', { s1: '#a', r: '#b' }, bools('1100111')],
  ] as const)
    it(page, () => {
      const box = { name, in: { ...pins, operand: '#m' } }
      runs([instructionNetwork([box, coil('0.q')])], rows, { m: wanted, q: wanted })
    })
})

describe('LAD of the help: bit fields', () => {
  const inverted = (text: string) => bools(text).map((one) => !one)
  // The last three: an array has fewer bits than the instruction names.
  for (const [count, first, wanted] of [
    [5, '4', '0000111110'],
    [10, '0', '1111111111'],
    [1, '9', '0000000001'],
    [20, '0', '1111111111'],
    [5, '8', '0000000011'],
    [5, '#k', '0000000111'],
  ] as const)
    it(`SET_BF, RESET_BF: ${count} bits from ${first} on`, () => {
      const pins = { operand: `#bits[${first}]`, n: String(count) }
      const set = instructionNetwork([contact('#a'), { name: 'SET_BF', in: { in: '0.out', ...pins } }, coil('1.out')])
      runs([set], [{ k: 7 }, { a: true }], { bits: [bools('0000000000'), bools(wanted)], q: [false, true] })
      const reset = instructionNetwork([contact('#a'), { name: 'RBitfield', in: { en: '0.out', ...pins } }])
      const all = bools('1111111111')
      runs([reset], [{ k: 7, bits: all }, { a: true }], { bits: [all, inverted(wanted)] })
    })
})

describe('LAD of the help: jumps', () => {
  const add = (value: string, label?: string) =>
    instructionNetwork(
      [
        {
          ...{ name: 'Add', card: 2, types: { SrcType: 'Int' } },
          ...{ in: { en: 'RAIL', in1: '#z', in2: value }, out: { out: '#z' } },
        },
      ],
      label,
    )
  const program = (...parts: InstructionSpec[]) => [
    ...[instructionNetwork(parts), add('1'), add('10', 'CAS1'), add('100', 'CAS2'), add('1000', 'CAS3')],
  ]
  const off = { a: false, z: 0 }
  const on = { a: true, z: 0 }
  it('JMP', () => {
    const jump = program(contact('#a'), { name: 'Jump', in: { in: '0.out', label: 'CAS2' } })
    runs(jump, [off, on], { z: [1111, 1100] })
  })
  it('JMPN', () => {
    const jump = program(contact('#a'), { name: 'JumpNot', in: { in: '0.out', label: 'CAS2' } })
    runs(jump, [off, on], { z: [1100, 1111] })
  })
  it('P_TRIG: an edge jumps', () => {
    const edge = { name: 'PBox', in: { in: '0.out', bit: '#m' } }
    const jump = program(contact('#a'), edge, { name: 'Jump', in: { in: '1.out', label: 'CAS1' } })
    runs(jump, [off, on, on], { z: [1111, 1110, 1111] })
  })
  it('JMP_LIST: beyond the list the next network follows', () => {
    const labels = { DEST0: 'CAS1', DEST1: 'CAS2', DEST2: 'CAS3' }
    const jump = program(contact('#a'), { name: 'JMP_LIST', in: { en: '0.out', K: '#u', ...labels } })
    const rows = [0, 1, 2, 3, 65_535].map((u) => ({ ...on, u }))
    runs(jump, [...rows, { ...off, u: 0 }], { z: [1110, 1100, 1000, 1111, 1111, 1111] })
  })
})

/** A box behind the contact #a, with a coil #q at its ENO. */
const box = (name: string, types: Record<string, string>, pins: InstructionSpec['in'], out: InstructionSpec['out']) => {
  const card = /MUX/.test(name) ? { card: 2 } : {}
  const one: InstructionSpec = { name, types, ...card, in: { en: '0.out', ...pins }, ...(out ? { out } : {}) }
  return instructionNetwork([contact('#a'), one, coil('1.eno')])
}

describe('LAD of the help: selection and shifts', () => {
  const int = { value_type: 'Int' }
  it('SEL', () => {
    const select = box('SEL', { value_type: 'Word' }, { G: '#b', IN0: 'W#16#4C', IN1: 'W#16#5E' }, { OUT: '#w' })
    runs([select], [{ w: 7 }, { a: true }, { b: true }], { w: [7, 0x4c, 0x5e], q: bools('011') })
  })
  it('MUX: ENO is FALSE beyond the inputs, with ELSE and without', () => {
    const rows = [1, 0, 2, -1].map((k) => ({ a: true, k, x: 9 }))
    const pins = { K: '#k', IN0: '3', IN1: '4' }
    runs([box('MUX', int, pins, { OUT: '#x' })], [...rows, { a: false, k: 0 }], {
      ...{ x: [4, 3, 9, 9, 9], q: bools('11000') },
    })
    runs([box('MUX', int, { ...pins, INELSE: '5' }, { OUT: '#x' })], rows, { x: [4, 3, 5, 5], q: bools('1100') })
  })
  it('DEMUX: other outputs are unchanged', () => {
    const rows = [1, 0, 2, -1].map((k, i) => ({ a: true, k, z: 9 - i }))
    const outs = { OUT0: '#x', OUT1: '#y', OUTELSE: '#u' }
    runs([box('DEMUX', int, { K: '#k', IN: '#z' }, outs)], rows, {
      ...{ x: [0, 8, 8, 8], y: [9, 9, 9, 9], u: [0, 0, 7, 6], q: bools('1100') },
    })
  })
  for (const [name, wanted] of [
    ['Shl', [0x8001, 2, 0x8000, 0, 0, 0]],
    ['Shr', [0x8001, 0x4000, 1, 0, 0, 0]],
    ['Rol', [0x8001, 3, 0xc000, 0x8001, 3, 0xc000]],
    ['Ror', [0x8001, 0xc000, 3, 0x8001, 0xc000, 3]],
  ] as const)
    it(`${name.toUpperCase()}: by nothing, by less and by more than there are bits`, () => {
      const rows = [0, 1, 15, 16, 17, 65_535].map((u) => ({ a: true, w: 0x8001, u }))
      const shift = box(name, { SrcType: 'Word' }, { in: '#w', n: '#u' }, { out: '#id' })
      runs([shift], rows, { id: wanted, q: bools('111111') })
    })
  it('SHR of a signed number keeps its sign', () => {
    const shift = box('Shr', { SrcType: 'Int' }, { in: '#x', n: '#u' }, { out: '#y' })
    const rows = [4, 15, 16, 17].map((u) => ({ a: true, x: -32_768, u }))
    runs([shift], rows, { y: [-2048, -1, -1, -1] })
  })
})

describe('LAD of the help: ranges', () => {
  for (const [page, name, wanted] of [
    ['IN_RANGE', 'InRange', bools('1100000')],
    ['OUT_RANGE', 'OutRange', bools('0011110')],
  ] as const)
    it(page, () => {
      const pins = { pre: '0.out', min: '1.0', in: '#f', max: '2.0' }
      const range = { name, types: { SrcType: 'Real' }, in: pins }
      const values = [1, 2, 0.5, 2.5, Number.NaN, Number.POSITIVE_INFINITY].map((f) => ({ a: true, f }))
      runs([instructionNetwork([contact('#a'), range, coil('1.out')])], [...values, { a: false }], { q: wanted })
    })
})

describe('LAD of the help: fields', () => {
  it('FieldRead: no component has the index', () => {
    const read = box('FieldRead', { value_type: 'Real' }, { INDEX: '#di', MEMBER: '#reals[-10]' }, { VALUE: '#f' })
    const rows = [4, 11, -11, -10].map((di) => ({ a: true, 'reals.14': 10.5, di }))
    runs([read], rows, { f: [10.5, 10.5, 10.5, 0], q: bools('1001') })
  })
  it('FieldWrite', () => {
    const write = box('FieldWrite', { value_type: 'Int' }, { INDEX: '#di', VALUE: '#x' }, { MEMBER: '#list[-2]' })
    const rows = [2, 3, -2].map((di, i) => ({ a: true, di, x: 7 + i }))
    runs([write], rows, {
      list: [
        [0, 0, 0, 0, 7],
        [0, 0, 0, 0, 7],
        [9, 0, 0, 0, 7],
      ],
      q: bools('101'),
    })
  })
  it('VALUE has the type of the components: nothing is converted', () => {
    const told = (name: string, pins: InstructionSpec['in'], out: InstructionSpec['out']) =>
      networkDiagnostics(members, [box(name, {}, { INDEX: '#di', ...pins }, out)]).map(({ message }) => message)
    assert.deepEqual(told('FieldRead', { MEMBER: '#list[-2]' }, { VALUE: '#di' }), [
      'VALUE of FieldRead has the type of the components, Int, not DInt.',
    ])
    assert.deepEqual(told('FieldWrite', { VALUE: '#x' }, { MEMBER: '#reals[-10]' }), [
      'VALUE of FieldWrite has the type of the components, Real, not Int.',
    ])
    assert.deepEqual(told('FieldWrite', { VALUE: '5' }, { MEMBER: '#reals[-10]' }), [])
  })
})

describe('LAD of the help: arrays and errors', () => {
  it('CountOfElements: 0 and no ENO for what is no array, with fill bits for Bools', () => {
    for (const [operand, count, eno] of [
      ['#list', 5, true],
      ['#bits', 16, true],
      ['#x', 0, false],
    ] as const)
      runs([box('CountOfElements', {}, { IN: operand }, { RET_VAL: '#n' })], [{ a: true, n: 77 }], {
        ...{ n: [count], q: [eno] },
      })
  })
  const multiply: InstructionSpec = {
    ...{ name: 'Mul', card: 2, types: { SrcType: 'Int' } },
    ...{ in: { en: 'RAIL', in1: '#list[#k]', in2: '3' }, out: { out: '#x' } },
  }
  const access = instructionNetwork([multiply, coil('0.eno', '#r')])
  it('GET_ERR_ID: ID is changed only when there is an error', () => {
    const rows = [{ a: true, id: 0x77 }, { k: 9 }, { k: 0 }, { a: false, k: 9 }, { a: true, k: 0 }]
    runs([access, box('GET_ERR_ID', {}, {}, { ID: '#id' })], rows, {
      ...{ id: [0x77, 0x2522, 0x2522, 0x2522, 0x2522], q: bools('01000'), r: bools('11111') },
    })
  })
  it('GET_ERROR: so is ERROR', () => {
    runs([access, box('GET_ERROR', {}, {}, { ERROR: '#error' })], [{ a: true }, { k: 9 }, { k: 0 }], {
      ...{ 'error.ERROR_ID': [0, 0x2522, 0x2522], 'error.REACTION': [0, 1, 1], q: bools('010') },
    })
  })
})
