/**
 * The organization blocks as the controller's thread uses them: when they run, and where their start information is
 * written.
 */

import type { LinkedProgram } from '../../../plc/compiler/codegen/linked-program.ts'
import type { OrganizationBlock, ProgramSymbols, SymbolMember } from '../../../plc/program/program-symbols.ts'
import type { StartInformation } from '../../../plc/runtime/block-events.ts'
import { writeDateAndTime } from '../../../plc/runtime/calendar.ts'
import type { ControllerOptions } from './contract.ts'

/** A field of start information. */
export interface InformationField {
  /** In upper case, without the prefix `OB1_` of classic blocks. */
  readonly name: string
  readonly address: number
  /** Size in bytes; 0 means one bit. */
  readonly size: number
  readonly bit: number
  readonly isBigEndian: boolean
}

/** An organization block with the addresses of its start information. */
export interface OrganizationBlockPlan extends Omit<OrganizationBlock, 'startInformation'> {
  /** Empty when the block reads none. */
  readonly information: readonly InformationField[]
}

/** Lists the organization blocks of a program with the addresses of their start information. */
export function planOrganizationBlocks(symbols: ProgramSymbols, linked: LinkedProgram): OrganizationBlockPlan[] {
  const { address, readers } = linked.startInformation
  const isReader = new Set(readers)
  return symbols.organizationBlocks.map(({ startInformation, ...block }) => ({
    ...block,
    information: isReader.has(block.name)
      ? startInformation.map((member) => field(member, symbols, address, block.access === 'standard'))
      : [],
  }))
}

function field(member: SymbolMember, symbols: ProgramSymbols, base: number, isStandard: boolean): InformationField {
  const type = symbols.types[member.type]
  const bits = type?.kind === 'scalar' ? type.scalar.bits : type?.kind === 'dateAndTime' ? 64 : 8
  return {
    name: member.name.toUpperCase().replace(/^OB\d+_/, ''),
    address: base + member.byte,
    size: member.bit === undefined ? bits >> 3 || 1 : 0,
    bit: member.bit ?? 0,
    isBigEndian: isStandard,
  }
}

/**
 * Returns cycle and phase of a cyclic interrupt, microseconds. The controller's options override the program's
 * attributes.
 */
export function cycleOf(
  {
    number,
    eventClass,
    cycleTimeUs = eventClass === 'CyclicInterrupt' ? 100_000 : 0,
    phaseUs = 0,
  }: OrganizationBlockPlan,
  { cyclicInterrupts }: ControllerOptions,
): { readonly cycleUs: number; readonly phaseUs: number } {
  const own = cyclicInterrupts[number]
  if (own === undefined) return { cycleUs: cycleTimeUs, phaseUs }
  return { cycleUs: own.cycleTimeMs * 1000, phaseUs: (own.phaseMs ?? 0) * 1000 }
}

/** Values by field name; a date and time as nanoseconds since 1970. */
export type Information = StartInformation

/** Writes start information; fields without a value are 0. */
export function writeInformation(block: OrganizationBlockPlan, values: Information, view: DataView): void {
  for (const { name, address, size, bit, isBigEndian } of block.information) {
    const value = values[name] ?? 0
    if (typeof value === 'bigint') {
      if (size === 8) writeDateAndTime(view, address, value)
      continue
    }
    const number = Number(value)
    if (size === 0) {
      const before = view.getUint8(address)
      view.setUint8(address, number === 0 ? before & ~(1 << bit) : before | (1 << bit))
    } else if (size === 1) view.setUint8(address, number)
    else if (size === 2) view.setUint16(address, number, !isBigEndian)
    else if (size === 4) view.setUint32(address, number, !isBigEndian)
    else view.setBigUint64(address, BigInt(Math.trunc(number)), !isBigEndian)
  }
}
