/**
 * System status lists (SZL): the data of a CPU that clients can read. Numbers and records follow "System Software for
 * S7-300/400, System and Standard Functions"; only lists whose content is known here are available.
 *
 * An identifier has three parts: class of the module (0: CPU), part of the list (0: all, 1: by index, F: only the
 * number), the list.
 */
import type { Controller, DiagnosticEntry, OperatingState } from '../controller/contract.ts'
import { eventId } from '../controller/event-ids.ts'
import { openLevelOf } from '../controller/protection.ts'
import { dateAndTime } from './date-and-time.ts'
import type { S7Identity } from './identity.ts'
import type { S7Session } from './rights.ts'

/** The data that the lists contain. */
export interface StatusContext {
  readonly controller: Controller
  readonly identity: S7Identity
  /** Largest PDU and maximum number of connections of the port. */
  readonly pduLength: number
  readonly connections: number
  /** Rights of the connection. */
  readonly session: S7Session
}

/** Writes the bytes of a record field by field, so that the code of a list has the order of its description. */
class RecordWriter {
  readonly #parts: Buffer[] = []

  byte(value: number): this {
    this.#parts.push(Buffer.from([value & 0xff]))
    return this
  }
  word(value: number): this {
    const bytes = Buffer.alloc(2)
    bytes.writeUInt16BE(Math.min(Math.max(value, 0), 0xffff))
    this.#parts.push(bytes)
    return this
  }
  double(value: number): this {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value >>> 0)
    this.#parts.push(bytes)
    return this
  }
  text(value: string, length: number, fill: number): this {
    const bytes = Buffer.alloc(length, fill)
    bytes.write(value.replace(/[^\x20-\x7e]/g, '?'), 'latin1')
    this.#parts.push(bytes)
    return this
  }
  bytes(value: Buffer): this {
    this.#parts.push(value)
    return this
  }
  zeros(count: number): this {
    return this.bytes(Buffer.alloc(count))
  }
  end(): Buffer {
    return Buffer.concat(this.#parts)
  }
}
const record = () => new RecordWriter()

interface Entry {
  readonly index: number
  readonly bytes: Buffer
}

interface StatusList {
  /** Last two digits of the identifier. */
  readonly list: number
  /** Third digits (parts of the list) that exist. */
  readonly extracts: readonly number[]
  readonly recordLength: number
  entries(context: StatusContext): readonly Entry[]
  /** Returns the entries of a part other than all: by index, or only the number of entries. */
  special?(extract: number, index: number, entries: readonly Entry[]): readonly Entry[] | undefined
}

const all = 0
const byIndex = 1
const header = 0xf

/** Splits `V3.1.4` into the numbers after the letter. */
function version(text: string): readonly [major: number, minor: number, patch: number] {
  const numbers = (text.match(/\d+/g) ?? []).map((one) => Math.min(Number(one), 255))
  return [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0]
}

function moduleIdentification({ identity }: StatusContext): Entry[] {
  const [major, minor, patch] = version(identity.firmware)
  const hardware = (index: number) => ({
    index,
    bytes: record().word(index).text(identity.orderNumber, 20, 0x20).word(0x00c0).word(1).word(0).end(),
  })
  return [
    hardware(1),
    hardware(6),
    {
      index: 7,
      bytes: record().word(7).text('', 20, 0x20).word(0x00c0).byte(0x56).byte(major).byte(minor).byte(patch).end(),
    },
  ]
}

function componentIdentification({ controller, identity }: StatusContext): Entry[] {
  const texts: readonly (readonly [index: number, text: string, length: number])[] = [
    [1, identity.stationName, 24],
    [2, controller.options.name, 24],
    [3, '', 32],
    [4, 'Virtual controller', 26],
    [5, identity.serialNumber, 24],
    [7, identity.typeName, 32],
  ]
  return texts.map(([index, text, length]) => ({
    index,
    bytes: record().word(index).text(text.slice(0, length), 32, 0).end(),
  }))
}

function systemAreas({ controller }: StatusContext): Entry[] {
  const areas = controller.program?.compiled.linked.areas
  if (!areas) return []
  const timersAndCounters = 2048
  // Index, unit (1: bits, 2: bytes), total, number of retentive ones.
  const rows: readonly (readonly [number, number, number, number])[] = [
    [1, 2, areas.I.size, 0],
    [2, 2, areas.Q.size, 0],
    [3, 2, areas.M.size, controller.options.retentiveFlags],
    [4, 2, timersAndCounters, 0],
    [5, 2, timersAndCounters, 0],
  ]
  return rows.map(([index, code, quantity, retentive]) => ({
    index,
    bytes: record().word(index).word(code).word(quantity).word(retentive).end(),
  }))
}

/** Numbers of the LEDs in the list. */
const led = { run: 4, stop: 5, force: 6 } as const

function leds({ controller }: StatusContext): Entry[] {
  const { state } = controller
  const row = (index: number, isOn: boolean, blinks = false) => ({
    index,
    bytes: record()
      .word(index)
      .byte(isOn ? 1 : 0)
      // 2 Hz.
      .byte(blinks ? 1 : 0)
      .end(),
  })
  return [
    row(led.run, state === 'Run' || state === 'Startup', state === 'Startup'),
    row(led.stop, state === 'Stop'),
    row(led.force, controller.forces.length > 0),
  ]
}

/** Communication: the limits of the port, and its functions for reading and writing. */
function communication({ pduLength, connections }: StatusContext): Entry[] {
  const ethernet = 100_000_000
  return [
    {
      index: 1,
      bytes: record().word(1).word(pduLength).word(connections).double(0).double(ethernet).zeros(26).end(),
    },
    // Test functions of a programming device: there are none.
    { index: 2, bytes: record().word(2).zeros(38).end() },
    {
      index: 3,
      bytes: record()
        .word(3)
        // Single reads and writes; no cyclic reading.
        .byte(0x03)
        // Peripherals, inputs, outputs, flags.
        .byte(0xf0)
        // Data blocks; S7 counters.
        .byte(0x81)
        // S7 timers.
        .byte(0x01)
        .word(pduLength)
        // Cyclic jobs, their periods; reserved.
        .zeros(6)
        .zeros(26)
        .end(),
    },
    // Functions on blocks (directories, copying, linking): there are none.
    { index: 4, bytes: record().word(4).zeros(38).end() },
  ]
}

/**
 * Protection: the level of the mode selector (there is none: 1), of the parameters (0: none), the valid one; the
 * positions of the mode selector and of the startup switch, which do not exist.
 */
function protection({ controller }: StatusContext): Entry[] {
  // S7-300 knows three levels: none, write protection, read and write protection.
  const level = openLevelOf(controller)
  const protectionLevel = level === 'full' ? 1 : level === 'read' ? 2 : 3
  const parameters = protectionLevel > 1 ? protectionLevel : 0
  const bytes = record().word(4).word(1).word(parameters).word(protectionLevel).word(0).word(0).zeros(28).end()
  return [{ index: 4, bytes }]
}

/** Codes of the operating states in the list; a controller without power does not answer. */
const stateCode: Readonly<Record<OperatingState, number>> = {
  Off: 0xf,
  Booting: 3,
  Stop: 4,
  Startup: 5,
  Run: 8,
  Hold: 0xa,
  Freeze: 0xa,
  ShuttingDown: 0xf,
}

/** Events that lead to operating states, for the time before the first is in the diagnostics buffer. */
const stateEvent: Readonly<Record<OperatingState, number>> = {
  Off: 0,
  Booting: eventId.powerOn,
  Stop: eventId.powerOn,
  Startup: eventId.startup,
  Run: eventId.run,
  Hold: eventId.hold,
  Freeze: eventId.hold,
  ShuttingDown: 0,
}

/** First byte of the events that change the operating state. */
const isStateEvent = (id = 0) => id >> 8 === 0x43 || id >> 8 === 0x45

function operatingState({ controller }: StatusContext): Entry[] {
  const { state } = controller
  const last = controller.diagnostics.find((entry) => isStateEvent(entry.eventId))
  const time = last?.time ?? controller.time
  const bytes = record()
    .word(last?.eventId ?? stateEvent[state])
    .byte(0xff)
    // The previous state belongs in the upper half; CPUs write 0, and clients compare the whole byte.
    .byte(stateCode[state])
    .zeros(8)
    .bytes(dateAndTime(time))
    .end()
  return [{ index: 0, bytes }]
}

/** Event numbers of entries that S7 controllers do not have: "free for users" (class A), by severity. */
const eventNumberOf = { information: 0xa100, warning: 0xa101, error: 0xa102 } as const

function diagnosticRecord(entry: DiagnosticEntry, controller: Controller): Buffer {
  const block = controller.program?.symbols.codeBlocks.find(({ name }) => name === entry.block)
  const organizationBlock = controller.program?.symbols.organizationBlocks.find(({ name }) => name === entry.block)
  return record()
    .word(entry.eventId ?? eventNumberOf[entry.severity])
    .byte(organizationBlock?.priority ?? 0xff)
    .byte(organizationBlock && organizationBlock.number < 256 ? organizationBlock.number : 0)
    .word(0)
    .word(block?.number ?? 0)
    .double(entry.number)
    .bytes(dateAndTime(entry.time))
    .end()
}

function diagnosticBuffer({ controller }: StatusContext): Entry[] {
  return controller.diagnostics.map((entry, index) => ({ index, bytes: diagnosticRecord(entry, controller) }))
}

const lists: readonly StatusList[] = [
  { list: 0x11, extracts: [all, byIndex, header], recordLength: 28, entries: moduleIdentification },
  { list: 0x14, extracts: [all, header], recordLength: 8, entries: systemAreas },
  { list: 0x19, extracts: [all, byIndex, header], recordLength: 4, entries: leds },
  { list: 0x1c, extracts: [all, byIndex, header], recordLength: 34, entries: componentIdentification },
  {
    list: 0x24,
    // 1: the last transition; 4: the current state. Here they are the same.
    extracts: [1, 4],
    recordLength: 20,
    entries: operatingState,
    special: (_extract, _index, entries) => entries,
  },
  { list: 0x31, extracts: [byIndex], recordLength: 40, entries: communication },
  {
    list: 0x32,
    // 2: of the named CPU, where there are several.
    extracts: [byIndex, 2],
    recordLength: 40,
    entries: protection,
    special: (_extract, index, entries) => entries.filter((entry) => entry.index === index),
  },
  { list: 0x74, extracts: [all, byIndex, header], recordLength: 4, entries: leds },
  {
    list: 0xa0,
    // 1: the newest ones; the index gives their number.
    extracts: [all, 1, header],
    recordLength: 20,
    entries: diagnosticBuffer,
    special: (extract, index, entries) => (extract === 1 ? entries.slice(0, index) : undefined),
  },
]

/** Every identifier that can be requested, including that of this list. */
const identifiers = [
  0x0000,
  0x0f00,
  ...lists.flatMap(({ list, extracts }) => extracts.map((one) => (one << 8) | list)),
].sort((a, b) => a - b)

function entriesOf(list: StatusList, extract: number, index: number, context: StatusContext): readonly Entry[] {
  const entries = list.entries(context)
  const special = list.special?.(extract, index, entries)
  if (special) return special
  return extract === byIndex ? entries.filter((entry) => entry.index === index) : entries
}

/**
 * Creates the content of an answer: identifier, index, length and number of records, records.
 * @returns `unknownList` or `unknownIndex` when the list or index does not exist
 */
export function systemStatusList(
  identifier: number,
  index: number,
  context: StatusContext,
): Buffer | 'unknownList' | 'unknownIndex' {
  if (!identifiers.includes(identifier)) return 'unknownList'
  const extract = (identifier >> 8) & 0xf
  const list = lists.find((one) => one.list === (identifier & 0xff))
  const recordLength = list?.recordLength ?? 2
  const found = list
    ? entriesOf(list, extract, index, context).map(({ bytes }) => bytes)
    : identifiers.map((one) => record().word(one).end())
  const isCount = extract === header
  if (found.length === 0 && extract !== all && !isCount) return 'unknownIndex'
  const start = record().word(identifier).word(index).word(recordLength).word(found.length).end()
  return Buffer.concat([start, ...(isCount ? [] : found)])
}
