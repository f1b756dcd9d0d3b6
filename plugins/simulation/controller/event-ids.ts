/**
 * Event ids of the diagnostics buffer: class, identification and number of an event (System Software for S7-300/400,
 * "Event Classes and Event IDs"; S7-1500 system manual 12/2014, p. 110, for the overload of an organization block).
 */
export const eventId = {
  powerOn: 0x4300,
  /** STOP to STARTUP, STARTUP to RUN. */
  startup: 0x4301,
  run: 0x4302,
  /** STOP by a command of a programming device. */
  stopCommand: 0x4304,
  /** HOLD: reached, left to RUN, left to STOP. */
  hold: 0x4305,
  holdLeft: 0x4306,
  holdToStop: 0x430a,
  memoryReset: 0x430e,
  /** STOP, because a program error or a time error has no block, or because of the time error itself. */
  stopProgrammingError: 0x4562,
  stopTimeError: 0x4568,
  /** STOP: blocks are nested too deep; the instruction STP; an error of the operating system. */
  stopNesting: 0x4575,
  stopInstruction: 0x457f,
  stopSystem: 0x4544,
  defect: 0x4550,
  cycleTime: 0x3501,
  /** Time-of-day interrupts that were skipped: the clock was set, and after HOLD. */
  timeOfDaySkipped: 0x3505,
  timeOfDaySkippedInHold: 0x3506,
  /** Events of an organization block were discarded. */
  eventsLost: 0x3507,
} as const

/** `16#4302` */
export function eventText(id: number): string {
  return `16#${id.toString(16).toUpperCase().padStart(4, '0')}`
}
