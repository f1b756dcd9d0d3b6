/**
 * Programming errors as programs see them: generated code packs the facts into one number, hosts unpack it. The numbers
 * of errors, areas and reactions are those of GET_ERROR (TIA Portal help), widths and the classic area those of the
 * start information of OB 121 (System Manual S7-1200, table "SI_ProgIOAccessError"; System Software for S7-300/400, OB
 * 121).
 */

/** The area of the access, as generated code knows it; `other`: through an address. */
export type FaultArea = 'I' | 'Q' | 'M' | 'PI' | 'PQ' | 'block' | 'instance' | 'frame' | 'other'

const areas: readonly FaultArea[] = ['other', 'I', 'Q', 'M', 'PI', 'PQ', 'block', 'instance', 'frame']

export interface ProgrammingFault {
  /** 16#2533: the reference is NULL; 16#2522: read, or 16#2523: write, outside the valid range; 16#2521: no BCD. */
  readonly id: number
  readonly isWrite: boolean
  readonly area: FaultArea
  /** Size of the access in bits: 1, 8, 16, 32 or 64. */
  readonly bits: number
  /** Address of the data block in the program's memory, when known. */
  readonly dataBlock?: number
}

const noBcd = 0x2521
const nullReference = 0x2533
const readOutside = 0x2522
const writtenOutside = 0x2523

/**
 * Packs a fault as generated code passes it: bit 0 a write, bit 1 through a reference, bits 4 to 7 the area, from bit 8
 * on the size of the access in bits.
 */
export function packFault(isWrite: boolean, isReference: boolean, area: FaultArea, bits: number): number {
  return (isWrite ? 1 : 0) | (isReference ? 2 : 0) | (areas.indexOf(area) << 4) | (bits << 8)
}

export function unpackFault(what: number, dataBlock: number): ProgrammingFault {
  const isWrite = (what & 1) === 1
  return {
    id: (what & 2) === 2 ? nullReference : isWrite ? writtenOutside : readOutside,
    isWrite,
    area: areas[(what >> 4) & 15] ?? 'other',
    bits: what >> 8,
    ...(dataBlock === 0 ? {} : { dataBlock }),
  }
}

/** A value that is converted is no BCD number: no access. */
export const digitFault: ProgrammingFault = { id: noBcd, isWrite: false, area: 'other', bits: 16 }

const areaCodes: Readonly<Record<FaultArea, number>> = {
  I: 0x81,
  Q: 0x82,
  M: 0x83,
  PI: 0x01,
  PQ: 0x02,
  block: 0x84,
  instance: 0x85,
  frame: 0x86,
  other: 0,
}

/** The area code of GET_ERROR and of the OBs of S7-1200 and S7-1500; 0: not known. */
export function areaCode({ area }: ProgrammingFault): number {
  return areaCodes[area]
}

/** The width of the access: 0 a bit, 1 a byte, 2 a word, 3 a double word, 4 a long word. */
export function widthCode({ bits }: ProgrammingFault): number {
  return { 1: 0, 8: 1, 16: 2, 32: 3, 64: 4 }[bits] ?? 1
}

const classicAreas: Readonly<Record<FaultArea, number>> = {
  PI: 0,
  PQ: 0,
  I: 1,
  Q: 2,
  M: 3,
  block: 4,
  instance: 5,
  frame: 6,
  other: 4,
}

/**
 * OB121_MEM_AREA: the width in the upper half; in the lower half 0 periphery, 1 I, 2 Q, 3 M, 4 data block, 5 instance,
 * 6 local data.
 */
export function classicArea(fault: ProgrammingFault): number {
  return (Math.min(widthCode(fault), 3) << 4) | classicAreas[fault.area]
}

/** The reaction of the CPU: 1, a read gives 0; 0, a write is left out. */
export function reactionCode({ isWrite }: ProgrammingFault): number {
  return isWrite ? 0 : 1
}

/** Describes the fault for messages. */
export function faultText({ id, isWrite }: ProgrammingFault): string {
  if (id === noBcd) return 'a value that is no BCD number'
  if (id === nullReference) return `nothing behind a reference that is ${isWrite ? 'written' : 'read'}`
  return `an index outside its array where it is ${isWrite ? 'written' : 'read'}`
}
