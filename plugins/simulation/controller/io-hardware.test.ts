/** Inputs that raise interrupts, partitions of the process image, and modules that are there or not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HardwareInterrupts } from './hardware-interrupts.ts'
import { ImagePartitions } from './image-partitions.ts'
import { hardwareIn, IoModules } from './io-modules.ts'
import type { OrganizationBlockPlan } from './organization-blocks.ts'

test('edges of inputs raise the events that are configured', () => {
  const memory = new Uint8Array(20)
  memory[11] = 0b10
  const interrupt = (byte: number, bit: number, edge: 'rising' | 'falling' | 'both', organizationBlock: number) => ({
    ...{ byte, bit, edge, organizationBlock },
  })
  const inputs = new HardwareInterrupts(
    memory,
    { address: 10, size: 4 },
    {
      hardwareInterrupts: [
        interrupt(0, 3, 'rising', 40),
        interrupt(1, 1, 'falling', 41),
        interrupt(3, 7, 'both', 42),
        interrupt(4, 0, 'both', 43),
      ],
    },
  )
  const look = () => {
    const raised: unknown[] = []
    inputs.look((block, { ICHANNEL, EVENTTYPE, IO_FLAG, MDL_ADDR, POINT_ADDR }) =>
      raised.push([block, ICHANNEL, EVENTTYPE, IO_FLAG, MDL_ADDR, POINT_ADDR]),
    )
    return raised
  }
  assert.deepEqual(look(), [])
  Object.assign(memory, { 10: 0xff, 11: 0xff, 13: 0xff, 14: 0xff })
  assert.deepEqual(look(), [
    [40, 3, 1, 0x54, 0, 8],
    [42, 31, 1, 0x54, 3, 128],
  ])
  assert.deepEqual(look(), [])
  memory.fill(0)
  assert.deepEqual(look(), [
    [41, 9, 2, 0x54, 1, 2],
    [42, 31, 2, 0x54, 3, 128],
  ])
  assert.deepEqual(new HardwareInterrupts(memory, { address: 0, size: 1 }, {}).look(assert.fail), undefined)
})

test('partitions of the process image: their bytes, and with which block they are updated', () => {
  const range = (firstByte: number, bytes: number) => ({ firstByte, bytes })
  const partitions = new ImagePartitions(
    {
      processImagePartitions: {
        1: { organizationBlock: 30, inputs: [range(8, 2), range(0, 4)] },
        2: { outputs: [range(4, 4)] },
        3: { outputs: [range(0, 1)] },
        4: {},
      },
    },
    [
      { number: 31, processImagePartition: 1 },
      { number: 32, processImagePartition: 2 },
      { number: 61, processImagePartition: 3 },
      { number: 33, processImagePartition: 9 },
    ],
  )
  assert.deepEqual(
    [partitions.inputs, partitions.outputs],
    [
      [
        [0, 4],
        [8, 10],
      ],
      [
        [0, 1],
        [4, 8],
      ],
    ],
  )
  assert.deepEqual(partitions.get(1), {
    inputs: [
      [8, 10],
      [0, 4],
    ],
    outputs: [],
  })
  assert.equal(partitions.get(9), undefined)
  assert.equal(partitions.isWithoutBlocks, false)
  const block = (number: number, eventClass = 'CyclicInterrupt') => ({ number, eventClass }) as OrganizationBlockPlan
  assert.deepEqual(
    [30, 31, 32, 33, 61].map((number) => partitions.ofBlock(block(number))),
    [1, undefined, 2, undefined, 3],
  )
  assert.equal(partitions.ofBlock(block(61, 'SynchronousCycle')), undefined)
  const update = (partition: number, running?: OrganizationBlockPlan) => partitions.updateOf(partition, running)
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((partition) => update(partition)),
    ['cycle', 'block', 'block', 'block', 'program', 'none'],
  )
  assert.equal(update(3, block(61, 'SynchronousCycle')), 'isochronous')
  assert.equal(update(2, block(61, 'SynchronousCycle')), 'block')
  assert.equal(update(3, block(61)), 'block')
  const none = new ImagePartitions({}, [{ number: 30, processImagePartition: 1 }])
  assert.deepEqual([none.isWithoutBlocks, none.inputs, none.ofBlock(block(30))], [true, [], undefined])
})
test('bytes of the periphery without a module, or whose module was pulled', () => {
  const module = (
    name: string,
    hardwareIdentifier: number,
    device: string,
    position: string,
    inputs: [number, number][],
    outputs: [number, number][] = [],
  ) => {
    const ranges = (list: [number, number][]) => list.map(([firstByte, bytes]) => ({ firstByte, bytes }))
    return { name, hardwareIdentifier, device, position, inputs: ranges(inputs), outputs: ranges(outputs) }
  }
  const modules = [
    module('DI', 260, 'PLC', '2', [[0, 2]]),
    module('DQ', 261, 'IO_1', '1', [], [[0, 2]]),
    module('AI', 262, 'IO_1', '2.1', [[64, 4]], [[8, 1]]),
    module('X', 263, 'IO_2', '1', [[80, 1]]),
  ]
  const devices = [
    { name: 'IO_1', number: 1, hardwareIdentifier: 270, system: 280, slots: [1, 2] },
    { name: 'IO_2', number: 2, hardwareIdentifier: 271, system: 280, slots: [1] },
    { name: 'IO_3', number: 3, hardwareIdentifier: 272, system: 280, slots: [] },
    { name: 'DP_4', number: 4, hardwareIdentifier: 273, system: 281, slots: [1], isOnBus: true },
  ]
  const memory = { buffer: new ArrayBuffer(300) }
  const bytes = new Uint8Array(memory.buffer).fill(7)
  const areas = { PI: { address: 10, size: 90 }, PQ: { address: 200, size: 90 } }
  const handler = { number: 122, eventClass: 'IOAccessError', priority: 5 }
  const io = new IoModules()
  const fault = (area: 'PI' | 'PQ', bits: number, isWrite = false) => ({ area, bits, isWrite }) as never
  assert.equal(io.errorOf(fault('PI', 8), 50), undefined, 'nothing is loaded')
  assert.equal(
    io.asked(() => []),
    undefined,
  )
  const load = (changes: object = {}) =>
    io.load({ modules, devices, memory, linked: { areas }, organizationBlocks: [handler], ...changes } as never)
  load()
  assert.equal(io.errorOf(fault('PI', 16), 0), undefined)
  const gone = io.errorOf(fault('PI', 16), 1)
  assert.deepEqual([gone?.text, gone?.block, gone?.information.MEM_ADDR], ['no module has %IB2:P', 122, 2])
  assert.deepEqual([bytes[12], bytes[11], bytes[202]], [0, 7, 7])
  assert.equal(io.errorOf(fault('PQ', 1, true), 2)?.text, 'no module has %QB2:P')
  assert.equal(bytes[202], 0)
  assert.equal(io.errorOf(fault('PQ', 1, true), 95)?.text, 'no module has %QB95:P')
  assert.equal(bytes[295], 7, 'beyond the area nothing is written')
  assert.equal(io.errorOf(fault('PI', 32), 64), undefined)
  const pulled = [modules[2]!] as never
  assert.equal(io.errorOf(fault('PI', 8), 67, pulled)?.text, '%IB67:P belongs to "AI", which is not there')
  assert.equal(io.errorOf(fault('PQ', 8), 8, pulled)?.text, '%QB8:P belongs to "AI", which is not there')
  assert.equal(io.errorOf(fault('PI', 8), 80, pulled), undefined)
  load({ organizationBlocks: [] })
  assert.equal(io.errorOf(fault('PI', 8), 50)?.block, undefined)

  const asked = (...names: string[]) => io.asked(() => modules.filter(({ name }) => names.includes(name)) as never)!
  const states = (mode: number, ...names: string[]) => [
    asked(...names).deviceStates(280, mode),
    asked(...names).moduleStates(270, mode),
  ]
  assert.deepEqual(states(1), [
    [1, 2, 3],
    [1, 2],
  ])
  assert.deepEqual(states(2, 'DQ'), [[], [1]])
  assert.deepEqual(states(2, 'DQ', 'AI', 'X'), [
    [1, 2],
    [1, 2],
  ])
  assert.deepEqual(states(3, 'DQ'), [[], []])
  assert.deepEqual(states(4), [
    [1, 2, 3],
    [1, 2],
  ])
  assert.deepEqual(states(4, 'DQ', 'X'), [[1, 3], [2]])
  assert.deepEqual(states(5, 'DQ'), [[1], [1]])
  assert.deepEqual(states(5), [[], []])
  assert.deepEqual(states(6, 'DQ'), [[], []])
  assert.deepEqual([asked().deviceStates(282, 1), asked().moduleStates(280, 1)], [undefined, undefined])
  assert.deepEqual(
    [280, 281, 282].map((system) => asked().isBus(system)),
    [false, true, false],
  )
  assert.deepEqual(
    [asked().deviceName(280, 2), asked().deviceName(280, 4), asked().deviceName(281, 4)],
    ['IO_2', undefined, 'DP_4'],
  )
  let changes = 0
  const absent = (...names: string[]) =>
    [...modules.filter(({ name }) => names.includes(name)), ...io.inactive] as never
  const active = (...names: string[]) =>
    io.asked(
      () => absent(...names),
      () => changes++,
    )!
  assert.deepEqual(
    [270, 273, 280, 260].map((one) => active().isActive(one)),
    [true, true, undefined, undefined],
  )
  active().setActive(270, false)
  assert.deepEqual(
    [changes, active().isActive(270), active().isGone(261), active().isGone(263)],
    [1, false, true, false],
  )
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((mode) => [active('X').deviceStates(280, mode), active('X').moduleStates(270, mode)]),
    [
      [
        [1, 2, 3],
        [1, 2],
      ],
      [[2], []],
      [[1], [1, 2]],
      [[3], []],
      [[2], []],
    ],
  )
  assert.deepEqual(
    io.inactive.map(({ name }) => name),
    ['DQ', 'AI'],
  )
  active().setActive(270, true)
  assert.deepEqual([changes, io.inactive], [2, []])
  active().setActive(271, false)
  io.activateAll()
  assert.deepEqual(io.inactive, [])
  assert.deepEqual(
    [280, 270, 273, 260].map((one) => asked().modulesOf(one)),
    [[261, 262, 263], [261, 262], [], undefined],
  )
  assert.deepEqual(
    [0, 64, 67, 68].map((byte) => [asked().moduleWith('inputs', byte), asked().moduleWith('outputs', byte)]),
    [
      [260, 261],
      [262, undefined],
      [262, undefined],
      [undefined, undefined],
    ],
  )
  assert.deepEqual(asked().addressesOf(262), {
    inputs: { firstByte: 64, bytes: 4 },
    outputs: { firstByte: 8, bytes: 1 },
  })
  assert.deepEqual(asked().addressesOf(260), { inputs: { firstByte: 0, bytes: 2 } })
  assert.equal(asked().addressesOf(270), undefined)
  assert.deepEqual(
    [260, 270, 280, 281, 282].map((one) => asked().isKnown(one)),
    [true, true, true, true, false],
  )
  load({ modules: [], devices: [] })
  assert.equal(
    io.asked(() => []),
    undefined,
  )
  assert.equal(io.errorOf(fault('PI', 8), 50), undefined)
  load({ modules: [] })
  assert.deepEqual(io.asked(() => [])?.deviceStates(280, 1), [1, 2, 3])

  const empty = { modules: [], devices: [], connections: [] }
  for (const manifest of ['', '{}', '{"hardware":{}}', '{"hardware":{"modules":5,"devices":{},"connections":null}}'])
    assert.deepEqual(hardwareIn(manifest), empty, manifest)
  assert.deepEqual(hardwareIn(JSON.stringify({ hardware: { modules, devices, connections: [1] } })), {
    modules,
    devices,
    connections: [1],
  })
})
