/** Event classes of organization blocks: by number, and by the names and titles that engineering tools give them. */
import { defined } from '../../lib/optional.ts'

/**
 * Event class of an OB by its number. S7-1500: docs/plc-semantics.md#organization-blocks; the classes that only
 * S7-300/400 have: System Software for S7-300/400, reference manual 05/2010, chapter 1.
 */
export const eventClasses: readonly (readonly [from: number, to: number, eventClass: string])[] = [
  [1, 1, 'ProgramCycle'],
  [10, 17, 'TimeOfDay'],
  [20, 23, 'TimeDelayInterrupt'],
  [30, 38, 'CyclicInterrupt'],
  [40, 47, 'HardwareInterrupt'],
  [55, 55, 'Status'],
  [56, 56, 'Update'],
  [57, 57, 'Profile'],
  [61, 64, 'SynchronousCycle'],
  [70, 70, 'IORedundancyError'],
  [72, 72, 'CPURedundancyError'],
  [80, 80, 'TimeErrorInterrupt'],
  [81, 81, 'PowerSupplyError'],
  [82, 82, 'DiagnosticErrorInterrupt'],
  [83, 83, 'PullOrPlugOfModules'],
  [84, 84, 'CPUHardwareError'],
  [85, 85, 'AccessError'],
  [86, 86, 'RackOrStationFailure'],
  [87, 87, 'CommunicationError'],
  [88, 88, 'ProcessingInterrupt'],
  [91, 91, 'MCServo'],
  [92, 92, 'MCInterpolator'],
  [100, 102, 'Startup'],
  [121, 121, 'ProgrammingError'],
  [122, 122, 'IOAccessError'],
]

/** Returns the event class of this name, spelled as in files; case does not matter. */
export function eventClassNamed(text: string): string | undefined {
  const wanted = text.toLowerCase()
  return eventClasses.find(([, , name]) => name.toLowerCase() === wanted)?.[2]
}

/** Returns the event class that an OB of this number has; `undefined` for numbers that OBs of many classes have. */
export function classOfNumber(number: number): string | undefined {
  return eventClasses.find(([from, to]) => number >= from && number <= to)?.[2]
}

/** Returns the event class of an OB by its number; any number not listed is cyclic. */
export function classOf(number: number): string {
  return classOfNumber(number) ?? 'ProgramCycle'
}

/** Returns the number that a first OB of the class gets; `undefined` for classes without numbers of their own. */
export function firstNumberOf(eventClass: string): number | undefined {
  return eventClasses.find(([, , name]) => name === eventClass)?.[0]
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
