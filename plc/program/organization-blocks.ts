/** Organization blocks: when they run and their start information. Facts: docs/plc-semantics.md#organization-blocks. */
import { defined } from '../../lib/optional.ts'
import type { ImportedObject } from '../model/object.ts'
import { extentOf, layoutOf, type Offset } from './layout.ts'
import type { DeclaredSchedule, EventAttributes, ProgramBlock } from './program.ts'
import type { Access, Member } from './type.ts'

/** Bytes of the area that start information is written to before a block runs. */
export const startInformationSize = 256

/**
 * Bytes of the start information in the temporaries of standard OBs: class, number, priority, six bytes that depend on
 * the class, date and time.
 */
const standardInformation = 20

/**
 * Returns the members of an OB that the system fills, with their places in the start information: its Input members in
 * their own layout. Blocks of classic programs have the start information in the first 20 bytes of their temporaries
 * instead (`OB1_EV_CLASS` …, as every new OB of STEP 7 declares them). Blocks that declare other temporaries there
 * never read it, so their temporaries stay unchanged.
 */
export function startInformationMembers(block: ProgramBlock): { readonly member: Member; readonly at: Offset }[] {
  if (block.kind !== 'OB') return []
  const { members, access } = block
  const isClassic = hasClassicInformation(members, access)
  const section = isClassic ? 'Temp' : 'Input'
  const own = members.filter((member) => member.section === section)
  return placed(own, block, isClassic ? standardInformation : startInformationSize)
}

/** Whether an OB has its start information in its temporaries. */
export function hasClassicInformation(members: readonly Member[], access: Access): boolean {
  const first = members.find(({ section }) => section === 'Temp')
  return access === 'standard' && first !== undefined && /(?:^|_)EV_CLASS$/i.test(first.name)
}

function placed(members: readonly Member[], { access }: ProgramBlock, room: number) {
  const { offsets } = layoutOf(members, access)
  return members.flatMap((member, i) => {
    const at = offsets[i]
    const fits = at !== undefined && at.byte + extentOf(member.type, access).size <= room
    return fits && member.type.kind !== 'unknown' ? [{ member, at }] : []
  })
}

/** Returns the schedule that the document itself gives for the block. */
export function declaredSchedule({ attributes }: Pick<ImportedObject, 'attributes'>): DeclaredSchedule {
  const number = (...names: string[]) => {
    const found = attributes.find(({ name }) => names.includes(name))?.value.trim()
    return found !== undefined && /^\d{1,15}$/.test(found) ? Number(found) : undefined
  }
  const priority = number('PriorityNumber', 'Priority')
  const cycleTimeUs = number('CyclicTime', 'CycleTime')
  const phaseUs = number('PhaseOffset', 'PhaseShift')
  // 0 is the automatic update, 65535 none.
  const processImagePartition = number('ProcessImagePartNumber')
  const eventsToBeQueued = number('EventsToBeQueued')
  const timeError = attributes
    .find(({ name }) => name === 'EnableTimeError')
    ?.value.trim()
    .toLowerCase()
  return {
    ...(priority !== undefined && priority >= 1 && priority <= 26 ? { priority } : {}),
    ...(cycleTimeUs ? { cycleTimeUs } : {}),
    ...defined({ phaseUs }),
    ...(isPartition(processImagePartition) ? { processImagePartition } : {}),
    ...(eventsToBeQueued ? { eventsToBeQueued } : {}),
    ...(timeError === 'false' ? { isTimeErrorEnabled: false } : {}),
  }
}

/** Whether a number is that of a partition of the process image that programs may use (docs/plc-semantics.md#cycle). */
function isPartition(number: number | undefined): number is number {
  return number !== undefined && number >= 1 && number <= 31
}

/** Default cycles of the cyclic interrupts OB 30 to OB 38 in milliseconds (S7-300/400 and S7-1500 alike). */
const cycleTimes = [5000, 2000, 1000, 500, 200, 100, 50, 20, 10] as const
/** Default cycle in milliseconds that TIA Portal proposes for each new cyclic interrupt. */
const defaultCycleTime = 100

const priorities: Readonly<Record<string, number>> = {
  ProgramCycle: 1,
  Startup: 1,
  TimeOfDay: 2,
  TimeDelayInterrupt: 3,
  Status: 4,
  Update: 4,
  Profile: 4,
  DiagnosticErrorInterrupt: 5,
  PullOrPlugOfModules: 6,
  RackOrStationFailure: 6,
  ProgrammingError: 7,
  IOAccessError: 7,
  HardwareInterrupt: 18,
  SynchronousCycle: 21,
  TimeErrorInterrupt: 22,
  MCPreInterpolator: 24,
  MCInterpolator: 24,
  MCLookAhead: 15,
  Transformation: 25,
  MCPreServo: 25,
  MCServo: 25,
  MCPostServo: 25,
}

/** Event classes as files spell them: `MC-Servo`, `TimeOfDayInterrupt`, `Time delay interrupt`. */
const classesByText = new Map([...Object.keys(priorities), 'CyclicInterrupt'].map((name) => [plain(name), name]))

function plain(text: string): string {
  return text
    .replace(/[^a-z]/gi, '')
    .toLowerCase()
    .replace(/interrupt$/, '')
}

/** Returns when an organization block runs: as the document says, else by the defaults of the system. */
export function scheduleOf(block: ProgramBlock): EventAttributes & {
  readonly eventClass: string
  readonly priority: number
  readonly cycleTimeUs?: number
  readonly phaseUs?: number
} {
  const { number, eventClass: written = 'ProgramCycle', schedule = {} } = block
  const { processImagePartition, eventsToBeQueued, isTimeErrorEnabled } = schedule
  const own = {
    ...defined({ processImagePartition, eventsToBeQueued, isTimeErrorEnabled }),
  }
  const eventClass = classesByText.get(plain(written)) ?? written
  if (eventClass !== 'CyclicInterrupt')
    return { eventClass, priority: schedule.priority ?? priorities[eventClass] ?? 1, ...own }
  const cycleTimeUs = schedule.cycleTimeUs ?? (cycleTimes[number - 30] ?? defaultCycleTime) * 1000
  return {
    eventClass,
    priority: schedule.priority ?? priorityOfCycle(cycleTimeUs),
    cycleTimeUs,
    phaseUs: schedule.phaseUs ?? 0,
    ...own,
  }
}

/** The priority by frequency, 8 to 17: OB 30 has 8, OB 38 has 16, anything faster 17. */
function priorityOfCycle(cycleTimeUs: number): number {
  const slower = cycleTimes.filter((one) => one * 1000 > cycleTimeUs).length
  return 8 + slower
}
