/** A place of a station, and a rule of what may be plugged where. */
import type { Station } from '../model.ts'
import type { ModuleType } from './module-type.ts'

/** A place of a station. */
export interface Place {
  /** Number of the rack. */
  readonly rack: number
  readonly slot: number
  /** In the module of that slot: signal board, BusAdapter. Absent: the slot itself. */
  readonly subslot?: number
}

/** A rule: what may be plugged from one slot to another. */
export interface SlotRule {
  readonly accepts: (type: ModuleType, station: Station) => boolean
  readonly from: number
  readonly to: number
  readonly subslot?: number
  /** Of such modules in the station; default: the slots of the range. */
  readonly most?: number
  /** The only rack that the rule is for. */
  readonly rack?: number
  /**
   * Why a rack does not take a module; absent: the rule is for rack 0. `without` is the id of an item that is being
   * moved or replaced.
   */
  readonly rackFault?: (type: ModuleType, rack: number, station: Station, without?: string) => string | undefined
  /** What the range is for: `communication modules are plugged left of the CPU`. */
  readonly text: string
}

/** Whether a module has inputs or outputs. */
export const isIo = ({ kind }: ModuleType) => /^(F-)?(DI|DQ)$|^(DIQ|AI|AQ|AIQ|TM|IO-Link)$/.test(kind)

/** A test of modules of one family. */
export const of = (family: string, test: (type: ModuleType) => boolean) => (type: ModuleType) =>
  type.family === family && test(type)
