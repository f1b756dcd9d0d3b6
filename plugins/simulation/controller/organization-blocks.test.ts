/** Start information and cycles of organization blocks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cycleOf, type OrganizationBlockPlan, planOrganizationBlocks, writeInformation } from './organization-blocks.ts'

test('start information of organization blocks: fields by size and order of bytes', () => {
  const scalar = (bits: number) => ({ kind: 'scalar', scalar: { bits } })
  const types = [scalar(8), scalar(16), scalar(32), scalar(64), scalar(1), { kind: 'dateAndTime' }, { kind: 'struct' }]
  const member = (name: string, byte: number, type: number, bit?: number) => ({
    name,
    byte,
    type,
    ...(bit === undefined ? {} : { bit }),
  })
  const startInformation = [
    ...[member('OB1_EV_CLASS', 0, 0), member('Word', 2, 1), member('ob35_double', 4, 2), member('Long', 8, 3)],
    ...[member('Flag', 16, 4), member('Bit', 17, 4, 3), member('OB_DATE', 18, 5), member('Other', 26, 6)],
  ]
  const symbols = (access: string) =>
    ({
      types,
      organizationBlocks: [
        { name: 'Main', access, startInformation },
        { name: 'Silent', access, startInformation },
      ],
    }) as never
  const linked = { startInformation: { address: 100, readers: ['Main'] } } as never
  const [main, silent] = planOrganizationBlocks(symbols('standard'), linked)
  assert.deepEqual(silent?.information, [])
  assert.equal('startInformation' in main!, false)
  assert.deepEqual(
    main?.information.map(({ name, address, size, bit, isBigEndian }) => [name, address, size, bit, isBigEndian]),
    [
      ['EV_CLASS', 100, 1, 0, true],
      ['WORD', 102, 2, 0, true],
      ['DOUBLE', 104, 4, 0, true],
      ['LONG', 108, 8, 0, true],
      ['FLAG', 116, 1, 0, true],
      ['BIT', 117, 0, 3, true],
      ['OB_DATE', 118, 8, 0, true],
      ['OTHER', 126, 1, 0, true],
    ],
  )
  const written = (access: string, values: Record<string, number | bigint | boolean>) => {
    const [block] = planOrganizationBlocks(symbols(access), linked)
    const view = new DataView(new ArrayBuffer(130))
    for (let i = 0; i < 130; i++) view.setUint8(i, 0xff)
    writeInformation(block!, values, view)
    return Buffer.from(view.buffer).subarray(99, 128).toString('hex')
  }
  const values = {
    EV_CLASS: 0x112,
    WORD: 0x1234,
    DOUBLE: 0x01020304,
    LONG: (0x0506).valueOf() + 0.7,
    FLAG: true,
    BIT: 1,
  }
  assert.equal(
    written('standard', values),
    `ff 12 ff 1234 01020304 0000000000000506 01 ff 0000000000000000 00 ff`.replaceAll(' ', ''),
  )
  assert.equal(
    written('optimized', values),
    `ff 12 ff 3412 04030201 0605000000000000 01 ff 0000000000000000 00 ff`.replaceAll(' ', ''),
  )
  assert.equal(
    written('standard', {}),
    `ff 00 ff 0000 00000000 0000000000000000 00 f7 0000000000000000 00 ff`.replaceAll(' ', ''),
  )
  const date = BigInt(Date.UTC(2024, 0, 31, 14, 30, 15, 123)) * 1_000_000n
  assert.match(written('standard', { OB_DATE: date, WORD: 5n }), /f7240131143015123400ff$/)
})
test('cycle and phase of cyclic interrupts: of the options, else of the program, else 100 ms', () => {
  const block = (more: object) => ({ number: 30, eventClass: 'CyclicInterrupt', ...more }) as OrganizationBlockPlan
  const of = (more: object, own: object = {}) => Object.values(cycleOf(block(more), { cyclicInterrupts: own } as never))
  assert.deepEqual(of({}), [100_000, 0])
  assert.deepEqual(of({ eventClass: 'SynchronousCycle' }), [0, 0])
  assert.deepEqual(of({ cycleTimeUs: 500, phaseUs: 7 }), [500, 7])
  assert.deepEqual(of({ cycleTimeUs: 500, phaseUs: 7 }, { 30: { cycleTimeMs: 2.5 } }), [2500, 0])
  assert.deepEqual(of({}, { 30: { cycleTimeMs: 10, phaseMs: 3 }, 31: { cycleTimeMs: 1 } }), [10_000, 3000])
  assert.deepEqual(of({}, { 31: { cycleTimeMs: 1 } }), [100_000, 0])
})
