/** Runs test files against the objects of a program. */
import type { CompiledProgram } from '../compiler/put-together.ts'
import type { ImportedObject } from '../model/object.ts'
import type { ScalarType } from '../program/type.ts'
import type { TestCase, TestFile, TestValue } from './model.ts'
import { PrivateController } from './private-controller.ts'
import { runBlockTest } from './run-block.ts'
import { type CaseResult, runCase } from './run-case.ts'
import type { Stimulus } from './stimulus.ts'
import { compileTested, type TestedProgram, whyNot } from './tested-program.ts'
import type { FindVariable } from './variables.ts'

/** A test file with what belongs to it. */
export interface PreparedTests {
  readonly file: TestFile
  /** Cases that are to run. */
  readonly cases: readonly TestCase[]
  readonly stimuli: ReadonlyMap<string, Stimulus>
  /** Objects that take the places of those of the program. */
  readonly stubs: readonly ImportedObject[]
  /** The same for files with the same stubs. */
  readonly stubKey: string
  /** Of a block of tests: variables of its trace. */
  readonly paths?: readonly string[]
}

export interface RunTestsOptions {
  /** Makes what finds variables of a compiled program. */
  readonly variablesOf: (program: CompiledProgram) => FindVariable
  readonly scalarText: (type: ScalarType, bytes: Uint8Array) => TestValue
  readonly clock: () => number
  readonly onResult?: (result: CaseResult) => void
}

/** Runs all cases, file by file; files with the same stubs share one compilation. CPU-heavy. */
export function runTests(
  objects: readonly ImportedObject[],
  tests: readonly PreparedTests[],
  options: RunTestsOptions,
): CaseResult[] {
  const { clock, scalarText } = options
  const groups = new Map<string, PreparedTests[]>()
  for (const one of tests) groups.set(one.stubKey, [...(groups.get(one.stubKey) ?? []), one])
  const results: CaseResult[] = []
  for (const group of groups.values()) {
    const stubs = group[0]?.stubs ?? []
    const stubbed = new Set(stubs.map(({ name }) => name.toLowerCase()))
    const all = [...objects.filter(({ name }) => !stubbed.has(name.toLowerCase())), ...stubs]
    const program = compileTested(
      all,
      group.flatMap(({ file }) => file.block ?? []),
    )
    const controller = program.compiled && new PrivateController(program.compiled)
    const find = program.compiled && options.variablesOf(program.compiled)
    for (const { file, cases, stimuli, paths = [] } of group) {
      const refusal = refusalOf(program, file)
      const harness = file.block === undefined ? undefined : program.harnesses.get(file.block.toLowerCase())
      for (const one of cases) {
        const result =
          refusal === undefined && controller && find
            ? runOne({ controller, file, find, stimuli, clock, scalarText, paths, ...(harness ? { harness } : {}) }, one)
            : refused(file, one, refusal ?? 'The program does not compile.')
        results.push(result)
        options.onResult?.(result)
      }
    }
  }
  return results
}

function runOne(context: Parameters<typeof runBlockTest>[0], one: TestCase): CaseResult {
  return context.file.isBlockTest === true ? runBlockTest(context, one) : runCase(context, one)
}

/** Why the cases of a file cannot run. */
function refusalOf(program: TestedProgram, { block }: TestFile): string | undefined {
  const [first] = program.errors.keys()
  if (block === undefined) {
    if (first !== undefined) return `The program does not compile. ${whyNot(program, first)}`
    const blocks = program.compiled?.symbols.organizationBlocks ?? []
    return blocks.some(({ eventClass }) => eventClass === 'ProgramCycle' || eventClass === 'CyclicInterrupt')
      ? undefined
      : 'The program has no organization block that runs in cycles; test its blocks with `block: <name>`.'
  }
  const harness = program.harnesses.get(block.toLowerCase())
  if (!harness) return `There is no FB, FC or OB "${block}" in the folder.`
  if (program.errors.has(block.toLowerCase())) return `The block does not compile. ${whyNot(program, block)}`
  const failed = [...harness.objects.map(({ name }) => name)].find((name) => program.errors.has(name.toLowerCase()))
  const alone = `"${block}" cannot be called alone, because a parameter has no fixed type or needs what does not compile; test what calls it.`
  if (failed !== undefined) return `${alone} ${whyNot(program, failed)}`
  const entry = harness.entry.toLowerCase()
  if (program.compiled && !program.compiled.symbols.codeBlocks.some(({ name }) => name.toLowerCase() === entry))
    return alone
  return program.compiled ? undefined : `The program does not compile. ${first ? whyNot(program, first) : ''}`
}

function refused({ path }: TestFile, { name, tags, place }: TestCase, message: string): CaseResult {
  const failure = { ...place, step: 0, message }
  return {
    ...{ file: path, name, tags, ...place, status: 'error', failures: [failure] },
    ...{ cycles: 0, milliseconds: 0, wallMs: 0, trace: [] },
  }
}
