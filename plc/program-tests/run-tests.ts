/** Puts test files and the objects of a program together. */
import { defined } from '../../lib/optional.ts'
import type { ImportedObject } from '../model/object.ts'
import { testRoles } from './block-tests.ts'
import type { GroupCase, TestGroup } from './group.ts'
import type { TestCase, TestFile } from './model.ts'
import type { Stimulus } from './stimulus.ts'
import { compileTested, type TestedProgram, whyNot } from './tested-program.ts'

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
  /** Names of blocks that take the places of others, and are no part of the program themselves. */
  readonly standIns?: readonly string[]
  /** Of several controllers: the objects of each. */
  readonly programs?: readonly { readonly name: string; readonly objects: readonly ImportedObject[] }[]
}

/** A group with what compiles its program again; that stays in its thread. */
export interface CompiledGroup extends TestGroup {
  readonly withChanged?: NonNullable<TestedProgram['withChanged']>
}

/**
 * Compiles the programs of the tests: files with the same stubs share one. CPU-heavy.
 * @param isCovered whether the execution of the program is recorded
 */
export function* groupsOf(
  objects: readonly ImportedObject[],
  tests: readonly PreparedTests[],
  isCovered = false,
): Generator<CompiledGroup> {
  const groups = new Map<string, PreparedTests[]>()
  for (const one of tests) if (one.programs) yield severalOf(one, one.programs, isCovered)
  const roles = testRoles(objects)
  const standIns = new Set(tests.flatMap((one) => one.standIns ?? []).map((name) => name.toLowerCase()))
  for (const one of tests) if (!one.programs) groups.set(one.stubKey, [...(groups.get(one.stubKey) ?? []), one])
  for (const group of groups.values()) {
    const stubs = group[0]?.stubs ?? []
    const stubbed = new Set(stubs.map(({ name }) => name.toLowerCase()))
    const own = objects.filter(({ name }) => !stubbed.has(name.toLowerCase()))
    const blocks = group.flatMap(({ file }) => file.block ?? [])
    const program = compileTested([...own, ...stubs], blocks, { isProbed: isCovered })
    const { compiled } = program
    const cases = group.flatMap(({ file, cases: all, stimuli, paths = [] }): GroupCase[] => {
      const refusal = refusalOf(program, file)
      const made = file.block === undefined ? undefined : program.harnesses.get(file.block.toLowerCase())
      const harness = made && { entry: made.entry, owners: made.owners }
      return all.map((one) => ({ case: one, file, stimuli, paths, ...defined({ harness, refusal }) }))
    })
    const module = compiled && new WebAssembly.Module(Buffer.concat(compiled.linked.wasm))
    const isPart = (one: ImportedObject) => !roles.has(one.name.toLowerCase()) && !standIns.has(one.name.toLowerCase())
    const covered = isCovered ? new Set(own.filter(isPart).map(({ name }) => name)) : undefined
    yield { cases, added: program.added, ...defined({ compiled, module, covered, withChanged: program.withChanged }) }
  }
}

/** A group of its own: the programs of several controllers. */
function severalOf(
  { file, cases, stimuli }: PreparedTests,
  given: NonNullable<PreparedTests['programs']>,
  isCovered: boolean,
): TestGroup {
  const made = given.map(({ name, objects }) => ({
    name,
    objects,
    program: compileTested(objects, [], { isProbed: isCovered }),
  }))
  const reason = made
    .map(({ name, program }) => ({ name, text: refusalOf(program, file) }))
    .find(({ text }) => text !== undefined)
  const refusal = reason && `${reason.name}: ${reason.text}`
  const programs = made.flatMap(({ name, program: { compiled } }) =>
    compiled ? [{ name, compiled, module: new WebAssembly.Module(Buffer.concat(compiled.linked.wasm)) }] : [],
  )
  const counts = new Map<string, number>()
  for (const { name } of made.flatMap(({ objects }) => objects))
    counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1)
  // A name that is in several programs says nothing about one of them.
  const isOnly = (name: string) => counts.get(name.toLowerCase()) === 1
  const covered = isCovered
    ? new Set(made.flatMap(({ objects }) => objects.map(({ name }) => name).filter(isOnly)))
    : undefined
  return {
    cases: cases.map((one) => ({ case: one, file, stimuli, paths: [], ...defined({ refusal }) })),
    ...(refusal === undefined ? { programs } : {}),
    ...defined({ covered }),
  }
}

/** Why the cases of a file cannot run. What calls the block of another file is no part of the program. */
function refusalOf(program: TestedProgram, { block }: TestFile): string | undefined {
  const first = [...program.errors.keys()].find((name) => !program.added.has(name))
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
