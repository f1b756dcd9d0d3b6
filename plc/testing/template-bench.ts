/** Runs a block of a template in virtual time, and sees which of its states it goes through. */
import assert from 'node:assert/strict'
import { defined } from '../../lib/optional.ts'
import type { Network } from '../runtime/network.ts'
import type { Template } from '../templates/template.ts'
import { runSource } from './lower-source.ts'

export interface BenchOptions {
  /** Statements of the block `Main` that calls the instance `Dut`; default: a call without parameters. */
  readonly main?: string
  /** Members of `Main`. */
  readonly members?: string
  /** Time from scan to scan, ms. */
  readonly cycle?: number
  /** Members that show states, when there are several. */
  readonly stateMembers?: readonly string[]
  readonly network?: Network
}

type Values = Readonly<Record<string, number | boolean>>

/** Makes an instance `Dut` of a template's block. */
export function templateBench(
  template: Template,
  parameters: Readonly<Record<string, unknown>> = {},
  options: BenchOptions = {},
) {
  const {
    main = '"Dut"();',
    members = 'called : Bool;',
    cycle = 10,
    stateMembers = [template.stateMember],
    network,
  } = options
  const { source, design } = template.generate({ ...parameters, instances: ['Dut'] })
  const run = runSource(
    `${source}
FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VAR
${members}
END_VAR
BEGIN
${main}
END_FUNCTION_BLOCK
`,
    defined({ network }),
  )
  const names = new Map(design.states.map(({ name, value }) => [Number(value), name]))
  const seen = new Set<string>()
  const get = (path: string) => run.get(path, 'Dut')
  const nameOf = (path: string) => {
    const value = get(path) as number
    const name = names.get(value)
    assert.ok(name, `${path} has the undeclared state ${value}`)
    return name
  }
  const scan = () => {
    run.clock.advanceMilliseconds(cycle)
    run.scan()
    assert.deepEqual(run.faults, [])
    for (const path of stateMembers) seen.add(nameOf(path))
  }
  return {
    get,
    /** Reads several members. */
    read: (...paths: readonly string[]) => paths.map(get),
    /** Writes members of the instance. */
    set(values: Values) {
      for (const [path, value] of Object.entries(values)) run.set(path, value, 'Dut')
    },
    /** Writes members of `Main`. */
    setMain(values: Values) {
      for (const [path, value] of Object.entries(values)) run.set(path, value)
    },
    getMain: (path: string) => run.get(path),
    scan,
    /** Sets inputs, then scans for so many milliseconds, at least once. Returns the state. */
    after(milliseconds: number, values: Values = {}): string {
      this.set(values)
      for (let i = 0; i < Math.max(1, Math.round(milliseconds / cycle)); i++) scan()
      return nameOf(stateMembers[0] as string)
    },
    /** Sets Bool inputs for one scan. Returns the state. */
    pulse(...inputs: readonly string[]): string {
      for (const input of inputs) run.set(input, true, 'Dut')
      scan()
      const state = nameOf(stateMembers[0] as string)
      for (const input of inputs) run.set(input, false, 'Dut')
      return state
    },
    state: (path = stateMembers[0] as string) => nameOf(path),
    /** Every declared state was seen. */
    assertEveryState() {
      assert.deepEqual([...seen].sort(), [...names.values()].sort())
    },
  }
}
