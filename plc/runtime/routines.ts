/** All routines of the runtime by name. */
import type { Routine, RoutineFamily, RuntimeContext } from './context.ts'
import { modelRoutines } from './models/models.ts'
import { anyBlockRoutines } from './routines/any-blocks.ts'
import { anyPointerRoutines } from './routines/any-pointers.ts'
import { dateRoutines } from './routines/dates.ts'
import { mathRoutines } from './routines/math.ts'
import { memoryRoutines } from './routines/memory.ts'
import { numberTextRoutines } from './routines/number-texts.ts'
import { numberRoutines } from './routines/numbers.ts'
import { serviceRoutines } from './routines/services.ts'
import { stringRoutines } from './routines/strings.ts'
import { testRoutines } from './routines/tests.ts'
import { variantRoutines } from './routines/variants.ts'

const families: readonly RoutineFamily[] = [
  mathRoutines,
  numberRoutines,
  numberTextRoutines,
  modelRoutines,
  stringRoutines,
  memoryRoutines,
  variantRoutines,
  anyBlockRoutines,
  anyPointerRoutines,
  dateRoutines,
  serviceRoutines,
  testRoutines,
]

export function allRoutines(context: RuntimeContext): Readonly<Record<string, Routine>> {
  const all: Record<string, Routine> = {}
  for (const family of families) Object.assign(all, family(context))
  return all
}
