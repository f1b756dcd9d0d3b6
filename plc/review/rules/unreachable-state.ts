/** Rule `unreachable-state`. */
import type { FactCondition, FactMachine } from '../../compiler/lower/checks/memory-facts.ts'
import { keyOf } from '../../compiler/lower/checks/memory-map.ts'
import { fb } from '../examples.ts'
import { memoryOf, type ProgramMemory, type Writer, type WrittenVariable } from '../memory.ts'
import type { ReviewedObject, ReviewedProgram } from '../reviewed-program.ts'
import type { Rule } from '../rule.ts'
import { startValuesOf } from '../start-values.ts'

const sections = 'VAR_INPUT\n  a : Bool;\nEND_VAR\nVAR_OUTPUT\n  q : Bool;\nEND_VAR\nVAR\n  step : Int;\nEND_VAR'
const machine = (next: number) =>
  `CASE #step OF\n    0: IF #a THEN #step := ${next}; END_IF;\n    10: #q := #a;\n      IF NOT #a THEN #step := 0; END_IF;\n    ELSE #step := 0;\n  END_CASE;`

type Ranges = FactCondition['ranges']

export const unreachableState: Rule = {
  code: 'unreachable-state',
  group: 'logic',
  severity: 'warning',
  title: 'A state of a CASE is never reached',
  why: 'No assignment gives the variable this value, and it does not begin with it: a transition is forgotten, or has a wrong number. States that only each other lead to are meant too; 0 is not, since a branch for it is a precaution. Variables that get calculated values, or values from outside, are not meant.',
  fails: fb(sections, machine(20)),
  passes: fb(sections, machine(10)),
  check(program, report) {
    const memory = memoryOf(program)
    for (const { by, memory: facts } of memory.blocks)
      for (const machine of facts.machines) {
        const reached = reachedValues(machine, by, memory, program)?.sort((a, b) => (a < b ? -1 : 1))
        // A variable that gets no state of the CASE in this block gets them from elsewhere: from an HMI, say.
        if (reached === undefined || !hasTransition(machine, by, memory)) continue
        for (const { ranges, ...place } of machine.branches)
          if (!ranges.some((range) => hasValueIn(reached, range)))
            report(by, place, `${labelsOf(ranges)} of ${machine.text} is never reached: no assignment leads to it.`, {
              hint: `${machine.text} gets ${valuesText(reached)}: correct the number, add the transition, or delete the state.`,
            })
      }
  },
}

/** All values that the variable of a CASE has at some time; `undefined` when they are not known. */
function reachedValues(
  machine: FactMachine,
  by: ReviewedObject,
  memory: ProgramMemory,
  program: ReviewedProgram,
): bigint[] | undefined {
  const variable = memory.at(machine, by)
  if (variable === undefined || !memory.isKnown(variable)) return undefined
  const beginning = beginningOf(variable, program)
  if (beginning === undefined) return undefined
  const transitions = new Transitions(
    variable.writers.filter((one) => one.by === by && one.write.when?.key === keyOf(machine)),
  )
  const reached = new Set(beginning)
  const open = variable.writers.filter((one) => !transitions.all.has(one))
  const takeAll = (writers: Iterable<Writer>): boolean => {
    for (const { by: writer, write } of writers) {
      const got = write.isOther ? undefined : writtenValues(write, writer, variable, memory, program)
      if (got === undefined) return false
      for (const value of got) reached.add(value)
    }
    return true
  }
  if (!takeAll([...open, ...transitions.wide])) return undefined
  // A set gives what is added while it is passed over, too.
  for (const value of reached) if (!takeAll(transitions.from(value))) return undefined
  return [...reached]
}

/** Assignments that only one state leads to. */
class Transitions {
  readonly all: ReadonlySet<Writer>
  /** Those of states that are ranges: they count as reached. */
  readonly wide: Writer[] = []
  readonly #byState = new Map<bigint, Writer[]>()

  constructor(writers: readonly Writer[]) {
    this.all = new Set(writers)
    for (const one of writers) {
      const ranges = one.write.when?.ranges ?? []
      if (ranges.some(([low, high]) => low !== high)) this.wide.push(one)
      else
        for (const [state] of ranges) {
          const list = this.#byState.get(BigInt(state))
          if (list) list.push(one)
          else this.#byState.set(BigInt(state), [one])
        }
    }
  }

  from(state: bigint): readonly Writer[] {
    return this.#byState.get(state) ?? []
  }
}

/** The values of an assignment: constants, or all values of another variable. */
function writtenValues(
  { values, from }: Writer['write'],
  by: ReviewedObject,
  variable: WrittenVariable,
  memory: ProgramMemory,
  program: ReviewedProgram,
): Set<bigint> | undefined {
  const found = new Set(values.map(BigInt))
  const seen = new Set<WrittenVariable>([variable])
  const open = from.map((key) => memory.byKey(key, by))
  for (const other of open) {
    if (other === undefined || !memory.isKnown(other)) return undefined
    if (seen.has(other)) continue
    seen.add(other)
    const beginning = beginningOf(other, program)
    if (beginning === undefined) return undefined
    for (const value of beginning) found.add(value)
    for (const { by: writer, write } of other.writers) {
      if (write.isOther) return undefined
      for (const value of write.values) found.add(BigInt(value))
      open.push(...write.from.map((key) => memory.byKey(key, writer)))
    }
  }
  return found
}

function beginningOf({ owner, range, writers }: WrittenVariable, program: ReviewedProgram): Set<bigint> | undefined {
  return startValuesOf(program, owner, range.area, writers[0]!.write.text)
}

/** Whether the block assigns a state of the CASE. */
function hasTransition(machine: FactMachine, by: ReviewedObject, memory: ProgramMemory): boolean {
  const given = (memory.at(machine, by)?.writers ?? [])
    .flatMap(({ by: writer, write }) => (writer === by ? write.values.map(BigInt) : []))
    .sort((a, b) => (a < b ? -1 : 1))
  return machine.branches.some(({ ranges }) => ranges.some((range) => hasValueIn(given, range)))
}

/** Whether one of the values, which are in order, is in a range. */
function hasValueIn(values: readonly bigint[], [low, high]: Ranges[number]): boolean {
  let [from, to] = [0, values.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (values[middle]! < BigInt(low)) from = middle + 1
    else to = middle
  }
  const value = values[from]
  return value !== undefined && value <= BigInt(high)
}

function labelsOf(ranges: Ranges): string {
  const labels = ranges.map(([low, high]) => (low === high ? low : `${low}..${high}`))
  return `${labels.length > 1 || labels[0]!.includes('..') ? 'States' : 'State'} ${labels.join(', ')}`
}

function valuesText(values: readonly bigint[]): string {
  return values.length > 8 ? `${values.slice(0, 8).join(', ')} …` : values.join(', ')
}
