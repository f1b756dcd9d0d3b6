/**
 * S5 timers as functions of the intermediate form (STEP 7 "Statement List for S7-300 and S7-400", chapter "Timers"):
 * pulse SP, extended pulse SE, on-delay SD, retentive on-delay SS, off-delay SF. Like an IEC timer, a timer copies the
 * clock when it starts and reads the clock again at each query. Linked by name like the functions of system-blocks.ts.
 */

import { and, binary, constant, isFalse, isTrue, load, local, not, setLocal, store, when } from '../ir/build.ts'
import type { Expression, Place, Statement } from '../ir/ir.ts'
import { Bool, LInt } from '../program/scalars.ts'

/** Number of timers T0 … and counters C0 … of a CPU 1516; bytes of state of each. */
export const s5Timers = { count: 2048, size: 32 } as const
export const s5Counters = { count: 2048, size: 8 } as const

/** Offsets of the parts of a timer. Times are nanoseconds; `unit` is the unit of the time value. */
export const s5TimerLayout = { start: 0, preset: 8, unit: 16, running: 24, output: 25, input: 26, enable: 27 } as const
/** Offsets of the value, then of the edge memories of CU, CD, S and FR. */
export const s5CounterLayout = { value: 0, up: 2, down: 3, set: 4, enable: 5 } as const

export type S5TimerMode = 'SP' | 'SE' | 'SD' | 'SS' | 'SF'

/** See `Parts` in system-blocks.ts. */
interface Parts {
  readonly members: readonly Place[]
  readonly inputs: readonly Expression[]
  take(type: typeof LInt): number
}

interface S5Function {
  readonly roles: readonly { readonly names: readonly string[]; readonly type: 'Bool' | 'T' }[]
  readonly inputs: readonly { readonly name: string; readonly type: 'Bool' | 'T' }[]
  body(parts: Parts): Statement[]
}

const roles: S5Function['roles'] = [
  ...['START', 'PRESET', 'UNIT'].map((name) => ({ names: [name], type: 'T' as const })),
  ...['RUNNING', 'OUTPUT', 'INPUT', 'ENABLE'].map((name) => ({ names: [name], type: 'Bool' as const })),
]

function partsOf({ members }: Parts) {
  // One place for each member that is declared above, in that order.
  const [start, preset, unit, running, output, input, enable] = members as unknown as readonly [
    Place,
    Place,
    Place,
    Place,
    Place,
    Place,
    Place,
  ]
  return { start, preset, unit, running, output, input, enable }
}

/** Stops the timer and changes its output when its time is over. */
function update(parts: Parts): Statement[] {
  const { start, preset, running, output } = partsOf(parts)
  const elapsed = binary('subtract', LInt, { kind: 'now' }, load(LInt, start))
  return [
    when(load(Bool, running), [
      when(binary('greaterOrEqual', LInt, elapsed, load(LInt, preset)), [
        store(Bool, running, isFalse),
        store(Bool, output, not(load(Bool, output))),
      ]),
    ]),
  ]
}

function timer(mode: S5TimerMode): S5Function {
  return {
    roles,
    inputs: [
      { name: 'S', type: 'Bool' },
      { name: 'TV', type: 'T' },
      { name: 'UNIT', type: 'T' },
    ],
    body(parts) {
      const { start, preset, unit, running, output, input } = partsOf(parts)
      const [signal, time, size] = parts.inputs as [Expression, Expression, Expression]
      const isRunningOutput = mode === 'SP' || mode === 'SE' || mode === 'SF'
      const begin = [
        store(LInt, start, { kind: 'now' }),
        store(LInt, preset, time),
        store(LInt, unit, size),
        store(Bool, running, isTrue),
        store(Bool, output, isRunningOutput ? isTrue : isFalse),
        ...update(parts),
      ]
      const stop = (value: Expression) => [store(Bool, running, isFalse), store(Bool, output, value)]
      const rises = and(signal, not(load(Bool, input)))
      const falls = and(not(signal), load(Bool, input))
      const rules: Record<S5TimerMode, Statement[]> = {
        SP: [when(rises, begin), when(not(signal), stop(isFalse))],
        SE: [when(rises, begin)],
        SD: [when(rises, begin), when(not(signal), stop(isFalse))],
        SS: [when(rises, begin)],
        SF: [when(rises, stop(isTrue)), when(falls, begin)],
      }
      return [...update(parts), ...rules[mode], store(Bool, input, signal)]
    },
  }
}

/**
 * Functions by name in upper case. `S5_RESET` and `S5_ENABLE` (FR) take the signal; a query of the timer calls
 * `S5_UPDATE`.
 */
export const s5Functions: Readonly<Record<string, S5Function>> = {
  S5_SP: timer('SP'),
  S5_SE: timer('SE'),
  S5_SD: timer('SD'),
  S5_SS: timer('SS'),
  S5_SF: timer('SF'),
  S5_UPDATE: { roles, inputs: [], body: update },
  S5_RESET: {
    roles,
    inputs: [{ name: 'S', type: 'Bool' }],
    body(parts) {
      const { preset, running, output } = partsOf(parts)
      const [signal] = parts.inputs as [Expression]
      return [
        when(signal, [
          store(Bool, running, isFalse),
          store(Bool, output, isFalse),
          store(LInt, preset, constant(LInt, 0n)),
        ]),
      ]
    },
  },
  S5_ENABLE: {
    roles,
    inputs: [{ name: 'S', type: 'Bool' }],
    body(parts) {
      const { input, enable } = partsOf(parts)
      const [signal] = parts.inputs as [Expression]
      return [when(and(signal, not(load(Bool, enable))), [store(Bool, input, isFalse)]), store(Bool, enable, signal)]
    },
  },
}

/** Remaining time of an updated timer in its unit, 0 to 999: the value that `L T1` loads. */
export function s5Remaining(
  place: (offset: number) => Place,
  take: (type: typeof LInt) => number,
): { readonly statements: readonly Statement[]; readonly value: Expression } {
  const { start, preset, unit, running } = s5TimerLayout
  const left = take(LInt)
  const zero = constant(LInt, 0n)
  const elapsed = binary('subtract', LInt, { kind: 'now' }, load(LInt, place(start)))
  const rest = binary('subtract', LInt, load(LInt, place(preset)), elapsed)
  const size = load(LInt, place(unit))
  const rounded = binary('subtract', LInt, binary('add', LInt, rest, size), constant(LInt, 1n))
  return {
    statements: [
      setLocal(left, zero),
      when(load(Bool, place(running)), [setLocal(left, binary('divide', LInt, rounded, size))]),
    ],
    value: local(LInt, left),
  }
}
