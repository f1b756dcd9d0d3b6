/**
 * A virtual controller as the gateway sees it: a worker thread that scans a compiled program over memory which this
 * thread can read too. States, transitions and their names are those of PLCSIM Advanced (function manual A5E37039512,
 * EOperatingState); what a CPU does in them is in docs/plc-semantics.md#operating-states. Times are virtual:
 * nanoseconds as bigint where they are exact, milliseconds elsewhere.
 */

import type { EventEmitter } from 'eventemitter3'
import type { CompiledProgram } from '../../../plc/compiler/put-together.ts'
import type { ProgramSymbols } from '../../../plc/program/program-symbols.ts'

export type OperatingState = 'Off' | 'Booting' | 'Stop' | 'Startup' | 'Run' | 'Freeze' | 'ShuttingDown'

/** What can be asked of a controller to change its state. */
export type Transition = 'powerOn' | 'powerOff' | 'run' | 'stop' | 'memoryReset' | 'freeze' | 'unfreeze'

/**
 * - `real`: virtual time passes as the computer's does, times `factor` (0.01 … 100).
 * - `stepped`: time stands until `advance` moves it; a cycle takes `cycleTimeMs` of it, nothing else does. Deterministic.
 */
export type TimeMode =
  | { readonly mode: 'real'; readonly factor: number }
  | { readonly mode: 'stepped'; readonly cycleTimeMs: number }

export interface ControllerOptions {
  readonly name: string
  /** Folder of its memory card: program, retentive data. It is made when absent. */
  readonly storage: string
  /** Maximum cycle time, ms (default 150); minimum cycle time, ms (default 1). */
  readonly maximumCycleTimeMs: number
  readonly minimumCycleTimeMs: number
  readonly time: TimeMode
  /** System time at power-on, ms since 1970 UTC. Default: the computer's. */
  readonly startTime?: number
  /** Minutes by which local time is ahead. */
  readonly utcOffsetMinutes: number
  /** Flag bytes from MB0 on that are retentive. */
  readonly retentiveFlags: number
  /** Byte of M that holds the clock bits (10 Hz … 0.5 Hz), and the system bits (first scan, diagnostics changed, always 1, always 0). */
  readonly clockMemoryByte?: number
  readonly systemMemoryByte?: number
  /** After power-on: RUN when there is a program, or what it was, or STOP. */
  readonly startup: 'Run' | 'Last' | 'Stop'
  /** Cycle and phase of cyclic interrupts that override those of the program, by OB number. */
  readonly cyclicInterrupts: Readonly<Record<number, { readonly cycleTimeMs: number; readonly phaseMs?: number }>>
}

/** What a download puts on the memory card. The controller runs `program`; all else it only keeps, for upload and compare. */
export interface LoadPackage {
  /** Hash of the manifest. */
  readonly hash: string
  /** JSON: what was loaded, from which device, with the hash of every block and its source. */
  readonly manifest: string
  /** Hash of the program's table of contents; it and what it names are in `blobs`. */
  readonly program: string
  readonly blobs: ReadonlyMap<string, Uint8Array>
}

export interface LoadOptions {
  /** Load while it runs, at a cycle control point. Otherwise the controller must be in STOP. */
  readonly inRun: boolean
  /** Start values for all data blocks, whatever their layout was. */
  readonly reinitialize: boolean
}

/** What a load does, or (by `planLoad`) would do, to the data. */
export interface LoadReport {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Same layout: values stay. */
  readonly kept: readonly string[]
  /** Other layout: start values again. */
  readonly reinitialized: readonly string[]
}

/** A range of the program's memory. `mask`: of one byte, the bits that count. */
export interface MemoryRange {
  readonly address: number
  readonly size: number
}
export interface MemoryWrite {
  readonly address: number
  readonly bytes: Uint8Array
  /** Only these bits of a single byte. */
  readonly mask?: number
}

/** What stands in memory at one scan boundary. */
export interface Snapshot {
  /** One after the other, in the order asked. */
  readonly bytes: readonly Uint8Array[]
  /** Cycles since STARTUP, and virtual system time (ms since 1970), at that boundary. */
  readonly cycle: number
  readonly time: number
  /** What the program's timers count with at that boundary: nanoseconds since power-on. Without it the time that an S5 timer has left cannot be told. */
  readonly clock?: bigint
}

/** Of process images: holds at every update against program and writes, until it is taken away. */
export interface Force extends MemoryWrite {
  /** Tells forces apart: the operand, e.g. `%I0.0`. */
  readonly key: string
}

export interface Modification extends Force {
  readonly at: 'start' | 'end' | 'stop'
  readonly once?: boolean
}

export interface CycleStatistics {
  readonly cycles: number
  /** Milliseconds from the start of a cycle to the next; of real time. */
  readonly lastMs: number
  readonly minimumMs: number
  readonly averageMs: number
  readonly maximumMs: number
  /** Execution alone, without waiting for the minimum cycle time. */
  readonly executionLastMs: number
  readonly executionMaximumMs: number
  readonly executionAverageMs: number
  /** Cycles beyond the maximum cycle time; events of cyclic interrupts that were lost. */
  readonly overruns: number
  readonly lostEvents: number
}

/** Entry of the diagnostics buffer. */
export interface DiagnosticEntry {
  readonly number: number
  /** ms since 1970, virtual. */
  readonly time: number
  readonly severity: 'information' | 'warning' | 'error'
  /** Stable, e.g. `mode-change`, `cycle-time-exceeded`, `array-index`, `stop-instruction`, `memory-reset`, `power-on`. */
  readonly code: string
  readonly message: string
  readonly block?: string
  readonly network?: number
  readonly line?: number
  readonly column?: number
}

export interface TraceOptions {
  /** What each sample holds. */
  readonly ranges: readonly MemoryRange[]
  /** Samples that are kept; older ones are overwritten. */
  readonly samples: number
  /** A sample every so many cycles. */
  readonly everyCycles: number
}
export interface TraceSample {
  readonly cycle: number
  readonly time: number
  readonly bytes: readonly Uint8Array[]
}

export interface ControllerEvents {
  state: (state: OperatingState, before: OperatingState) => void
  diagnostic: (entry: DiagnosticEntry) => void
  /** Another program, or none, is loaded: addresses and symbols of before mean nothing any more. */
  program: (hash: string | undefined) => void
}

/** The program that is loaded. */
export interface LoadedProgram {
  readonly hash: string
  readonly package: { readonly hash: string; readonly manifest: string }
  readonly compiled: CompiledProgram
  readonly symbols: ProgramSymbols
}

/**
 * A controller. Everything that acts waits for the cycle control point and is done there in the order of the calls.
 * @throws GatewayError `invalid_operating_state` (409) when the state does not allow it; the problem names what it allows
 */
export interface Controller {
  readonly options: ControllerOptions
  readonly state: OperatingState
  readonly events: EventEmitter<ControllerEvents>
  readonly program: LoadedProgram | undefined
  /** Ways out of the present state. */
  readonly allowed: readonly Transition[]
  /** Resolves with the state that was reached in the end (Stop or Run after `powerOn`). */
  change(transition: Transition, signal?: AbortSignal): Promise<OperatingState>
  /** Takes over options that can change while it is on: cycle times, time mode, clock bytes, cyclic interrupts. Others hold from the next power-on. */
  configure(options: ControllerOptions): Promise<void>
  planLoad(next: LoadPackage, options: LoadOptions): Promise<LoadReport>
  load(next: LoadPackage, options: LoadOptions): Promise<LoadReport>
  /** What is on its memory card, also when it is off. */
  memoryCard(): Promise<LoadPackage | undefined>
  /** All of one scan boundary; takes no time of the scan unless cycles follow each other without a pause. */
  read(ranges: readonly MemoryRange[]): Promise<Snapshot>
  /** At the next cycle control point, all in one. Inputs: write to the periphery (`PI`), the image follows. */
  write(writes: readonly MemoryWrite[]): Promise<void>
  /** Replaces all forces. They are kept on the memory card: they hold over power-off and loads until other forces, or none, are set. */
  setForces(forces: readonly Force[]): Promise<void>
  readonly forces: readonly Force[]
  /**
   * Values that are written at a point of every cycle until taken away ("modify permanently"), by key.
   * `start`: before the program runs; `end`: after it; `stop`: when the controller goes to STOP. `once`: at the next such point, and not again.
   * Resolves with the number of cycles since STARTUP at which they begin to hold. Another program takes them away.
   */
  setModifications(modifications: readonly Modification[]): Promise<number>
  /** Stepped time: runs whole cycles, or until virtual time has moved on (interrupts run at their times). Resolves when done. */
  advance(
    by: { readonly cycles: number } | { readonly milliseconds: number },
    signal?: AbortSignal,
  ): Promise<{ cycles: number; time: number }>
  readonly statistics: CycleStatistics
  /** Virtual system time, ms since 1970. */
  readonly time: number
  setTime(milliseconds: number): Promise<void>
  /** Newest first. */
  readonly diagnostics: readonly DiagnosticEntry[]
  startTrace(options: TraceOptions): Promise<void>
  stopTrace(): Promise<void>
  /** Oldest first. */
  trace(): Promise<readonly TraceSample[]>
  /** Ends the worker at once, whatever it does. */
  dispose(): Promise<void>
}
