/** All alarms of a loaded program: instances of Program_Alarm, and supervisions. */
import { type AlarmDefinitions, definitionsIn } from './alarm-definitions.ts'
import { alarmSources, type KnownAlarm } from './alarm-sources.ts'
import type { LoadedProgram } from './contract.ts'
import { planSupervisions, type SupervisionPlan } from './supervisions.ts'

export interface AllAlarms {
  readonly definitions: AlarmDefinitions
  readonly alarms: readonly KnownAlarm[]
  readonly plans: readonly SupervisionPlan[]
  /** Supervisions that cannot be watched, and why. */
  readonly faults: readonly string[]
}

/** The alarms of a program, with what its manifest says about them. */
export function programAlarms(program: LoadedProgram): AllAlarms {
  const definitions = definitionsIn(program.package.manifest)
  const own = alarmSources(program.symbols, program.compiled.linked.dataBlocks, definitions)
  const { sources, plans, faults } = planSupervisions(program, definitions, own.length + 1)
  return { definitions, alarms: [...own, ...sources], plans, faults }
}
