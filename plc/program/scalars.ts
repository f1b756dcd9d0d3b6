/** The scalar types (docs/plc-semantics.md#data-types), each one object. */
import type { ScalarFamily, ScalarType } from './type.ts'

function scalar(name: string, family: ScalarFamily, bits: ScalarType['bits'], isSigned = false): ScalarType {
  return { kind: 'scalar', name, family, bits, isSigned }
}

export const Bool = scalar('Bool', 'bool', 1)
export const Byte = scalar('Byte', 'bits', 8)
export const Word = scalar('Word', 'bits', 16)
export const DWord = scalar('DWord', 'bits', 32)
export const LWord = scalar('LWord', 'bits', 64)
export const SInt = scalar('SInt', 'integer', 8, true)
export const Int = scalar('Int', 'integer', 16, true)
export const DInt = scalar('DInt', 'integer', 32, true)
export const LInt = scalar('LInt', 'integer', 64, true)
export const USInt = scalar('USInt', 'integer', 8)
export const UInt = scalar('UInt', 'integer', 16)
export const UDInt = scalar('UDInt', 'integer', 32)
export const ULInt = scalar('ULInt', 'integer', 64)
export const Real = scalar('Real', 'real', 32, true)
export const LReal = scalar('LReal', 'real', 64, true)
/** Milliseconds. */
export const Time = scalar('Time', 'duration', 32, true)
/** Nanoseconds. */
export const LTime = scalar('LTime', 'duration', 64, true)
/** Three digits BCD and a time base. */
export const S5Time = scalar('S5Time', 'duration', 16)
/** Days since 1990-01-01. */
export const DateType = scalar('Date', 'date', 16)
/** Milliseconds since midnight. */
export const TimeOfDay = scalar('Time_Of_Day', 'timeOfDay', 32)
/** Nanoseconds since midnight. */
export const LTimeOfDay = scalar('LTime_Of_Day', 'timeOfDay', 64)
/** Nanoseconds since 1970-01-01. */
export const LDateTime = scalar('LDT', 'dateTime', 64)
export const Char = scalar('Char', 'character', 8)
export const WChar = scalar('WChar', 'character', 16)
/** The number of a data block. */
export const DbAny = scalar('DB_ANY', 'hardware', 16)

/**
 * Identifiers of hardware, OBs and connections, with the base type of each (SIMATIC STEP 7 system manual, "Hardware
 * data types").
 */
const hardware = (
  'REMOTE:16 HW_ANY:16 HW_DEVICE:16 HW_DPMASTER:16 HW_DPSLAVE:16 HW_IO:16 HW_IOSYSTEM:16 HW_SUBMODULE:16 HW_MODULE:16 HW_INTERFACE:16 ' +
  'HW_IEPORT:16 HW_HSC:16 HW_PWM:16 HW_PTO:16 EVENT_ANY:32 EVENT_ATT:32 EVENT_HWINT:32 OB_ANY:16 OB_DELAY:16 OB_TOD:16 OB_CYCLIC:16 ' +
  'OB_ATT:16 OB_PCYCLE:16 OB_HWINT:16 OB_DIAG:16 OB_TIMEERROR:16 OB_STARTUP:16 PORT:16 RTM:16 PIP:16 CONN_ANY:16 CONN_PRG:16 ' +
  'CONN_OUC:16 CONN_R_ID:32 DB_WWW:16 DB_DYN:16 AOM_IDENT:32 BLOCK_FB:16 BLOCK_FC:16 BLOCK_DB:16 BLOCK_OB:16 TIMER:16 COUNTER:16'
)
  .split(' ')
  .map((entry) => {
    const [name = '', bits] = entry.split(':')
    return scalar(name, 'hardware', bits === '32' ? 32 : 16)
  })

export const scalarTypes: readonly ScalarType[] = [
  Bool,
  Byte,
  Word,
  DWord,
  LWord,
  SInt,
  Int,
  DInt,
  LInt,
  USInt,
  UInt,
  UDInt,
  ULInt,
  Real,
  LReal,
  Time,
  LTime,
  S5Time,
  DateType,
  TimeOfDay,
  LTimeOfDay,
  LDateTime,
  Char,
  WChar,
  DbAny,
  ...hardware,
]

const aliases: Readonly<Record<string, string>> = {
  TOD: 'TIME_OF_DAY',
  LTOD: 'LTIME_OF_DAY',
  DATE_AND_LTIME: 'LDT',
}
const byName = new Map(scalarTypes.map((type) => [type.name.toUpperCase(), type]))

/** Returns the scalar type of this name, case ignored; `undefined` when there is none. */
export function scalarNamed(name: string): ScalarType | undefined {
  const upper = name.toUpperCase()
  return byName.get(aliases[upper] ?? upper)
}

/**
 * Returns the smallest and largest value of bit strings, integers, durations, dates and characters; `undefined` for
 * Bool and reals.
 */
export function rangeOf(type: ScalarType): readonly [bigint, bigint] | undefined {
  if (type.family === 'bool' || type.family === 'real') return undefined
  const size = 1n << BigInt(type.bits)
  return type.isSigned ? [-(size / 2n), size / 2n - 1n] : [0n, size - 1n]
}
