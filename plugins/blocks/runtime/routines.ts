/** All routines of the runtime by name. */
import type { Routine, RoutineFamily, RuntimeContext } from './context.ts'
import { mathRoutines } from './routines/math.ts'
import { stringRoutines } from './routines/strings.ts'

const families: readonly RoutineFamily[] = [mathRoutines, stringRoutines]

export function allRoutines(context: RuntimeContext): Readonly<Record<string, Routine>> {
  const all: Record<string, Routine> = {}
  for (const family of families) Object.assign(all, family(context))
  return all
}
