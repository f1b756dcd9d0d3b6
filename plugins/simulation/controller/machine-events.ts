/** What the machine tells its thread. */
import type { TimeZone } from '../../../plc/runtime/time-zone.ts'
import type { OperatingState } from './contract.ts'
import type { RawEntry } from './messages.ts'
import type { SurroundingsEvents } from './surroundings.ts'

/** Receives the events of the machine. */
export interface MachineEvents extends SurroundingsEvents {
  /** Called in the middle of a block: handles messages that need not wait for the end of the cycle. */
  look(): void
  state(state: OperatingState): void
  diagnostic(entry: RawEntry): void
  /** The program has set another time zone. */
  timeZone(zone: TimeZone): void
}
