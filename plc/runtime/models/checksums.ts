/**
 * GetChecksum and SHA2 (TIA Portal help of both, with their status numbers). A virtual controller has no checksums of
 * blocks and texts as TIA Portal computes them: it returns 16#8091, not supported by the CPU. SHA2 hashes the bytes of
 * a value in standard access, so that the result does not depend on the access of a block; this is a choice of this
 * project, the help does not state it.
 */
import { createHash } from 'node:crypto'
import { countOf, extentOf } from '../../program/layout.ts'
import { Byte } from '../../program/scalars.ts'
import type { Type } from '../../program/type.ts'
import { type Cell, countElements, elementAt, partsOf, readBits, writeBits } from '../cells.ts'
import type { InstanceView, Model } from './instance-view.ts'

const checksum: Model = (instance) => {
  const scope = instance.number('Scope')
  const status =
    scope < 1 || scope > 3
      ? 0x8080
      : instance.number('Range') !== 0
        ? 0x8081
        : instance.number('Subrange') !== 0
          ? 0x8082
          : 0x8091
  instance.setAll({ Done: false, Busy: false, Error: true, Status: status })
}

const algorithms: Readonly<Record<number, string>> = { 224: 'sha224', 256: 'sha256', 384: 'sha384', 512: 'sha512' }

function isBits(type: Type): boolean {
  return type.kind === 'scalar' ? type.bits === 1 : type.kind === 'array' && isBits(type.element)
}

/** Size of a value in bytes, without the byte that fills it up to an even number. */
function lengthOf(type: Type): number {
  return type.kind === 'array' ? countOf(type) * lengthOf(type.element) : extentOf(type, 'standard').size
}

/** Writes the bytes of a value at their places in standard access. */
function putBytes(view: DataView, cell: Cell, target: DataView, at: number): void {
  const { type } = cell
  if (type.kind === 'scalar') {
    writeBits(
      target,
      type,
      { type, address: at, isStandard: true, ...(type.bits === 1 ? { bit: 0 } : {}) },
      readBits(view, type, cell),
    )
    return
  }
  const parts = partsOf(cell)
  const standard = partsOf({ type, address: at, isStandard: true })
  for (const [i, part] of parts.entries()) {
    const to = standard[i]
    if (!to) continue
    if (part.type.kind === 'scalar') writeBits(target, part.type, to, readBits(view, part.type, part))
    else putBytes(view, part, target, to.address)
  }
  if (parts.length > 0) return
  // Texts and dates are copied as bytes; the words of a WString change their byte order.
  const { size } = extentOf(type, 'standard')
  const step = type.kind === 'string' && type.isWide ? 2 : 1
  for (let i = 0; i < size; i += step) {
    if (step === 2) target.setUint16(at + i, view.getUint16(cell.address + i, !cell.isStandard))
    else target.setUint8(at + i, view.getUint8(cell.address + i))
  }
}

/** Runs a job and returns its status; 0: the hash is written. */
function hash(instance: InstanceView): number {
  const { view } = instance.context
  const [data, target] = [instance.behind('Data')?.cell, instance.behind('Hash')?.cell]
  if (!data) return 0x8252
  if (!target) return 0x8952
  if (isBits(data.type)) return 0x8251
  if (target.type.kind !== 'array' || target.type.element !== Byte) return 0x8951
  const algorithm = algorithms[instance.number('HashLen')]
  if (algorithm === undefined) return 0x80a3
  if (countElements(target) * 8 < instance.number('HashLen')) return 0x8082
  const { size } = extentOf(data.type, 'standard')
  const length = instance.number('DataLen') || lengthOf(data.type)
  if (length > size) return 0x8080
  const bytes = new Uint8Array(size)
  putBytes(view, data, new DataView(bytes.buffer), 0)
  const digest = createHash(algorithm).update(bytes.subarray(0, length)).digest()
  for (const [i, byte] of digest.entries()) writeBits(view, Byte, elementAt(target, i), BigInt(byte))
  return 0
}

/** Starts with the rising edge of REQ; the second call gives the result. */
const sha2: Model = (instance) => {
  const request = instance.is('REQ')
  const isRunning = instance.number('STATE') !== 0
  const starts = !isRunning && request && !instance.is('REQ_OLD')
  instance.setAll({ REQ_OLD: request, STATE: starts ? 1 : 0, Busy: starts, Done: false, Error: false })
  if (!isRunning) {
    instance.set('Status', starts ? 0x7001 : 0x7000)
    return
  }
  const status = hash(instance)
  instance.setAll({ Done: status === 0, Error: status !== 0, Status: status })
}

export const checksumModels: Readonly<Record<string, Model>> = { GETCHECKSUM: checksum, SHA2: sha2 }
