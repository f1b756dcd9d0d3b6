/**
 * RD_SINFO: the start information of the organization block that runs, and of the last startup block (TIA Portal help
 * of RD_SINFO, whose structures are in program/system-types.ts).
 */
import type { Type } from '../../program/type.ts'
import type { StartedBlock, StartInformation } from '../block-events.ts'
import { type Cell, partsOf, writeBits } from '../cells.ts'
import type { RuntimeContext } from '../context.ts'
import { meant, regionOf } from './memory.ts'

const status = { otherCurrent: 0x8081, otherStartup: 0x8083 } as const
/** SI_Format: optimized start information. */
const optimized = 0xfe

/** Numbers of the classes (OB_Class), and the structure that belongs to each. */
const classes: Readonly<Record<string, readonly [number: number, structure: string]>> = {
  ProgramCycle: [1, 'SI_ProgramCycle'],
  TimeOfDay: [10, 'SI_TimeOfDay'],
  TimeDelayInterrupt: [20, 'SI_Delay'],
  CyclicInterrupt: [30, 'SI_Cyclic'],
  HardwareInterrupt: [40, 'SI_HWInterrupt'],
  Status: [55, 'SI_Submodule'],
  Update: [56, 'SI_Submodule'],
  Profile: [57, 'SI_Submodule'],
  SynchronousCycle: [61, 'SI_SynchCycle'],
  TimeErrorInterrupt: [80, 'SI_TimeError'],
  DiagnosticErrorInterrupt: [82, 'SI_DiagnosticInterrupt'],
  PullOrPlugOfModules: [83, 'SI_PlugPullModule'],
  RackOrStationFailure: [86, 'SI_StationFailure'],
  MCServo: [91, 'SI_Servo'],
  MCInterpolator: [92, 'SI_Ipo'],
  Startup: [100, 'SI_Startup'],
  ProgrammingError: [121, 'SI_ProgIOAccessError'],
  IOAccessError: [122, 'SI_ProgIOAccessError'],
}

/** Fields that hold the number of the event in classic start information, by class of block. */
const eventNumbers = ['SCAN_1', 'STRTUP', 'STRT_INF', 'FLT_ID', 'SW_FLT', 'FAULT_ID'] as const

/** Event class in the high half of EV_CLASS: 1 standard blocks, 2 synchronous errors, 3 asynchronous errors. */
function classicClass(number: number): number {
  return number >= 121 ? 0x25 : number >= 70 && number < 90 ? 0x35 : 0x11
}

function valuesOf({ number, priority, eventClass, information }: StartedBlock): StartInformation {
  const [classNumber] = classes[eventClass] ?? [0]
  const eventNumber = eventNumbers.map((name) => information[name]).find((value) => value !== undefined)
  return {
    EV_CLASS: classicClass(classNumber),
    EV_NUM: eventNumber ?? 0,
    PRIORITY: priority,
    NUM: Math.min(number, 255),
    ...information,
    SI_FORMAT: optimized,
    OB_CLASS: classNumber,
    OB_NR: number,
  }
}

/** Whether the structure is for a block of this class; one that begins with EV_CLASS is for all. */
function isFor(type: Type, eventClass: string): boolean {
  if (type.kind !== 'struct') return false
  const name = type.name?.toUpperCase() ?? ''
  if (name === 'SI_NONE' || type.members[0]?.name.toUpperCase() === 'EV_CLASS') return true
  const [, structure = ''] = classes[eventClass] ?? []
  return name === structure.toUpperCase() || (eventClass === 'HardwareInterrupt' && name === 'SI_HWINTERRUPT_EXTENDED')
}

function write({ view }: RuntimeContext, target: Cell, values: StartInformation): void {
  if (target.type.kind !== 'struct') return
  const names = target.type.members.map(({ name }) => name.toUpperCase())
  for (const [i, part] of partsOf(target).entries()) {
    const value = values[names[i] ?? ''] ?? 0
    if (part.type.kind === 'scalar') writeBits(view, part.type, part, BigInt.asUintN(64, BigInt(value)))
  }
}

type Four = [number, number, number, number]

/** Arguments: TOP_SI and START_UP_SI; of a controller that tells nothing they stay. */
export function readStartInformation(context: RuntimeContext, ...all: number[]): number {
  const told = context.startedBlocks?.()
  if (!told) return 0
  const none = { number: 0, priority: 0, information: {} }
  const blocks = [
    [told.current ?? { ...none, eventClass: 'ProgramCycle' }, status.otherCurrent],
    [told.startup ?? { ...none, eventClass: 'Startup' }, status.otherStartup],
  ] as const
  for (const [i, [block, wrong]] of blocks.entries()) {
    const target = meant(regionOf(context, ...(all.slice(4 * i, 4 * i + 4) as Four)))
    if (!target || target.type.kind === 'void') continue
    if (!isFor(target.type, block.eventClass)) return wrong
    write(context, target, valuesOf(block))
  }
  return 0
}
