/** The problem codes of virtual controllers, in addition to those of the core. */
import { type ProblemDefinition, problemsOf } from '../../core/index.ts'

/** Problem codes of this plugin. */
export const simulationProblems = {
  invalid_operating_state: {
    status: 409,
    title: 'The operating state does not allow it',
    meaning:
      'A virtual controller can do this in other operating states only. `state` is the present one, `allowed` names the transitions that are possible now.',
    remedy: 'Bring the controller into a state that allows it, with one of the transitions in `allowed`.',
    example: 'run is not possible in state Off. Allowed now: powerOn.',
  },
  simulation_not_connected: {
    status: 409,
    title: 'No simulator instance is connected',
    meaning:
      'The routes below /api/simulation/tags work on the instance that the gateway is connected to; there is none.',
    remedy:
      'POST /api/simulation/connect with the name of an instance that is powered on, or use the routes below /api/simulation/instances/{name}.',
    example: 'The gateway is not connected to a simulator instance.',
  },
  instance_limit: {
    status: 409,
    title: 'Too many instances are powered on',
    meaning: 'A runtime takes up to 16 instances that are powered on, or fewer when its configuration says so.',
    remedy: 'Power one off, or raise maximumPoweredOn with PUT /api/simulation/runtime/config.',
    example: '16 instances are powered on; the runtime takes 16. Power one off first.',
  },
} as const satisfies Record<string, ProblemDefinition>

/** Creates a problem of this plugin or of the core. */
export const problem = problemsOf(simulationProblems)
