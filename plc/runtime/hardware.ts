/**
 * The configured hardware as programs ask for it by hardware identifiers: DeviceStates, ModuleStates, RD_ADDR.
 * Facts: docs/plc-semantics.md#hardware-identifiers.
 */
import { type Cell, partsOf, writeBits } from './cells.ts'

/** Bytes of a module in one direction. */
export interface ByteRange {
  readonly firstByte: number
  readonly bytes: number
}

/** The hardware that was loaded. */
export interface Hardware {
  /** Numbers of the devices of an IO system that are in a state (MODE of DeviceStates); undefined: no such system. */
  deviceStates(system: number, mode: number): readonly number[] | undefined
  /** Slots of an IO device that are in a state (MODE of ModuleStates); undefined: no such device. */
  moduleStates(device: number, mode: number): readonly number[] | undefined
  /** The addresses of a module; undefined: no such module. */
  addressesOf(module: number): { readonly inputs?: ByteRange; readonly outputs?: ByteRange } | undefined
  /** The name of a device of an IO system by its number there. */
  deviceName(system: number, station: number): string | undefined
  /** Whether an IO system is a DP master system, not one of PROFINET. */
  isBus(system: number): boolean
  /** The identifiers of the modules of an IO device or IO system; undefined: it is not one. */
  modulesOf(identifier: number): readonly number[] | undefined
  /** The module that has a byte of the periphery. */
  moduleWith(direction: 'inputs' | 'outputs', byte: number): number | undefined
  /** Whether an IO device is active (D_ACT_DP); undefined: there is no such device. */
  isActive(device: number): boolean | undefined
  setActive(device: number, isActive: boolean): void
  /** Whether the module is pulled or its device is deactivated or its device does not answer. */
  isGone(module: number): boolean
  /** Whether the identifier is one of the hardware that was loaded. */
  isKnown(identifier: number): boolean
}

/** Status of DeviceStates and ModuleStates (TIA Portal help). */
export const hardwareStatus = {
  wrongMode: 0x80b2,
  notThere: 0x8091,
  wrongKind: 0x8092,
  /** STATE is neither a Bool nor an array of them. */
  wrongType: 0x8093,
  /** STATE has fewer elements than the system or device may need. */
  tooShort: 0x8452,
} as const

/** Whether an identifier belongs to the CPU itself or to its interfaces: modules have numbers from 256 on. */
export function isOfCpu(identifier: bigint): boolean {
  return identifier > 0n && identifier < 256n
}

/**
 * Sets bits of a variable in the order of its memory, bit 0 the lowest of its first byte, and clears the others. Bits
 * beyond the variable are lost, as in a controller.
 */
export function writeBitField(view: DataView, target: Cell, bits: readonly number[]): void {
  const wanted = new Set(bits)
  let at = 0
  const visit = (cell: Cell): void => {
    const { type } = cell
    if (type.kind !== 'scalar') {
      for (const part of partsOf(cell)) visit(part)
      return
    }
    const width = type.bits
    let value = 0n
    for (let i = 0; i < width; i++) {
      if (!wanted.has(at + i)) continue
      // The first byte of a word in memory is its high byte.
      const place = width < 8 ? i : (width / 8 - 1 - (i >> 3)) * 8 + (i & 7)
      value |= 1n << BigInt(place)
    }
    writeBits(view, type, cell, value)
    at += width
  }
  visit(target)
}
