/** Calls one instance of a system block, for tests of models. */
import { defined } from '../../lib/optional.ts'
import type { Alarms } from '../runtime/alarms.ts'
import type { Network } from '../runtime/network.ts'
import { runSource } from './lower-source.ts'

type Given = Readonly<Record<string, number | boolean>>

export interface BenchOptions {
  /** Parameters in the text of the call, for those that must be given. */
  readonly call?: string
  /** Further variables, `v : Int;`. */
  readonly variables?: string
  /** Statements before the call. */
  readonly before?: string
  readonly isOptimized?: boolean
  /** Types that the variables need. */
  readonly types?: string
  readonly network?: Network
  readonly alarms?: Alarms
}

/** An instance `b` of a block; members are named without it, variables with `/` in front. */
export function modelBench(type: string, options: BenchOptions = {}) {
  const { call = '', variables = '', before = '', isOptimized = true, types = '', network, alarms } = options
  const run = runSource(
    `${types}FUNCTION_BLOCK "Main"\n{ S7_Optimized_Access := '${isOptimized ? 'TRUE' : 'FALSE'}' }\n` +
      `VAR b : ${type}; ${variables} END_VAR\nBEGIN\n${before}\n#b(${call});\nEND_FUNCTION_BLOCK\n`,
    defined({ network, alarms }),
  )
  const path = (name: string) => (name.startsWith('/') ? name.slice(1) : `b.${name}`)
  const bench = {
    run,
    /** Sets members; they keep their values. */
    set(given: Given) {
      for (const [name, value] of Object.entries(given)) run.set(path(name), value)
    },
    /** Sets members and calls the block once, `milliseconds` after the call before. */
    scan(given: Given = {}, milliseconds = 10) {
      bench.set(given)
      run.clock.advanceMilliseconds(milliseconds)
      run.scan()
    },
    /** Members, rounded to thousandths. */
    values: (...names: readonly string[]) =>
      names.map((name) => {
        const value = run.get(path(name))
        return typeof value === 'number' ? Math.round(value * 1000) / 1000 + 0 : value
      }),
    /** Members after each of some calls, as texts: one character for each call of a Bool, `1` or `.`. */
    pattern(calls: number, ...names: readonly string[]): string[] {
      const seen = names.map(() => '')
      for (let i = 0; i < calls; i++) {
        bench.scan()
        names.forEach((name, at) => {
          seen[at] += run.get(path(name)) ? '1' : '.'
        })
      }
      return seen
    },
  }
  return bench
}
