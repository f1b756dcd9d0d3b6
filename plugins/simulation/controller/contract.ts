/**
 * The interface of a virtual controller: a worker thread that scans a compiled program over memory which the gateway's
 * thread can read too. States, transitions and their names are those of PLCSIM Advanced (function manual A5E37039512,
 * EOperatingState); docs/plc-semantics.md#operating-states describes what a CPU does in them. Times are virtual:
 * nanoseconds as bigint where they are exact, milliseconds elsewhere.
 */

import type { EventEmitter } from 'eventemitter3'
import type { CompiledProgram } from '../../../plc/compiler/put-together.ts'
import type { ProgramSymbols } from '../../../plc/program/program-symbols.ts'
import type { Raised, StartInformation } from '../../../plc/runtime/block-events.ts'
import type { AlarmEntry } from './alarm-log.ts'
import type { AlarmSelection, PendingAlarm } from './alarm-messages.ts'
import type { NetworkEvent, NetworkRequest } from './network-messages.ts'

/** Operating states; the names of PLCSIM Advanced. */
export type OperatingState = 'Off' | 'Booting' | 'Stop' | 'Startup' | 'Run' | 'Hold' | 'Freeze' | 'ShuttingDown'

/** Requests that change the state of a controller. */
export type Transition =
  | 'powerOn'
  | 'powerOff'
  | 'run'
  | 'stop'
  | 'memoryReset'
  | 'hold'
  | 'continue'
  | 'freeze'
  | 'unfreeze'

/**
 * - `real`: virtual time passes as the computer's does, times `factor` (0.01 … 100).
 * - `stepped`: time stops until `advance` moves it; only cycles take time, `cycleTimeMs` each. Deterministic.
 */
export type TimeMode =
  | { readonly mode: 'real'; readonly factor: number }
  | { readonly mode: 'stepped'; readonly cycleTimeMs: number }

/** Bytes of the inputs or outputs. */
export interface ByteRange {
  readonly firstByte: number
  readonly bytes: number
}

/** A partition of the process image with its addresses. */
export interface ImagePartition {
  /** The block with which it is updated; default: the one whose attribute `ProcessImagePartNumber` names it, if any. */
  readonly organizationBlock?: number
  readonly inputs?: readonly ByteRange[]
  readonly outputs?: readonly ByteRange[]
}

/** A module that was pulled, with the bytes that nothing answers for. */
export interface PulledModule {
  readonly name: string
  /** The PLC, or the IO device it is plugged into. */
  readonly device: string
  readonly inputs: readonly ByteRange[]
  readonly outputs: readonly ByteRange[]
}

/** An input whose edge at the periphery raises a hardware interrupt. */
export interface HardwareInterrupt {
  readonly byte: number
  readonly bit: number
  readonly edge: 'rising' | 'falling' | 'both'
  /** 40 to 47, or 123 and above. */
  readonly organizationBlock: number
}

/** A configured connection. */
export interface ConfiguredConnection {
  /** The local ID, as blocks have it: 256 for W#16#100. */
  readonly id: number
  readonly kind: 's7' | 'tcp' | 'udp'
  readonly partnerAddress: string
  readonly partnerPort?: number
  readonly localPort?: number
  readonly isActive?: boolean
  /** Of an S7 connection; default rack 0, slot 1. */
  readonly rack?: number
  readonly slot?: number
}

/** Options of a controller. */
export interface ControllerOptions {
  readonly name: string
  /** Folder of its memory card (program, retentive data). It is created when it does not exist. */
  readonly storage: string
  /** Maximum cycle time, ms (default 150); minimum cycle time, ms (default 1). */
  readonly maximumCycleTimeMs: number
  readonly minimumCycleTimeMs: number
  readonly time: TimeMode
  /** System time at power-on, ms since 1970 UTC. Default: the computer's. */
  readonly startTime?: number
  /** Offset of local time from UTC in minutes. */
  readonly utcOffsetMinutes: number
  /** Number of retentive flag bytes, from MB0 on. */
  readonly retentiveFlags: number
  /**
   * Byte of M with the clock bits (10 Hz … 0.5 Hz), and byte with the system bits (first scan, diagnostics changed,
   * always 1, always 0).
   */
  readonly clockMemoryByte?: number
  readonly systemMemoryByte?: number
  /**
   * What the outputs do in STOP and HOLD ("Reaction to CPU STOP" of output modules): they are switched off, or keep
   * their last values. Default: off.
   */
  readonly outputsInStop?: 'Off' | 'Keep'
  /**
   * Reads and writes over S7 ("Permit access with PUT/GET communication from remote partner"); default: permitted.
   * Without the permission they are answered with error 0x8104.
   */
  readonly putGetAccess?: boolean
  /**
   * Protection level that S7 clients see (SZL 0x0232): 1 none, 2 write protection, 3 read and write protection; default
   * 1. From 2 on they cannot start or stop the controller, or set its clock.
   */
  readonly protectionLevel?: 1 | 2 | 3
  /** Partitions 1 to 31 of the process image. */
  readonly processImagePartitions?: Readonly<Record<number, ImagePartition>>
  readonly hardwareInterrupts?: readonly HardwareInterrupt[]
  /** Modules that are configured and not there at the moment (pulled, or their station failed). */
  readonly pulledModules?: readonly PulledModule[]
  /** State after power-on: RUN when there is a program, the last state, or STOP. */
  readonly startup: 'Run' | 'Last' | 'Stop'
  /** Most alarms that may be pending at the same time; applies from power-on. */
  readonly pendingAlarms: number
  /** Configured connections: of S7 communication (PUT, GET, BSEND …) and of open communication. */
  readonly connections: readonly ConfiguredConnection[]
  /** Cycle and phase of cyclic interrupts that override those of the program, by OB number. */
  readonly cyclicInterrupts: Readonly<Record<number, { readonly cycleTimeMs: number; readonly phaseMs?: number }>>
}

/**
 * What a download writes to the memory card. The controller runs `program`; it only keeps the rest, for upload and
 * compare.
 */
export interface LoadPackage {
  /** Hash of the manifest. */
  readonly hash: string
  /** JSON: what was loaded, from which device, with the hash of every block and its source. */
  readonly manifest: string
  /** Hash of the program's table of contents; `blobs` contains the table and everything it names. */
  readonly program: string
  readonly blobs: ReadonlyMap<string, Uint8Array>
}

/** Options of a load. */
export interface LoadOptions {
  /** Loads in RUN, at a cycle control point. Otherwise the controller must be in STOP. */
  readonly inRun: boolean
  /** Sets all data blocks to their start values, whatever their layout was. */
  readonly reinitialize: boolean
}

/** What a load does, or (with `planLoad`) would do, to the data. */
export interface LoadReport {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Data blocks of which all values stay; members that are new have start values. */
  readonly kept: readonly string[]
  /** Data blocks of which values are lost: all when that was asked for, otherwise those in `lost`. */
  readonly reinitialized: readonly string[]
  /** What cannot be kept, because it is gone or of another type; without it everything can. */
  readonly lost?: readonly LostValue[]
}

/** A value that a load cannot keep. */
export interface LostValue {
  readonly dataBlock: string
  /** Inside the data block: `.motor.speed`, `.list[…].level`; `''`: all of it. */
  readonly path: string
  readonly reason: string
}

/** A range of the program's memory. `mask`: the relevant bits of a single byte. */
export interface MemoryRange {
  readonly address: number
  readonly size: number
}
/** Bytes to write to the program's memory. */
export interface MemoryWrite {
  readonly address: number
  readonly bytes: Uint8Array
  /** Only these bits of a single byte. */
  readonly mask?: number
}

/** The content of memory at one scan boundary. */
export interface Snapshot {
  /** The bytes of the requested ranges, in the same order. */
  readonly bytes: readonly Uint8Array[]
  /** Number of cycles since STARTUP at that boundary; `time`: virtual system time (ms since 1970). */
  readonly cycle: number
  readonly time: number
  /**
   * The clock of the program's timers at that boundary: nanoseconds since power-on. Without it, the remaining time of
   * an S5 timer cannot be determined.
   */
  readonly clock?: bigint
}

/** A force on process images: applied at every update, overriding program and writes, until it is removed. */
export interface Force extends MemoryWrite {
  /** Identifies the force: the operand, e.g. `%I0.0`. */
  readonly key: string
}

/** A value that is written at a point of the cycle. */
export interface Modification extends Force {
  readonly at: 'start' | 'end' | 'stop'
  readonly once?: boolean
}

/** Cycle times in milliseconds, and counters. */
export interface CycleStatistics {
  /** Since STARTUP. One that was broken off has begun, and is none of `cycles`. */
  readonly cycles: number
  readonly begunCycles: number
  /**
   * Milliseconds from the start of a cycle to the next: real time, or virtual time when that is stepped. Pauses
   * (freeze, HOLD, between two advances) do not count.
   */
  readonly lastMs: number
  readonly minimumMs: number
  readonly averageMs: number
  readonly maximumMs: number
  /** Execution time alone, without waiting for the minimum cycle time; always real time. */
  readonly executionLastMs: number
  readonly executionMaximumMs: number
  readonly executionAverageMs: number
  /** Number of cycles beyond the maximum cycle time; number of lost events of cyclic interrupts. */
  readonly overruns: number
  readonly lostEvents: number
}

export type CycleCounts = Pick<CycleStatistics, 'cycles' | 'begunCycles'>

/** Entry of the diagnostics buffer. */
export interface DiagnosticEntry {
  readonly number: number
  /** ms since 1970, virtual. */
  readonly time: number
  readonly severity: 'information' | 'warning' | 'error'
  /**
   * A stable code, e.g. `mode-change`, `cycle-time-exceeded`, `array-index`, `stop-instruction`, `memory-reset`,
   * `power-on`.
   */
  readonly code: string
  /** As S7 controllers number it (event-ids.ts); absent for what they do not have. */
  readonly eventId?: number
  readonly message: string
  readonly block?: string
  readonly network?: number
  readonly line?: number
  readonly column?: number
}

/** Options of a trace. */
export interface TraceOptions {
  /** Memory ranges in each sample. */
  readonly ranges: readonly MemoryRange[]
  /** Number of samples that are kept; older ones are overwritten. */
  readonly samples: number
  /** One sample every this many cycles. */
  readonly everyCycles: number
  /** At least so much virtual time from one sample to the next, ms. Default: none. */
  readonly everyMs?: number
}
/** One sample of a trace. */
export interface TraceSample {
  readonly cycle: number
  readonly time: number
  readonly bytes: readonly Uint8Array[]
}

/** Events of a controller. */
export interface ControllerEvents {
  state: (state: OperatingState, before: OperatingState) => void
  diagnostic: (entry: DiagnosticEntry) => void
  /** Alarms came, went, were acknowledged or removed. */
  alarms: (entries: readonly AlarmEntry[]) => void
  /** Blocks of communication ask for something. */
  network: (request: NetworkRequest) => void
  /** Emitted when another program, or none, is loaded: earlier addresses and symbols are invalid. */
  program: (hash: string | undefined) => void
}

/** The loaded program. */
export interface LoadedProgram {
  readonly hash: string
  readonly package: { readonly hash: string; readonly manifest: string }
  readonly compiled: CompiledProgram
  readonly symbols: ProgramSymbols
}

/**
 * A controller. Each action waits for the cycle control point and is executed there, in the order of the calls.
 * @throws GatewayError `invalid_operating_state` (409) when the state does not allow it; the problem lists the allowed
 *   transitions
 */
export interface Controller {
  readonly options: ControllerOptions
  readonly state: OperatingState
  readonly events: EventEmitter<ControllerEvents>
  readonly program: LoadedProgram | undefined
  /** Transitions that the current state allows. */
  readonly allowed: readonly Transition[]
  /** Resolves with the final state (Stop or Run after `powerOn`). */
  change(transition: Transition, signal?: AbortSignal): Promise<OperatingState>
  /**
   * Applies options that can change while it is on: cycle times, time mode, clock bytes, cyclic interrupts. Others
   * apply from the next power-on.
   */
  configure(options: ControllerOptions): Promise<void>
  planLoad(next: LoadPackage, options: LoadOptions): Promise<LoadReport>
  load(next: LoadPackage, options: LoadOptions): Promise<LoadReport>
  /** Whether power-on leads to RUN: by `startup`, the last state and the memory card. */
  willRun(): Promise<boolean>
  /** The content of its memory card, also while it is off. */
  memoryCard(): Promise<LoadPackage | undefined>
  /**
   * Reads all ranges at one scan boundary; takes no time from the scan unless cycles follow each other without a pause.
   */
  read(ranges: readonly MemoryRange[]): Promise<Snapshot>
  /**
   * Writes at the next cycle control point, all at once. For inputs, write to the periphery (`PI`); the image follows.
   */
  write(writes: readonly MemoryWrite[]): Promise<void>
  /**
   * Replaces all forces. They are kept on the memory card: they survive power-off and loads until other forces, or
   * none, are set.
   */
  setForces(forces: readonly Force[]): Promise<void>
  readonly forces: readonly Force[]
  /**
   * Sets values that are written at a point of every cycle until removed ("modify permanently"), by key. `start`:
   * before the program runs; `end`: after it; `stop`: when the controller goes to STOP. `once`: only at the next such
   * point. Resolves with the cycles after which they apply. Loading another program removes them.
   */
  setModifications(modifications: readonly Modification[]): Promise<CycleCounts>
  /**
   * Stepped time: runs whole cycles, or until virtual time has advanced (interrupts run at their times). Resolves when
   * done.
   */
  advance(
    by: { readonly cycles: number } | { readonly milliseconds: number },
    signal?: AbortSignal,
  ): Promise<{ cycles: number; time: number }>
  readonly statistics: CycleStatistics
  /** Virtual system time, ms since 1970. */
  readonly time: number
  setTime(milliseconds: number): Promise<void>
  /**
   * Raises an event of an organization block that has no clock: hardware interrupt (OB 40 …), diagnostic error (82),
   * pull or plug (83), rack failure (86), I/O access error (122), time error (80), status, update and profile (55 to
   * 57). It runs by its priority, also in the middle of a block. Outside of RUN events are lost.
   */
  raise(block: number, information: StartInformation): Promise<Raised>
  /** Sends a message to the communication blocks; without effect while the controller is off. */
  network(event: NetworkEvent): void
  /** Enters what was noticed from outside in the diagnostics buffer. */
  note(severity: DiagnosticEntry['severity'], code: string, message: string): void
  /** Newest first. */
  readonly diagnostics: readonly DiagnosticEntry[]
  /** Alarms that are pending, and the newest events of alarms; newest first. */
  readonly alarms: { readonly pending: readonly PendingAlarm[]; readonly log: readonly AlarmEntry[] }
  /**
   * Acknowledges pending alarms.
   * @param by recorded with their events
   * @returns names of those that needed it
   */
  acknowledge(selection: AlarmSelection, by: string): Promise<readonly string[]>
  /**
   * Records memory at the ends of cycles. Each name is a trace of its own; one that runs is replaced. Loading another
   * program ends all of them. @param name default: the trace that people start
   */
  startTrace(options: TraceOptions, name?: string): Promise<void>
  stopTrace(name?: string): Promise<void>
  /** Oldest first; empty when there is no such trace. */
  trace(name?: string): Promise<readonly TraceSample[]>
  /** Ends the worker immediately, even while it runs the program. */
  dispose(): Promise<void>
}
