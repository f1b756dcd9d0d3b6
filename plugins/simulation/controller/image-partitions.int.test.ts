import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testController } from '../../../test/controller.ts'
import { without } from './image-partitions.ts'

const data = (members: string) => `DATA_BLOCK "Data"\nVAR\n${members}\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`
const block = (name: string, body: string, variables = '') =>
  `ORGANIZATION_BLOCK "${name}"\n${variables}\nBEGIN\n${body}\nEND_ORGANIZATION_BLOCK\n`
/** A loop of this many milliseconds of stepped time: each round takes a nanosecond. */
const busy = (ms: number) => `FOR #i := 1 TO ${ms * 1_000_000} DO "Data".rounds := "Data".rounds + 1; END_FOR;`
const counter = 'VAR_TEMP\n  i : DInt;\nEND_VAR'
const bytes = (firstByte: number, count: number) => [{ firstByte, bytes: count }]

test('what is left of a range without others', () => {
  assert.deepEqual(without([0, 10], []), [[0, 10]])
  assert.deepEqual(without([0, 0], []), [])
  assert.deepEqual(
    without(
      [2, 10],
      [
        [0, 3],
        [5, 6],
        [9, 12],
        [20, 21],
      ],
    ),
    [
      [3, 5],
      [6, 9],
    ],
  )
  assert.deepEqual(without([2, 10], [[0, 12]]), [])
})

/** OB 1 of 20 ms; OB 30 every 5 ms copies the input of its partition to the output of its partition. */
const program = (told = '') => `${data('rounds : DInt; n : Int; main : Int; mine : Int; old : Int;')}
${block('Main', `"Data".main := %IB0; ${busy(20)} "Data".old := %IB0; "Data".n := 0;`, counter)}
${told}${block('OB30', '"Data".n := "Data".n + 1; "Data".mine := %IB10; %QB10 := %IB10 + 1; %QB0 := 200;')}`

test('a cyclic interrupt sees the inputs of its partition at its begin, and its outputs leave at its end', async (t) => {
  for (const isAttribute of [false, true]) {
    const { controller, load, get, set } = await testController(t, {
      time: { mode: 'stepped', cycleTimeMs: 100 },
      cyclicInterrupts: { 30: { cycleTimeMs: 5 } },
      processImagePartitions: {
        3: { ...(isAttribute ? {} : { organizationBlock: 30 }), inputs: bytes(10, 2), outputs: bytes(10, 2) },
      },
    })
    const told = "// Gantry { Number := '30'; SecondaryType := 'CyclicInterrupt'; ProcessImagePartNumber := '3' }\n"
    await load(program(isAttribute ? told : ''))
    await set('%IB0', 1)
    await set('%IB10', 4)
    await controller.change('run')
    await controller.advance({ milliseconds: 1 })
    // In the cycle of 20 ms the interrupt came three times; the image of the cycle was read at its begin.
    const { PQ } = controller.program?.compiled.linked.areas ?? assert.fail()
    const outputs = async () => {
      const { bytes: read } = await controller.read([{ address: PQ.address, size: 11 }])
      return [read[0]?.[0], read[0]?.[10]]
    }
    assert.deepEqual([await get('Data.main'), await get('Data.old'), await get('Data.mine')], [1, 1, 4])
    // The output of partition 0 leaves with the cycle's, that of partition 3 has left.
    assert.deepEqual(await outputs(), [0, 5])
    await set('%IB10', 40)
    await set('%IB0', 2)
    await controller.advance({ milliseconds: 30 })
    assert.deepEqual([await get('Data.mine'), await get('Data.main'), await get('%QB10')], [40, 1, 41])
    assert.deepEqual(await outputs(), [0, 41])
    await controller.advance({ milliseconds: 100 })
    assert.deepEqual([await get('Data.main'), await outputs()], [2, [200, 41]])
    await controller.dispose()
  }
})

test('inputs of a partition do not change in the cycle: only its block or UPDAT_PI reads them', async (t) => {
  const { controller, load, get, set } = await testController(t, {
    processImagePartitions: {
      1: { inputs: bytes(4, 1), outputs: bytes(4, 1) },
      2: { organizationBlock: 30, inputs: bytes(5, 1) },
    },
  })
  await load(`${data('s : Array[0..9] of Word; seen : Byte; after : Byte; go : Bool; address : Word;')}
${block(
  'Main',
  `"Data".seen := %IB4; %QB4 := 7;
IF "Data".go THEN
  "Data".s[0] := INT_TO_WORD(UPDAT_PI(PART := 1, FLADDR => "Data".address)); "Data".after := %IB4;
  "Data".s[1] := INT_TO_WORD(UPDAT_PO(PART := 1));
  "Data".s[2] := INT_TO_WORD(UPDAT_PI(PART := 31));
  "Data".s[3] := INT_TO_WORD(UPDAT_PI(PART := 32));
  "Data".s[4] := INT_TO_WORD(UPDAT_PI(PART := 2));
  "Data".s[5] := INT_TO_WORD(UPDAT_PO(PART := 2));
  "Data".s[6] := INT_TO_WORD(UPDAT_PI(PART := 0));
  "Data".s[7] := INT_TO_WORD(SYNC_PI(PART := 1));
  "Data".s[8] := INT_TO_WORD(SYNC_PO(PART := 40));
  "Data".s[9] := INT_TO_WORD(SYNC_PI(PART := 9));
END_IF;`,
)}
${block('OB30', ';')}`)
  await set('%IB4', 33)
  await controller.change('run')
  await controller.advance({ cycles: 3 })
  const { PQ } = controller.program?.compiled.linked.areas ?? assert.fail()
  const output = async () => (await controller.read([{ address: PQ.address + 4, size: 1 }])).bytes[0]?.[0]
  assert.deepEqual([await get('Data.seen'), await output()], [0, 0])
  await set('Data.go', 1)
  await controller.advance({ cycles: 1 })
  assert.deepEqual([await get('Data.seen'), await get('Data.after'), await output()], [0, 33, 7])
  const statuses: number[] = []
  const place = controller.program?.compiled.linked.dataBlocks.get('data')?.address ?? 0
  const { bytes: read } = await controller.read([{ address: place, size: 20 }])
  const view = new DataView(read[0]?.buffer ?? assert.fail(), read[0]?.byteOffset)
  for (let i = 0; i < 10; i++) statuses.push(view.getUint16(i * 2, true))
  assert.deepEqual(
    statuses.map((status) => status.toString(16)),
    ['0', '0', '8091', '8090', '8092', '0', '0', '8090', '8090', '8091'],
  )
})

test('an isochronous block updates its partition with SYNC_PI and SYNC_PO', async (t) => {
  const { controller, load, get, set } = await testController(t, {
    cyclicInterrupts: { 61: { cycleTimeMs: 2 } },
    processImagePartitions: { 1: { organizationBlock: 61, inputs: bytes(4, 1), outputs: bytes(4, 1) } },
  })
  await load(`${data('before : Byte; after : Byte; a : Int; b : Int; c : Int;')}
${block('Main', ';')}
${block('OB61', '"Data".before := %IB4; "Data".a := SYNC_PI(PART := 1); "Data".after := %IB4; %QB4 := %IB4 + 1; "Data".b := SYNC_PO(PART := 1); "Data".c := UPDAT_PI(PART := 1);')}`)
  await set('%IB4', 8)
  await controller.change('run')
  await controller.advance({ milliseconds: 3 })
  const { PQ } = controller.program?.compiled.linked.areas ?? assert.fail()
  const { bytes: read } = await controller.read([{ address: PQ.address + 4, size: 1 }])
  assert.deepEqual([await get('Data.before'), await get('Data.after'), read[0]?.[0]], [0, 8, 9])
  assert.deepEqual([await get('Data.a'), await get('Data.b'), await get('Data.c')], [0, 0, 0x8090 - 0x10000])
})

test('an edge at a configured input raises OB 40, with the channel', async (t) => {
  const { controller, load, get, set } = await testController(t, {
    hardwareInterrupts: [
      { byte: 2, bit: 3, edge: 'rising', organizationBlock: 40 },
      { byte: 2, bit: 4, edge: 'both', organizationBlock: 41 },
    ],
  })
  await load(`${data('n : Int; channel : Int; both : Int; kind : Int; main : Int; sawMain : Int;')}
${block('Main', '"Data".main := "Data".main + 1;')}
${block('OB40', '"Data".n := "Data".n + 1; "Data".channel := #IChannel; "Data".sawMain := "Data".main;', 'VAR_INPUT\n  laddr : UInt;\n  USI : Word;\n  IChannel : USInt;\n  EventType : Byte;\nEND_VAR')}
${block('OB41', '"Data".both := "Data".both + 1; "Data".kind := BYTE_TO_INT(#EventType);', 'VAR_INPUT\n  laddr : UInt;\n  USI : Word;\n  IChannel : USInt;\n  EventType : Byte;\nEND_VAR')}`)
  await set('%I2.3', 1)
  await set('%I2.3', 0)
  await controller.change('run')
  await controller.advance({ cycles: 2 })
  assert.equal(await get('Data.n'), 0, 'in STOP no event is raised')
  await set('%I2.3', 1)
  await set('%I2.4', 1)
  await controller.advance({ cycles: 1 })
  // It runs before the cycle that follows.
  assert.deepEqual([await get('Data.n'), await get('Data.channel'), await get('Data.sawMain')], [1, 19, 2])
  assert.deepEqual([await get('Data.both'), await get('Data.kind')], [1, 1])
  await set('%I2.3', 1)
  await set('%I2.3', 0)
  await set('%I2.4', 0)
  await controller.advance({ cycles: 1 })
  assert.deepEqual([await get('Data.n'), await get('Data.both'), await get('Data.kind')], [1, 2, 2])
  for (let i = 0; i < 3; i++) {
    await set('%I2.3', 1)
    await set('%I2.3', 0)
  }
  await controller.advance({ cycles: 1 })
  assert.equal(await get('Data.n'), 4)
})
