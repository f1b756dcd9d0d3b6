/**
 * Open user communication: TCON, TDISCON, TSEND, TRCV, TUSEND, TURCV, TSEND_C, TRCV_C, T_DIAG, T_RESET. STATUS numbers:
 * TIA Portal help of each block; docs/plc-semantics.md#communication. DONE, NDR and ERROR stay for one call.
 */
import { defined } from '../../../lib/optional.ts'
import type { ConnectionPhase, Network } from '../network.ts'
import { fromWire, toWire, wireSize } from '../wire-bytes.ts'
import { readConnection } from './connection-parameters.ts'
import type { InstanceView, Model } from './instance-view.ts'

const idle = 0x7000
const first = 0x7001
const running = 0x7002
/** Blocks with `_C`: the connection is established and watched; data are being sent; are being received. */
export const established = 0x7004
const sending = 0x7005
const receiving = 0x7006
const closing = 0x7003

export const codes = {
  wrongId: 0x8086,
  wrongLength: 0x8085,
  areaTooSmall: 0x8088,
  notConnected: 0x80a1,
  isConnected: 0x80a3,
  portTaken: 0x80a1,
  noConnection: 0x80a3,
  noResources: 0x80c4,
  refused: 0x80c5,
  unreachable: 0x80c6,
} as const

/** Most bytes of one job (TCP and ISO-on-TCP; UDP: 1472). */
const mostBytes = { tcp: 65_536, iso: 65_536, udp: 1472 } as const

/** STATUS of a connection that could not be established. */
export function phaseStatus(phase: ConnectionPhase | undefined): number {
  if (phase === 'refused') return codes.refused
  if (phase === 'busyPort') return codes.portTaken
  return codes.unreachable
}

export const isWaiting = (phase: ConnectionPhase | undefined) => phase === 'connecting' || phase === 'listening'

/** Sets the outputs of a job; only one of DONE (or NDR), BUSY and ERROR is on. */
export function tell(
  instance: InstanceView,
  outcome: 'idle' | 'busy' | 'done' | 'error',
  status: number,
  received?: number,
): void {
  instance.setAll({
    DONE: outcome === 'done',
    NDR: outcome === 'done',
    BUSY: outcome === 'busy',
    ERROR: outcome === 'error',
    STATUS: status,
    ...defined({ RCVD_LEN: received }),
  })
  if (outcome === 'error') instance.context.fail()
}

/** Steps of jobs, in the hidden member STATE. */
const steps = { none: 0, connecting: 1, sending: 2, closing: 3 } as const

const idOf = (instance: InstanceView) => instance.number('ID')
const isId = (id: number) => id >= 1 && id <= 4095

const tcon: Model = (instance) => {
  const { network } = instance.context
  const isEdge = instance.rises('REQ')
  const id = idOf(instance)
  if (instance.number('STATE') === steps.connecting) {
    const phase = network?.phase(id)
    if (isWaiting(phase)) {
      tell(instance, 'busy', running)
      return
    }
    instance.set('STATE', steps.none)
    if (phase === 'open') tell(instance, 'done', 0)
    else {
      network?.close(id)
      tell(instance, 'error', phaseStatus(phase))
    }
    return
  }
  if (!isEdge) {
    tell(instance, 'idle', idle)
    return
  }
  if (!isId(id)) {
    tell(instance, 'error', codes.wrongId)
    return
  }
  if (network?.phase(id) !== undefined) {
    tell(instance, 'error', codes.isConnected)
    return
  }
  const read = readConnection(instance.behind('CONNECT'), network)
  if ('status' in read || read.id !== id) {
    tell(instance, 'error', 'status' in read ? read.status : codes.wrongId)
    return
  }
  network?.open(id, read.parameters)
  instance.set('STATE', steps.connecting)
  tell(instance, 'busy', first)
}

const tdiscon: Model = (instance) => {
  const { network } = instance.context
  const isEdge = instance.rises('REQ')
  if (instance.number('STATE') === steps.closing) {
    instance.set('STATE', steps.none)
    tell(instance, 'done', 0)
  } else if (!isEdge) tell(instance, 'idle', idle)
  else if (!isId(idOf(instance))) tell(instance, 'error', codes.wrongId)
  else if (network?.phase(idOf(instance)) === undefined) tell(instance, 'error', codes.noConnection)
  else {
    network.close(idOf(instance))
    instance.set('STATE', steps.closing)
    tell(instance, 'busy', first)
  }
}

/** The data to send; STATUS when LEN or DATA are wrong. */
function dataToSend(instance: InstanceView, most: number): Uint8Array | number {
  const data = instance.behind('DATA')
  const length = instance.number('LEN')
  if (!data) return codes.wrongLength
  const size = wireSize(data.cell)
  if (length > size) return codes.areaTooSmall
  const count = length === 0 ? size : length
  if (count === 0 || count > most) return codes.wrongLength
  return toWire(instance.context, data.cell).subarray(0, count)
}

/** The receiver at ADDR: TADDR_Param, TADDR_SEND… or TADDR_RCV_IP. */
function receiver(instance: InstanceView): { address: string; port: number } | undefined {
  const to = instance.behind('ADDR')
  const parts = to?.elements('REM_IP_ADDR') ?? []
  const list = parts.length > 0 ? parts : (to?.elements('REM_IP_ADDR.ADDR') ?? [])
  const port = to?.number('REM_PORT_NR') ?? 0
  return list.length === 4 && port > 0 ? { address: list.map((part) => part.value).join('.'), port } : undefined
}

/** Hands data over; `undefined` when the buffer has no room yet. Returns STATUS, 0 for success. */
function handOver(instance: InstanceView, network: Network, id: number): number | undefined {
  const kind = network.parametersOf(id)?.kind ?? 'tcp'
  const data = dataToSend(instance, mostBytes[kind])
  if (typeof data === 'number') return data
  const to = kind === 'udp' ? receiver(instance) : undefined
  if (kind === 'udp' && !to) return codes.wrongLength
  return network.send(id, data, to) ? 0 : undefined
}

function send(instance: InstanceView): void {
  const { network } = instance.context
  const isEdge = instance.rises('REQ')
  const id = idOf(instance)
  const step = instance.number('STATE')
  if (step === steps.none && !isEdge) {
    tell(instance, 'idle', idle)
    return
  }
  const fail = (status: number) => {
    instance.set('STATE', steps.none)
    tell(instance, 'error', status)
  }
  if (!isId(id)) fail(codes.wrongId)
  else if (network?.phase(id) !== 'open') fail(codes.notConnected)
  else if (step === steps.sending) {
    if (network.unsent(id) > 0) tell(instance, 'busy', running)
    else {
      instance.set('STATE', steps.none)
      tell(instance, 'done', 0)
    }
  } else {
    const status = handOver(instance, network, id)
    if (status !== undefined && status !== 0) fail(status)
    else {
      instance.set('STATE', status === 0 ? steps.sending : steps.connecting)
      tell(instance, 'busy', step === steps.none ? first : running)
    }
  }
}

/** Takes what has arrived. Returns the number of bytes; `undefined`: not enough yet; a negative one is a STATUS. */
function takeData(instance: InstanceView, network: Network, id: number): number | undefined {
  const data = instance.behind('DATA')
  const length = instance.number('LEN')
  if (!data) return -codes.wrongLength
  const size = wireSize(data.cell)
  if (length > size) return -codes.areaTooSmall
  const isStream = network.parametersOf(id)?.kind === 'tcp'
  const isAdHoc = instance.is('ADHOC')
  const wanted = length === 0 ? size : length
  const there = network.available(id)
  if (there === 0 || (isStream && !isAdHoc && there < wanted)) return undefined
  const received = network.take(id, wanted)
  if (!received) return undefined
  if (received.data.length > size) return -codes.areaTooSmall
  fromWire(instance.context, data.cell, received.data)
  const sender = instance.behind('ADDR')
  if (sender) {
    const bytes = received.address.split('.').map(Number)
    const name = sender.elements('REM_IP_ADDR').length === 4 ? 'REM_IP_ADDR' : 'REM_IP_ADDR.ADDR'
    for (const [i, part] of sender.elements(name).entries()) part.assign(bytes[i] ?? 0)
    sender.set('REM_PORT_NR', received.port)
  }
  return received.data.length
}

function receive(instance: InstanceView): void {
  const { network } = instance.context
  const id = idOf(instance)
  const wasWaiting = instance.number('STATE') !== steps.none
  if (!instance.is('EN_R')) {
    instance.set('STATE', steps.none)
    tell(instance, 'idle', idle, 0)
    return
  }
  if (!isId(id) || !network || network.phase(id) !== 'open') {
    instance.set('STATE', steps.none)
    tell(instance, 'error', isId(id) ? codes.notConnected : codes.wrongId, 0)
    return
  }
  const count = takeData(instance, network, id)
  instance.set('STATE', count === undefined ? steps.connecting : steps.none)
  if (count === undefined) tell(instance, 'busy', wasWaiting ? running : first, 0)
  else if (count < 0) tell(instance, 'error', -count, 0)
  else tell(instance, 'done', 0, count)
}

// ── Blocks that establish the connection too ────────────────────────────────────────────────────────────────────────

/**
 * Keeps the connection of a block while CONT is on; REQ, EN_R and COM_RST act only then (TIA Portal help of TSEND_C and
 * TRCV_C, "REQ, CONT and COM_RST parameters"). Returns its ID when it is open; otherwise the outputs are set.
 */
function kept(instance: InstanceView): { readonly id: number; readonly network: Network } | undefined {
  const { network } = instance.context
  const isWanted = instance.is('CONT')
  const isReset = isWanted && instance.is('COM_RST')
  if (instance.is('COM_RST')) instance.set('COM_RST', false)
  const read = isWanted ? readConnection(instance.behind('CONNECT'), network) : undefined
  const known = instance.behind('CONNECT')?.number('ID') ?? 0
  if (isReset) network?.close(known)
  if (!isWanted) {
    const isOpen = network?.phase(known) !== undefined && instance.number('STATE') !== steps.none
    if (isOpen) network?.close(known)
    instance.set('STATE', steps.none)
    tell(instance, 'idle', isOpen ? closing : idle, 0)
    return undefined
  }
  if (!read || 'status' in read) {
    instance.set('STATE', steps.none)
    tell(instance, 'error', read?.status ?? codes.wrongId, 0)
    return undefined
  }
  const phase = network?.phase(read.id)
  if (phase === 'open' && network) {
    if (instance.number('STATE') === steps.none) instance.set('STATE', steps.connecting)
    return { id: read.id, network }
  }
  if (phase === undefined) {
    network?.open(read.id, read.parameters)
    instance.set('STATE', steps.connecting)
    tell(instance, 'busy', first, 0)
  } else if (isWaiting(phase)) {
    instance.set('STATE', steps.connecting)
    tell(instance, 'busy', running, 0)
  } else {
    network?.close(read.id)
    instance.set('STATE', steps.none)
    tell(instance, 'error', phaseStatus(phase), 0)
  }
  return undefined
}

const tsendC: Model = (instance) => {
  const isEdge = instance.rises('REQ')
  // The edge is remembered in bit 8 of STATE until its data have left. Without CONT nothing is sent.
  const flags = instance.number('STATE')
  const isKept = instance.is('CONT')
  const isPending = isKept && (isEdge || (flags & 0x100) !== 0)
  instance.set('STATE', flags & 0xff)
  const remember = () => instance.set('STATE', instance.number('STATE') | 0x100)
  if (isKept && (flags & 0xff) === steps.sending) {
    const id = instance.behind('CONNECT')?.number('ID') ?? 0
    const { network } = instance.context
    if (network?.phase(id) !== 'open') {
      instance.set('STATE', steps.connecting)
      tell(instance, 'error', codes.notConnected)
    } else if (network.unsent(id) > 0) tell(instance, 'busy', sending)
    else {
      instance.set('STATE', steps.connecting)
      tell(instance, 'done', 0)
    }
    return
  }
  const open = kept(instance)
  if (!open) {
    if (isPending && !instance.is('ERROR')) remember()
    return
  }
  if (!isPending) {
    tell(instance, 'idle', established)
    return
  }
  const status = handOver(instance, open.network, open.id)
  if (status === undefined) {
    remember()
    tell(instance, 'busy', sending)
  } else if (status !== 0) tell(instance, 'error', status)
  else {
    instance.set('STATE', steps.sending)
    tell(instance, 'busy', sending)
  }
}

const trcvC: Model = (instance) => {
  const isEnabled = instance.is('EN_R')
  const open = kept(instance)
  if (!open) return
  if (!isEnabled) {
    tell(instance, 'idle', established, 0)
    return
  }
  const count = takeData(instance, open.network, open.id)
  if (count === undefined) tell(instance, 'busy', receiving, 0)
  else if (count < 0) tell(instance, 'error', -count, 0)
  else tell(instance, 'done', 0, count)
}

/** State of a connection as T_DIAG shows it (TDIAG_Status: State). */
const diagnosedStates: Readonly<Record<string, number>> = { connecting: 2, listening: 3, open: 4 }

const tdiag: Model = (instance) => {
  const { network } = instance.context
  if (!instance.rises('REQ')) {
    tell(instance, 'idle', idle)
    return
  }
  const phase = network?.phase(idOf(instance))
  if (!isId(idOf(instance))) tell(instance, 'error', codes.wrongId)
  else if (phase === undefined) tell(instance, 'error', codes.noConnection)
  else {
    instance.behind('RESULT')?.setAll({ State: diagnosedStates[phase] ?? 1, Kind: 3 })
    tell(instance, 'done', 0)
  }
}

const treset: Model = (instance) => {
  const { network } = instance.context
  if (!instance.rises('REQ')) {
    tell(instance, 'idle', idle)
    return
  }
  const id = idOf(instance)
  const parameters = network?.parametersOf(id)
  if (!network || !parameters) tell(instance, 'error', 0x8081)
  else {
    network.open(id, parameters)
    tell(instance, 'done', 0)
  }
}

/** Models by name in upper case. */
export const openCommunicationModels: Readonly<Record<string, Model>> = {
  TCON: tcon,
  TDISCON: tdiscon,
  TSEND: send,
  TUSEND: send,
  TRCV: receive,
  TURCV: receive,
  TSEND_C: tsendC,
  TRCV_C: trcvC,
  T_DIAG: tdiag,
  TRESET: treset,
  T_RESET: treset,
}
