/** Cases that share one compiled program: plain data, so that any thread runs some of them. */
import type { CompiledProgram } from '../compiler/put-together.ts'
import type { ScalarType } from '../program/type.ts'
import { ControllerSet } from './controller-set.ts'
import { type BlockCoverage, CoverageCollector, mergedCoverage } from './coverage.ts'
import type { Harness } from './harness.ts'
import type { TestCase, TestFile, TestValue } from './model.ts'
import { PrivateController, type TestController } from './private-controller.ts'
import { runBlockTest } from './run-block.ts'
import { type CaseResult, runCase } from './run-case.ts'
import type { Stimulus } from './stimulus.ts'
import type { FindVariable } from './variables.ts'

/** A case with what it needs besides the program. */
export interface GroupCase {
  readonly case: TestCase
  readonly file: TestFile
  readonly stimuli: ReadonlyMap<string, Stimulus>
  readonly paths: readonly string[]
  readonly harness?: Pick<Harness, 'entry' | 'owners'>
  /** Why it cannot run. */
  readonly refusal?: string
}

export interface TestGroup {
  /** Absent when nothing of the program compiles. */
  readonly compiled?: CompiledProgram
  readonly module?: WebAssembly.Module
  /** Blocks whose coverage counts; absent: none is recorded. */
  readonly covered?: ReadonlySet<string>
  /** Names of data blocks that only the tests have, in lower case. */
  readonly added?: ReadonlySet<string>
  /** Several controllers: the program of each by name; then `compiled` is absent. */
  readonly programs?: readonly {
    readonly name: string
    readonly compiled: CompiledProgram
    readonly module: WebAssembly.Module
  }[]
  readonly cases: readonly GroupCase[]
}

/** What a thread gives besides the group. */
export interface GroupTools {
  /** Makes what finds variables of a compiled program; no message names the data blocks that are `added`. */
  readonly variablesOf: (program: CompiledProgram, added?: ReadonlySet<string>) => FindVariable
  readonly scalarText: (type: ScalarType, bytes: Uint8Array) => TestValue
  readonly clock: () => number
}

/** Runs cases of a group in this thread, one after the other, on one controller. */
export class GroupRunner {
  readonly #group: TestGroup
  readonly #tools: GroupTools
  readonly #controller: TestController | undefined
  readonly #find: FindVariable | undefined
  readonly #collectors: { readonly collector: CoverageCollector; readonly memory: Uint8Array }[] = []

  constructor(group: TestGroup, tools: GroupTools) {
    this.#group = group
    this.#tools = tools
    const { compiled, module, covered, added, programs } = group
    const made = (program: CompiledProgram, code: WebAssembly.Module | undefined) => {
      const controller = new PrivateController(program, code)
      if (covered)
        this.#collectors.push({
          collector: new CoverageCollector(program, (block) => covered.has(block)),
          memory: controller.memory,
        })
      return controller
    }
    if (compiled) {
      this.#controller = made(compiled, module)
      this.#find = tools.variablesOf(compiled, added)
    } else if (programs) {
      const all = programs.map((one) => ({
        name: one.name,
        controller: made(one.compiled, one.module),
        find: tools.variablesOf(one.compiled),
      }))
      const set = new ControllerSet(all, group.cases[0]?.file.connections ?? [])
      this.#controller = set
      this.#find = set.find
    }
  }

  run(index: number): CaseResult {
    const { case: one, refusal, ...rest } = this.#group.cases[index] as GroupCase
    const [controller, find] = [this.#controller, this.#find]
    if (refusal !== undefined || !controller || !find)
      return refused(rest.file, one, refusal ?? 'The program does not compile.')
    const { clock, scalarText } = this.#tools
    const context = { ...rest, controller, find, clock, scalarText }
    const result = rest.file.isBlockTest === true ? runBlockTest(context, one) : runCase(context, one)
    for (const { collector, memory } of this.#collectors) collector.take(memory)
    return result
  }

  /** Blocks that the last case reached. */
  get reached(): string[] {
    return this.#collectors.flatMap(({ collector, memory }) => collector.reached(memory))
  }

  get coverage(): BlockCoverage[] {
    return mergedCoverage(this.#collectors.map(({ collector }) => collector.result))
  }
}

/** The result of a case that does not run, with the reason. */
export function refused(
  { path }: TestFile,
  { name, tags, place }: TestCase,
  message: string,
  status: 'error' | 'skipped' = 'error',
): CaseResult {
  const failure = { ...place, step: 0, message }
  return {
    ...{ file: path, name, tags, ...place, status, failures: [failure] },
    ...{ cycles: 0, milliseconds: 0, wallMs: 0, trace: [] },
  }
}
