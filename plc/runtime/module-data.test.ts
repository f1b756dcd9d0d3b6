/** DPRD_DAT, DPWR_DAT, GETIO and its kin against their TIA Portal help: what is moved, and every status. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runSource } from '../testing/lower-source.ts'
import type { Hardware } from './hardware.ts'

const modules: Readonly<Record<number, ReturnType<Hardware['addressesOf']>>> = {
  260: { inputs: { firstByte: 2, bytes: 4 }, outputs: { firstByte: 8, bytes: 4 } },
  261: { outputs: { firstByte: 20, bytes: 2 } },
  262: { inputs: { firstByte: 30, bytes: 2 } },
  263: { inputs: { firstByte: 40, bytes: 1 }, outputs: { firstByte: 40, bytes: 1 } },
}
const hardware: Hardware = {
  deviceStates: () => undefined,
  moduleStates: () => undefined,
  addressesOf: (module) => modules[module],
  deviceName: () => undefined,
  isBus: () => false,
  isActive: () => undefined,
  setActive: () => {},
  modulesOf: () => undefined,
  moduleWith: () => undefined,
  isGone: (module) => module === 263,
  isKnown: (module) => module in modules,
}

const variables = `bytes : Array[0..5] of Byte; short : Array[0..2] of Byte; text : String[8]; wide : Array[0..3] of WChar;
  record : Struct flag : Bool; value : Int; small : Byte; END_Struct; status : Int; ok : Bool; n : Int;
  bits : Array[0..127] of Bool; g : GETIO; s : SETIO; p : GETIO_PART; q : SETIO_PART;`

/** The instruction with inputs 1, 2, 3 … in the periphery; all outputs are 0. */
function run(body: string, access = 'TRUE', isLoaded = true) {
  const program = runSource(
    `FUNCTION_BLOCK "Main"\n{ S7_Optimized_Access := '${access}' }\nVAR\n${variables}\nEND_VAR\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`,
    isLoaded ? { hardware: () => hardware } : {},
  )
  const { bytes, areas } = program.memory
  for (let i = 0; i < 64; i++) bytes[areas.PI.address + i] = i + 1
  program.scan()
  const area = (name: 'PQ' | 'Q', from: number, count: number) =>
    Array.from(bytes.slice(areas[name].address + from, areas[name].address + from + count))
  const elements = (name: string, count: number) =>
    Array.from({ length: count }, (_one, i) => program.get(`${name}[${i}]`))
  return { ...program, area, elements, status: () => (program.get('status') as number) & 0xffff }
}

const fill = '#bytes[0] := 11; #bytes[1] := 12; #bytes[2] := 13; #bytes[3] := 14; #bytes[4] := 15; #bytes[5] := 16;'
const read = (module: number, record: string) =>
  `#status := DPRD_DAT(LADDR := ${module}, RECORD => ${record}, ENO => #ok);`
const write = (module: number, record: string) =>
  `#status := DPWR_DAT(LADDR := ${module}, RECORD := ${record}, ENO => #ok);`

describe('DPRD_DAT and DPWR_DAT', () => {
  for (const access of ['TRUE', 'FALSE']) {
    it(`inputs of the module, and zeros behind them; optimized access ${access}`, () => {
      const one = run(`${fill} ${read(260, '#bytes')}`, access)
      assert.deepEqual([one.elements('bytes', 6), one.status(), one.get('ok')], [[3, 4, 5, 6, 0, 0], 0, 1])
    })
    it(`structures as they are in standard access; optimized access ${access}`, () => {
      const one = run(`${read(260, '#record')} #record.small := 0; ${write(260, '#record')}`, access)
      const values = ['flag', 'value'].map((name) => one.get(`record.${name}`))
      assert.deepEqual(values, [1, 0x0506])
      assert.deepEqual(
        [one.area('PQ', 8, 4), one.area('Q', 8, 4)].map((all) => all.slice(2)),
        [
          [5, 6],
          [5, 6],
        ],
      )
    })
    it(`only the outputs of the module; optimized access ${access}`, () => {
      const one = run(`${fill} ${write(260, '#bytes')}`, access)
      assert.deepEqual(
        [one.area('PQ', 7, 6), one.area('Q', 7, 6)],
        [
          [0, 11, 12, 13, 14, 0],
          [0, 11, 12, 13, 14, 0],
        ],
      )
      assert.deepEqual([one.status(), one.get('ok')], [0, 1])
    })
  }

  it('status numbers; nothing is moved', () => {
    for (const [body, status] of [
      [read(999, '#bytes'), 0x8090],
      [read(260, '#text'), 0x8092],
      [read(261, '#bytes'), 0x8093],
      [read(263, '#bytes'), 0x80a0],
      [read(260, '#short'), 0x80b1],
      [write(999, '#bytes'), 0x8090],
      [write(260, '#text'), 0x8092],
      [write(262, '#bytes'), 0x8093],
      [write(263, '#bytes'), 0x80a1],
      [write(260, '#short'), 0x80b1],
    ] as const) {
      const one = run(`${fill} ${body}`)
      assert.deepEqual([one.status(), one.get('ok')], [status, 0], body)
      assert.deepEqual(
        [one.elements('bytes', 2), one.area('PQ', 8, 2)],
        [
          [11, 12],
          [0, 0],
        ],
        body,
      )
    }
  })

  it('without loaded hardware they succeed and change nothing', () => {
    const one = run(`${fill} ${read(260, '#bytes')} ${write(260, '#bytes')}`, 'TRUE', false)
    assert.deepEqual([one.elements('bytes', 2), one.area('PQ', 8, 2), one.status()], [[11, 12], [0, 0], 0])
  })
})

describe('GETIO, SETIO, GETIO_PART and SETIO_PART', () => {
  it('all inputs, with their number; the rest of the variable stays', () => {
    const one = run(`${fill} #g(ID := 260, INPUTS := #bytes);`)
    assert.deepEqual([one.elements('bytes', 6), one.get('g.LEN'), one.get('g.STATUS')], [[3, 4, 5, 6, 15, 16], 4, 0])
  })
  it('all outputs, also of the image', () => {
    const one = run(`${fill} #s(ID := 261, OUTPUTS := #bytes);`)
    assert.deepEqual(
      [one.area('PQ', 20, 3), one.area('Q', 20, 3)],
      [
        [11, 12, 0],
        [11, 12, 0],
      ],
    )
  })
  it('some inputs and outputs', () => {
    const one = run(
      `${fill} #q(ID := 260, OFFSET := 1, LEN := 2, OUTPUTS := #bytes); #p(ID := 260, OFFSET := 2, LEN := 2, INPUTS := #short);`,
    )
    assert.deepEqual(
      [one.area('PQ', 8, 4), one.elements('short', 3)],
      [
        [0, 11, 12, 0],
        [5, 6, 0],
      ],
    )
    assert.deepEqual(
      ['p', 'q'].map((name) => [one.get(`${name}.STATUS`), one.get(`${name}.ERROR`)]),
      [
        [0, 0],
        [0, 0],
      ],
    )
  })
  it('status numbers', () => {
    for (const [body, block, status] of [
      ['#g(ID := 999, INPUTS := #bytes);', 'g', 0x40809000],
      ['#g(ID := 260, INPUTS := #wide);', 'g', 0x40809200],
      ['#g(ID := 261, INPUTS := #bytes);', 'g', 0x40809300],
      ['#g(ID := 263, INPUTS := #bytes);', 'g', 0x4080a000],
      ['#g(ID := 260, INPUTS := #short);', 'g', 0x4080b100],
      ['#s(ID := 262, OUTPUTS := #bytes);', 's', 0x40809300],
      ['#s(ID := 263, OUTPUTS := #bytes);', 's', 0x4080a000],
      ['#s(ID := 260, OUTPUTS := #short);', 's', 0x4080b100],
      ['#p(ID := 260, OFFSET := 3, LEN := 2, INPUTS := #bytes);', 'p', 0x4080b700],
      ['#p(ID := 260, OFFSET := -1, LEN := 2, INPUTS := #bytes);', 'p', 0x4080b700],
      ['#p(ID := 260, OFFSET := 0, LEN := 4, INPUTS := #short);', 'p', 0x4080b100],
      ['#q(ID := 260, OFFSET := 0, LEN := 5, OUTPUTS := #bytes);', 'q', 0x4080b700],
    ] as const) {
      const one = run(body)
      assert.equal(one.get(`${block}.STATUS`), status, body)
      if (block === 'p' || block === 'q') assert.equal(one.get(`${block}.ERROR`), 1, body)
    }
  })
})

describe('DeviceStates and ModuleStates', () => {
  it('status numbers of their help', () => {
    for (const [call, status] of [
      ['DeviceStates(LADDR := 260, MODE := 0, STATE := #bits)', 0x80b2],
      ['DeviceStates(LADDR := 260, MODE := 6, STATE := #bits)', 0x80b2],
      ['DeviceStates(LADDR := 999, MODE := 1, STATE := #bits)', 0x8091],
      ['DeviceStates(LADDR := 260, MODE := 1, STATE := #bits)', 0x8092],
      ['ModuleStates(LADDR := 260, MODE := 6, STATE := #bits)', 0x80b2],
      ['ModuleStates(LADDR := 999, MODE := 1, STATE := #bits)', 0x8091],
      ['ModuleStates(LADDR := 260, MODE := 1, STATE := #bits)', 0x8092],
    ] as const)
      assert.equal(run(`#status := ${call};`).status(), status, call)
  })
})
