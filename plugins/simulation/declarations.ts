/** Schemas that several operations share. They are loaded at the start; the implementation is loaded on first use. */
import type { SchemaBuilder } from '../../core/index.ts'
import { interfaceLimit } from './instances/instance.ts'

// ── Instances ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Schema of the name of an instance. */
export const instanceName = (t: SchemaBuilder) =>
  t.String({ minLength: 1, description: 'Name of the instance, e.g. PLC_1.' })
/** Spellings of the field for the name of an instance. */
export const instanceAliases = ['instanceName', 'plcName', 'instance'] as const

/** Schema of an interface. */
export const networkFields = (t: SchemaBuilder) => ({
  interface: t.String({ description: 'X1, X2 …' }),
  ipAddress: t.String(),
  subnetMask: t.String(),
  gateway: t.Optional(t.String()),
})

/** State of an instance; `operatingState` is its name in PLCSIM Advanced. */
export const stateFields = (t: SchemaBuilder) => ({
  name: t.String(),
  state: t.String({ description: 'Off, Booting, Stop, Startup, Run, Hold, Freeze or ShuttingDown.' }),
  operatingState: t.String({ description: 'The same, by the name that PLCSIM Advanced gives it.' }),
  allowed: t.Array(t.String(), { description: 'Transitions that are possible now, e.g. powerOn.' }),
  isConnected: t.Boolean({ description: 'It is the instance that tags are read from and written to.' }),
})

/** Schema of an instance. */
export const instanceFields = (t: SchemaBuilder) => ({
  ...stateFields(t),
  cpuType: t.String({ description: 'e.g. CPU 1515-2 PN.' }),
  orderNumber: t.String({ description: 'Empty: unspecified.' }),
  firmware: t.String(),
  family: t.String(),
  network: t.Array(t.Object(networkFields(t))),
  ipAddresses: t.Array(t.String()),
  storagePath: t.String({ description: 'Folder of its memory card.' }),
  communicationPort: t.Optional(t.Integer({ description: 'TCP port on which it alone speaks S7.' })),
  createdAt: t.DateTime(),
  modifiedAt: t.DateTime(),
})

// ── Configuration of instances ───────────────────────────────────────────────────────────────────────────────────────

/** Number of bytes of M; clock and system memory must be below it. */
const flagBytes = 16_384

const isoTime = (t: SchemaBuilder, description: string) => t.DateTime({ description })
/** A byte of M; null for none. */
const flagByte = (t: SchemaBuilder, description: string) =>
  t.Optional(t.Union([t.Integer({ minimum: 0, maximum: flagBytes - 1 }), t.Null()], { description }))

/** Time fields in requests; see `readTime`. */
export const timeFields = (t: SchemaBuilder) => ({
  mode: t.Optional(
    t.Enum(['real', 'stepped'], {
      description: 'real: passes as the computer’s does, times `factor`; stepped: stands until it is advanced.',
    }),
  ),
  factor: t.Optional(
    t.Number({ minimum: 0.01, maximum: 100, description: 'Of real time: how much faster than the computer’s.' }),
  ),
  cycleTimeMs: t.Optional(
    t.Number({ exclusiveMinimum: 0, maximum: 60_000, description: 'Of stepped time: what a cycle takes of it.' }),
  ),
})

/** Bytes of the inputs and of the outputs. */
const imageBytes = 32_768

const byteRanges = (t: SchemaBuilder) =>
  t.Array(
    t.Object({
      firstByte: t.Integer({ minimum: 0, maximum: imageBytes - 1 }),
      bytes: t.Integer({ minimum: 1, maximum: imageBytes }),
    }),
    { maxItems: 100 },
  )

/** The settings in requests; all are optional. */
export const configFields = (t: SchemaBuilder) => ({
  minimumCycleTimeMs: t.Optional(
    t.Number({ minimum: 0, maximum: 6000, description: 'Minimum cycle time, ms; default 1. 0: as fast as it goes.' }),
  ),
  maximumCycleTimeMs: t.Optional(
    t.Number({ minimum: 1, maximum: 6000, description: 'Cycle monitoring time, ms; default 150.' }),
  ),
  time: t.Optional(t.Object(timeFields(t))),
  startTime: t.Optional(
    t.Union([isoTime(t, 'System time at power-on.'), t.Null()], { description: 'null: the computer’s time.' }),
  ),
  utcOffsetMinutes: t.Optional(
    t.Integer({ minimum: -720, maximum: 840, description: 'By how much local time is ahead of UTC.' }),
  ),
  retentiveFlags: t.Optional(
    t.Integer({ minimum: 0, maximum: flagBytes, description: 'Flag bytes from MB0 on that are retentive.' }),
  ),
  clockMemoryByte: flagByte(t, 'Flag byte with the clock bits, 10 Hz (bit 0) to 0.5 Hz (bit 7); null: none.'),
  systemMemoryByte: flagByte(
    t,
    'Flag byte with first scan (bit 0), diagnostics changed (1), always 1 (2), always 0 (3); null: none.',
  ),
  startup: t.Optional(
    t.Enum(['Run', 'Last', 'Stop'], {
      description: 'After power-on: RUN when there is a program (default), the mode before power-off, or STOP.',
    }),
  ),
  outputsInStop: t.Optional(
    t.Enum(['Off', 'Keep'], { description: 'Outputs in STOP and HOLD: switched off (default), or their last values.' }),
  ),
  putGetAccess: t.Optional(
    t.Boolean({
      description: 'S7 clients may read and write (PUT/GET); default true. Without it they get error 0x8104.',
    }),
  ),
  protectionLevel: t.Optional(
    t.Integer({
      minimum: 1,
      maximum: 3,
      description:
        'For S7 clients: 1 none (default), 2 write protection, 3 read and write protection. From 2 on they cannot start, stop or set the clock.',
    }),
  ),
  processImagePartitions: t.Optional(
    t.Record(
      t.String(),
      t.Object({
        organizationBlock: t.Optional(t.Integer({ minimum: 1, maximum: 32_767 })),
        inputs: t.Optional(byteRanges(t)),
        outputs: t.Optional(byteRanges(t)),
      }),
      {
        description:
          'Partitions 1 to 31 of the process image: { "1": { "organizationBlock": 30, "inputs": [{ "firstByte": 10, "bytes": 4 }] } }. Their inputs are read when the block begins, their outputs written when it ends; without a block UPDAT_PI and UPDAT_PO do that. Default of `organizationBlock`: the block whose attribute ProcessImagePartNumber names the partition.',
      },
    ),
  ),
  hardwareInterrupts: t.Optional(
    t.Array(
      t.Object({
        byte: t.Integer({ minimum: 0, maximum: imageBytes - 1 }),
        bit: t.Integer({ minimum: 0, maximum: 7 }),
        edge: t.Enum(['rising', 'falling', 'both']),
        organizationBlock: t.Integer({ minimum: 40, maximum: 32_767 }),
      }),
      {
        maxItems: 256,
        description:
          'Inputs whose edges at the periphery raise a hardware interrupt: { "byte": 0, "bit": 3, "edge": "rising", "organizationBlock": 40 }.',
      },
    ),
  ),
  autoStart: t.Optional(t.Boolean({ description: 'Power on whenever the gateway starts; default false.' })),
  cyclicInterrupts: t.Optional(
    t.Record(
      t.String(),
      t.Object({
        cycleTimeMs: t.Number({ minimum: 0.25, maximum: 60_000 }),
        phaseMs: t.Optional(t.Number({ minimum: 0, maximum: 60_000 })),
      }),
      {
        description: 'Cycle and phase by OB number, instead of those of the program: { "30": { "cycleTimeMs": 10 } }.',
      },
    ),
  ),
  connections: t.Optional(
    t.Array(connectionFields(t), { maxItems: 256, description: 'Configured connections; replaces all of them.' }),
  ),
})

/** A configured connection. */
const connectionFields = (t: SchemaBuilder) =>
  t.Object({
    id: t.Union([t.Integer({ minimum: 1, maximum: 65_535 }), t.String({ minLength: 1 })], {
      description: 'Local ID as the blocks have it: 256 or "W#16#100".',
    }),
    kind: t.Optional(
      t.Enum(['s7', 'tcp', 'udp'], { description: 's7 (default): PUT, GET, BSEND …; others: TCON_Configured.' }),
    ),
    partnerAddress: t.String({ description: 'IPv4: of another instance, or of a partner that is allowed.' }),
    partnerPort: t.Optional(t.Integer({ minimum: 1, maximum: 65_535, description: 'Default of s7: 102.' })),
    localPort: t.Optional(t.Integer({ minimum: 1, maximum: 65_535 })),
    isActive: t.Optional(t.Boolean({ description: 'It establishes the connection.' })),
    rack: t.Optional(t.Integer({ minimum: 0, maximum: 7 })),
    slot: t.Optional(t.Integer({ minimum: 0, maximum: 31, description: 'Default 1.' })),
  })

/** Spellings used by existing clients. `scaleFactor`, `storagePath` … are PLCSIM Advanced's names. */
export const configAliases = {
  minimumCycleTimeMs: ['minCycleTimeMs', 'minimumCycleTime', 'minCycleTime'],
  maximumCycleTimeMs: ['maxCycleTimeMs', 'maximumCycleTime', 'maxCycleTime', 'cycleMonitoringTime'],
  startTime: ['systemTime'],
} as const

/** Schema of `configView`. */
export const configSchema = (t: SchemaBuilder) => ({
  minimumCycleTimeMs: t.Number(),
  maximumCycleTimeMs: t.Number(),
  time: t.Union([
    t.Object({ mode: t.Literal('real'), factor: t.Number() }),
    t.Object({ mode: t.Literal('stepped'), cycleTimeMs: t.Number() }),
  ]),
  startTime: t.Optional(t.DateTime()),
  utcOffsetMinutes: t.Integer(),
  retentiveFlags: t.Integer(),
  clockMemoryByte: t.Optional(t.Integer()),
  systemMemoryByte: t.Optional(t.Integer()),
  startup: t.String({ description: 'Run, Last or Stop.' }),
  outputsInStop: t.String({ description: 'Off or Keep.' }),
  putGetAccess: t.Boolean(),
  protectionLevel: t.Integer(),
  processImagePartitions: t.Optional(
    t.Record(
      t.String(),
      t.Object({
        organizationBlock: t.Optional(t.Integer()),
        inputs: t.Optional(byteRanges(t)),
        outputs: t.Optional(byteRanges(t)),
      }),
      { description: 'By number.' },
    ),
  ),
  hardwareInterrupts: t.Optional(
    t.Array(
      t.Object({
        byte: t.Integer(),
        bit: t.Integer(),
        edge: t.Enum(['rising', 'falling', 'both']),
        organizationBlock: t.Integer(),
      }),
    ),
  ),
  autoStart: t.Boolean(),
  cyclicInterrupts: t.Record(t.String(), t.Object({ cycleTimeMs: t.Number(), phaseMs: t.Optional(t.Number()) })),
  connections: t.Optional(
    t.Array(
      t.Object({
        id: t.Integer({ description: 'The local ID.' }),
        kind: t.Enum(['s7', 'tcp', 'udp']),
        partnerAddress: t.String(),
        partnerPort: t.Optional(t.Integer()),
        localPort: t.Optional(t.Integer()),
        isActive: t.Optional(t.Boolean()),
        rack: t.Optional(t.Integer()),
        slot: t.Optional(t.Integer()),
      }),
    ),
  ),
})

// ── Profiles ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Maximum number of definitions in a profile. It may exceed the number of instances that can be on at the same time.
 */
export const definitionLimit = 100

/** An instance in a profile. */
export const definitionSchema = (t: SchemaBuilder) =>
  t.Object({
    name: t.String({ minLength: 1, maxLength: 200 }),
    cpuType: t.Optional(t.String({ maxLength: 200 })),
    orderNumber: t.Optional(t.String({ maxLength: 200 })),
    network: t.Optional(
      t.Array(
        t.Object({
          interface: t.Optional(t.String({ minLength: 1, maxLength: 20 })),
          ipAddress: t.String(),
          subnetMask: t.Optional(t.String()),
          gateway: t.Optional(t.Union([t.String(), t.Null()])),
        }),
        { maxItems: interfaceLimit },
      ),
    ),
    config: t.Optional(t.Object(configFields(t))),
    storagePath: t.Optional(t.String({ minLength: 1 })),
    communicationPort: t.Optional(t.Integer({ minimum: 1, maximum: 65_535 })),
  })
