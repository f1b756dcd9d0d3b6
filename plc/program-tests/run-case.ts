/** Runs one case of a test on a private controller. */
import { counted } from '../../lib/counted.ts'
import { nearest } from '../../lib/nearest.ts'
import { CaseTrace } from './case-trace.ts'
import type { Harness } from './harness.ts'
import type { Assignment, Condition, Duration, TestCase, TestFile, TestPlace, TestStep } from './model.ts'
import type { TraceLine } from './plot.ts'
import { type TestController, TrapError } from './private-controller.ts'
import type { Stimulus } from './stimulus.ts'
import { type FindVariable, isAsExpected, shownExpected, shownValue, type TestVariable } from './variables.ts'

/** Variables in it. */
const mostTraced = 24
/** Failures of one case in the report. */
export const mostFailures = 20

export interface Failure extends TestPlace {
  /** Number of the step, from 1. */
  readonly step: number
  readonly message: string
  readonly path?: string
  readonly expected?: string
  readonly actual?: string
  /** Virtual time, where it is not that of the end of the case. */
  readonly milliseconds?: number
  /** Of a block of tests: the block and network that line and column count in, until the file is known. */
  readonly inBlock?: { readonly block: string; readonly network: number }
}

/** How a case ended; plain data. */
export interface CaseResult extends TestPlace {
  readonly file: string
  readonly name: string
  readonly tags: readonly string[]
  /** `error`: it could not be carried out; `failed`: the program does something else; `skipped`: it is no test. */
  readonly status: 'passed' | 'failed' | 'error' | 'skipped'
  /** Of one that is skipped: why. */
  readonly failures: readonly Failure[]
  readonly cycles: number
  /** Virtual time. */
  readonly milliseconds: number
  readonly wallMs: number
  /** Involved variables over the last cycles before the failure, the newest last. */
  readonly trace: readonly TraceLine[]
}

export interface CaseContext {
  readonly controller: TestController
  readonly file: TestFile
  /** For a block that is called alone. */
  readonly harness?: Pick<Harness, 'owners' | 'entry'>
  readonly find: FindVariable
  /** By the name in the step. */
  readonly stimuli: ReadonlyMap<string, Stimulus>
  /** Wall time in milliseconds, of any beginning. */
  readonly clock: () => number
}

export class LimitError extends Error {
  override readonly name = 'LimitError'
}

/** What cannot be done as the file says. */
class CaseError extends Error {
  override readonly name = 'CaseError'
  readonly place: TestPlace

  constructor(place: TestPlace, message: string) {
    super(message)
    this.place = place
  }
}

/** Runs a case from the start image on. Faults of the case and of the program are in the result. */
export function runCase(context: CaseContext, one: TestCase): CaseResult {
  return new CaseRun(context, one).run()
}

type Bound<T> = T & { readonly variable: TestVariable }

class CaseRun {
  readonly #context: CaseContext
  readonly #case: TestCase
  readonly #variables = new Map<string, TestVariable>()
  readonly #trace: CaseTrace
  readonly #failures: Failure[] = []
  #step = 0
  #place: TestPlace

  constructor(context: CaseContext, one: TestCase) {
    this.#context = context
    this.#case = one
    this.#place = one.place
    this.#trace = new CaseTrace(context.controller)
  }

  run(): CaseResult {
    const { controller, file, harness, clock } = this.#context
    const begin = clock()
    const look = () => {
      if (clock() - begin > file.maxWallMs)
        throw new LimitError(
          `The case takes longer than ${file.maxWallMs / 1000} s; "limits: { seconds: … }" in the file sets the limit.`,
        )
    }
    let status: CaseResult['status'] = 'passed'
    try {
      controller.restart({ cycle: file.cycle, look }, harness?.entry)
      this.#bindAll()
      this.#write(this.#bound(this.#case.given))
      controller.startUp()
      for (const [i, step] of this.#case.steps.entries()) {
        this.#step = i + 1
        this.#place = step.place
        this.#runStep(step, look)
        if (this.#failures.length > 0) break
      }
      if (this.#failures.length > 0) status = 'failed'
    } catch (error) {
      const isCase = error instanceof CaseError
      const isKnown = isCase || error instanceof LimitError || error instanceof TrapError
      status = 'error'
      const { line, column } = isCase ? error.place : this.#place
      this.#failures.push({ line, column, step: this.#step, message: isKnown ? error.message : unknownText(error) })
    }
    const { name, tags, place } = this.#case
    return {
      ...{ file: file.path, name, tags, ...place, status, failures: this.#failures.slice(0, mostFailures) },
      cycles: controller.cycles,
      milliseconds: Number(controller.now / 1000n) / 1000,
      wallMs: clock() - begin,
      trace: status === 'passed' ? [] : this.#trace.lines(),
    }
  }

  #runStep(step: TestStep, look: () => void): void {
    this.#write(this.#bound(step.set))
    const expect = this.#bound(step.expect)
    const never = step.never.map((list) => this.#bound(list))
    if (step.wait !== undefined) this.#context.controller.advance(step.wait)
    this.#trigger(step)
    const drive = this.#stimulusOf(step)
    const run = step.run ?? drive.duration
    const cycles = run === undefined ? 0 : this.#cyclesOf(run)
    for (let i = 0; i < cycles; i++) if (!this.#cycle(i, drive.at, never, look)) return
    if (step.within !== undefined) {
      const most = this.#cyclesOf({ nanoseconds: step.within })
      for (let i = 0; i < most && (i === 0 || !this.#isTrue(expect)); i++)
        if (!this.#cycle(cycles + i, drive.at, never, look)) return
    }
    for (const one of expect) if (!this.#holds(one)) this.#differs(one, step)
  }

  #trigger({ events }: TestStep): void {
    const { controller, harness } = this.#context
    for (const { block, place } of events) {
      if (harness) throw new CaseError(place, '"event" needs "program: true": a block that is called alone has none.')
      try {
        controller.trigger(block)
      } catch (error) {
        throw error instanceof TrapError ? error : new CaseError(place, (error as Error).message)
      }
    }
  }

  /** @returns false when a condition of `never` is true */
  #cycle(
    number: number,
    drive: (number: number) => void,
    never: readonly (readonly Bound<Condition>[])[],
    look: () => void,
  ): boolean {
    const { controller, file } = this.#context
    if (controller.cycles >= file.maxCycles)
      throw new LimitError(
        `The case has run ${counted(file.maxCycles, 'cycle')} and has not ended; "limits: { cycles: … }" in the file sets the limit.`,
      )
    if (controller.cycles % 64 === 0) look()
    drive(number)
    controller.cycle()
    this.#trace.record()
    for (const list of never) {
      if (list.length === 0 || !this.#isTrue(list)) continue
      const [first] = list
      const text = list.map(({ path, expected }) => `${path} ${shownExpected(expected)}`).join(' and ')
      this.#failures.push({
        ...{ line: first!.place.line, column: first!.place.column, step: this.#step, path: first!.path },
        expected: `never: ${text}`,
        actual: list.map((one) => `${one.path} ${this.#valueOf(one.variable)}`).join(', '),
        message: `${text}: must never be, and is in cycle ${controller.cycles}.`,
      })
      return false
    }
    return true
  }

  #cyclesOf(duration: Duration): number {
    if ('cycles' in duration) return duration.cycles
    const { cycle } = this.#context.file
    return Number((duration.nanoseconds + cycle - 1n) / cycle)
  }

  /** Writes the rows of the table that are due before a cycle of the step. */
  #stimulusOf({ stimulus }: TestStep): { at: (number: number) => void; duration: Duration | undefined } {
    if (stimulus === undefined) return { at: () => undefined, duration: undefined }
    const { file, stimuli } = this.#context
    const table = stimuli.get(stimulus.file)
    if (table === undefined) throw new CaseError(stimulus.place, `The stimulus "${stimulus.file}" cannot be read.`)
    const columns = table.paths.map((path) => this.#variable(path, stimulus.place))
    let next = 0
    return {
      at: (number) => {
        const now = BigInt(number) * file.cycle
        for (let row = table.rows[next]; row && row.nanoseconds <= now; row = table.rows[++next])
          for (const [i, value] of row.values.entries()) {
            const [path, variable] = [table.paths[i], columns[i]]
            if (value !== undefined && path !== undefined && variable)
              this.#write([{ path, value, place: stimulus.place, variable }])
          }
      },
      // The last row has its cycle too.
      duration: { nanoseconds: (table.rows.at(-1)?.nanoseconds ?? 0n) + file.cycle },
    }
  }

  #isTrue(conditions: readonly Bound<Condition>[]): boolean {
    return conditions.every((one) => this.#holds(one))
  }

  #holds({ variable, expected, path, place }: Bound<Condition>): boolean {
    const { controller } = this.#context
    try {
      return isAsExpected(variable, expected, controller.memory, controller.now)
    } catch (error) {
      const text = readable(error as Error, this.#context.harness).replace(/ Nothing was written\.$/, '')
      throw new CaseError(place, after(path, text))
    }
  }

  #differs({ path, expected, variable, place }: Bound<Condition>, { within }: TestStep): void {
    const [wanted, actual] = [shownExpected(expected), this.#valueOf(variable)]
    const late = within === undefined ? '' : ` within ${Number(within / 1000n) / 1000} ms`
    this.#failures.push({
      ...{ ...place, step: this.#step, path, expected: wanted, actual },
      message: `${path} is ${actual}; expected ${wanted}${late}.`,
    })
  }

  #valueOf(variable: TestVariable): string {
    const { controller } = this.#context
    return shownValue(variable.read(controller.memory, controller.now))
  }

  #write(assignments: readonly Bound<Assignment>[]): void {
    for (const { value, variable, place } of assignments)
      try {
        variable.write(this.#context.controller.memory, value)
      } catch (error) {
        throw new CaseError(place, readable(error as Error, this.#context.harness))
      }
  }

  #bound<T extends { readonly path: string; readonly place: TestPlace }>(list: readonly T[]): Bound<T>[] {
    return list.map((one) => ({ ...one, variable: this.#variable(one.path, one.place) }))
  }

  /** All variables are found before anything runs: a wrong name in the last step is known at once. */
  #bindAll(): void {
    const { given, steps } = this.#case
    this.#bound(given)
    for (const { set, expect, never, stimulus } of steps) {
      this.#bound([...set])
      this.#bound([...expect, ...never.flat()])
      if (stimulus)
        for (const path of this.#context.stimuli.get(stimulus.file)?.paths ?? []) this.#variable(path, stimulus.place)
    }
    for (const [path, variable] of [...this.#variables].slice(0, mostTraced)) this.#trace.add(path, variable)
  }

  #variable(path: string, place: TestPlace): TestVariable {
    const known = this.#variables.get(path)
    if (known) return known
    const { find, harness, file } = this.#context
    let name = path
    if (harness) {
      const [whole = '', quoted, plain = ''] = /^\s*#?(?:"([^"]+)"|([^".[\]%]+))/.exec(path) ?? []
      const first = (quoted ?? plain).trim()
      const owner = harness.owners.get(first.toLowerCase())
      if (owner) name = `"${owner.block}"."${owner.member}"${path.slice(whole.length)}`
    }
    try {
      const found = find(name)
      this.#variables.set(path, found)
      return found
    } catch (error) {
      const members = [...(harness?.owners.values() ?? [])].map(({ member }) => member)
      // A plain name that is no member of the block: names of what calls the block say nothing to readers.
      if (harness && name === path && /^\s*#?"?\w+"?\s*$/.test(path)) {
        const near = nearest(path.replace(/[#"\s]/g, ''), members)
        const some = members.length === 0 ? 'none' : members.slice(0, 12).join(', ')
        const hint = near === undefined ? `It has: ${some}.` : `Do you mean "${near}"?`
        throw new CaseError(
          place,
          `"${file.block}" has no parameter or static member "${path}", nor is it a tag. ${hint}`,
        )
      }
      throw new CaseError(place, after(path, readable(error as Error, harness)))
    }
  }
}

/** Some messages begin with the path already. */
function after(path: string, message: string): string {
  return message.startsWith(`${path}:`) ? message : `${path}: ${message}`
}

/** A message without the names of the data blocks around a single block. */
function readable({ message }: Error, harness: CaseContext['harness']): string {
  let text = message
  for (const block of new Set([...(harness?.owners.values() ?? [])].map((one) => one.block)))
    text = text.replaceAll(`"${block}".`, '').replaceAll(`${block}.`, '')
  return text
}

/** What no rule foresees ends its case, not the run. */
export function unknownText(error: unknown): string {
  return `The case cannot be carried out: ${error instanceof Error ? error.message : String(error)}.`
}
