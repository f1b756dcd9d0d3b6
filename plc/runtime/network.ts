/**
 * The network as blocks of open communication, Modbus and S7 communication use it. A controller implements `Network`;
 * everything is polled, because blocks are called again and again. Without it no partner is ever there.
 */

/** How a connection is made. Addresses are IPv4; an empty one of a passive connection means any partner. */
export interface ConnectionParameters {
  readonly kind: 'tcp' | 'iso' | 'udp'
  readonly isActive: boolean
  readonly remoteAddress: string
  readonly remotePort: number
  readonly localPort: number
  /** T selectors of ISO-on-TCP. */
  readonly remoteSelector?: string
  readonly localSelector?: string
}

/**
 * - `connecting`, `listening`: it is being established, or waits for its partner.
 * - `refused`, `unreachable`: it could not be established; `forbidden`: the address is not allowed.
 * - `busyPort`: the local port is taken.
 */
export type ConnectionPhase = 'connecting' | 'listening' | 'open' | 'refused' | 'unreachable' | 'forbidden' | 'busyPort'

/** An item of an S7 job: the ten bytes of an ANY in the partner, and for a write the data. */
export interface RemoteItem {
  readonly pointer: Uint8Array
  readonly data?: Uint8Array
}

/** The result of an S7 job; `undefined` data: an item could not be read or written. */
export type RemoteAnswer =
  | { readonly kind: 'done'; readonly items: readonly (Uint8Array | undefined)[] }
  | { readonly kind: 'failed' }

/** A datagram or message with its sender. */
export interface Received {
  readonly data: Uint8Array
  readonly address: string
  readonly port: number
}

export interface Network {
  /** Establishes a connection; one of this ID is ended first. */
  open(id: number, parameters: ConnectionParameters): void
  close(id: number): void
  phase(id: number): ConnectionPhase | undefined
  parametersOf(id: number): ConnectionParameters | undefined
  /**
   * Hands data over for sending.
   * @param to receiver, of a connection of kind `udp`
   * @returns false when the send buffer has no room now
   */
  send(id: number, data: Uint8Array, to?: { readonly address: string; readonly port: number }): boolean
  /** Bytes that were handed over and have not left yet. */
  unsent(id: number): number
  /** Bytes that arrived, of a connection of kind `tcp`; of others, the bytes of the first message. */
  available(id: number): number
  /** The first bytes that arrived, without taking them; `undefined` when there are fewer. */
  peek(id: number, count: number): Uint8Array | undefined
  /** Takes bytes that arrived, of kind `tcp` up to `count`; of others the first message, whatever its size. */
  take(id: number, count: number): Received | undefined
  /**
   * Starts an S7 job on a configured connection.
   * @returns number of the job; `undefined`: there is no such connection
   */
  request(connection: number, isWrite: boolean, items: readonly RemoteItem[]): number | undefined
  /** The answer of a job, once; `undefined` while it runs. */
  answer(job: number): RemoteAnswer | undefined
  /** BSEND, USEND: sends data to the block with this R_ID of the partner. Returns false without a connection. */
  post(connection: number, reference: number, parts: readonly Uint8Array[]): boolean
  /** BRCV, URCV: takes the data for a block with this R_ID. */
  collect(connection: number, reference: number): readonly Uint8Array[] | undefined
  /** The parameters of a configured connection of open communication (ConnectionType 16#FE). */
  configured(id: number): ConnectionParameters | undefined
}
