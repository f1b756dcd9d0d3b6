/**
 * Frames of S7 communication byte by byte: TPKT (RFC 1006), transport PDUs (X.224 class 0), PDUs, items. The bytes are
 * written by hand, as Wireshark's dissector names them.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extentOf, type Item, packedSize, packItems, readItems, unpackItems } from './items.ts'
import { jobAnswer, jobFault, readRequest, readUserData, userDataAnswer } from './pdu.ts'
import {
  connectConfirm,
  dataPackets,
  disconnectRequest,
  isOfEngineeringOrPanel,
  isPlaceOfCpu,
  MalformedFrame,
  PacketReader,
  rackAndSlot,
  readTransportPdu,
} from './transport.ts'

const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex')
const shown = (bytes: Buffer) => bytes.toString('hex')

test('packets are found however the stream is split, and what is no TPKT is refused', () => {
  const stream = hex('0300 0007 02f080 0300 0009 02f080 0102')
  const wanted = ['02f080', '02f0800102']
  for (let at = 0; at <= stream.length; at++) {
    const reader = new PacketReader(100)
    const parts = [stream.subarray(0, at), stream.subarray(at)].flatMap((part) => reader.read(part))
    assert.deepEqual(parts.map(shown), wanted, `split at ${at}`)
  }
  const byByte = new PacketReader(9)
  assert.deepEqual([...stream].flatMap((byte) => byByte.read(Buffer.of(byte))).map(shown), wanted)
  for (const wrong of ['02000007', '03000006', '0300000a'])
    assert.throws(() => new PacketReader(9).read(hex(wrong)), MalformedFrame, wrong)
  assert.deepEqual(new PacketReader(9).read(hex('030000')), [])
})

test('transport PDUs: connect with its parameters, data, disconnect', () => {
  const request = hex('11 e0 0000 0005 00 c1020100 c2020301 c0010a')
  const connect = { kind: 'connect', reference: 5, calling: hex('0100'), called: hex('0301'), sizeCode: 10 } as const
  assert.deepEqual(readTransportPdu(request), connect)
  const bare = { ...connect, calling: Buffer.alloc(0), called: Buffer.alloc(0), sizeCode: undefined }
  assert.deepEqual(readTransportPdu(hex('06 e0 0000 0005 00')), bare)
  assert.deepEqual(readTransportPdu(hex('02 f0 80 0102')), { kind: 'data', isLast: true, data: hex('0102') })
  assert.deepEqual(readTransportPdu(hex('02 f0 00')), { kind: 'data', isLast: false, data: Buffer.alloc(0) })
  assert.deepEqual(readTransportPdu(hex('06 80 0000 0000 00')), { kind: 'disconnect' })
  for (const wrong of [
    '',
    '01f0',
    '03f080',
    '03f08000',
    '02d000',
    '05e00000000500',
    '06e00000000510',
    '09e00000000500c103',
    '09e00000000500c00106',
    '09e00000000500c0010e',
  ])
    assert.throws(() => readTransportPdu(hex(wrong)), MalformedFrame, wrong)
  for (const [code, size] of [
    ['07', 7],
    ['0d', 13],
  ] as const)
    assert.deepEqual(readTransportPdu(hex(`09e00000000500c001${code}`)), { ...bare, sizeCode: size })
  // The answer has the parameters of the request, and a size of at most 1024 bytes.
  assert.equal(
    shown(connectConfirm(connect, 0x0203)),
    shown(hex('0300 0016 11 d0 0005 0203 00 c0010a c1020100 c2020301')),
  )
  assert.equal(shown(connectConfirm({ ...bare, sizeCode: 13 }, 1)), shown(hex('0300 000e 09 d0 0005 0001 00 c0010a')))
  assert.equal(shown(connectConfirm({ ...bare, sizeCode: 7 }, 1)), shown(hex('0300 000e 09 d0 0005 0001 00 c00107')))
  assert.equal(shown(connectConfirm(bare, 1)), shown(hex('0300 000b 06 d0 0005 0001 00')))
  assert.equal(shown(disconnectRequest(0x0102, 3)), shown(hex('0300 000b 06 80 0102 0000 03')))
})

test('data in as many transport PDUs as their size needs, joined again', () => {
  const data = Buffer.from(Array.from({ length: 300 }, (_, i) => i & 255))
  for (const [sizeCode, parts] of [
    [undefined, [300]],
    [7, [125, 125, 50]],
    [8, [253, 47]],
    [13, [300]],
  ] as const) {
    const pdus = new PacketReader(2000).read(dataPackets(data, sizeCode)).map(readTransportPdu)
    const read = pdus.map((pdu) => (pdu.kind === 'data' ? pdu : assert.fail(pdu.kind)))
    assert.deepEqual(
      read.map((pdu) => pdu.data.length),
      parts,
    )
    assert.deepEqual(
      read.map(({ isLast }) => isLast),
      parts.map((_, i) => i === parts.length - 1),
    )
    assert.deepEqual(Buffer.concat(read.map((pdu) => pdu.data)), data)
  }
  const whole = new PacketReader(2000).read(dataPackets(data.subarray(0, 250), 7)).length
  assert.equal(whole, 2, 'no empty PDU behind the last one')
})

test('whom a TSAP names, and where the CPU is', () => {
  const tsap = (text: string) => Buffer.from(text, 'latin1')
  for (const [given, place] of [
    [hex('0102'), { rack: 0, slot: 2 }],
    [hex('0322'), { rack: 1, slot: 2 }],
    [hex('02ff'), { rack: 7, slot: 31 }],
    [hex('0002'), undefined],
    [hex('0402'), undefined],
    [hex('010200'), undefined],
    [hex(''), undefined],
    [tsap('SIMATIC-ROOT-ES'), { rack: 0, slot: 1 }],
    [tsap('SIMATIC-ROOT-OTHER'), { rack: 0, slot: 1 }],
    [tsap('SIMATIC-ROOT-X'), undefined],
  ] as const)
    assert.deepEqual(rackAndSlot(given), place)
  const named = ['SIMATIC-ROOT-ES', 'SIMATIC-ROOT-HMI', 'SIMATIC-ROOT-OTHER'].map(tsap)
  assert.deepEqual([hex('0101'), hex('0201'), hex('0301'), ...named].map(isOfEngineeringOrPanel), [
    ...[true, true, false],
    ...[true, true, false],
  ])
  assert.deepEqual(
    [
      [0, 0],
      [0, 1],
      [0, 2],
      [1, 1],
    ].map(([rack = 0, slot = 0]) => isPlaceOfCpu(rack, slot)),
    [true, true, false, false],
  )
})

test('PDUs: header, parameters, data; their lengths fill the frame', () => {
  assert.deepEqual(readRequest(hex('32 01 0000 0007 0002 0001 0401 ff')), {
    ...{ kind: 1, reference: 7, parameters: hex('0401'), data: hex('ff') },
  })
  assert.equal(readRequest(hex('32 07 0000 0007 0000 0000')).kind, 7)
  for (const wrong of [
    '32010000000700000',
    '33010000000700000000',
    '32020000000700000000',
    '3201000000070001000004aa',
    '320100000007000200 0004',
  ])
    assert.throws(() => readRequest(hex(wrong)), MalformedFrame, wrong)
  assert.equal(shown(jobAnswer(7, hex('0401'), hex('ff'))), shown(hex('32 03 0000 0007 0002 0001 0000 0401 ff')))
  assert.equal(shown(jobAnswer(7, hex('0401'))), shown(hex('32 03 0000 0007 0002 0000 0000 0401')))
  assert.equal(shown(jobFault(7, 0x8104, 4)), shown(hex('32 03 0000 0007 0002 0000 8104 0400')))
})

test('user data: group, function, sequence, payload; answers with more, with an error, with nothing', () => {
  const read = (parameters: string, data: string) =>
    readUserData({ kind: 7, reference: 1, parameters: hex(parameters), data: hex(data) })
  const request = { group: 4, function: 1, sequence: 0, isContinuation: false, payload: hex('0132') }
  assert.deepEqual(read('000112 04 11 44 01 00', 'ff09 0002 0132'), request)
  assert.deepEqual(read('000112 08 12 47 02 05', '0a00 0000'), {
    ...{ group: 7, function: 2, sequence: 5, isContinuation: true, payload: Buffer.alloc(0) },
  })
  assert.deepEqual(read('000112 04 11 44 01 00', '')?.payload, Buffer.alloc(0))
  assert.deepEqual(read('000112 04 11 44 01 00', 'ff09 0001 0132')?.payload, hex('01'))
  for (const [parameters, data] of [
    ['000112 04 11 44 01', ''],
    ['000113 04 11 44 01 00', ''],
    ['000112 04 11 84 01 00', ''],
    ['000112 04 11 44 01 00', 'ff0900'],
    ['000112 04 11 44 01 00', 'ff09 0003 0132'],
  ] as const)
    assert.equal(read(parameters, data), undefined, `${parameters} ${data}`)
  const answer = (more: object) =>
    shown(userDataAnswer(9, request, { sequence: 2, unit: 3, hasMore: false, error: 0, payload: undefined, ...more }))
  const head = (data: string) => `32 07 0000 0009 000c ${data} 000112 08 12 84 01 02 03`
  assert.equal(answer({ payload: hex('0102'), hasMore: true }), shown(hex(`${head('0006')} 01 0000 ff09 0002 0102`)))
  assert.equal(answer({}), shown(hex(`${head('0004')} 00 0000 ff00 0000`)))
  assert.equal(answer({ error: 0xd401 }), shown(hex(`${head('0004')} 00 d401 0a00 0000`)))
})

const pointer = '12 0a 10 02 0004 0001 84 000050'
const item: Item = { type: 2, count: 4, dataBlock: 1, area: 0x84, address: 0x50 }

test('items are pointers; those of odd length end with a fill byte, and all fill the parameters', () => {
  assert.deepEqual(readItems(hex(`${pointer} ${pointer}`), 2), [item, item])
  assert.deepEqual(readItems(hex(`12 05 b2 00000000 00 ${pointer}`), 2), [undefined, item])
  assert.deepEqual(readItems(hex('12 05 b2 00000000'), 1), [undefined], 'none behind the last one')
  assert.deepEqual(readItems(hex('12 0a b2 02 0004 0001 84 000050'), 1), [undefined])
  for (const wrong of [
    '',
    '13 0a 10 02 0004 0001 84 000050',
    '12',
    '12 00',
    '12 0a 10 02',
    `${pointer} 00`,
    `${pointer} ${pointer}`,
  ])
    assert.equal(readItems(hex(wrong), 1), undefined, wrong)
})

test('the place of an item: bytes, a bit, timers, counters; or why there is none', () => {
  const of = (change: Partial<Item>) => extentOf({ ...item, ...change })
  const bytes = (start: number, count: number) => ({ kind: 'bytes', start, bit: 0, count, size: count })
  assert.deepEqual(of({}), bytes(10, 4))
  const sizes = { 3: 1, 4: 2, 5: 2, 6: 4, 7: 4, 8: 4, 9: 2, 10: 4, 11: 4, 12: 2, 15: 8 }
  for (const [type, size] of Object.entries(sizes))
    assert.deepEqual(of({ type: Number(type), count: 3 }), bytes(10, size * 3))
  assert.deepEqual(of({ type: 1, count: 1, address: 0x53 }), { kind: 'bit', start: 10, bit: 3, count: 1, size: 1 })
  assert.deepEqual(of({ type: 0x1d, area: 0x1d, address: 5 }), { kind: 'timers', start: 5, bit: 0, count: 4, size: 8 })
  assert.deepEqual(of({ type: 0x1c, area: 0x1c, address: 5 }), {
    kind: 'counters',
    start: 5,
    bit: 0,
    count: 4,
    size: 8,
  })
  const [addressError, typeNotSupported] = [5, 6]
  for (const [change, code] of [
    [{ count: 0 }, addressError],
    [{ address: 0x51 }, addressError],
    [{ type: 1, count: 2 }, typeNotSupported],
    [{ type: 13 }, typeNotSupported],
    [{ type: 0x1d }, typeNotSupported],
    [{ area: 0x1d }, typeNotSupported],
    [{ type: 0x1c }, typeNotSupported],
    [{ area: 0x1c }, typeNotSupported],
    [{ type: 0x1c, area: 0x1d }, typeNotSupported],
  ] as const)
    assert.equal(of(change), code, JSON.stringify(change))
})

test('the data of items: marks with lengths in bits or bytes, fill bytes, codes of those without data', () => {
  const items = [
    { type: 1, data: hex('01') },
    { type: 2, data: hex('0102') },
    { type: 5, data: hex('0203') },
    { type: 8, data: hex('3f800000') },
    { type: 3, data: hex('41') },
    { type: 4, data: 5 as const },
    { type: 2, data: hex('07') },
  ]
  const packed =
    'ff03 0001 01 00  ff04 0010 0102  ff05 0010 0203  ff07 0004 3f800000  ff09 0001 41 00  0500 0000  ff04 0008 07'
  assert.equal(shown(packItems(items)), shown(hex(packed)))
  assert.equal(packedSize([1, 2, 2, 4, 1, 0, 1]), hex(packed).length)
  for (const type of [9, 10, 11, 12, 15, 0x1c, 0x1d])
    assert.equal(shown(packItems([{ type, data: hex('0102') }])), 'ff0900020102', String(type))
  for (const type of [6, 7]) assert.equal(shown(packItems([{ type, data: hex('01020304') }])), 'ff04002001020304')
  // More than 65535 bits cannot be said in bits.
  assert.equal(shown(packItems([{ type: 2, data: Buffer.alloc(8191) }]).subarray(0, 4)), 'ff04fff8')
  assert.equal(shown(packItems([{ type: 2, data: Buffer.alloc(8192) }]).subarray(0, 4)), 'ff092000')
})

test('data to write: each with its expected size and kind, or a code; together they fill the PDU', () => {
  const [one, two, four, bit] = [1, 2, 4, 0].map((size) => ({ size: size || 1, isBit: size === 0 }))
  const read = (data: string, ...sizes: (typeof one)[]) =>
    unpackItems(hex(data), sizes)?.map((part) => (typeof part === 'number' ? part : shown(part)))
  assert.deepEqual(read('0004 0008 07 00 0004 0010 0102', one, two), ['07', '0102'])
  assert.deepEqual(read('0003 0001 01 00 0009 0002 0102', bit, two), ['01', '0102'])
  assert.deepEqual(read('0005 0010 0102', two), ['0102'])
  // A double integer in bits and in bytes.
  assert.deepEqual([read('0006 0020 01020304', four), read('0006 0004 01020304', four)], [['01020304'], ['01020304']])
  const inconsistent = [7]
  assert.deepEqual(read('0004 0008 07', two), inconsistent)
  assert.deepEqual(read('0004 0008 01', bit), inconsistent)
  assert.deepEqual(read('0003 0001 01', one), inconsistent)
  assert.deepEqual(read('0000 0001 01', one), inconsistent)
  assert.deepEqual(read('0004 0008 01', undefined), inconsistent)
  // A fill byte behind the last item, no more.
  assert.deepEqual(read('0004 0008 07 00', one), ['07'])
  for (const wrong of ['', '0004 00', '0004 0010 07', '0004 0008 07 0000'])
    assert.equal(read(wrong, one), undefined, wrong)
})
