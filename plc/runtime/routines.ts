/** The routines of the runtime by name. */
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

/** The family of each routine, from a look at all of them: making them takes a millisecond. */
let familyOf: ReadonlyMap<string, RoutineFamily> | undefined

function familiesByRoutine(context: RuntimeContext): ReadonlyMap<string, RoutineFamily> {
  const found = new Map<string, RoutineFamily>()
  for (const family of families) for (const name of Object.keys(family(context))) found.set(name, family)
  return found
}

/** Makes the routines that a program needs, by name; those of the same families are with them. */
export function routinesOf(context: RuntimeContext, names: readonly string[]): Readonly<Record<string, Routine>> {
  familyOf ??= familiesByRoutine(context)
  const needed = new Set<RoutineFamily>()
  for (const name of names) {
    const family = familyOf.get(name)
    if (family) needed.add(family)
  }
  return Object.assign({}, ...[...needed].map((family) => family(context)))
}
