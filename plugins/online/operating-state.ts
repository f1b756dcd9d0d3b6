/** Operating states of CPUs, as engineering tools name them. */
import type { Controller, OperatingState } from '../simulation/index.ts'

/** `HOLD`: the program stands still and goes on where it was (a frozen controller). */
export const cpuStates = ['OFF', 'BOOTING', 'STOP', 'STARTUP', 'RUN', 'HOLD', 'SHUTTING_DOWN'] as const
export type CpuState = (typeof cpuStates)[number]

const states: Readonly<Record<OperatingState, CpuState>> = {
  Off: 'OFF',
  Booting: 'BOOTING',
  Stop: 'STOP',
  Startup: 'STARTUP',
  Run: 'RUN',
  Freeze: 'HOLD',
  ShuttingDown: 'SHUTTING_DOWN',
}

export function cpuStateOf({ state }: Pick<Controller, 'state'>): CpuState {
  return states[state]
}

/** It executes the program, or is about to. */
export function isRunning({ state }: Pick<Controller, 'state'>): boolean {
  return state === 'Run' || state === 'Freeze' || state === 'Startup'
}
