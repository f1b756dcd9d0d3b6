/** The clock, and points in time that are not scalars. */
import {
  dtlStatus,
  endOfClock,
  fromS5Time,
  readDateAndTime,
  readDtl,
  splitDay,
  toS5Time,
  writeDateAndTime,
  writeDtl,
} from '../calendar.ts'
import type { RoutineFamily } from '../context.ts'
import { isDaylight, systemTimeOf } from '../time-zone.ts'

export const dateRoutines: RoutineFamily = ({ view, clock, fail, stop, retriggerCycle }) => {
  const orFail = <T extends number | bigint>(value: T | undefined, otherwise: T): T => {
    if (value === undefined) fail()
    return value ?? otherwise
  }
  return {
    'clock.system': () => BigInt.asIntN(64, clock.systemTime()),
    'clock.local': () => BigInt.asIntN(64, clock.systemTime() + clock.localOffset()),
    'clock.restartedAt': () => clock.restartedAt,
    'clock.setSystem': (nanoseconds: bigint) => clock.setSystemTime(nanoseconds) as undefined,
    /** Of an hour that comes twice, `isFirst` is that of daylight saving. */
    'clock.setLocal': (nanoseconds: bigint, isFirst: number) => {
      const time = systemTimeOf(clock.timeZone, nanoseconds, isFirst !== 0)
      if (time !== undefined) clock.setSystemTime(time)
      else fail()
      return time === undefined ? (0x8089 << 16) >> 16 : 0
    },
    /** RET_VAL of RD_LOC_T: 1 in daylight saving. */
    'clock.daylight': () => (isDaylight(clock.timeZone, clock.systemTime()) ? 1 : 0),
    'dtl.read': (address: number, isStandard: number) => orFail(readDtl(view, address, isStandard !== 0), 0n),
    'dtl.write': (address: number, isStandard: number, nanoseconds: bigint) => {
      if (!writeDtl(view, address, isStandard !== 0, nanoseconds)) fail()
      return undefined
    },
    'dtl.isDate': (address: number, isStandard: number) =>
      readDtl(view, address, isStandard !== 0) === undefined ? 0 : 1,
    'dt.isDate': (address: number) => (readDateAndTime(view, address) === undefined ? 0 : 1),
    'dt.read': (address: number) => orFail(readDateAndTime(view, address), 0n),
    'dt.write': (address: number, nanoseconds: bigint) => {
      if (!writeDateAndTime(view, address, nanoseconds)) fail()
      return undefined
    },
    'dtl.status': (address: number, isStandard: number, beyond: number) => {
      const status = dtlStatus(view, address, isStandard !== 0, beyond)
      if (status !== 0) fail()
      return (status << 16) >> 16
    },
    'dt.status': (address: number) => {
      if (readDateAndTime(view, address) !== undefined) return 0
      fail()
      return (0x8080 << 16) >> 16
    },
    /** The fault of an LDT that a clock is set to. */
    'ldt.status': (nanoseconds: bigint, beyond: number) => {
      if (nanoseconds >= 0n && nanoseconds < endOfClock) return 0
      fail()
      return (beyond << 16) >> 16
    },
    'day.number': (nanoseconds: bigint) => splitDay(nanoseconds).day,
    'day.time': (nanoseconds: bigint) => splitDay(nanoseconds).time,
    's5time.read': (value: number) => orFail(fromS5Time(value), 0),
    /** What is longer than an S5Time gives the longest, 16#3999 (TIA help V19, "T_CONV" of S7-300/400). */
    's5time.write': (milliseconds: bigint) => orFail(toS5Time(Number(milliseconds)), milliseconds < 0n ? 0 : 0x3999),
    'control.stop': () => stop() as undefined,
    'control.retrigger': () => retriggerCycle() as undefined,
  }
}
