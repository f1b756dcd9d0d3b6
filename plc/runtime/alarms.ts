/**
 * Alarms as blocks raise and query them: Program_Alarm, Get_AlarmState, Ack_Alarms, Gen_UsrMsg. A controller implements
 * `Alarms`. Status numbers: docs/plc-semantics.md#alarms.
 */

/**
 * An associated value with its data type: texts as text, everything else as a number (times and dates in the unit of
 * their type); numbers of 64 bits as decimal text.
 */
export interface AlarmValue {
  readonly type: string
  readonly value: number | boolean | string
}

/** STATUS of the instructions; 0 means success. */
export const alarmStatus = {
  /** The parameter is no instance of Program_Alarm. */
  noInstance: 0x8001,
  /** MODE is not allowed. */
  wrongMode: 0x8080,
  /** SD_i has a type that alarms cannot show: its number is added. */
  wrongType: 0x80a0,
  /** The associated values take more than 512 bytes. */
  tooLong: 0x8004,
  /** The signal comes again before the alarm that has gone is acknowledged: it is reported later. */
  notAcknowledged: 0x8005,
  /** The signal goes and no alarm has come. */
  notComing: 0x8007,
  /** The number of alarms that may be pending at once is reached: the change of the signal is reported later. */
  tooMany: 0x80c3,
} as const

/** The state of an alarm as the program reads it. */
export interface AlarmState {
  readonly isPresent: boolean
  readonly isAcknowledged: boolean
}

/** One change of an alarm for Get_Alarm. */
export interface AlarmChange {
  /** Number of the alarm; larger than 65535 for those of Gen_UsrMsg. */
  readonly id: number
  /** 0: Program_Alarm and Gen_UsrMsg; 9: a supervision. */
  readonly producer: 0 | 9
  readonly isPresent: boolean
  /** Nanoseconds since 1970 UTC. */
  readonly time: bigint
}

/** The alarms of a controller. Functions return a status of `alarmStatus`, or 0. */
export interface Alarms {
  /**
   * Program_Alarm: the signal of an instance has changed.
   * @param instance address of the instance
   * @param timestamp nanoseconds since 1970 UTC; 0: now
   */
  signal(instance: number, isPresent: boolean, timestamp: bigint, values: readonly AlarmValue[]): number
  /** Get_AlarmState; `undefined`: the instance has raised no alarm. */
  state(instance: number): AlarmState | undefined
  /**
   * Get_Alarm, logging on: from now on changes of alarms are kept for the program, those that are pending first.
   * Returns false when the program is logged on already.
   */
  logOn(): boolean
  /** Get_Alarm, logging off. */
  logOff(): void
  /**
   * Get_Alarm: the oldest change that has not been read; `undefined`: there is none, or the program is not logged on.
   */
  nextChange(): AlarmChange | undefined
  /** Whether the program is logged on: loading a program and STARTUP log it off. */
  readonly isLoggedOn: boolean
  /** Get_AlarmResources: the number of alarms that may still be raised. */
  available(): number
  /** Ack_Alarms: acknowledges all alarms of the program. */
  acknowledgeAll(): void
  /** Gen_UsrMsg: an alarm with an entry of a text list as its text, and an entry of the diagnostics buffer. */
  userMessage(isPresent: boolean, textList: number, text: number, values: readonly AlarmValue[]): number
}

/** Bytes of all associated values together. */
export const mostValueBytes = 512
