/** Codes of the simulation plugin's problems. */
import type { ProblemDefinition } from '../../core/index.ts'

export const simulationProblems = {
  invalid_operating_state: {
    status: 409,
    title: 'The operating state does not allow it',
    meaning:
      'A virtual controller can do this in other operating states only. `state` is the present one, `allowed` names the transitions that are possible now.',
    remedy: 'Bring the controller into a state that allows it, with one of the transitions in `allowed`.',
    example: 'run is not possible in state Off. Allowed now: powerOn.',
  },
} as const satisfies Record<string, ProblemDefinition>
