/**
 * Functions of real numbers. Those of Real are computed in double precision and rounded once
 * (docs/plc-semantics.md#arithmetic).
 */
import type { Routine, RoutineFamily } from '../context.ts'

const functions: Readonly<Record<string, (x: number) => number>> = {
  ln: Math.log,
  log: Math.log10,
  exp: Math.exp,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  frac: (x) => x - Math.trunc(x),
}

/**
 * A function fails when its result is not a valid number of the type: the logarithm of a negative number, an overflow.
 */
export const mathRoutines: RoutineFamily = ({ fail }) => {
  const routines: Record<string, Routine> = {}
  for (const [suffix, round] of [
    ['real', Math.fround],
    ['lreal', (x: number) => x],
  ] as const) {
    const checked = (value: number): number => {
      const rounded = round(value)
      if (!Number.isFinite(rounded)) fail()
      return rounded
    }
    for (const [name, apply] of Object.entries(functions))
      routines[`${name}.${suffix}`] = (x: number) => checked(apply(x))
    routines[`power.${suffix}`] = (base: number, exponent: number) => checked(base ** exponent)
  }
  return routines
}
