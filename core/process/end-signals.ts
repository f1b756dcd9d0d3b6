/** The signals that ask this process to end in order. */
import { constants } from 'node:os'

/**
 * SIGBREAK is Ctrl+Break on Windows. SIGHUP is the end of a terminal; on Windows the closing of the console window,
 * after which the system ends the process within about five seconds (Node's documentation, "Signal events"). Windows
 * has no other signals: `kill` ends a process hard there, whatever it names.
 */
const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const

/**
 * What a parent process sends on the IPC channel instead of a signal, which on Windows would end this one hard. It is
 * what the process manager pm2 sends with `--shutdown-with-message`.
 */
export const endMessage = 'shutdown'

/** Calls `end` for each such signal. */
export function onEndSignal(end: (signal: NodeJS.Signals) => void): void {
  for (const signal of endSignals) process.on(signal, end)
}

/** The exit code of a process that a signal has ended at once: 128 and the signal's number. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + (constants.signals[signal] ?? constants.signals.SIGTERM)
}

/**
 * How long work may go on after a signal, ms: less than usual where the system ends the process soon.
 * @param usualMs where nobody hurries
 */
export function graceAfter(signal: NodeJS.Signals | undefined, usualMs: number, platform = process.platform): number {
  return platform === 'win32' && signal === 'SIGHUP' ? Math.min(usualMs, closedWindowMs) : usualMs
}

/** Of the five seconds of a closed window, what is left for the checkpoint and the end of the instance, is most. */
const closedWindowMs = 1500
