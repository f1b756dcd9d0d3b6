/**
 * The messages between the controller's thread and the gateway about connections. A connection has a number of its own
 * for each time it is opened, so that late news of an earlier one are recognized.
 */
import type { ConnectionParameters, ConnectionPhase, RemoteAnswer, RemoteItem } from '../../../plc/runtime/network.ts'

/** From the controller. */
export type NetworkRequest =
  | { readonly kind: 'open'; readonly connection: number; readonly parameters: ConnectionParameters }
  | { readonly kind: 'close'; readonly connection: number }
  | {
      readonly kind: 'send'
      readonly connection: number
      readonly data: Uint8Array
      readonly to?: { readonly address: string; readonly port: number }
    }
  /** The program has taken so many bytes: as many more may come. */
  | { readonly kind: 'taken'; readonly connection: number; readonly bytes: number }
  | {
      readonly kind: 's7'
      readonly job: number
      readonly connection: number
      readonly isWrite: boolean
      readonly items: readonly RemoteItem[]
    }
  | {
      readonly kind: 'post'
      readonly connection: number
      readonly reference: number
      readonly parts: readonly Uint8Array[]
    }
  /** The controller is no longer in RUN: all its connections end. */
  | { readonly kind: 'closeAll' }

/** To the controller. */
export type NetworkEvent =
  | { readonly kind: 'phase'; readonly connection: number; readonly phase: ConnectionPhase }
  | {
      readonly kind: 'data'
      readonly connection: number
      readonly data: Uint8Array
      readonly address: string
      readonly port: number
    }
  /** So many bytes have left. */
  | { readonly kind: 'sent'; readonly connection: number; readonly bytes: number }
  | { readonly kind: 's7'; readonly job: number; readonly answer: RemoteAnswer }
  | {
      readonly kind: 'post'
      readonly connection: number
      readonly reference: number
      readonly parts: readonly Uint8Array[]
    }
  /** An entry for the diagnostics buffer: why a connection is not possible. */
  | { readonly kind: 'note'; readonly text: string }

/** Bytes of a connection that wait in each direction. */
export const bufferBytes = 65_536
