/** Alarms as they travel from the controller's thread to the gateway. */
import type { AlarmValue } from '../../../plc/runtime/alarms.ts'

/** A place in the program that raises an alarm. */
export interface AlarmSource {
  /** Number of the alarm in the loaded program, from 1. */
  readonly id: number
  /** Path of the instance or supervision: `"Line_DB".station[2].jam`. It identifies the alarm over loads. */
  readonly name: string
  /** Address of the instance of Program_Alarm; absent for alarms of other sources. */
  readonly address?: number
  readonly alarmClass: string
  readonly needsAcknowledgement: boolean
}

/** What happens to an alarm. `removed`: the controller restarted, or the program has it no more. */
export type AlarmEventKind = 'incoming' | 'outgoing' | 'acknowledged' | 'removed'

/** An alarm that is pending: its signal is present, or its end is not acknowledged. Times in ms since 1970, virtual. */
export interface PendingAlarm {
  readonly id: number
  readonly name: string
  readonly alarmClass: string
  readonly needsAcknowledgement: boolean
  readonly isPresent: boolean
  readonly isAcknowledged: boolean
  readonly incomingAt: number
  readonly outgoingAt?: number
  readonly acknowledgedAt?: number
  /** Values at the last change of the signal. */
  readonly values: readonly AlarmValue[]
}

/** An event of an alarm, with the alarm after it. */
export interface AlarmEvent {
  readonly kind: AlarmEventKind
  /** ms since 1970, virtual. */
  readonly time: number
  readonly alarm: PendingAlarm
  /** Who acknowledged it, or why it was removed. */
  readonly cause?: string
}

/** Events in their order. */
export interface AlarmBatch {
  readonly events: readonly AlarmEvent[]
  /** Number of earlier events that were too many to report; then `pending` has all alarms after the batch. */
  readonly lost: number
  readonly pending?: readonly PendingAlarm[]
}

/** Which alarms to acknowledge: all, those of a class, or those with these names. */
export type AlarmSelection =
  | { readonly all: true }
  | { readonly alarmClass: string }
  | { readonly names: readonly string[] }
