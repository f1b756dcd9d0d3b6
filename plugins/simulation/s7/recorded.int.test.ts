/**
 * Whole answers of the port, byte by byte (fixtures/frames.txt): the system status lists, blocks, time, variables,
 * start and stop; and what it answers when one byte of a request is another. `UPDATE_SNAPSHOTS=1` records them again.
 */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { packageDir } from '../../../core/boot/running-code.ts'
import { dataTransfer, FakeController, hex, openPort, type RawClient, readyClient, request } from '../../../test/s7.ts'
import type { DiagnosticEntry, Force } from '../controller/contract.ts'

const file = join(packageDir, 'plugins/simulation/s7/fixtures/frames.txt')

/** A controller with a value in each byte, so that a wrong address shows. */
function controller(): FakeController {
  const made = new FakeController()
  for (const [at] of made.memory.entries()) made.memory[at] = (at * 7 + (at >> 8)) & 0xff
  const entry = (number: number, more: Partial<DiagnosticEntry>): DiagnosticEntry => ({
    ...{ number, time: made.time - 1000 * number, severity: 'information', code: '', message: '', ...more },
  })
  Object.assign(made, {
    forces: [{ key: '%I0.0', address: 0, bytes: Uint8Array.of(1) }] satisfies Force[],
    // Newest first: without a place, in organization blocks, in another block, and without an event of S7 controllers.
    diagnostics: [
      entry(70_000, { eventId: 0x2523, severity: 'error', block: 'Main' }),
      entry(5, { eventId: 0x4562, severity: 'error', block: 'Far' }),
      entry(4, { eventId: 0x4302, block: 'Valve' }),
      entry(3, { severity: 'error', block: 'Unknown' }),
      entry(2, { severity: 'warning' }),
      entry(1, {}),
    ],
  })
  const organizationBlocks = [
    { name: 'Main', number: 1, priority: 1 },
    { name: 'Far', number: 300, priority: 26 },
  ]
  Object.assign(made.program?.symbols ?? {}, { organizationBlocks })
  return made
}

const item = (size: number, count: number, block: number, area: number, address: number) => {
  const bytes = hex('120a10 00 0000 0000 00 000000')
  bytes[3] = size
  bytes.writeUInt16BE(count, 4)
  bytes.writeUInt16BE(block, 6)
  bytes[8] = area
  bytes.writeUIntBE(address, 9, 3)
  return bytes
}
const job = (parameters: Buffer, data: Buffer = Buffer.alloc(0)) => request(1, parameters, data)
const read = (...items: Buffer[]) => job(Buffer.concat([Buffer.from([4, items.length]), ...items]))
const write = (items: Buffer[], data: Buffer) => job(Buffer.concat([Buffer.from([5, items.length]), ...items]), data)
const userData = (group: number, code: number, payload: Buffer) =>
  request(
    7,
    Buffer.from([0, 1, 0x12, 4, 0x11, 0x40 | group, code, 0]),
    Buffer.concat([Buffer.from([0xff, 9, payload.length >> 8, payload.length & 0xff]), payload]),
  )
const word = (value: number) => Buffer.from([value >> 8, value & 0xff])
const list = (identifier: number, index: number) => userData(4, 1, Buffer.concat([word(identifier), word(index)]))

const statusLists: [string, Buffer][] = []
for (const kind of [0x00, 0x11, 0x14, 0x19, 0x1c, 0x24, 0x31, 0x32, 0x37, 0x74, 0xa0])
  for (const part of [0x000, 0xf00, 0x100, 0x200, 0x400])
    for (const index of part === 0x000 || part === 0xf00 ? [0] : [0, 1, 4, 6])
      statusLists.push([`list ${(part | kind).toString(16).padStart(4, '0')} index ${index}`, list(part | kind, index)])

/** Requests that are answered well; each of them is damaged too. */
const good: [string, Buffer][] = [
  ['read a bit of flags', read(item(1, 1, 0, 0x83, 0x1d))],
  ['read bytes, words and numbers', read(item(2, 3, 0, 0x81, 40), item(4, 2, 0, 0x82, 64), item(8, 1, 0, 0x83, 80))],
  ['read a data block', read(item(2, 20, 10, 0x84, 0x3e80 - 160), item(6, 2, 10, 0x84, 16), item(7, 1, 10, 0x84, 8))],
  ['read timers and counters', read(item(0x1d, 3, 0, 0x1d, 5), item(0x1c, 2, 0, 0x1c, 7))],
  [
    'write a bit and bytes',
    write([item(1, 1, 0, 0x83, 9), item(2, 3, 10, 0x84, 80)], hex('00030001 01 00 00040018 aabbcc')),
  ],
  ['write a word', write([item(4, 2, 0, 0x83, 160)], hex('00040020 11223344'))],
  ['number of blocks', userData(3, 1, Buffer.alloc(0))],
  ['blocks of a kind', userData(3, 2, Buffer.from('08'))],
  ['information on a block', userData(3, 3, Buffer.from('0800001A', 'latin1'))],
  ['read the time', userData(7, 1, Buffer.alloc(0))],
  ['set the time', userData(7, 2, hex('0020 2702281359590004'))],
  ['set the password', userData(5, 1, hex('64646e6a38 2c2c2c'.replaceAll(' ', '')))],
  ['start', job(Buffer.concat([hex('28 000000000000fd 0000 09'), Buffer.from('P_PROGRAM')]))],
  ['stop', job(Buffer.concat([hex('29 0000000000 09'), Buffer.from('P_PROGRAM')]))],
  ['upload', job(hex('1d 00 0000 00000000 09 5f30413030303130 41'.replaceAll(' ', '')))],
  ['negotiate', job(hex('f0000001000101e0'))],
]

/** The answer as hexadecimal lines, or that the connection is closed. What else the request has done follows. */
async function answerTo(bytes: Buffer): Promise<string> {
  const plc = controller()
  const port = await openPort(plc, {
    identify: () => ({ orderNumber: '6ES7 516-3AN02-0AB0', typeName: 'CPU 1516-3 PN/DP', firmware: 'V3.1.4' }),
  })
  const client: RawClient = await readyClient(port.port, 480)
  try {
    client.send(dataTransfer(bytes))
    const answer = await client.pdu().catch(() => undefined)
    const text =
      answer
        ?.toString('hex')
        .replace(/(.{8})/g, '$1 ')
        .trim() ?? 'closed'
    const wrote = plc.writes.flat().map((one) => {
      const mask = one.mask === undefined ? '' : `&${one.mask}`
      return `${one.address.toString(16)}${mask}=${Buffer.from(one.bytes).toString('hex')}`
    })
    const did = [
      ...plc.transitions,
      ...wrote,
      ...(plc.time === controller().time ? [] : [new Date(plc.time).toISOString()]),
    ]
    return [text, ...did].join(' | ')
  } finally {
    client.close()
    await port.close()
  }
}

test('requests and their damaged forms are answered as recorded', async () => {
  const lines: string[] = []
  const say = async (name: string, bytes: Buffer) => lines.push(`${name}: ${await answerTo(bytes)}`)
  for (const [name, bytes] of [...good, ...statusLists]) await say(name, bytes)
  for (const [name, bytes] of good)
    for (const [at] of bytes.entries()) {
      // The reference is the client's own.
      if (at === 4 || at === 5) continue
      for (const to of [0, (bytes[at] ?? 0) + 1]) {
        if ((to & 0xff) === bytes[at]) continue
        const damaged = Buffer.from(bytes)
        damaged[at] = to & 0xff
        await say(`${name}, byte ${at} is ${(to & 0xff).toString(16).padStart(2, '0')}`, damaged)
      }
    }
  const text = `${lines.join('\n')}\n`
  if (process.env.UPDATE_SNAPSHOTS) await writeFile(file, text)
  assert.equal(text, await readFile(file, 'utf8'))
})
