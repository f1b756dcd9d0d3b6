/** Runs the script of a phase on a controller in stepped time and compares the whole instance after every scan. */
import { defined } from '../../../core/index.ts'
import type { Controller } from '../../simulation/index.ts'
import { InstanceMemory } from './instance-memory.ts'
import type { JsonScalar, PhaseScript, RowName, ScriptItem } from './script.ts'

/** Maximum number of failures reported for one phase; the check ends after the last. */
const mostFailures = 10
/** Number of scans before a failure that are reported with it. */
const traceLength = 10

/** One scan of a trace. */
export interface TracedScan {
  /** Number of the scan in the phase, from 1. */
  readonly scan: number
  readonly row: RowName
  /** Values written before the scan, by variable name. */
  readonly written: Readonly<Record<string, JsonScalar>>
  /** State of the block after the scan. */
  readonly state: Readonly<Record<string, unknown>>
}

/** A scan after which the state of the block was wrong. */
export interface Failure {
  readonly row: RowName
  /** The step that was active before the scan; 0 is idle. */
  readonly step: number
  readonly scan: number
  readonly message: string
  readonly differences: { readonly variable: string; readonly expected: unknown; readonly actual: unknown }[]
  /** The oldest scan first, the failed scan last. */
  readonly trace: TracedScan[]
}

/** Number of scans of a row that were compared, and that failed. */
export interface RowRun {
  checks: number
  failed: number
  /** Steps in which it was compared. */
  readonly steps: Set<number>
}

/** One comparison, for a report. */
export interface Check {
  readonly row: RowName
  readonly note?: string
  /** The step that was active before the scan; 0 is idle. */
  readonly step: number
  readonly scan: number
  /** Virtual time since the first scan, ms. */
  readonly time: number
  /** What was written before the scan, what had to be seen after it, and what was seen, by variable name. */
  readonly written: Readonly<Record<string, JsonScalar>>
  readonly expected: Readonly<Record<string, unknown>>
  readonly observed: Readonly<Record<string, unknown>>
  readonly passed: boolean
}

/** The results of running a script. */
export interface PhaseRun {
  readonly scans: number
  readonly rows: ReadonlyMap<RowName, RowRun>
  /** Steps that were active at some time. */
  readonly reached: ReadonlySet<number>
  /** Steps after which the next step was active. */
  readonly left: ReadonlySet<number>
  readonly failures: Failure[]
  /** True when the whole script was run. */
  readonly isWhole: boolean
  /** Every comparison, when they are recorded. */
  readonly checks: readonly Check[]
}

/** What to keep of a run. */
export interface RunOptions {
  /** Keep every comparison, for so many in all: a phase that begins when none is left is not kept. */
  readonly record?: { left: number }
}

type Scan = Extract<ScriptItem, { kind: 'scan' }>

/**
 * Runs a script.
 * @param controller in Run, in stepped time, with a program that calls the block once in each scan, without parameters
 * @param instance name of the instance data block
 */
export async function runScript(
  controller: Controller,
  instance: string,
  script: PhaseScript,
  signal: AbortSignal,
  options: RunOptions = {},
): Promise<PhaseRun> {
  return new Run(controller, instance, script, options.record).run(signal)
}

class Run {
  readonly #controller: Controller
  readonly #script: PhaseScript
  readonly #memory: InstanceMemory
  readonly #rows = new Map<RowName, RowRun>()
  readonly #reached = new Set<number>()
  readonly #left = new Set<number>()
  readonly #failures: Failure[] = []
  readonly #trace: { item: Scan; scan: number; bytes: Uint8Array }[] = []
  readonly #saved: { readonly bytes: Uint8Array<ArrayBuffer>; readonly time: number }[] = []
  readonly #checks: Check[] | undefined
  #begin = 0
  #scans = 0

  constructor(controller: Controller, instance: string, script: PhaseScript, record: RunOptions['record']) {
    this.#controller = controller
    this.#checks = record && record.left > 0 ? [] : undefined
    if (this.#checks && record) record.left -= script.scans
    this.#script = script
    this.#memory = new InstanceMemory(controller, instance)
  }

  async run(signal: AbortSignal): Promise<PhaseRun> {
    await this.#memory.begin()
    this.#begin = this.#controller.time
    const isWhole = await this.#items(signal)
    return {
      scans: this.#scans,
      rows: this.#rows,
      reached: this.#reached,
      left: this.#left,
      failures: this.#failures,
      isWhole,
      checks: this.#checks ?? [],
    }
  }

  async #items(signal: AbortSignal): Promise<boolean> {
    const { items } = this.#script
    let isWhole = true
    for (let i = 0; i < items.length; i++) {
      signal.throwIfAborted()
      const item = items[i]!
      if (item.kind === 'save') this.#saved.push({ bytes: this.#memory.expected.slice(), time: this.#controller.time })
      else if (item.kind === 'restore') await this.#restore()
      else if (item.kind === 'elapse') await this.#elapse(item.milliseconds)
      else if (!(await this.#scan(item))) {
        isWhole = false
        // Between save and restore, the run continues at the restore; elsewhere the scans after a failure are
        // meaningless.
        if (this.#saved.length === 0 || this.#failures.length >= mostFailures || this.#controller.state !== 'Run')
          return false
        i = endOfAside(items, i) - 1
      }
    }
    return isWhole
  }

  /** Puts the instance back as it was saved; its timer has the time that it had then. */
  async #restore(): Promise<void> {
    const { bytes, time } = this.#saved.pop()!
    const { timer } = this.#script
    if (timer !== undefined) this.#memory.moveTimer(bytes, [timer], this.#controller.time - time)
    await this.#memory.restore(bytes)
  }

  /** Time passes in one long cycle; the instance is put back as it was before that cycle. */
  async #elapse(milliseconds: number): Promise<void> {
    const controller = this.#controller
    const before = this.#memory.expected.slice()
    const { time } = controller.options
    await controller.configure({ ...controller.options, time: { mode: 'stepped', cycleTimeMs: milliseconds } })
    await controller.advance({ cycles: 1 })
    await controller.configure({ ...controller.options, time })
    await this.#memory.restore(before)
  }

  async #scan(item: Scan): Promise<boolean> {
    const memory = this.#memory
    await memory.write(item.write)
    memory.expect(item.expect)
    const time = this.#controller.time - this.#begin
    await this.#controller.advance({ cycles: 1 })
    this.#scans++
    const bytes = await memory.read()
    this.#trace.push({ item, scan: this.#scans, bytes })
    if (this.#trace.length > traceLength) this.#trace.shift()
    memory.leaveOpen(item.open, bytes)
    const step = memory.valueIn(bytes, ['_Step'])
    if (typeof step === 'number' && this.#script.steps.some(({ number }) => number === step)) this.#reached.add(step)
    const row = this.#rows.get(item.row) ?? { checks: 0, failed: 0, steps: new Set<number>() }
    this.#rows.set(item.row, row)
    row.checks++
    row.steps.add(item.step)
    const isRunning = this.#controller.state === 'Run'
    const passed = isRunning && memory.isAsExpected(bytes)
    this.#checks?.push(this.#check(item, bytes, time, passed))
    if (passed) {
      if (item.row === 'transition') this.#left.add(item.step)
      return true
    }
    row.failed++
    this.#failures.push(this.#failure(item, bytes, isRunning))
    return false
  }

  #check(item: Scan, bytes: Uint8Array, time: number, passed: boolean): Check {
    const { row, note, step, write, expect, must } = item
    const memory = this.#memory
    const paths = new Map([...must, ...expect].map(([path]) => [path.join('.'), path]))
    const wrong = passed ? [] : memory.differences(bytes, this.#members)
    for (const { variable } of wrong) paths.set(variable, variable.split('.'))
    const seenIn = (content: Uint8Array) =>
      Object.fromEntries([...paths].map(([name, path]) => [name, memory.valueIn(content, path)]))
    return {
      row,
      ...defined({ note }),
      step,
      scan: this.#scans,
      time,
      written: Object.fromEntries(write.map(([path, value]) => [path.join('.'), value])),
      expected: seenIn(memory.expected),
      observed: seenIn(bytes),
      passed,
    }
  }

  get #members(): (readonly string[])[] {
    const { inputs, outputs, members } = this.#script
    return [...[...inputs, ...outputs].map((name) => [name]), ...members]
  }

  #failure({ row, step }: Scan, bytes: Uint8Array, isRunning: boolean): Failure {
    const members = this.#members
    const differences = this.#memory.differences(bytes, members)
    const [first] = differences
    const more = differences.length > 1 ? ` and ${differences.length - 1} more` : ''
    const message = !isRunning
      ? `The controller went to ${this.#controller.state}: ${this.#controller.diagnostics[0]?.message ?? ''}`
      : first
        ? `${first.variable} is ${shown(first.actual)}; it must be ${shown(first.expected)}${more}.`
        : 'Memory of the instance that belongs to no variable has changed.'
    return { row, step, scan: this.#scans, message, differences, trace: this.#traced() }
  }

  #traced(): TracedScan[] {
    return this.#trace.map(({ item, scan, bytes }) => ({
      scan,
      row: item.row,
      written: Object.fromEntries(item.write.map(([path, value]) => [path.join('.'), value])),
      state: Object.fromEntries(
        [...this.#script.inputs, ...this.#script.outputs].map((name) => [name, this.#memory.valueIn(bytes, [name])]),
      ),
    }))
  }
}

function shown(value: unknown): string {
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value)
}

/** The index of the restore that ends the part of the script that contains an item. */
function endOfAside(items: readonly ScriptItem[], from: number): number {
  let depth = 1
  for (let i = from + 1; i < items.length; i++) {
    const { kind } = items[i]!
    if (kind === 'save') depth++
    else if (kind === 'restore' && --depth === 0) return i
  }
  return items.length
}
