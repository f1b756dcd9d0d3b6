/**
 * Operating states and the transitions between them (PLCSIM Advanced, EOperatingState;
 * docs/plc-semantics.md#operating-states, docs/plc-semantics.md#states-of-an-instance).
 */
import type { OperatingState, Transition } from './contract.ts'

const ways: Readonly<Record<OperatingState, readonly Transition[]>> = {
  Off: ['powerOn'],
  Booting: [],
  Stop: ['run', 'memoryReset', 'powerOff'],
  Startup: ['stop', 'powerOff'],
  Run: ['stop', 'hold', 'freeze', 'powerOff'],
  Hold: ['continue', 'stop', 'powerOff'],
  Freeze: ['unfreeze', 'stop', 'powerOff'],
  ShuttingDown: [],
}

/** Returns the transitions that are allowed in this state. */
export function allowedIn(state: OperatingState): readonly Transition[] {
  return ways[state]
}

/** Describes why an action is not possible in a state, and which actions are. */
export function wrongStateText(state: OperatingState, what: string, why?: string): string {
  const allowed = allowedIn(state)
  const list = allowed.length === 0 ? 'nothing: wait until it is done' : allowed.join(', ')
  return `${what} is not possible in state ${state}${why === undefined ? '' : `: ${why}`}. Allowed now: ${list}.`
}
