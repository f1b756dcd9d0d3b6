/** Cases that share one compiled program: plain data, so that any thread runs some of them. */
import type { CompiledProgram } from '../compiler/put-together.ts'
import type { ScalarType } from '../program/type.ts'
import { type BlockCoverage, CoverageCollector } from './coverage.ts'
import type { Harness } from './harness.ts'
import type { TestCase, TestFile, TestValue } from './model.ts'
import { PrivateController } from './private-controller.ts'
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
  readonly cases: readonly GroupCase[]
}

/** What a thread gives besides the group. */
export interface GroupTools {
  /** Makes what finds variables of a compiled program. */
  readonly variablesOf: (program: CompiledProgram) => FindVariable
  readonly scalarText: (type: ScalarType, bytes: Uint8Array) => TestValue
  readonly clock: () => number
}

/** Runs cases of a group in this thread, one after the other, on one controller. */
export class GroupRunner {
  readonly #group: TestGroup
  readonly #tools: GroupTools
  readonly #controller: PrivateController | undefined
  readonly #find: FindVariable | undefined
  readonly #collector: CoverageCollector | undefined

  constructor(group: TestGroup, tools: GroupTools) {
    this.#group = group
    this.#tools = tools
    const { compiled, covered } = group
    if (!compiled) return
    this.#controller = new PrivateController(compiled, group.module)
    this.#find = tools.variablesOf(compiled)
    if (covered) this.#collector = new CoverageCollector(compiled, (block) => covered.has(block))
  }

  run(index: number): CaseResult {
    const { case: one, refusal, ...rest } = this.#group.cases[index] as GroupCase
    const [controller, find] = [this.#controller, this.#find]
    if (refusal !== undefined || !controller || !find)
      return refused(rest.file, one, refusal ?? 'The program does not compile.')
    const { clock, scalarText } = this.#tools
    const context = { ...rest, controller, find, clock, scalarText }
    const result = rest.file.isBlockTest === true ? runBlockTest(context, one) : runCase(context, one)
    this.#collector?.take(controller.memory)
    return result
  }

  get coverage(): BlockCoverage[] {
    return this.#collector?.result ?? []
  }
}

function refused({ path }: TestFile, { name, tags, place }: TestCase, message: string): CaseResult {
  const failure = { ...place, step: 0, message }
  return {
    ...{ file: path, name, tags, ...place, status: 'error', failures: [failure] },
    ...{ cycles: 0, milliseconds: 0, wallMs: 0, trace: [] },
  }
}
