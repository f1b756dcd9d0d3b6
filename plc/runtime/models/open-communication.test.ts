/** Blocks of open communication: each step of each job, with the STATUS of its page of the help. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { handNetwork } from '../../testing/hand-network.ts'
import { modelBench } from '../../testing/model-bench.ts'
import type { ConnectionParameters } from '../network.ts'

type Given = Readonly<Record<string, number | boolean>>

/** A block with a description `c` of a connection, data `d` (4 bytes) and an address `a`. */
function bench(type: string, parameters: readonly string[], description = 'TCON_IP_v4', data = 'Array[0..3] of Byte') {
  const network = handNetwork({
    9: { kind: 'tcp', isActive: true, remoteAddress: '1.2.3.4', remotePort: 5, localPort: 0 },
  })
  const operands = { CONNECT: '#c', DATA: '#d', ADDR: '#a', RESULT: '#r', COM_RST: '#reset' } as const
  const call = parameters.map((name) => `${name} := ${operands[name as keyof typeof operands]}`)
  const model = modelBench(type, {
    network,
    call: call.join(', '),
    variables: `c : ${description}; d : ${data}; a : TADDR_Param; r : "TDiag"; reset : Bool;`,
    types: 'TYPE "TDiag"\nSTRUCT\nState : Int; Kind : Int;\nEND_STRUCT;\nEND_TYPE\n',
  })
  const receives = type.includes('RCV')
  return {
    ...model,
    network,
    /** DONE or NDR, BUSY, ERROR, STATUS and, of blocks that receive, RCVD_LEN after a call. */
    call(given: Given = {}) {
      model.scan(given)
      const isDone = type === 'TRCV' || type === 'TURCV' ? 'NDR' : 'DONE'
      return model.values(isDone, 'BUSY', 'ERROR', 'STATUS', ...(receives ? ['RCVD_LEN'] : []))
    },
    /** What the blocks did since the last look. */
    did: () => network.log.splice(0),
    open(id: number, more: Partial<ConnectionParameters> = {}) {
      network.phases.set(id, 'open')
      network.parameters.set(id, {
        kind: 'tcp',
        isActive: true,
        remoteAddress: '10.0.0.1',
        remotePort: 7,
        localPort: 0,
        ...more,
      })
    },
  }
}

/** An active TCP connection 1 to 10.0.0.1, port 7. */
const active = {
  '/c.ID': 1,
  '/c.ConnectionType': 11,
  '/c.ActiveEstablished': true,
  '/c.RemoteAddress.ADDR[1]': 10,
  '/c.RemoteAddress.ADDR[4]': 1,
  '/c.RemotePort': 7,
}
const bytes = { '/d[0]': 1, '/d[1]': 2, '/d[2]': 3, '/d[3]': 4 }
const arrival = (...data: number[]) => ({ data: Uint8Array.from(data), address: '10.0.0.9', port: 2000 })
const [idle, started, busy, done] = [
  [0, 0, 0, 0x7000],
  [0, 1, 0, 0x7001],
  [0, 1, 0, 0x7002],
  [1, 0, 0, 0],
]
const failed = (status: number) => [0, 0, 1, status]

describe('TCON', () => {
  const connect = (given: Given = {}) => {
    const model = bench('TCON', ['CONNECT'])
    model.set({ ID: 1, ...given })
    return model
  }

  test('is busy until the connection is open', () => {
    const { call, network, did } = connect(active)
    assert.deepEqual(call(), idle)
    assert.deepEqual(call({ REQ: true }), started)
    assert.deepEqual([call(), call(), did()], [busy, busy, ['open 1']])
    network.phases.set(1, 'open')
    assert.deepEqual([call(), call(), did()], [done, idle, []])
    assert.deepEqual(call({ REQ: false }), idle)
    // It is there already.
    assert.deepEqual([call({ REQ: true }), did()], [failed(0x80a3), []])
  })

  test('the reasons why it could not be established', () => {
    for (const [phase, status] of [
      ['refused', 0x80c5],
      ['unreachable', 0x80c6],
      ['forbidden', 0x80c6],
      ['busyPort', 0x80a1],
    ] as const) {
      const { call, network, did } = connect(active)
      call({ REQ: true })
      network.phases.set(1, phase)
      assert.deepEqual([call(), call(), did()], [failed(status), idle, ['open 1', 'close 1']], phase)
    }
  })

  test('IDs are 1 to 4095, and that of the description', () => {
    for (const id of [0, 4096]) assert.deepEqual(connect({ ...active, ID: id }).call({ REQ: true }), failed(0x8086))
    assert.deepEqual(connect({ ...active, ID: 2 }).call({ REQ: true }), failed(0x8086))
    for (const id of [0, 4096])
      assert.deepEqual(connect({ ...active, '/c.ID': id }).call({ REQ: true }), failed(0x8086))
    assert.deepEqual(connect({ ...active, ID: 4095, '/c.ID': 4095 }).call({ REQ: true }), started)
  })

  test('TCON_IP_v4', () => {
    const read = (given: Given) => {
      const { call, network } = connect({ ...active, ...given })
      const [, , , status] = call({ REQ: true })
      return network.parameters.get(1) ?? status
    }
    const tcp = { kind: 'tcp', isActive: true, remoteAddress: '10.0.0.1', remotePort: 7, localPort: 0 }
    assert.deepEqual(read({}), tcp)
    assert.deepEqual(read({ '/c.ConnectionType': 17 }), tcp)
    assert.deepEqual(read({ '/c.LocalPort': 9 }), { ...tcp, localPort: 9 })
    assert.deepEqual(read({ '/c.RemotePort': 0 }), 0x80b7)
    const nobody = { '/c.RemoteAddress.ADDR[1]': 0, '/c.RemoteAddress.ADDR[4]': 0 }
    assert.deepEqual(read(nobody), 0x80b7)
    const passive = { ...nobody, '/c.ActiveEstablished': false, '/c.RemotePort': 0 }
    assert.deepEqual(read({ ...passive, '/c.LocalPort': 9 }), {
      ...tcp,
      isActive: false,
      remoteAddress: '',
      remotePort: 0,
      localPort: 9,
    })
    assert.deepEqual(read(passive), 0x80b7)
    // UDP has no side that establishes it.
    assert.deepEqual(read({ '/c.ConnectionType': 19, '/c.LocalPort': 9 }), {
      ...tcp,
      kind: 'udp',
      isActive: false,
      localPort: 9,
    })
    assert.deepEqual(read({ '/c.ConnectionType': 20 }), 0x80b7)
  })

  test('TCON_IP_RFC has selectors', () => {
    const { '/c.RemotePort': _port, ...own } = active
    const selectors = {
      '/c.LocalTSelector.TSelLength': 2,
      '/c.LocalTSelector.TSel[1]': 0xe0,
      '/c.LocalTSelector.TSel[2]': 5,
    }
    const rest = {
      '/c.RemoteTSelector.TSelLength': 1,
      '/c.RemoteTSelector.TSel[1]': 7,
      '/c.RemoteTSelector.TSel[2]': 8,
    }
    const iso = { kind: 'iso', remotePort: 102, localPort: 102, remoteSelector: '07', localSelector: 'e005' }
    const seen = (given: Given) => {
      const { call, network, set } = bench('TCON', ['CONNECT'], 'TCON_IP_RFC')
      set({ ...own, ID: 1, '/c.ConnectionType': 12, ...given })
      const [, , , status] = call({ REQ: true })
      return network.parameters.get(1) ?? status
    }
    assert.deepEqual(seen({ ...selectors, ...rest }), { ...iso, isActive: true, remoteAddress: '10.0.0.1' })
    assert.deepEqual(seen({ ...selectors, ...rest, '/c.ConnectionType': 18 }), {
      ...iso,
      isActive: true,
      remoteAddress: '10.0.0.1',
    })
    const passive = { '/c.ActiveEstablished': false, '/c.RemoteAddress.ADDR[1]': 0, '/c.RemoteAddress.ADDR[4]': 0 }
    assert.deepEqual(seen({ ...selectors, ...rest, ...passive }), { ...iso, isActive: false, remoteAddress: '' })
    assert.deepEqual(seen({ ...rest, ...passive }), 0x80b7)
  })

  test('TCON_Param: ports are in the first two bytes of the TSAP', () => {
    const seen = (given: Given) => {
      const { call, network, set } = bench('TCON', ['CONNECT'], 'TCON_Param')
      const remote = {
        '/c.REM_STADDR_LEN': 4,
        '/c.REM_STADDR[1]': 10,
        '/c.REM_STADDR[2]': 2,
        '/c.REM_STADDR[3]': 3,
        '/c.REM_STADDR[4]': 4,
      }
      const port = { '/c.REM_TSAP_ID_LEN': 2, '/c.REM_TSAP_ID[1]': 7, '/c.REM_TSAP_ID[2]': 8 }
      set({ ID: 1, '/c.ACTIVE_EST': true, ...remote, ...port, ...given })
      const [, , , status] = call({ REQ: true })
      return network.parameters.get(1) ?? status
    }
    const local = { '/c.LOCAL_TSAP_ID_LEN': 2, '/c.LOCAL_TSAP_ID[1]': 1, '/c.LOCAL_TSAP_ID[2]': 2 }
    const tcp = { kind: 'tcp', isActive: true, remoteAddress: '10.2.3.4', remotePort: 0x0708, localPort: 0 }
    assert.deepEqual(seen({}), tcp)
    assert.deepEqual(seen({ ...local, '/c.CONNECTION_TYPE': 11 }), { ...tcp, localPort: 0x0102 })
    assert.deepEqual(seen({ '/c.REM_STADDR_LEN': 0 }), 0x80b7)
    assert.deepEqual(seen({ '/c.REM_TSAP_ID_LEN': 0 }), 0x80b7)
    const passive = { '/c.ACTIVE_EST': false, '/c.REM_TSAP_ID_LEN': 0 }
    assert.deepEqual(seen({ ...local, ...passive }), { ...tcp, isActive: false, remotePort: 0, localPort: 0x0102 })
    assert.deepEqual(seen({ ...local, '/c.CONNECTION_TYPE': 19 }), {
      ...tcp,
      kind: 'udp',
      isActive: false,
      localPort: 0x0102,
    })
    const iso = { ...tcp, kind: 'iso', remotePort: 102, localPort: 102, remoteSelector: '0708', localSelector: '0102' }
    assert.deepEqual(seen({ ...local, '/c.CONNECTION_TYPE': 12 }), iso)
    assert.deepEqual(seen({ '/c.CONNECTION_TYPE': 99 }), 0x80b7)
    for (const id of [0, 4096]) assert.deepEqual(seen({ '/c.ID': id }), 0x8086)
  })

  test('a configured connection; what is no description', () => {
    const { call, network, set } = bench('TCON', ['CONNECT'], 'TCON_Configured')
    set({ ID: 9, '/c.ID': 9 })
    assert.deepEqual(call({ REQ: true }), started)
    assert.equal(network.parameters.get(9)?.remoteAddress, '1.2.3.4')
  })

  test('descriptions that a virtual controller does not know', () => {
    for (const type of ['TCON_IP_V4_SEC', 'TCON_QDN_SEC', 'TCON_QDN', 'TADDR_Param', 'Int']) {
      const { call, set } = bench('TCON', ['CONNECT'], type)
      set({ ID: 1, ...(type === 'TCON_QDN' ? { '/c.ID': 1 } : {}) })
      assert.deepEqual(call({ REQ: true }), failed(0x809b), type)
    }
    const { call, set } = bench('TCON', ['CONNECT'], 'TCON_Configured')
    set({ ID: 8, '/c.ID': 8 })
    assert.deepEqual(call({ REQ: true }), failed(0x8085))
  })
})

test('TDISCON closes what there is', () => {
  const { call, open, did } = bench('TDISCON', [])
  assert.deepEqual([call(), call({ REQ: true, ID: 0 })], [idle, failed(0x8086)])
  call({ REQ: false, ID: 3 })
  assert.deepEqual([call({ REQ: true }), call()], [failed(0x80a3), idle])
  call({ REQ: false })
  open(3)
  assert.deepEqual([call({ REQ: true }), call(), call(), did()], [started, done, idle, ['close 3']])
})

describe('TSEND and TUSEND', () => {
  test('is busy until the data have left', () => {
    const { call, open, network, did } = bench('TSEND', ['DATA'])
    open(2)
    assert.deepEqual([call({ ID: 2, ...bytes }), did()], [idle, []])
    network.left = 4
    assert.deepEqual([call({ REQ: true }), call(), did()], [started, busy, ['send 2 01020304']])
    network.left = 0
    assert.deepEqual([call(), call(), did()], [done, idle, []])
    // LEN bytes, once the buffer has room.
    network.hasRoom = false
    call({ REQ: false })
    assert.deepEqual([call({ REQ: true, LEN: 3 }), call(), did()], [started, busy, []])
    network.hasRoom = true
    assert.deepEqual([call(), did(), call(), call()], [busy, ['send 2 010203'], done, idle])
  })

  test('what cannot be sent', () => {
    const { call, open, network, did } = bench('TSEND', ['DATA'])
    open(2)
    assert.deepEqual(call({ REQ: true, ID: 0 }), failed(0x8086))
    for (const [given, status] of [
      [{ ID: 4096 }, 0x8086],
      [{ ID: 3 }, 0x80a1],
      [{ ID: 2, LEN: 5 }, 0x8088],
    ] as const) {
      call({ REQ: false, ...given })
      assert.deepEqual([call({ REQ: true }), call()], [failed(status), idle])
    }
    // The connection ends meanwhile.
    call({ REQ: false, LEN: 0 })
    call({ REQ: true })
    network.phases.delete(2)
    assert.deepEqual([call(), call(), did()], [failed(0x80a1), idle, ['send 2 00000000']])
  })

  test('most bytes of one job: 65536, of UDP 1472', () => {
    for (const [kind, most] of [
      ['tcp', 65_536],
      ['iso', 65_536],
      ['udp', 1472],
    ] as const) {
      const { call, open, set } = bench('TUSEND', ['DATA', 'ADDR'], 'TCON_IP_v4', 'Array[0..8749] of LWord')
      open(2, { kind })
      set({ ID: 2, '/a.REM_IP_ADDR[1]': 10, '/a.REM_PORT_NR': 99 })
      assert.deepEqual(call({ REQ: true, LEN: most }), started, kind)
      call()
      call({ REQ: false })
      assert.deepEqual(call({ REQ: true, LEN: most + 1 }), failed(0x8085), kind)
    }
  })

  test('UDP has a receiver', () => {
    const { call, open, did } = bench('TUSEND', ['DATA', 'ADDR'])
    open(2, { kind: 'udp' })
    const address = { '/a.REM_IP_ADDR[1]': 10, '/a.REM_IP_ADDR[4]': 5, '/a.REM_PORT_NR': 99 }
    assert.deepEqual(call({ REQ: true, ID: 2, ...bytes, ...address }), started)
    assert.deepEqual([did(), call()], [['send 2 01020304 10.0.0.5:99'], done])
    call({ REQ: false, '/a.REM_PORT_NR': 0 })
    assert.deepEqual(call({ REQ: true }), failed(0x8085))
  })
})

describe('TRCV and TURCV', () => {
  const received = (count: number) => [1, 0, 0, 0, count]
  const [waitingFirst, waiting] = [
    [0, 1, 0, 0x7001, 0],
    [0, 1, 0, 0x7002, 0],
  ]

  test('waits for as many bytes as it is to receive', () => {
    const { call, open, network, values } = bench('TRCV', ['DATA'])
    open(2)
    assert.deepEqual(call({ ID: 2 }), [...idle, 0])
    assert.deepEqual([call({ EN_R: true }), call()], [waitingFirst, waiting])
    network.arrived.push(arrival(5, 6, 7))
    assert.deepEqual(call(), waiting)
    network.arrived.splice(0, 1, arrival(5, 6, 7, 8, 9))
    assert.deepEqual([call(), values('/d[0]', '/d[1]', '/d[2]', '/d[3]')], [received(4), [5, 6, 7, 8]])
    assert.deepEqual([call(), call({ LEN: 1 }), values('/d[0]', '/d[1]')], [waitingFirst, received(1), [9, 6]])
    assert.deepEqual([call(), call({ EN_R: false })], [waitingFirst, [...idle, 0]])
  })

  test('ADHOC takes what there is', () => {
    const { call, open, network, values } = bench('TRCV', ['DATA'])
    open(2)
    network.arrived.push(arrival(5, 6))
    assert.deepEqual(
      [call({ ID: 2, EN_R: true, ADHOC: true }), values('/d[0]', '/d[1]', '/d[2]')],
      [received(2), [5, 6, 0]],
    )
    assert.deepEqual(call(), waitingFirst)
  })

  test('messages come whole, with their sender', () => {
    for (const kind of ['udp', 'iso'] as const) {
      const { call, open, network, values } = bench('TURCV', ['DATA', 'ADDR'])
      open(2, { kind })
      network.arrived.push(arrival(5, 6), arrival(1, 2, 3, 4, 5))
      assert.deepEqual([call({ ID: 2, EN_R: true }), values('/d[0]', '/d[1]', '/d[2]')], [received(2), [5, 6, 0]])
      const sender = ['/a.REM_IP_ADDR[1]', '/a.REM_IP_ADDR[4]', '/a.REM_PORT_NR'] as const
      assert.deepEqual(values(...sender), [10, 9, 2000])
      // More than there is room for.
      assert.deepEqual(call(), [...failed(0x8088), 0])
    }
  })

  test('what cannot be received', () => {
    const { call, open } = bench('TRCV', ['DATA'])
    open(2)
    for (const [given, status] of [
      [{ ID: 0 }, 0x8086],
      [{ ID: 4096 }, 0x8086],
      [{ ID: 3 }, 0x80a1],
      [{ ID: 2, LEN: 5 }, 0x8088],
    ] as const)
      assert.deepEqual(call({ EN_R: true, ...given }), [...failed(status), 0])
  })
})

describe('TSEND_C', () => {
  const sender = () => {
    const model = bench('TSEND_C', ['CONNECT', 'DATA', 'ADDR', 'COM_RST'])
    // CONT is TRUE when nothing is given.
    model.set({ ...active, ...bytes, CONT: false })
    return model
  }
  const [established, sends] = [
    [0, 0, 0, 0x7004],
    [0, 1, 0, 0x7005],
  ]

  test('with CONT it keeps the connection, and sends with the edge of REQ', () => {
    const { call, network, did } = sender()
    assert.deepEqual(call(), idle)
    assert.deepEqual([call({ CONT: true }), call(), did()], [started, busy, ['open 1']])
    // The edge is not lost while the connection is being established.
    assert.deepEqual([call({ REQ: true }), call({ REQ: false })], [busy, busy])
    network.phases.set(1, 'open')
    network.left = 1
    assert.deepEqual([call(), call(), did()], [sends, sends, ['send 1 01020304']])
    network.left = 0
    assert.deepEqual([call(), call(), call(), did()], [done, established, established, []])
    network.hasRoom = false
    assert.deepEqual([call({ REQ: true, LEN: 2 }), call(), did()], [sends, sends, []])
    network.hasRoom = true
    assert.deepEqual([call(), call(), call(), did()], [sends, done, established, ['send 1 0102']])
    assert.deepEqual([call({ CONT: false }), call(), did()], [[0, 0, 0, 0x7003], idle, ['close 1']])
  })

  test('without CONT nothing is sent; an end of CONT ends a job that runs', () => {
    const { call, network, values, did } = sender()
    assert.deepEqual([call({ REQ: true, '/reset': true }), call(), values('/reset'), did()], [idle, idle, [0], []])
    call({ CONT: true })
    network.phases.set(1, 'open')
    assert.deepEqual([call(), did()], [established, ['open 1']])
    call({ REQ: false })
    network.left = 1
    assert.deepEqual([call({ REQ: true }), call()], [sends, sends])
    assert.deepEqual([call({ CONT: false }), call(), did()], [[0, 0, 0, 0x7003], idle, ['send 1 01020304', 'close 1']])
  })

  test('errors: of the connection, of the data, and an end while it sends', () => {
    const { call, network, did } = sender()
    call({ REQ: true, CONT: true })
    network.phases.set(1, 'refused')
    assert.deepEqual([call(), did()], [failed(0x80c5), ['open 1', 'close 1']])
    // It tries again, without the job.
    assert.deepEqual([call(), did()], [started, ['open 1']])
    network.phases.set(1, 'open')
    assert.deepEqual([call({ REQ: false }), call({ REQ: true, LEN: 5 })], [established, failed(0x8088)])
    call({ REQ: false, LEN: 0 })
    assert.deepEqual(call({ REQ: true }), sends)
    network.phases.delete(1)
    assert.deepEqual(call(), failed(0x80a1))
    did()
    // It is established again; the job is lost.
    assert.deepEqual([call(), did()], [started, ['open 1']])
    network.phases.set(1, 'open')
    assert.deepEqual([call(), call({ REQ: false }), did()], [established, established, []])
    assert.deepEqual([call({ REQ: true }), call(), call(), did()], [sends, done, established, ['send 1 01020304']])
    assert.deepEqual(sender().call({ CONT: true, '/c.ID': 0 }), failed(0x8086))
  })

  test('COM_RST establishes the connection again, and is reset', () => {
    const { call, network, values, did } = sender()
    call({ CONT: true })
    network.phases.set(1, 'open')
    assert.deepEqual(call(), established)
    assert.deepEqual(
      [call({ '/reset': true }), values('/reset'), did()],
      [started, [0], ['open 1', 'close 1', 'open 1']],
    )
  })
})

test('TRCV_C receives over its own connection', () => {
  const { call, set, network, did, values } = bench('TRCV_C', ['CONNECT', 'DATA', 'ADDR', 'COM_RST'])
  set({ ...active, CONT: false })
  assert.deepEqual(call(), [...idle, 0])
  assert.deepEqual(call({ EN_R: true }), [...idle, 0])
  assert.deepEqual(
    [call({ CONT: true }), call()],
    [
      [...started, 0],
      [...busy, 0],
    ],
  )
  network.phases.set(1, 'open')
  assert.deepEqual(call(), [0, 1, 0, 0x7006, 0])
  network.arrived.push(arrival(5, 6, 7, 8))
  assert.deepEqual([call(), values('/d[3]')], [[1, 0, 0, 0, 4], [8]])
  assert.deepEqual(call({ LEN: 5 }), [...failed(0x8088), 0])
  assert.deepEqual(call({ LEN: 0, EN_R: false }), [0, 0, 0, 0x7004, 0])
  assert.deepEqual(
    [call({ CONT: false }), call(), did()],
    [
      [0, 0, 0, 0x7003, 0],
      [...idle, 0],
      ['open 1', 'close 1'],
    ],
  )
})

test('T_DIAG shows the state of a connection', () => {
  for (const [phase, state] of [
    ['connecting', 2],
    ['listening', 3],
    ['open', 4],
    ['refused', 1],
  ] as const) {
    const { call, open, network, values } = bench('T_DIAG', ['RESULT'])
    open(2)
    network.phases.set(2, phase)
    assert.deepEqual([call({ ID: 2 }), values('/r.State', '/r.Kind')], [idle, [0, 0]])
    assert.deepEqual([call({ REQ: true }), values('/r.State', '/r.Kind'), call()], [done, [state, 3], idle])
    for (const [id, status] of [
      [0, 0x8086],
      [4096, 0x8086],
      [3, 0x80a3],
    ] as const) {
      call({ REQ: false, ID: id })
      assert.deepEqual(call({ REQ: true }), failed(status))
    }
  }
})

test('T_RESET establishes a connection again', () => {
  for (const type of ['T_RESET', 'TRESET']) {
    const { call, open, did } = bench(type, [])
    open(2)
    assert.deepEqual([call({ ID: 2 }), call({ REQ: true }), call(), did()], [idle, done, idle, ['open 2']])
    call({ REQ: false, ID: 3 })
    assert.deepEqual(call({ REQ: true }), failed(0x8081))
  }
})
