/** Runs the script of a phase on a controller in stepped time and compares the whole instance after every scan. */
import type { Controller } from '../../simulation/index.ts'
import { InstanceMemory } from './instance-memory.ts'
import type { JsonScalar, PhaseScript, RowName, ScriptItem } from './script.ts'

/** Failures that are told of one phase; the check ends with the last. */
const mostFailures = 10
/** Scans before a failure that are told with it. */
const traceLength = 10

const outputs = ['_Step', '_StepEntry', 'Active', 'Done', 'Held', 'Error'] as const
const inputs = ['Execute', 'Hold', 'Abort'] as const

/** One scan of a trace. */
export interface TracedScan {
  /** From 1, of the phase. */
  readonly scan: number
  readonly row: RowName
  /** What was written before it, by names of variables. */
  readonly written: Readonly<Record<string, JsonScalar>>
  /** The block after it. */
  readonly state: Readonly<Record<string, unknown>>
}

/** A scan after which the block was not as it must be. */
export interface Failure {
  readonly row: RowName
  /** That was active before the scan; 0: idle. */
  readonly step: number
  readonly scan: number
  readonly message: string
  readonly differences: { readonly variable: string; readonly expected: unknown; readonly actual: unknown }[]
  /** Oldest first, the scan itself last. */
  readonly trace: TracedScan[]
}

export interface RowRun {
  checks: number
  failed: number
}

/** What a run has shown. */
export interface PhaseRun {
  readonly scans: number
  readonly rows: ReadonlyMap<RowName, RowRun>
  /** Steps that were seen active. */
  readonly reached: ReadonlySet<number>
  /** Steps that were left for their next step. */
  readonly left: ReadonlySet<number>
  readonly failures: Failure[]
  /** All of the script was run. */
  readonly isWhole: boolean
}

type Scan = Extract<ScriptItem, { kind: 'scan' }>

/**
 * Runs a script.
 * @param controller in Run, in stepped time, with a program that calls the block once in a scan, without parameters
 * @param instance name of the instance data block
 */
export async function runScript(
  controller: Controller,
  instance: string,
  script: PhaseScript,
  signal: AbortSignal,
): Promise<PhaseRun> {
  return new Run(controller, instance, script).run(signal)
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
  readonly #saved: Uint8Array<ArrayBuffer>[] = []
  #scans = 0

  constructor(controller: Controller, instance: string, script: PhaseScript) {
    this.#controller = controller
    this.#script = script
    this.#memory = new InstanceMemory(controller, instance)
  }

  async run(signal: AbortSignal): Promise<PhaseRun> {
    await this.#memory.begin()
    const isWhole = await this.#items(signal)
    return {
      scans: this.#scans,
      rows: this.#rows,
      reached: this.#reached,
      left: this.#left,
      failures: this.#failures,
      isWhole,
    }
  }

  async #items(signal: AbortSignal): Promise<boolean> {
    const { items } = this.#script
    let isWhole = true
    for (let i = 0; i < items.length; i++) {
      signal.throwIfAborted()
      const item = items[i]!
      if (item.kind === 'save') this.#saved.push(this.#memory.expected.slice())
      else if (item.kind === 'restore') await this.#memory.restore(this.#saved.pop()!)
      else if (!(await this.#scan(item))) {
        isWhole = false
        // A side road ends; on the main road nothing that follows would mean anything.
        if (this.#saved.length === 0 || this.#failures.length >= mostFailures || this.#controller.state !== 'Run')
          return false
        i = endOfAside(items, i) - 1
      }
    }
    return isWhole
  }

  async #scan(item: Scan): Promise<boolean> {
    const memory = this.#memory
    await memory.write(item.write)
    memory.expect(item.expect)
    await this.#controller.advance({ cycles: 1 })
    this.#scans++
    const bytes = await memory.read()
    this.#trace.push({ item, scan: this.#scans, bytes })
    if (this.#trace.length > traceLength) this.#trace.shift()
    memory.leaveOpen(item.open, bytes)
    const step = memory.valueIn(bytes, ['_Step'])
    if (typeof step === 'number' && this.#script.steps.some(({ number }) => number === step)) this.#reached.add(step)
    const row = this.#rows.get(item.row) ?? { checks: 0, failed: 0 }
    this.#rows.set(item.row, row)
    row.checks++
    const isRunning = this.#controller.state === 'Run'
    if (isRunning && memory.isAsExpected(bytes)) {
      if (item.row === 'transition') this.#left.add(item.step)
      return true
    }
    row.failed++
    this.#failures.push(this.#failure(item, bytes, isRunning))
    return false
  }

  #failure({ row, step }: Scan, bytes: Uint8Array, isRunning: boolean): Failure {
    const members = [...[...inputs, ...outputs].map((name) => [name]), ...this.#script.members]
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
      state: Object.fromEntries([...inputs, ...outputs].map((name) => [name, this.#memory.valueIn(bytes, [name])])),
    }))
  }
}

function shown(value: unknown): string {
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value)
}

/** Where the side road that an item lies on is gone back from. */
function endOfAside(items: readonly ScriptItem[], from: number): number {
  let depth = 1
  for (let i = from + 1; i < items.length; i++) {
    const { kind } = items[i]!
    if (kind === 'save') depth++
    else if (kind === 'restore' && --depth === 0) return i
  }
  return items.length
}
