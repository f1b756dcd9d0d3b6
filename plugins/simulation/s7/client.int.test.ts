/** A public client library, as it is used against real controllers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promisify } from 'node:util'
import NodeS7, { type Nodes7Value } from 'nodes7'
import { FakeController, fakeMemory, openPort } from '../../../test/s7.ts'

/** A client with promises instead of callbacks. */
async function connectClient(port: number, options: { doNotOptimize?: boolean } = {}) {
  const client = new NodeS7({ silent: true })
  await promisify(client.initiateConnection.bind(client))({ host: '127.0.0.1', port, rack: 0, slot: 1, ...options })
  return {
    write: (items: readonly string[], values: readonly Nodes7Value[]) =>
      new Promise<boolean>(
        (resolve) => void client.writeItems([...items], [...values], (isAnyBad) => resolve(!isAnyBad)),
      ),
    async read(items: readonly string[]) {
      client.removeItems()
      client.addItems([...items])
      return new Promise<{ isGood: boolean; values: Record<string, Nodes7Value> }>((resolve) =>
        client.readAllItems((isAnyBad, values) => resolve({ isGood: !isAnyBad, values })),
      )
    },
    drop: () => new Promise<void>((resolve) => client.dropConnection(resolve)),
  }
}

const values = {
  'DB10,X0.0': true,
  'DB10,X0.7': false,
  'DB10,BYTE1': 200,
  'DB10,INT2': -12345,
  'DB10,WORD4': 54321,
  'DB10,DINT8': -123456789,
  'DB10,DWORD12': 4123456789,
  'DB10,REAL16': -0.15625,
  'DB10,LREAL24': Math.PI,
  'DB10,CHAR32': 'G',
  'DB10,STRING40.20': 'Ventil 7 auf',
  'DB10,DT70': new Date(2026, 4, 17, 13, 14, 15, 678),
  'DB10,REAL100.20': Array.from({ length: 20 }, (_, i) => i / 4),
  'DB10,INT400.500': Array.from({ length: 500 }, (_, i) => i * 3 - 700),
  MW100: 4711,
  MR104: 2.5,
  'M110.3': true,
  QB5: 129,
  'Q6.1': true,
  QD8: 99,
} as const satisfies Record<string, Nodes7Value | readonly Nodes7Value[]>

for (const doNotOptimize of [false, true])
  test(`values of all types go there and back${doNotOptimize ? ', each in an item of its own' : ''}`, async () => {
    const controller = new FakeController()
    const port = await openPort(controller)
    const client = await connectClient(port.port, { doNotOptimize })
    const names = Object.keys(values)
    // Without optimization the library cannot split arrays that are larger than a PDU.
    const used = doNotOptimize ? names.filter((name) => name !== 'DB10,INT400.500') : names
    const expected = Object.fromEntries(Object.entries(values).filter(([name]) => used.includes(name)))
    assert.ok(await client.write(used, Object.values(expected) as Nodes7Value[]))
    const { isGood, values: read } = await client.read(used)
    assert.ok(isGood)
    assert.deepEqual({ ...read }, expected)
    const view = new DataView(controller.memory.buffer)
    assert.equal(view.getInt16((fakeMemory.dataBlocks.get('valves')?.address ?? 0) + 2), -12345)
    assert.equal(view.getFloat32(fakeMemory.areas.M.address + 104), 2.5)
    await client.drop()
    await port.close()
  })

test('inputs are read from the image, and what is written to them goes to the periphery', async () => {
  const controller = new FakeController()
  controller.memory.set([0x12, 0x34], fakeMemory.areas.I.address + 4)
  const port = await openPort(controller)
  const client = await connectClient(port.port)
  assert.deepEqual({ ...(await client.read(['IW4'])).values }, { IW4: 0x1234 })
  assert.ok(await client.write(['IW4', 'I6.2'], [0x5678, true]))
  assert.equal(
    Buffer.from(controller.memory.slice(fakeMemory.areas.PI.address + 4, fakeMemory.areas.PI.address + 7)).toString(
      'hex',
    ),
    '567804',
  )
  await client.drop()
  await port.close()
})

test('what is not there is bad, what is read with it is good', async () => {
  const port = await openPort(new FakeController())
  const client = await connectClient(port.port, { doNotOptimize: true })
  const { isGood, values: read } = await client.read(['DB10,INT2', 'DB11,INT0', 'DB99,INT0', 'DB10,INT1999'])
  assert.equal(isGood, false)
  assert.equal(read['DB10,INT2'], 0)
  for (const name of ['DB11,INT0', 'DB99,INT0', 'DB10,INT1999']) assert.match(String(read[name]), /BAD/, name)
  assert.equal(await client.write(['DB11,INT0'], [1]), false)
  await client.drop()
  await port.close()
})
