import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined } from '../../../core/index.ts'
import { packageOf, testController } from '../../../test/controller.ts'
import { readTags, writeTags } from '../tags/index.ts'
import type { ControllerOptions } from './contract.ts'

const data = (members: string, name = 'Data') => `DATA_BLOCK "${name}"\n${members}\nBEGIN\nEND_DATA_BLOCK\n`
const main = (body: string) => `ORGANIZATION_BLOCK "Main"\nBEGIN\n${body}\nEND_ORGANIZATION_BLOCK\n`
const real: Partial<ControllerOptions> = { time: { mode: 'real', factor: 1 } }

test('forces of inputs and outputs hold against periphery, program and writes until they are taken away', async (t) => {
  const { controller, load, get, set, range } = await testController(t)
  await load(main('%QB4 := %IB4 + 1; %IB4 := 99; %Q5.0 := FALSE;'))
  await controller.change('run')
  await set('%IB4', 1)
  const force = (name: string, value: number, mask?: number) => ({
    key: name,
    address: range(name).address,
    bytes: Uint8Array.of(value),
    ...defined({ mask }),
  })
  await controller.setForces([force('%IB4', 7), force('%Q5.0', 1, 1), force('%QB6', 3)])
  await controller.advance({ cycles: 2 })
  assert.deepEqual([await get('%IB4'), await get('%QB4'), await get('%Q5.0'), await get('%PQB6')], [7, 8, 1, 3])
  await set('%IB4', 5)
  await set('%QB6', 9)
  await controller.advance({ cycles: 2 })
  assert.deepEqual([await get('%IB4'), await get('%QB4'), await get('%PQB5'), await get('%QB6')], [7, 8, 1, 3])
  assert.equal(controller.forces.length, 3)
  await controller.change('stop')
  assert.deepEqual([await get('%PQB4'), await get('%PQB6')], [0, 3])
  await controller.change('run')
  await controller.setForces([])
  await controller.advance({ cycles: 2 })
  assert.deepEqual([await get('%QB4'), await get('%Q5.0'), await get('%PQB4')], [6, 0, 6])
})

test('modifications are written at the start or end of each cycle, or when the controller stops', async (t) => {
  const { controller, load, get, range } = await testController(t)
  await load(`${data('VAR\n  seen : Byte;\nEND_VAR')}${main('"Data".seen := %MB0; %MB0 := 1; %MB1 := 1; %MB2 := 1;')}`)
  await controller.change('run')
  const modification = (name: string, value: number, at: 'start' | 'end' | 'stop') => ({
    key: name,
    address: range(name).address,
    bytes: Uint8Array.of(value),
    at,
  })
  await controller.setModifications([
    modification('%MB0', 5, 'start'),
    modification('%MB1', 6, 'end'),
    modification('%MB2', 7, 'stop'),
  ])
  await controller.advance({ cycles: 2 })
  assert.deepEqual([await get('Data.seen'), await get('%MB0'), await get('%MB1'), await get('%MB2')], [5, 1, 6, 1])
  await controller.change('stop')
  assert.equal(await get('%MB2'), 7)
})

test('a write is done as one at the control point; what lies outside memory is refused whole', async (t) => {
  const { controller, load, get, range } = await testController(t)
  await load(main(';'))
  const { address } = range('%MB0')
  await controller.write([
    { address, bytes: Uint8Array.of(1, 2) },
    { address: address + 2, bytes: Uint8Array.of(0xff), mask: 0b100 },
  ])
  assert.deepEqual([await get('%MB0'), await get('%MB1'), await get('%MB2')], [1, 2, 4])
  const outside = { address: 2 ** 31, bytes: Uint8Array.of(1) }
  await assert.rejects(controller.write([{ address, bytes: Uint8Array.of(9) }, outside]), { code: 'invalid_input' })
  for (const wrong of [-1, 0.5, Number.NaN])
    await assert.rejects(controller.read([{ address: wrong, size: 1 }]), { code: 'invalid_input' })
  assert.equal(await get('%MB0'), 1)
})

test('a snapshot is of one scan boundary, also when cycles follow each other without a pause', async (t) => {
  for (const minimumCycleTimeMs of [0, 1]) {
    const { controller, load, range, end } = await testController(t, { ...real, minimumCycleTimeMs })
    // Both ends of the block are written far apart in time.
    await load(`DATA_BLOCK "Data"\nVAR\n  a : DInt; i : DInt; x : Array[0..999] of DInt; b : DInt;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK
${main('"Data".a := "Data".a + 1; FOR "Data".i := 0 TO 999 DO "Data".x["Data".i] := "Data".a; END_FOR; "Data".b := "Data".a;')}`)
    await controller.change('run')
    const ranges = ['Data.a', 'Data.b'].map(range)
    let last = -1
    for (let i = 0; i < 300; i++) {
      const { bytes, cycle, time, clock } = await controller.read(ranges)
      const [a, b] = bytes.map((one) => new DataView(one.buffer, one.byteOffset).getInt32(0, true))
      assert.equal(a, b)
      assert.equal(a, cycle)
      assert.ok(cycle >= last && time > 0 && clock !== undefined && clock > 0n)
      last = cycle
      if (i % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    assert.ok(last > 10)
    await end()
  }
})

const retain = `${data('VAR RETAIN\n  kept : Int := 1;\nEND_VAR\nVAR\n  lost : Int := 1;\nEND_VAR')}
${main('"Data".kept := "Data".kept + 1; "Data".lost := "Data".lost + 1; %MB0 := %MB0 + 1; %MB9 := %MB9 + 1;')}`

test('retentive data survive STOP and power-off, others take start values; memory reset brings all back', async (t) => {
  const { controller, load, get } = await testController(t, { retentiveFlags: 4 })
  const all = async () => [await get('Data.kept'), await get('Data.lost'), await get('%MB0'), await get('%MB9')]
  await load(retain)
  await controller.change('run')
  await controller.advance({ cycles: 5 })
  assert.deepEqual(await all(), [6, 6, 5, 5])
  await controller.change('stop')
  assert.deepEqual(await all(), [6, 6, 5, 5], 'STOP leaves all as it is')
  await controller.change('run')
  assert.deepEqual(await all(), [6, 1, 5, 0], 'warm restart')
  await controller.advance({ cycles: 1 })
  await controller.change('powerOff')
  await controller.change('powerOn')
  assert.deepEqual(await all(), [7, 1, 6, 0])
  await controller.change('memoryReset')
  assert.deepEqual(await all(), [1, 1, 0, 0])
  assert.ok(controller.program, 'the program stays')
})

test('a load keeps values of data blocks whose layout is the same, and says which', async (t) => {
  const { controller, load, get, set } = await testController(t)
  const before = `${data('VAR\n  a : Int := 1;\nEND_VAR', 'Same')}${data('VAR\n  a : Int := 1;\nEND_VAR', 'Changed')}${data('VAR\n  a : Int := 1;\nEND_VAR', 'Gone')}`
  const after = `${data('VAR\n  a : Int := 5;\nEND_VAR', 'Same')}${data('VAR\n  b : Bool; a : Int := 2;\nEND_VAR', 'Changed')}${data('VAR\n  a : Int := 3;\nEND_VAR', 'New')}${data('VAR\n  room : Array[0..9999] of Int;\nEND_VAR', 'Another')}`
  await load(`${before}${main('"Same".a := "Same".a + 1; %MW2 := %MW2 + 1;')}`)
  await controller.change('run')
  await controller.advance({ cycles: 3 })
  await set('%IB0', 77)
  const next = packageOf(`${after}${main('"Same".a := "Same".a + 100;')}`)
  await assert.rejects(controller.load(next, { inRun: false, reinitialize: false }), {
    code: 'invalid_operating_state',
  })
  const planned = await controller.planLoad(next, { inRun: true, reinitialize: false })
  const programs: (string | undefined)[] = []
  controller.events.on('program', (hash) => programs.push(hash))
  const report = await controller.load(next, { inRun: true, reinitialize: false })
  assert.deepEqual(report, planned)
  assert.deepEqual(report, {
    added: ['New', 'Another'],
    removed: ['Gone'],
    kept: ['Same', 'Changed'],
    reinitialized: [],
  })
  assert.deepEqual(programs, [next.program])
  assert.equal(controller.state, 'Run')
  assert.deepEqual([await get('Same.a'), await get('Changed.a'), await get('New.a')], [4, 1, 3])
  assert.deepEqual([await get('%MW2'), await get('%PIB0')], [3, 77])
  await controller.advance({ cycles: 2 })
  assert.equal(await get('Same.a'), 204)
  const again = await controller.load(next, { inRun: true, reinitialize: true })
  assert.deepEqual(again.reinitialized, ['Same', 'Changed', 'New', 'Another'])
  assert.equal(await get('Same.a'), 5)
})

test('values under way while another program is loaded are not mixed up', async (t) => {
  const { controller, load, range } = await testController(t, real)
  await load(`${data('VAR\n  a : Int := 1;\nEND_VAR')}${main(';')}`)
  await controller.change('run')
  const { address } = range('Data.a')
  const next = packageOf(
    `${data('VAR\n  z : Array[0..99] of Int;\nEND_VAR', 'Before')}${data('VAR\n  a : Int := 1;\nEND_VAR')}${main(';')}`,
  )
  const loading = controller.load(next, { inRun: true, reinitialize: false })
  let writes = 0
  while (controller.program?.hash !== next.program) {
    await controller.write([{ address, bytes: Uint8Array.of(2, 0) }]).then(
      () => writes++,
      (error: { code: string }) => assert.equal(error.code, 'conflict'),
    )
  }
  await loading
  const place = controller.program?.compiled.linked.dataBlocks.get('before') ?? assert.fail()
  const { bytes } = await controller.read([place, range('Data.a')])
  assert.ok(writes > 0)
  assert.deepEqual([bytes[0]?.some((byte) => byte !== 0), bytes[1]?.[0]], [false, 2])
})

test('a trace holds the newest samples, one each so many cycles', async (t) => {
  const { controller, load, range } = await testController(t)
  await load(`${data('VAR\n  n : Int;\nEND_VAR')}${main('"Data".n := "Data".n + 1;')}`)
  await controller.change('run')
  const begin = controller.time
  await controller.startTrace({ ranges: [range('Data.n')], samples: 4, everyCycles: 3 })
  assert.deepEqual(await controller.trace(), [])
  await controller.advance({ cycles: 20 })
  await controller.stopTrace()
  await controller.advance({ cycles: 20 })
  const samples = await controller.trace()
  assert.deepEqual(
    samples.map(({ cycle, time, bytes }) => [cycle, time - begin, bytes[0]?.[0]]),
    [10, 13, 16, 19].map((n) => [n, n - 1, n]),
  )
  await assert.rejects(controller.startTrace({ ranges: [range('Data.n')], samples: 1e9, everyCycles: 1 }), {
    code: 'invalid_input',
  })
})

test('forces hold over power-off and another program, also in startup and over memory reset', async (t) => {
  const { controller, load, get, set, range } = await testController(t)
  await load(main('%QB4 := %IB4;'))
  const force = { key: '%IB4', address: range('%IB4').address, bytes: Uint8Array.of(7) }
  await set('%IB4', 2)
  await controller.setForces([force])
  await set('%IB4', 7)
  await controller.setForces([])
  assert.deepEqual([await get('%PIB4')], [7])
  await set('%IB4', 2)
  await controller.setForces([force])
  await controller.change('powerOff')
  assert.deepEqual(controller.forces, [])
  await controller.change('powerOn')
  assert.deepEqual(
    controller.forces.map(({ key, bytes }) => [key, [...bytes]]),
    [['%IB4', [7]]],
  )
  assert.equal(await get('%IB4'), 7)
  await controller.change('memoryReset')
  assert.equal(await get('%IB4'), 7)
  await load(
    `${data('VAR\n  seen : Byte;\nEND_VAR')}ORGANIZATION_BLOCK "OB100"\nBEGIN\n"Data".seen := %IB4;\nEND_ORGANIZATION_BLOCK\n${main('%QB5 := %IB4;')}`,
  )
  await controller.change('run')
  await controller.advance({ cycles: 2 })
  assert.deepEqual([await get('Data.seen'), await get('%QB5')], [7, 7])
  await set('%IB4', 3)
  await controller.setForces([])
  await controller.advance({ cycles: 2 })
  // A value written while the output was forced is the value of the periphery now.
  assert.equal(await get('%QB5'), 3)
  await controller.change('powerOff')
  await controller.change('powerOn')
  assert.deepEqual(controller.forces, [])
})

test('a modification that is made once is not made again, and forces hold against modifications', async (t) => {
  const { controller, load, get, range } = await testController(t)
  await load(main('%MB0 := %MB0 + 1; %MB1 := %MB1 + 1; %QB0 := %IB0;'))
  await controller.change('run')
  const at = (name: string, value: number) => ({
    key: name,
    address: range(name).address,
    bytes: Uint8Array.of(value),
  })
  await controller.setForces([at('%IB0', 3)])
  await controller.setModifications([
    { ...at('%MB0', 50), at: 'start', once: true },
    { ...at('%MB1', 60), at: 'end', once: true },
    { ...at('%MB2', 70), at: 'stop', once: true },
    { ...at('%IB0', 9), at: 'start' },
  ])
  await controller.advance({ cycles: 3 })
  assert.deepEqual([await get('%MB0'), await get('%MB1'), await get('%MB2'), await get('%QB0')], [53, 62, 0, 3])
  await controller.change('stop')
  assert.equal(await get('%MB2'), 70)
})

test('those who read and write while programs are loaded in RUN see no load, and nothing is written elsewhere', async (t) => {
  const { controller } = await testController(t, { ...real, maximumCycleTimeMs: 60_000 })
  // The member is at another address in every second program.
  const program = (n: number) =>
    packageOf(`DATA_BLOCK "Data"\nVAR\n${n % 2 === 0 ? '' : '  first : Array[0..99] of LReal;\n'}  wanted : DInt;\n  other${n} : DInt := ${n};\nEND_VAR\nBEGIN\nEND_DATA_BLOCK
ORGANIZATION_BLOCK "Main"\nBEGIN\n;\nEND_ORGANIZATION_BLOCK\n`)
  await controller.load(program(0), { inRun: false, reinitialize: false })
  await controller.change('run')
  let isLoading = true
  const loads = (async () => {
    for (let n = 1; n <= 12; n++) await controller.load(program(n), { inRun: true, reinitialize: false })
    isLoading = false
  })()
  const faults: string[] = []
  const use = async (own: boolean) => {
    for (let n = 1; isLoading; n++) {
      try {
        if (own) await writeTags(controller, [{ name: 'Data.wanted', value: n }])
        const [value] = await readTags(controller, ['Data.wanted'])
        if (own && value?.value !== n) faults.push(`${n} was written, ${value?.value} read`)
      } catch (error) {
        faults.push((error as Error).message)
      }
      await new Promise(setImmediate)
    }
  }
  await Promise.all([loads, use(true), use(false)])
  assert.deepEqual(faults, [])
  assert.equal(controller.state, 'Run')
})
