/**
 * Functions of real numbers in double precision. Generated code rounds those of Real once, and clears ENO when the
 * result is not a valid number (docs/plc-semantics.md#arithmetic). Functions of the language itself, without one of
 * ours around them: engines call these from WebAssembly directly.
 */
import type { RoutineFamily } from '../context.ts'

export const mathRoutines: RoutineFamily = () => ({
  'math.ln': Math.log,
  'math.log': Math.log10,
  'math.exp': Math.exp,
  'math.sin': Math.sin,
  'math.cos': Math.cos,
  'math.tan': Math.tan,
  'math.asin': Math.asin,
  'math.acos': Math.acos,
  'math.atan': Math.atan,
  'math.frac': (x: number) => x - Math.trunc(x),
  'math.power': Math.pow,
})
