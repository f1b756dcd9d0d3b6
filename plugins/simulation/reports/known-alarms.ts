/** The alarms of a loaded program, with their definitions from its manifest. */
import {
  type AlarmClass,
  type AlarmDefinitions,
  DefinedAlarms,
  definitionsIn,
} from '../controller/alarm-definitions.ts'
import type { KnownAlarm } from '../controller/alarm-sources.ts'
import type { Controller, LoadedProgram } from '../controller/contract.ts'
import { programAlarms } from '../controller/program-alarms.ts'

/** The alarms of a program. */
export interface ProgramAlarms {
  readonly alarms: readonly KnownAlarm[]
  readonly definitions: AlarmDefinitions
  /** Supervisions that cannot be watched, and why. */
  readonly unwatched: readonly string[]
  classOf(name: string): AlarmClass
}

const known = new WeakMap<LoadedProgram, ProgramAlarms>()

/** The alarms that a controller's program can raise; none without a program. */
export function knownAlarms({ program }: Pick<Controller, 'program'>): ProgramAlarms {
  const before = program && known.get(program)
  if (before) return before
  const { definitions, alarms, faults } = program
    ? programAlarms(program)
    : { definitions: definitionsIn(''), alarms: [], faults: [] }
  const defined = new DefinedAlarms(definitions)
  const made: ProgramAlarms = {
    alarms,
    definitions,
    unwatched: faults,
    classOf: (alarmClass) => defined.classOf({ alarmClass }),
  }
  if (program) known.set(program, made)
  return made
}
