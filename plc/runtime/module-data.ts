/**
 * User data of modules, for DPRD_DAT, DPWR_DAT, GETIO, SETIO, GETIO_PART and SETIO_PART: inputs come from the
 * periphery, outputs go there and into the process image. Status numbers: TIA Portal help of each.
 */

import { WChar } from '../program/scalars.ts'
import type { Type } from '../program/type.ts'
import type { Cell } from './cells.ts'
import type { RuntimeContext } from './context.ts'
import type { ByteRange } from './hardware.ts'
import { fromWire, toWire, wireSize } from './wire-bytes.ts'

export const moduleDataStatus = {
  /** No module has this hardware identifier. */
  noModule: 0x8090,
  /** The variable has a type that is not supported. */
  wrongType: 0x8092,
  /** The module has no inputs, or no outputs. */
  noData: 0x8093,
  /** The module cannot be read, or be written. */
  noInputs: 0x80a0,
  noOutputs: 0x80a1,
  tooShort: 0x80b1,
  /** The bytes asked for are not all those of the module. */
  outside: 0x80b7,
} as const

/** Some bytes of a module, the first is 0. */
export interface BytesOfModule {
  readonly offset: number
  readonly length: number
}

/** Which types an instruction does not move. */
export type Refused = (type: Type) => boolean

const holds = (type: Type, is: Refused): boolean =>
  is(type) ||
  (type.kind === 'array' && holds(type.element, is)) ||
  ((type.kind === 'struct' || type.kind === 'instance') && type.members.some((member) => holds(member.type, is)))

export const isText: Refused = ({ kind }) => kind === 'string'
export const isWideText: Refused = (type) => type === WChar || (type.kind === 'string' && type.isWide)

interface Found {
  readonly status: number
  /** The bytes in memory, from the first of the area on. */
  readonly from: number
  readonly length: number
}

function find(
  context: RuntimeContext,
  module: number,
  direction: 'inputs' | 'outputs',
  variable: Cell | undefined,
  refused: Refused,
  part: BytesOfModule | undefined,
): Found {
  const hardware = context.hardware?.()
  const refuse = (status: number): Found => ({ status, from: 0, length: 0 })
  const addresses = hardware?.addressesOf(module)
  if (!hardware || !addresses) return refuse(moduleDataStatus.noModule)
  if (!variable || holds(variable.type, refused)) return refuse(moduleDataStatus.wrongType)
  const range: ByteRange | undefined = addresses[direction]
  if (!range) return refuse(moduleDataStatus.noData)
  if (hardware.isGone(module))
    return refuse(direction === 'inputs' ? moduleDataStatus.noInputs : moduleDataStatus.noOutputs)
  const { offset, length } = part ?? { offset: 0, length: range.bytes }
  if (offset < 0 || length < 0 || offset + length > range.bytes) return refuse(moduleDataStatus.outside)
  if (wireSize(variable) < length) return refuse(moduleDataStatus.tooShort)
  const from = range.firstByte + offset
  // The areas of a program may be smaller than the addresses of its hardware.
  const { size } = context.program.areas[direction === 'inputs' ? 'PI' : 'PQ']
  return { status: 0, from, length: Math.max(0, Math.min(length, size - from)) }
}

/**
 * Reads inputs of a module into a variable, from its beginning.
 * @param clearsRest whether bytes of the variable beyond them become 0
 * @returns the status, and how many bytes were read
 */
export function readModule(
  context: RuntimeContext,
  module: number,
  variable: Cell | undefined,
  { refused, part, clearsRest = false }: { refused: Refused; part?: BytesOfModule; clearsRest?: boolean },
): { readonly status: number; readonly length: number } {
  const { status, from, length } = find(context, module, 'inputs', variable, refused, part)
  if (status !== 0 || !variable) return { status, length: 0 }
  const address = context.program.areas.PI.address + from
  const data = new Uint8Array(clearsRest ? wireSize(variable) : length)
  data.set(context.bytes.subarray(address, address + length))
  fromWire(context, variable, data)
  return { status, length }
}

/** Writes the beginning of a variable to the outputs of a module. Returns the status. */
export function writeModule(
  context: RuntimeContext,
  module: number,
  variable: Cell | undefined,
  { refused, part }: { refused: Refused; part?: BytesOfModule },
): number {
  const { status, from, length } = find(context, module, 'outputs', variable, refused, part)
  if (status !== 0 || !variable) return status
  const data = toWire(context, variable).subarray(0, length)
  const { PQ, Q } = context.program.areas
  for (const area of [PQ, Q]) context.bytes.set(data, area.address + from)
  return status
}
