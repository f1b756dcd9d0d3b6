/**
 * Mutation testing: the program is changed in one place, and the tests that reach the block run. A change that no test
 * notices is a survivor.
 */
import type { ImportedObject } from '../model/object.ts'
import { GroupRunner, type GroupTools } from './group.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import type { CaseResult } from './run-case.ts'
import { type CompiledGroup, groupsOf, type PreparedTests } from './run-tests.ts'

export interface MutationRun {
  readonly killed: number
  readonly survived: readonly Mutant[]
  /** Changes that do not compile. */
  readonly invalid: number
  /** Blocks that no test reaches, with the number of changes in them. */
  readonly notReached: readonly { readonly block: string; readonly changes: number }[]
  /** Cases that do not pass as the program is: then nothing is changed. */
  readonly failed: readonly CaseResult[]
}

export interface MutationOptions extends GroupTools {
  /** Called before each change. */
  readonly onMutant?: (mutant: Mutant, number: number) => void
}

/** A case may take so much longer than with the program as it is, and this many milliseconds more. */
const slower = 20
const patience = 1000

/** Cases of a group that reach each block. */
interface Reach {
  readonly group: CompiledGroup
  readonly casesOf: ReadonlyMap<string, readonly number[]>
}

/** Changes all blocks of the program that tests reach, one place at a time. CPU-heavy: for minutes. */
export function mutate(
  objects: readonly ImportedObject[],
  tests: readonly PreparedTests[],
  options: MutationOptions,
): MutationRun {
  const single = tests.filter(({ programs }) => programs === undefined)
  const failed: CaseResult[] = []
  const reaches: Reach[] = []
  const covered = new Set<string>()
  const plain = [...groupsOf(objects, single)]
  for (const [i, probed] of [...groupsOf(objects, single, true)].entries()) {
    for (const name of probed.covered ?? []) covered.add(name)
    const runner = new GroupRunner(probed, options)
    const casesOf = new Map<string, number[]>()
    const walls: number[] = []
    for (let number = 0; number < probed.cases.length; number++) {
      const result = runner.run(number)
      if (result.status !== 'passed') failed.push(result)
      walls.push(result.wallMs)
      for (const block of runner.reached) casesOf.set(block, [...(casesOf.get(block) ?? []), number])
    }
    const group = plain[i]
    if (group) reaches.push({ group: hurried(group, walls), casesOf })
  }
  const notReached: { block: string; changes: number }[] = []
  if (failed.length > 0) return { killed: 0, survived: [], invalid: 0, notReached, failed }
  const survived: Mutant[] = []
  let [killed, invalid, number] = [0, 0, 0]
  for (const object of objects) {
    if (!covered.has(object.name)) continue
    const own = reaches.filter(({ casesOf }) => casesOf.has(object.name))
    if (own.length === 0) {
      let changes = 0
      for (const _one of mutantsOf(object)) changes++
      if (changes > 0) notReached.push({ block: object.name, changes })
      continue
    }
    for (const mutant of mutantsOf(object)) {
      options.onMutant?.(mutant, ++number)
      const end = endOf(mutant, own, options)
      if (end === 'killed') killed++
      else if (end === 'invalid') invalid++
      else survived.push(mutant)
    }
  }
  return { killed, survived, invalid, notReached, failed }
}

/** A change may run for ever: then it is noticed, and soon. */
function hurried(group: CompiledGroup, walls: readonly number[]): CompiledGroup {
  const cases = group.cases.map((one, i) => {
    const maxWallMs = Math.min(one.file.maxWallMs, patience + slower * (walls[i] ?? 0))
    return { ...one, file: { ...one.file, maxWallMs } }
  })
  return { ...group, cases }
}

function endOf({ object }: Mutant, reaches: readonly Reach[], tools: GroupTools): 'killed' | 'survived' | 'invalid' {
  let isInvalid = true
  for (const { group, casesOf } of reaches) {
    const compiled = group.withChanged?.(object)
    if (!compiled) continue
    isInvalid = false
    const module = new WebAssembly.Module(Buffer.concat(compiled.linked.wasm))
    const runner = new GroupRunner({ cases: group.cases, compiled, module }, tools)
    for (const number of casesOf.get(object.name) ?? []) if (runner.run(number).status !== 'passed') return 'killed'
  }
  return isInvalid ? 'invalid' : 'survived'
}
