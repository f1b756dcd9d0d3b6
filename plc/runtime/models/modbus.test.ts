/**
 * MB_CLIENT and MB_SERVER byte by byte: frames as the Modbus Application Protocol V1.1b3 has them, STATUS as the
 * S7-1200 manual.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { handNetwork } from '../../testing/hand-network.ts'
import { modelBench } from '../../testing/model-bench.ts'

type Given = Readonly<Record<string, number | boolean>>

const connection = {
  '/c.ID': 1,
  '/c.ConnectionType': 11,
  '/c.RemoteAddress.ADDR[1]': 10,
  '/c.RemotePort': 502,
  '/c.LocalPort': 502,
}

/** A frame with its header. */
function frame(transaction: number, unit: number, pdu: string, protocol = 0) {
  const word = (value: number) => value.toString(16).padStart(4, '0')
  const length = pdu.replace(/ /g, '').length / 2 + 1
  return `${word(transaction)}${word(protocol)}${word(length)}${unit.toString(16).padStart(2, '0')}${pdu.replace(/ /g, '')}`
}

function bench(type: string, call: string, data: string, before = '', variables = '') {
  const network = handNetwork()
  const model = modelBench(type, {
    network,
    call: `${call}, CONNECT := #c`,
    variables: `c : TCON_IP_v4; d : ${data}; ${variables}`,
    before,
  })
  model.set(connection)
  return {
    ...model,
    network,
    arrives(hex: string) {
      const last = network.arrived.splice(0).map(({ data: bytes }) => Buffer.from(bytes).toString('hex'))
      network.arrived.push({ data: Buffer.from(last.join('') + hex, 'hex'), address: '10.0.0.9', port: 1 })
    },
    did: () => network.log.splice(0),
  }
}

describe('MB_CLIENT', () => {
  /** A client whose connection is open. */
  function client(given: Given = {}, data = 'Array[0..3] of Word', isOpen = true) {
    const model = bench('MB_CLIENT', 'MB_DATA_PTR := #d', data)
    model.set({ '/c.ActiveEstablished': true, ...given })
    const call = (more: Given = {}, milliseconds = 10) => {
      model.scan(more, milliseconds)
      return model.values('DONE', 'BUSY', 'ERROR', 'STATUS')
    }
    if (isOpen) {
      call({ REQ: false })
      call({ REQ: true, MB_DATA_ADDR: 1, MB_DATA_LEN: 1 })
      model.network.phases.set(1, 'open')
      call({ REQ: false })
      model.did()
    }
    return { ...model, call }
  }
  const failed = (status: number) => [0, 0, 1, status]
  const [sends, waits, done, established] = [
    [0, 1, 0, 0x7005],
    [0, 1, 0, 0x7006],
    [1, 0, 0, 0],
    [0, 0, 0, 0x7004],
  ]

  const requests: readonly (readonly [mode: number, address: number, length: number, pdu: string | number])[] = [
    // Reads: coils, inputs, input registers, holding registers.
    [0, 1, 9, '01 0000 0009'],
    [0, 9999, 1, '01 270e 0001'],
    [0, 10_001, 9, '02 0000 0009'],
    [0, 19_999, 1, '02 270e 0001'],
    [0, 30_001, 2, '04 0000 0002'],
    [0, 39_999, 2, '04 270e 0002'],
    [0, 40_001, 4, '03 0000 0004'],
    [0, 49_999, 1, '03 270e 0001'],
    [0, 400_001, 1, '03 0000 0001'],
    [0, 465_535, 1, '03 fffe 0001'],
    // Writes of one and of several; mode 2 always of several.
    [1, 1, 1, '05 0000 ff00'],
    [1, 2, 9, '0f 0001 0009 02 1100'],
    [2, 1, 1, '0f 0000 0001 01 01'],
    [1, 40_003, 1, '06 0002 1122'],
    [1, 40_003, 2, '10 0002 0002 04 1122 3344'],
    [2, 40_003, 1, '10 0002 0001 02 1122'],
    [1, 400_001, 1, '06 0000 1122'],
    [1, 400_001, 2, '10 0000 0002 04 1122 3344'],
    // Modes that name the function code have the address of the wire.
    [101, 0, 9, '01 0000 0009'],
    [102, 65_535, 9, '02 ffff 0009'],
    [103, 7, 2, '03 0007 0002'],
    [104, 7, 2, '04 0007 0002'],
    [105, 7, 1, '05 0007 ff00'],
    [106, 7, 1, '06 0007 1122'],
    [115, 7, 5, '0f 0007 0005 01 11'],
    [116, 7, 1, '10 0007 0001 02 1122'],
    // Wrong modes, addresses and lengths.
    [3, 1, 1, 0x8188],
    [100, 1, 1, 0x8188],
    [107, 1, 1, 0x8188],
    [1, 10_001, 1, 0x8188],
    [1, 30_001, 2, 0x8188],
    [0, 0, 1, 0x8189],
    [0, 10_000, 1, 0x8189],
    [0, 20_000, 1, 0x8189],
    [0, 50_000, 1, 0x8189],
    [0, 465_536, 1, 0x8189],
    [103, 65_536, 1, 0x8189],
    [0, 1, 0, 0x818a],
    [0, 1, 2001, 0x818a],
    [0, 40_001, 126, 0x818a],
    [1, 1, 1969, 0x818a],
    [1, 40_001, 124, 0x818a],
    [105, 1, 2, 0x818a],
    [106, 1, 2, 0x818a],
    // More than there is place for.
    [0, 40_001, 5, 0x818b],
    [0, 1, 65, 0x818b],
  ]
  for (const [mode, address, length, pdu] of requests)
    test(`mode ${mode}, address ${address}, length ${length}: ${typeof pdu === 'number' ? pdu.toString(16) : pdu}`, () => {
      const { call, did } = client({ '/d[0]': 0x1122, '/d[1]': 0x3344, MB_UNIT_ID: 7 })
      const given = { REQ: true, MB_MODE: mode, MB_DATA_ADDR: address, MB_DATA_LEN: length }
      // Bits of words are those of their bytes, the high one first: 11 22 33 44.
      const wanted = typeof pdu === 'number' ? [failed(pdu), []] : [sends, [`send 1 ${frame(1, 7, pdu)}`]]
      assert.deepEqual([call(given), did()], wanted)
    })

  test('limits of a request are those of the protocol', () => {
    for (const [mode, address, length] of [
      [0, 1, 2000],
      [0, 40_001, 125],
      [1, 1, 1968],
      [1, 40_001, 123],
    ] as const)
      assert.deepEqual(
        client({}, 'Array[0..199] of Word').call({
          REQ: true,
          MB_MODE: mode,
          MB_DATA_ADDR: address,
          MB_DATA_LEN: length,
        }),
        sends,
      )
  })

  test('one bit', () => {
    const { call, did } = client({ '/d[0]': true }, 'Array[0..3] of Bool')
    assert.deepEqual(call({ REQ: true, MB_MODE: 1, MB_DATA_ADDR: 5, MB_DATA_LEN: 1 }), sends)
    assert.deepEqual(did(), [`send 1 ${frame(1, 0xff, '05 0004 ff00')}`])
  })

  test('answers', () => {
    const read = { REQ: true, MB_MODE: 0, MB_DATA_ADDR: 40_001, MB_DATA_LEN: 2 }
    for (const [given, answer, status, data] of [
      [read, '03 04 0102 0304', 0, [0x0102, 0x0304]],
      [read, '83 01', 0x8381, [0, 0]],
      [read, '83 02', 0x8383, [0, 0]],
      [read, '83 03', 0x8382, [0, 0]],
      [read, '83 04', 0x8384, [0, 0]],
      [read, '83 0b', 0x8384, [0, 0]],
      [read, '04 04 0102 0304', 0x8386, [0, 0]],
      [read, '03 05 0102 0304', 0x8382, [0, 0]],
      [read, '03 02 0102', 0x8382, [0, 0]],
      [{ ...read, MB_DATA_ADDR: 1, MB_DATA_LEN: 12 }, '01 02 ff0f', 0, [0xff0f, 0]],
      [{ ...read, MB_DATA_ADDR: 1, MB_DATA_LEN: 12 }, '01 01 ff', 0x8382, [0, 0]],
      // What an answer to a write repeats: the address, and the value or the number of them.
      [{ ...read, MB_MODE: 1, MB_DATA_ADDR: 1, MB_DATA_LEN: 1 }, '05 0001 0000', 0x8382, [0, 0]],
      [{ ...read, MB_MODE: 1, MB_DATA_ADDR: 1, MB_DATA_LEN: 1 }, '05 0000 ff00', 0x8384, [0, 0]],
      [{ ...read, MB_MODE: 1, MB_DATA_ADDR: 1, MB_DATA_LEN: 1 }, '85 03', 0x8384, [0, 0]],
      [{ ...read, MB_MODE: 1, MB_DATA_LEN: 1 }, '06 0000 0001', 0x8384, [0, 0]],
      [{ ...read, MB_MODE: 1 }, '10 0000 0001', 0x8388, [0, 0]],
      // Every function that writes: the answer repeats five bytes.
      ...[
        [{ ...read, MB_MODE: 1, MB_DATA_ADDR: 1, MB_DATA_LEN: 1 }, '05 0000 0000'] as const,
        [{ ...read, MB_MODE: 1, MB_DATA_LEN: 1 }, '06 0000 0000'] as const,
        [{ ...read, MB_MODE: 1, MB_DATA_ADDR: 1, MB_DATA_LEN: 12 }, '0f 0000 000c'] as const,
        [{ ...read, MB_MODE: 1 }, '10 0000 0002'] as const,
      ].flatMap(([write, answer]) => [
        [write, answer, 0, [0, 0]] as const,
        [write, `${answer} 00`, 0x8380, [0, 0]] as const,
        [write, answer.slice(0, -2), 0x8380, [0, 0]] as const,
      ]),
    ] as const) {
      const { call, arrives, values } = client()
      assert.deepEqual([call(given), call()], [sends, waits])
      arrives(frame(1, 0xff, answer))
      assert.deepEqual(
        [call({ REQ: false }), values('/d[0]', '/d[1]')],
        [status === 0 ? done : failed(status), data],
        answer,
      )
      assert.deepEqual(call(), established)
    }
  })

  test('an answer comes in parts; that of another transaction is left out', () => {
    const { call, arrives, did, values } = client()
    const read = { REQ: true, MB_MODE: 0, MB_DATA_ADDR: 40_001, MB_DATA_LEN: 1 }
    call(read)
    arrives(frame(9, 0xff, '03 02 aaaa'))
    assert.deepEqual(call(), waits)
    const answer = frame(1, 0xff, '03 02 0102')
    arrives(answer.slice(0, 10))
    assert.deepEqual(call(), waits)
    arrives(answer.slice(10, 16))
    assert.deepEqual(call(), waits)
    arrives(answer.slice(16))
    assert.deepEqual([call(), values('/d[0]')], [done, [0x0102]])
    did()
    // The next has the next number.
    assert.deepEqual([call(), did()], [sends, [`send 1 ${frame(2, 0xff, '03 0000 0001')}`]])
    arrives(frame(2, 0xff, '03 02 0102', 1))
    assert.deepEqual([call(), did()], [failed(0x8387), []])
  })

  test('without an answer in time, and with rubbish, the connection is closed', () => {
    const read = { REQ: true, MB_MODE: 0, MB_DATA_ADDR: 40_001, MB_DATA_LEN: 1 }
    const late = client({ RCV_TIMEOUT: 0.5 })
    late.call(read)
    late.did()
    assert.deepEqual([late.call({}, 500), late.call({}, 1), late.did()], [waits, failed(0x80c8), ['close 1']])
    for (const length of ['0001', '00ff']) {
      const rubbish = client()
      rubbish.call(read)
      rubbish.did()
      rubbish.arrives(`00010000${length}ff`)
      assert.deepEqual([rubbish.call(), rubbish.did()], [failed(0x8380), ['close 1']], length)
    }
    const ended = client()
    ended.call(read)
    ended.network.phases.delete(1)
    assert.deepEqual(ended.call(), failed(0x80c6))
  })

  test('RETRIES is the number of attempts; MB_TRANSACTION_ID is that of the first request', () => {
    const { call, did } = client({ RCV_TIMEOUT: 0.5, RETRIES: 3, MB_TRANSACTION_ID: 7 })
    const read = { REQ: true, MB_MODE: 0, MB_DATA_ADDR: 40_001, MB_DATA_LEN: 1 }
    const sent = `send 1 ${frame(7, 0xff, '03 0000 0001')}`
    assert.deepEqual([call(read), did()], [sends, [sent]])
    assert.deepEqual([call({}, 501), call({}, 400), call({}, 101), did()], [sends, waits, sends, [sent, sent]])
    assert.deepEqual([call({}, 501), did()], [failed(0x80c8), ['close 1']])
  })

  test('the connection is established with the first request', () => {
    const { call, network, did, values } = client({}, undefined, false)
    const read = { REQ: true, MB_MODE: 0, MB_DATA_ADDR: 40_001, MB_DATA_LEN: 1 }
    assert.deepEqual([call(), call({ ...read, MB_MODE: 9 }), did()], [[0, 0, 0, 0x7000], failed(0x8188), []])
    assert.deepEqual([call(read), call(), did()], [[0, 0, 0, 0x7001], [0, 0, 0, 0x7002], ['open 1']])
    assert.deepEqual(values('CONNECTED'), [0])
    network.phases.set(1, 'refused')
    assert.deepEqual([call(), did()], [failed(0x80c5), ['close 1']])
    call()
    network.phases.set(1, 'open')
    network.hasRoom = false
    assert.deepEqual([call(), call(), values('CONNECTED'), did()], [sends, sends, [1], ['open 1']])
    network.hasRoom = true
    assert.deepEqual([call(), call(), did()], [sends, waits, [`send 1 ${frame(1, 0xff, '03 0000 0001')}`]])
    assert.deepEqual([call({ DISCONNECT: true }), call(), did()], [[0, 0, 0, 0x7003], [0, 0, 0, 0x7000], ['close 1']])
    for (const [given, status] of [
      [{ '/c.ID': 0 }, 0x8086],
      [{ '/c.ActiveEstablished': false, '/c.LocalPort': 502 }, 0x80bb],
      [{ '/c.ConnectionType': 19, '/c.LocalPort': 502 }, 0x80b6],
    ] as const)
      assert.deepEqual(client(given, undefined, false).call(read), failed(status))
    for (const times of [{ RCV_TIMEOUT: 0.4 }, { RCV_TIMEOUT: 55.5 }, { BLOCKED_PROC_TIMEOUT: 0 }])
      assert.deepEqual(client(times).call(read), failed(0x818c))
  })
})

describe('MB_SERVER', () => {
  const outputs = ['NDR', 'DR', 'ERROR', 'STATUS'] as const
  const counters = [
    'Request_Count',
    'Server_Message_Count',
    'Xmt_Rcv_Count',
    'Success_Count',
    'Exception_Count',
  ] as const

  function server(given: Given = {}, data = 'Array[0..4] of Word') {
    const before = '#q0 := %QB0; #q1 := %QB1; %IB0 := 16#12; %IB1 := 16#34;'
    const model = bench('MB_SERVER', 'MB_HOLD_REG := #d', data, before, 'q0 : Byte; q1 : Byte;')
    model.set(given)
    const call = (more: Given = {}) => {
      model.scan(more)
      return model.values(...outputs)
    }
    return { ...model, call }
  }
  /** A server with a client. */
  function open(given: Given = {}) {
    const model = server({ '/d[0]': 0x1122, '/d[1]': 0x3344, '/d[4]': 0x99aa, ...given })
    model.call()
    model.network.phases.set(1, 'open')
    model.call()
    model.did()
    return model
  }
  const quiet = [0, 0, 0, 0x7006]

  test('it waits for a client, and listens again', () => {
    const { call, network, did } = server()
    assert.deepEqual([call(), call(), did()], [[0, 0, 0, 0x7001], [0, 0, 0, 0x7002], ['open 1']])
    assert.deepEqual(network.parameters.get(1)?.isActive, false)
    network.phases.set(1, 'open')
    assert.deepEqual(
      [call(), call({ DISCONNECT: true }), call(), did()],
      [quiet, [0, 0, 0, 0x7003], [0, 0, 0, 0x7000], ['close 1']],
    )
    call({ DISCONNECT: false })
    network.phases.set(1, 'busyPort')
    assert.deepEqual(
      [call(), did()],
      [
        [0, 0, 1, 0x80a1],
        ['open 1', 'close 1'],
      ],
    )
    for (const [given, status] of [
      [{ '/c.ID': 0 }, 0x8086],
      [{ '/c.ActiveEstablished': true }, 0x80bb],
      [{ '/c.ConnectionType': 19 }, 0x80b6],
    ] as const)
      assert.deepEqual(server(given).call(), [0, 0, 1, status])
    assert.deepEqual(server({}, 'Array[0..15] of Bool').call(), [0, 0, 1, 0x8187])
  })

  const served: readonly (readonly [pdu: string, answer: string, outputs: readonly number[]])[] = [
    ['03 0000 0002', '03 04 1122 3344', [0, 1, 0, 0]],
    ['03 0004 0001', '03 02 99aa', [0, 1, 0, 0]],
    ['04 0000 0001', '04 02 1234', [0, 0, 0, 0]],
    ['02 0000 000a', '02 02 1200', [0, 0, 0, 0]],
    ['02 0004 0008', '02 01 41', [0, 0, 0, 0]],
    ['01 0000 0009', '01 02 0000', [0, 0, 0, 0]],
    ['05 0003 ff00', '05 0003 ff00', [0, 0, 0, 0]],
    ['05 0003 0000', '05 0003 0000', [0, 0, 0, 0]],
    ['0f 0004 000a 02 ff03', '0f 0004 000a', [0, 0, 0, 0]],
    ['06 0002 abcd', '06 0002 abcd', [1, 0, 0, 0]],
    ['10 0001 0002 04 0102 0304', '10 0001 0002', [1, 0, 0, 0]],
    // Exceptions: function, address, value.
    ['07', '87 01', [0, 0, 1, 0x8381]],
    ['2b 00', 'ab 01', [0, 0, 1, 0x8381]],
    ['03 0005 0001', '83 02', [0, 0, 1, 0x8383]],
    ['03 0004 0002', '83 02', [0, 0, 1, 0x8383]],
    ['06 0005 0001', '86 02', [0, 0, 1, 0x8383]],
    ['03 0000 0000', '83 03', [0, 0, 1, 0x8382]],
    ['03 0000 007e', '83 03', [0, 0, 1, 0x8382]],
    ['03 0000 007d', '83 02', [0, 0, 1, 0x8383]],
    ['01 0000 07d1', '81 03', [0, 0, 1, 0x8382]],
    ['03 0000 0001 00', '83 03', [0, 0, 1, 0x8382]],
    ['03 0000', '83 03', [0, 0, 1, 0x8382]],
    ['05 0003 0001', '85 03', [0, 0, 1, 0x8384]],
    ['05 0003 ff00 00', '85 03', [0, 0, 1, 0x8382]],
    ['10 0001 0002 03 0102 03', '90 03', [0, 0, 1, 0x8382]],
    ['10 0001 0002 04 0102 03', '90 03', [0, 0, 1, 0x8382]],
    ['10 0001 0000 00', '90 03', [0, 0, 1, 0x8382]],
    ['0f 0000 0009 01 ff', '8f 03', [0, 0, 1, 0x8382]],
  ]
  for (const [pdu, answer, wanted] of served)
    test(`${pdu}: ${answer}`, () => {
      const { call, arrives, did, values } = open()
      arrives(frame(0x1234, 5, pdu))
      assert.deepEqual([call(), did()], [wanted, [`send 1 ${frame(0x1234, 5, answer)}`]])
      const isError = wanted[2] === 1
      assert.deepEqual(values(...counters), [1, 1, 1, isError ? 0 : 1, isError ? 1 : 0])
      assert.deepEqual(call(), quiet)
    })

  test('what is written is there', () => {
    const { call, arrives, values } = open()
    for (const pdu of [
      '06 0002 abcd',
      '10 0003 0002 04 0102 0304',
      '0f 0004 000a 02 ff03',
      '05 0000 ff00',
      '05 0004 0000',
    ]) {
      arrives(frame(1, 5, pdu))
      call()
    }
    call()
    assert.deepEqual(values('/d[0]', '/d[1]', '/d[2]', '/d[3]', '/d[4]'), [0x1122, 0x3344, 0xabcd, 0x0102, 0x0304])
    // Coils 4 to 13, without 4, with 0.
    assert.deepEqual(
      values('/q0', '/q1').map((one) => (one as number) & 0xff),
      [0xe1, 0x3f],
    )
  })

  test('HR_Start_Offset shifts the holding registers only', () => {
    const { call, arrives, did } = open({ HR_Start_Offset: 20 })
    for (const [pdu, answer] of [
      ['03 0014 0001', '03 02 1122'],
      ['03 0013 0001', '83 02'],
      ['04 0000 0001', '04 02 1234'],
      ['02 0000 0008', '02 01 12'],
      ['06 0018 0001', '06 0018 0001'],
      ['10 0019 0001 02 0001', '90 02'],
    ] as const) {
      arrives(frame(7, 1, pdu))
      call()
      assert.deepEqual(did(), [`send 1 ${frame(7, 1, answer)}`])
    }
  })

  test('several requests at once are answered one in each call', () => {
    const { call, arrives, did } = open()
    arrives(frame(1, 1, '03 0000 0001') + frame(2, 1, '03 0001 0001').slice(0, 8))
    call()
    assert.deepEqual([did(), call(), did()], [[`send 1 ${frame(1, 1, '03 02 1122')}`], quiet, []])
    arrives(frame(2, 1, '03 0001 0001').slice(8))
    call()
    assert.deepEqual(did(), [`send 1 ${frame(2, 1, '03 02 3344')}`])
  })

  test('after rubbish it waits for the next client', () => {
    for (const rubbish of [frame(1, 1, '03 0000 0001', 1), '000100000001ff', '0001000000ffff']) {
      const { call, arrives, did, values } = open()
      arrives(rubbish)
      assert.deepEqual([call(), did()], [[0, 0, 1, 0x8380], ['open 1']], rubbish)
      assert.deepEqual(values(...counters), [1, 0, 0, 0, 0])
    }
  })
})
