/** GET, PUT, USEND, URCV, BSEND and BRCV step by step, with the bytes of their ANY pointers. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { handNetwork } from '../../testing/hand-network.ts'
import { modelBench } from '../../testing/model-bench.ts'

type Given = Readonly<Record<string, number | boolean>>

function bench(type: string, call: string, isOptimized = false) {
  const network = handNetwork()
  const variables =
    'a : Word := 16#1122; bs : Array[0..2] of Byte; c : DInt; e : Real; len : UInt; bit : Bool := TRUE; off : Bool; last : Bool;'
  const model = modelBench(type, { network, call, variables, isOptimized })
  const isNew = /^(?:GET|URCV|BRCV)$/.test(type)
  model.set({ ID: 0x100, ...(type.startsWith('U') || type.startsWith('B') ? { R_ID: 7 } : {}) })
  return {
    ...model,
    network,
    call(given: Given = {}) {
      model.scan(given)
      return model.values(isNew ? 'NDR' : 'DONE', 'ERROR', 'STATUS')
    },
    did: () => network.log.splice(0),
  }
}
const [idle, running, done] = [
  [0, 0, 0],
  [0, 0, 25],
  [1, 0, 0],
]
const failed = (status: number) => [0, 1, status]
const bytes = (...list: number[]) => Uint8Array.from(list)

describe('PUT and GET', () => {
  const pair = 'ADDR_1 := P#DB7.DBX2.0 WORD 1, SD_1 := #a, ADDR_2 := P#M10.0 BYTE 3, SD_2 := #bs'

  test('PUT sends what it has, and is done with the answer', () => {
    const { call, network, did } = bench('PUT', pair)
    network.job = 5
    assert.deepEqual([call(), did()], [idle, []])
    assert.deepEqual(call({ REQ: true, '/bs[1]': 9 }), running)
    assert.deepEqual(did(), ['write 256 10040001000784000010=1122 10020003000083000050=000900'])
    assert.deepEqual(call(), running)
    assert.deepEqual(call({ REQ: false }), running)
    // Another edge while it runs is not lost in silence.
    assert.deepEqual(call({ REQ: true }), [0, 0, 11])
    network.answers.set(5, { kind: 'done', items: [bytes(), bytes()] })
    assert.deepEqual([call(), call(), did()], [done, idle, []])
  })

  test('GET writes the answer', () => {
    const { call, network, did, values } = bench('GET', pair.replaceAll('SD_', 'RD_'))
    network.job = 6
    assert.deepEqual([call({ REQ: true }), did()], [running, ['read 256 10040001000784000010 10020003000083000050']])
    network.answers.set(6, { kind: 'done', items: [bytes(0xab, 0xcd), bytes(1, 2, 3)] })
    assert.deepEqual([call(), values('/a', '/bs[0]', '/bs[1]', '/bs[2]')], [done, [0xabcd, 1, 2, 3]])
  })

  test('a bit is received where it belongs, in both layouts', () => {
    for (const isOptimized of [false, true]) {
      const { call, network, values } = bench('GET', 'ADDR_1 := P#M1.5 BOOL 1, RD_1 := #off', isOptimized)
      network.job = 6
      call({ REQ: true, '/bit': false })
      network.answers.set(6, { kind: 'done', items: [bytes(1)] })
      assert.deepEqual([call(), values('/off', '/bit', '/last')], [done, [1, 0, 0]])
    }
  })

  test('what goes wrong', () => {
    for (const [answer, status] of [
      [{ kind: 'failed' }, 1],
      [{ kind: 'done', items: [bytes(1, 2), undefined] }, 8],
      [{ kind: 'done', items: [bytes(1, 2)] }, 4],
    ] as const) {
      const { call, network, values } = bench('GET', pair.replaceAll('SD_', 'RD_'))
      network.job = 6
      call({ REQ: true })
      network.answers.set(6, answer)
      assert.deepEqual([call(), call(), values('/a')], [failed(status), idle, [0x1122]])
    }
    // There is no such connection.
    const { call } = bench('PUT', pair)
    assert.deepEqual([call({ REQ: true }), call()], [failed(1), idle])
  })

  test('items are whole, of one size on both sides, and at least one', () => {
    for (const [parameters, wanted] of [
      ['ADDR_1 := P#DB7.DBX2.0 WORD 1, SD_1 := #a', 'write 256 10040001000784000010=1122'],
      ['ADDR_1 := P#DB7.DBX2.0 BYTE 2, SD_1 := #a', 'write 256 10020002000784000010=1122'],
      ['ADDR_4 := P#Q4.0 DINT 1, SD_4 := #c', 'write 256 10070001000082000020=00000000'],
      ['ADDR_1 := P#I4.0 REAL 1, SD_1 := #e', 'write 256 10080001000081000020=00000000'],
      ['ADDR_1 := P#M1.5 BOOL 1, SD_1 := #bit', 'write 256 1001000100008300000d=01'],
      ['ADDR_1 := %Q2.7, SD_1 := #off', 'write 256 10010001000082000017=00'],
      ['ADDR_1 := P#DB7.DBX2.5 BOOL 1, SD_1 := #bit', 'write 256 10010001000784000015=01'],
      ['ADDR_1 := P#DB7.DBX2.0 DWORD 1, SD_1 := #a', 4],
      ['ADDR_1 := P#DB7.DBX2.0 BYTE 1, SD_1 := #a', 4],
      ['ADDR_1 := P#DB7.DBX2.0 WORD 1', 4],
      ['SD_1 := #a', 4],
      ['ADDR_1 := P#DB7.DBX2.0 WORD 1, SD_2 := #a', 4],
      ['', 4],
    ] as const) {
      const { call, network, did } = bench('PUT', parameters)
      network.job = 1
      const isWrong = typeof wanted === 'number'
      assert.deepEqual([call({ REQ: true }), did()], isWrong ? [failed(wanted), []] : [running, [wanted]], parameters)
    }
  })
})

describe('sending and receiving between two programs', () => {
  test('USEND sends its parts', () => {
    const { call, network, did } = bench('USEND', 'SD_1 := #a, SD_2 := #bs')
    network.job = 1
    assert.deepEqual([call(), call({ REQ: true }), did()], [idle, running, ['post 256 7 1122 000000']])
    assert.deepEqual([call(), call(), did()], [done, idle, []])
    network.job = undefined
    call({ REQ: false })
    assert.deepEqual([call({ REQ: true }), call()], [failed(1), idle])
    assert.deepEqual(bench('USEND', '').call({ REQ: true }), failed(4))
  })

  test('BSEND sends LEN bytes, all for 0 and for more than there are', () => {
    for (const [length, data] of [
      [0, '010203'],
      [1, '01'],
      [2, '0102'],
      [3, '010203'],
      [4, '010203'],
    ] as const) {
      const { call, network, did } = bench('BSEND', 'SD_1 := #bs, LEN := #len')
      network.job = 1
      assert.deepEqual(call({ REQ: true, '/bs[0]': 1, '/bs[1]': 2, '/bs[2]': 3, '/len': length }), running)
      assert.deepEqual(did(), [`post 256 7 ${data}`])
    }
  })

  test('URCV takes what was sent, part by part', () => {
    const { call, network, did, values } = bench('URCV', 'RD_1 := #a, RD_2 := #bs')
    assert.deepEqual([call(), did()], [idle, []])
    assert.deepEqual([call({ EN_R: true }), did()], [running, ['collect 256 7']])
    network.posted.push([bytes(0xab, 0xcd), bytes(1, 2, 3)])
    assert.deepEqual([call(), values('/a', '/bs[0]', '/bs[2]'), call()], [done, [0xabcd, 1, 3], running])
    // More parts, and more bytes, than there is place for.
    for (const parts of [[bytes(1), bytes(2), bytes(3)], [bytes(1, 2, 3)], [bytes(1, 2), bytes(1, 2, 3, 4)]]) {
      network.posted.push(parts)
      assert.deepEqual([call(), values('/a')], [failed(4), [0xabcd]])
    }
  })

  test('BRCV tells how many bytes there were', () => {
    const { call, network, values } = bench('BRCV', 'RD_1 := #bs, LEN := #len')
    network.posted.push([bytes(8, 9)])
    assert.deepEqual([call({ EN_R: true }), values('/bs[0]', '/bs[1]', '/bs[2]', '/len')], [done, [8, 9, 0, 2]])
  })
})
