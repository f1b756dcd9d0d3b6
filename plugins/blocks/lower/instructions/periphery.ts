/**
 * Instructions that reach modules: consistent data, module states. No hardware answers, so they are models that end with the status of an
 * identifier without a module (TIA Portal help of each instruction).
 */
import { constant, isFalse } from '../../program/ir-build.ts'
import { Int, UInt } from '../../program/scalars.ts'
import type { Instruction } from '../instructions.ts'
import { instruction, nothing, valueAs, valued } from './arguments.ts'
import { regionOf, targetRegion } from './regions.ts'

/** 16#8090: no module is configured under this identifier. */
const noModule = 0x8090n

/** The status as Int, with ENO FALSE; the record is left as it is. */
function consistentData(isRead: boolean): Instruction {
  return instruction(isRead ? 'LADDR =RECORD' : 'LADDR RECORD', (bound) => {
    const module = valueAs(bound, bound.given('LADDR'), UInt)
    const { operand, at } = bound.given('RECORD')
    const record = isRead ? targetRegion(bound.context, operand, at) : regionOf(bound.context, operand, at)
    if (!module || !record) return nothing
    const failed = bound.context.setsEno ? [{ kind: 'setEno' as const, value: isFalse }] : []
    return valued(Int, constant(Int, BigInt.asIntN(16, noModule)), failed)
  })
}

export const peripheryInstructions: Readonly<Record<string, Instruction>> = {
  DPRD_DAT: consistentData(true),
  DPWR_DAT: consistentData(false),
}
