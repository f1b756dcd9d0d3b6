/**
 * The states of a phase as ISA-88 has them (ANSI/ISA-88.00.01, state transition diagram and matrix of the example for
 * procedural elements), without Pausing and Paused. The standard gives them no numbers: a state is its place here.
 */

/** States in the order of their numbers; those from Running to Aborting are active. */
export const stateNames = [
  ...(['Idle', 'Running', 'Holding', 'Held', 'Restarting', 'Stopping', 'Aborting'] as const),
  ...(['Complete', 'Stopped', 'Aborted'] as const),
] as const

/** Name of a state. */
export type StateName = (typeof stateNames)[number]

/** Commands that change the state; Start needs a rising edge. */
export type StateCommand = 'Start' | 'Hold' | 'Restart' | 'Stop' | 'Abort' | 'Reset'

/** Commands that a state obeys, the one with the highest priority first, and the state that follows. */
export const transitionsOf: Readonly<Record<StateName, readonly (readonly [StateCommand, StateName])[]>> = {
  Idle: [['Start', 'Running']],
  Running: [
    ['Abort', 'Aborting'],
    ['Stop', 'Stopping'],
    ['Hold', 'Holding'],
  ],
  Holding: [
    ['Abort', 'Aborting'],
    ['Stop', 'Stopping'],
  ],
  Held: [
    ['Abort', 'Aborting'],
    ['Stop', 'Stopping'],
    ['Restart', 'Restarting'],
  ],
  Restarting: [
    ['Abort', 'Aborting'],
    ['Stop', 'Stopping'],
    ['Hold', 'Holding'],
  ],
  Stopping: [['Abort', 'Aborting']],
  Aborting: [],
  Complete: [['Reset', 'Idle']],
  Stopped: [
    ['Abort', 'Aborting'],
    ['Reset', 'Idle'],
  ],
  Aborted: [['Reset', 'Idle']],
}

/** The state that follows when the work of a state is done. */
export const doneStateOf: Readonly<Partial<Record<StateName, StateName>>> = {
  Running: 'Complete',
  Holding: 'Held',
  Restarting: 'Running',
  Stopping: 'Stopped',
  Aborting: 'Aborted',
}

/** The command whose action a state does. */
export const actingStates = { Holding: 'Hold', Restarting: 'Restart', Stopping: 'Stop', Aborting: 'Abort' } as const

/** A state that does the action of a command. */
export type ActingState = keyof typeof actingStates
