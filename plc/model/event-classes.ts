/** Event classes of organization blocks: by number, and by the names and titles that engineering tools give them. */
import { defined } from '../../lib/optional.ts'

type Range = readonly [first: number, last: number]

/** Controllers whose organization blocks have the same numbers. */
export type ControllerGroup = 'S7-300/400' | 'S7-1200/1500'

/** An event class of organization blocks and the numbers that only its blocks have. */
export interface EventClass {
  /** As SimaticML spells it. */
  readonly name: string
  readonly numbers: Range
  /** The part of `numbers` that S7-1200 and S7-1500 have, where it is smaller. */
  readonly modern?: Range
  /** Blocks of S7-1200 and S7-1500 may also have a number from 123 on. */
  readonly isFree?: true
  /** Absent: both groups have the class. */
  readonly only?: ControllerGroup
}

/** Numbers that blocks of most classes may have in S7-1200 and S7-1500. */
const freeNumbers: Range = [123, 32_767]

/**
 * The numbers of organization blocks, the one table of them: docs/plc-semantics.md#organization-blocks.
 */
export const eventClasses: readonly EventClass[] = [
  { name: 'ProgramCycle', numbers: [1, 1], isFree: true },
  { name: 'TimeOfDay', numbers: [10, 17], isFree: true },
  { name: 'TimeDelayInterrupt', numbers: [20, 23], isFree: true },
  { name: 'CyclicInterrupt', numbers: [30, 38], isFree: true },
  { name: 'HardwareInterrupt', numbers: [40, 47], isFree: true },
  { name: 'Status', numbers: [55, 55] },
  { name: 'Update', numbers: [56, 56] },
  { name: 'Profile', numbers: [57, 57] },
  { name: 'SynchronousCycle', numbers: [61, 64], isFree: true },
  { name: 'MCPreServo', numbers: [67, 67], only: 'S7-1200/1500' },
  { name: 'MCPreInterpolator', numbers: [68, 68], only: 'S7-1200/1500' },
  { name: 'IORedundancyError', numbers: [70, 70] },
  { name: 'CPURedundancyError', numbers: [72, 72] },
  { name: 'TimeErrorInterrupt', numbers: [80, 80] },
  { name: 'PowerSupplyError', numbers: [81, 81], only: 'S7-300/400' },
  { name: 'DiagnosticErrorInterrupt', numbers: [82, 82] },
  { name: 'PullOrPlugOfModules', numbers: [83, 83] },
  { name: 'CPUHardwareError', numbers: [84, 84], only: 'S7-300/400' },
  { name: 'AccessError', numbers: [85, 85], only: 'S7-300/400' },
  { name: 'RackOrStationFailure', numbers: [86, 86] },
  { name: 'CommunicationError', numbers: [87, 87], only: 'S7-300/400' },
  { name: 'ProcessingInterrupt', numbers: [88, 88], only: 'S7-300/400' },
  { name: 'MCServo', numbers: [91, 91], only: 'S7-1200/1500' },
  { name: 'MCInterpolator', numbers: [92, 92], only: 'S7-1200/1500' },
  { name: 'MCPostServo', numbers: [95, 95], only: 'S7-1200/1500' },
  { name: 'MCLookAhead', numbers: [97, 97], only: 'S7-1200/1500' },
  { name: 'Transformation', numbers: [98, 98], only: 'S7-1200/1500' },
  { name: 'Startup', numbers: [100, 102], modern: [100, 100], isFree: true },
  { name: 'ProgrammingError', numbers: [121, 121] },
  { name: 'IOAccessError', numbers: [122, 122] },
]

const classByName: ReadonlyMap<string, EventClass> = new Map(eventClasses.map((one) => [one.name.toLowerCase(), one]))

/** Returns the event class of this name, spelled as in files; case does not matter. */
export function eventClassNamed(text: string): string | undefined {
  return classByName.get(text.toLowerCase())?.name
}

/** Returns the event class that an OB of this number has; `undefined` for numbers that OBs of many classes have. */
export function classOfNumber(number: number): string | undefined {
  return eventClasses.find(({ numbers }) => inside(number, numbers))?.name
}

/** Returns the event class of an OB by its number; any number not listed is cyclic. */
export function classOf(number: number): string {
  return classOfNumber(number) ?? 'ProgramCycle'
}

/**
 * Returns the numbers that OBs of a class may have, in the order in which new blocks get them.
 * @param group absent: what any controller allows
 * @returns empty for a class that the controllers do not have; the free numbers for a class that is not in the table
 */
export function numbersOfClass(eventClass: string, group?: ControllerGroup): Range[] {
  const known = classByName.get(eventClass.toLowerCase())
  if (known === undefined) return [freeNumbers]
  if (group !== undefined && known.only !== undefined && known.only !== group) return []
  const own = group === 'S7-1200/1500' ? (known.modern ?? known.numbers) : known.numbers
  return known.isFree && group !== 'S7-300/400' ? [own, freeNumbers] : [own]
}

/** Whether an OB of the class may have the number. Every number fits a class that is not in the table. */
export function fitsClass(number: number, eventClass: string, group?: ControllerGroup): boolean {
  if (!classByName.has(eventClass.toLowerCase())) return true
  return numbersOfClass(eventClass, group).some((range) => inside(number, range))
}

/**
 * Says what is wrong with the number of an OB of a class: `number 35 is that of a CyclicInterrupt; a Startup has 100 to
 * 102, or from 123 on`. `undefined` when it fits.
 * @param group absent: what any controller allows
 */
export function numberFault(number: number, eventClass: string, group?: ControllerGroup): string | undefined {
  if (fitsClass(number, eventClass, group)) return undefined
  const ranges = numbersOfClass(eventClass, group)
  if (ranges.length === 0) return `controllers ${group} have no ${eventClass}`
  const [own] = ranges as [Range]
  const other = classOfNumber(number)
  const whose =
    other === undefined
      ? 'belongs to no event class'
      : other === eventClass
        ? `is not one of ${group ?? 'these controllers'}`
        : `is that of a ${other}`
  const allowed = own[0] === own[1] ? `${own[0]}` : `${own[0]} to ${own[1]}`
  const also = ranges.length > 1 ? `, or from ${freeNumbers[0]} on` : ''
  return `number ${number} ${whose}; a ${eventClass} has ${allowed}${also}`
}

function inside(number: number, [first, last]: Range): boolean {
  return number >= first && number <= last
}

/** Returns the number that a first OB of the class gets; `undefined` for classes without numbers of their own. */
export function firstNumberOf(eventClass: string): number | undefined {
  return classByName.get(eventClass.toLowerCase())?.numbers[0]
}

/**
 * What engineering tools call an OB of a class when they make one: names of TIA Portal, names and titles of STEP 7 (all
 * S7-300/400 OBs: reference manual 05/2010, chapter 1; titles of real exports) and German titles of STEP 7. `Status`,
 * `Update` and `Profile` are missing: programs have blocks of these names for other purposes.
 */
const standardNames: Readonly<Record<string, string>> = {
  ProgramCycle: 'Main|Program cycle|Main Program Sweep (Cycle)|CYCL_EXC|Cycle Execution|Hauptprogramm',
  Startup:
    'Startup|Complete Restart|Restart|Cold Restart|Warm Restart|Neustart|Anlauf|Warmstart|Kaltstart|Wiederanlauf',
  TimeOfDay: 'Time of day|Time of day interrupt|Uhrzeitalarm',
  TimeDelayInterrupt: 'Time delay interrupt|Verzögerungsalarm',
  CyclicInterrupt: 'Cyclic interrupt|Weckalarm',
  HardwareInterrupt: 'Hardware interrupt|Prozessalarm|Prozeßalarm',
  SynchronousCycle: 'Synchronous cycle|Taktsynchronalarm',
  IORedundancyError: 'RED_FLT|I/O Redundancy Fault',
  CPURedundancyError: 'CPU Redundancy Fault|CPU_RED',
  TimeErrorInterrupt: 'Time error interrupt|Time error|CYCL_FLT|Cycle Time Fault|Zeitfehler',
  PowerSupplyError: 'Power supply error|PS_FLT|Power Supply Fault|Stromversorgungsfehler',
  DiagnosticErrorInterrupt:
    'Diagnostic error interrupt|Diagnostic interrupt|I/O_FLT1|I/O Point Fault 1|I/O Point Fault|Diagnosealarm',
  PullOrPlugOfModules: 'Pull or plug of modules|I/O_FLT2|I/O Point Fault 2|Ziehen/Stecken-Alarm',
  CPUHardwareError: 'CPU_FLT|CPU Fault|CPU-Hardwarefehler',
  AccessError: 'OBNL_FLT|OB Not Loaded Fault|Organization Block (OB) Not Loaded Fault|Programmablauffehler',
  RackOrStationFailure: 'Rack or station failure|RACK_FLT|Loss of Rack Fault|Baugruppenträgerausfall',
  CommunicationError: 'COMM_FLT|Communication Fault|Kommunikationsfehler',
  ProcessingInterrupt: 'BREAKUP ERROR',
  MCServo: 'MC-Servo',
  MCInterpolator: 'MC-Interpolator',
  MCPreServo: 'MC-PreServo',
  MCPostServo: 'MC-PostServo',
  MCPreInterpolator: 'MC-PreInterpolator',
  MCLookAhead: 'MC-LookAhead',
  Transformation: 'MC-Transformation',
  ProgrammingError: 'Programming error|PROG_ERR|Programmierfehler',
  IOAccessError: 'IO access error|I/O access error|MOD_ERR|Module Access Error|Peripheriezugriffsfehler',
}

const classOfStandardName: ReadonlyMap<string, string> = new Map(
  Object.entries(standardNames).flatMap(([eventClass, names]) =>
    names.split('|').map((name): [string, string] => [plain(name), eventClass]),
  ),
)

/** Names of STEP 7 with the place in their numbers: `CYC_INT3` is OB 33. */
const countedNames: readonly (readonly [pattern: RegExp, first: number])[] = [
  [/^TOD_INT(\d)$/i, 10],
  [/^DEL_INT(\d)$/i, 20],
  [/^CYC_INT(\d)$/i, 30],
  [/^HW_INT(\d)$/i, 40],
  [/^SYNC_([1-4])$/i, 60],
  [/^OB[ _]?(\d{1,5})$/i, 0],
]

/**
 * Returns what a name or title that an engineering tool gave an OB says about it: `Cyclic interrupt_2`,
 * `Complete Restart`, `CYC_INT3`, `OB100`. Case, quotes, blanks and the number TIA Portal appends do not matter.
 */
export function eventOfStandardName(text: string): { readonly eventClass?: string; readonly number?: number } {
  const name = text.trim().replace(/^["']|["']$/g, '')
  for (const [pattern, first] of countedNames) {
    const digits = pattern.exec(name)?.[1]
    if (digits === undefined) continue
    const number = first + Number(digits)
    const eventClass = classOfNumber(number)
    if (number < 1 || number > 65_535 || (eventClass === undefined && first > 0)) return {}
    return { number, ...defined({ eventClass }) }
  }
  const eventClass =
    classOfStandardName.get(plain(name)) ?? classOfStandardName.get(plain(name.replace(/[ _]?\d+$/, '')))
  return eventClass === undefined ? {} : { eventClass }
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}
