/**
 * S7 communication: GET, PUT, BSEND, BRCV, USEND, URCV. STATUS numbers: S7-1200 manual, "Error information" of GET and
 * PUT; System Software for S7-300/400 for the others (docs/plc-semantics.md#communication). ID names a configured
 * connection.
 */
import type { Cell } from '../cells.ts'
import type { RemoteItem } from '../network.ts'
import { anyTarget } from '../routines/any-pointers.ts'
import { fromWire, toWire, wireSize } from '../wire-bytes.ts'
import type { InstanceView, Model } from './instance-view.ts'

const warning = { busy: 11, running: 25 } as const
const error = { communication: 1, refused: 2, pointer: 4, partner: 8 } as const

/** Most items of a job. */
const mostItems = 4

function tell(instance: InstanceView, outcome: 'idle' | 'done' | 'error', status: number): void {
  const isDone = outcome === 'done'
  instance.setAll({ DONE: isDone, NDR: isDone, ERROR: outcome === 'error', STATUS: status })
  if (outcome === 'error') instance.context.fail()
}

/** A local variable and the pointer to the partner's, by the number of the item. */
interface Pair {
  readonly cell: Cell
  readonly pointer: Uint8Array
}

/** The items that are given; `undefined` when one is incomplete or not an address in the partner. */
function pairs(instance: InstanceView, local: 'RD' | 'SD'): Pair[] | undefined {
  const found: Pair[] = []
  for (let i = 1; i <= mostItems; i++) {
    const pointer = instance.pointer(`ADDR_${i}`)
    const target = instance.pointer(`${local}_${i}`)
    const cell = target && anyTarget(instance.context, target)
    if (!pointer && !cell) continue
    if (!pointer || !cell || pointer[0] !== 0x10) return undefined
    if (sizeOfPointer(pointer) !== wireSize(cell) && !(pointer[1] === 1 && cell.bit !== undefined)) return undefined
    found.push({ cell, pointer })
  }
  return found.length === 0 ? undefined : found
}

/** Bytes of the types of ANY pointers, by their codes; a bit counts as a byte. */
const sizes: Readonly<Record<number, number>> = {
  ...{ 1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 4, 7: 4, 8: 4, 9: 2, 10: 4, 11: 4, 12: 2, 14: 8, 19: 1 },
}

function sizeOfPointer(pointer: Uint8Array): number {
  return (sizes[pointer[1] ?? 0] ?? 0) * (((pointer[2] ?? 0) << 8) | (pointer[3] ?? 0))
}

function job(local: 'RD' | 'SD'): Model {
  const isWrite = local === 'SD'
  return (instance) => {
    const { network } = instance.context
    const isEdge = instance.rises('REQ')
    const number = instance.number('STATE')
    if (number > 0) {
      const answer = network?.answer(number)
      if (network && !answer) {
        tell(instance, 'idle', isEdge ? warning.busy : warning.running)
        return
      }
      instance.set('STATE', 0)
      const given = pairs(instance, local)
      if (!answer || answer.kind === 'failed') tell(instance, 'error', error.communication)
      else if (answer.items.some((data) => data === undefined)) tell(instance, 'error', error.partner)
      else if (!given || given.length !== answer.items.length) tell(instance, 'error', error.pointer)
      else {
        if (!isWrite)
          for (const [i, { cell }] of given.entries())
            fromWire(instance.context, cell, answer.items[i] ?? new Uint8Array(0))
        tell(instance, 'done', 0)
      }
      return
    }
    if (!isEdge) {
      tell(instance, 'idle', 0)
      return
    }
    const given = pairs(instance, local)
    if (!given) {
      tell(instance, 'error', error.pointer)
      return
    }
    const items = given.map(({ cell, pointer }): RemoteItem => {
      return isWrite ? { pointer, data: toWire(instance.context, cell) } : { pointer }
    })
    const begun = network?.request(instance.number('ID'), isWrite, items)
    if (begun === undefined) {
      tell(instance, 'error', error.communication)
      return
    }
    instance.set('STATE', begun)
    tell(instance, 'idle', warning.running)
  }
}

/** The parts to send or receive: SD_1 … or RD_1 …, with LEN for the first one of BSEND. */
function parts(instance: InstanceView, local: 'RD' | 'SD'): Cell[] {
  return Array.from({ length: mostItems }, (_one, i) => instance.pointer(`${local}_${i + 1}`)).flatMap((target) => {
    const cell = target && anyTarget(instance.context, target)
    return cell ? [cell] : []
  })
}

const postData: Model = (instance) => {
  const { network } = instance.context
  const isEdge = instance.rises('REQ')
  if (instance.number('STATE') > 0) {
    instance.set('STATE', 0)
    tell(instance, 'done', 0)
    return
  }
  if (!isEdge) {
    tell(instance, 'idle', 0)
    return
  }
  const cells = parts(instance, 'SD')
  const length = instance.has('LEN') ? instance.number('LEN') : 0
  const data = cells.map((cell, i) => {
    const whole = toWire(instance.context, cell)
    return i === 0 && length > 0 && length < whole.length ? whole.subarray(0, length) : whole
  })
  if (data.length === 0) tell(instance, 'error', error.pointer)
  else if (network?.post(instance.number('ID'), instance.number('R_ID'), data) !== true)
    tell(instance, 'error', error.communication)
  else {
    instance.set('STATE', 1)
    tell(instance, 'idle', warning.running)
  }
}

const collectData: Model = (instance) => {
  const { network } = instance.context
  if (!instance.is('EN_R')) {
    tell(instance, 'idle', 0)
    return
  }
  const data = network?.collect(instance.number('ID'), instance.number('R_ID'))
  if (!data) {
    tell(instance, 'idle', warning.running)
    return
  }
  const cells = parts(instance, 'RD')
  const isTooLong = data.some((part, i) => {
    const cell = cells[i]
    return cell === undefined || part.length > wireSize(cell)
  })
  if (isTooLong) {
    tell(instance, 'error', error.pointer)
    return
  }
  for (const [i, part] of data.entries()) {
    const cell = cells[i]
    if (cell) fromWire(instance.context, cell, part)
  }
  if (instance.has('LEN')) instance.set('LEN', data[0]?.length ?? 0)
  tell(instance, 'done', 0)
}

/** Models by name in upper case. */
export const s7CommunicationModels: Readonly<Record<string, Model>> = {
  GET: job('RD'),
  PUT: job('SD'),
  BSEND: postData,
  USEND: postData,
  BRCV: collectData,
  URCV: collectData,
}
