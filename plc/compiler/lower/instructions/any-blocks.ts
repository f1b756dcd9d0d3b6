/**
 * Data blocks by number: ReadFromArrayDB, WriteToArrayDB, DB_ANY_TO_VARIANT, VARIANT_TO_DB_ANY (TIA Portal help of
 * each). The runtime part is in runtime/routines/any-blocks.ts.
 */
import { address, binary, constant, convert, local, setLocal } from '../../../ir/build.ts'
import { DbAny, DInt, Int, UDInt, UInt } from '../../../program/scalars.ts'
import type { Instruction } from '../instruction.ts'
import { arrayOfBlock, textOf } from '../operands.ts'
import type { Value } from '../values.ts'
import { giveOut, instruction, nothing, routine, valueAs, valued } from './arguments.ts'
import { regionOf, sourceRegion, targetRegion } from './regions.ts'

/**
 * ReadFromArrayDB(DB, INDEX, VALUE) and WriteToArrayDB: an element of an array data block, by its index; returns the
 * status as Int. A constant gets the type of the elements when the block is given by name.
 */
function arrayBlock(isRead: boolean): Instruction {
  return instruction('DB INDEX =VALUE', (bound) => {
    const { context, call } = bound
    const [block, value] = [bound.given('DB'), bound.given('VALUE')]
    const array = block.operand.kind === 'block' ? arrayOfBlock(block.operand.block) : undefined
    if (block.operand.kind === 'block' && array?.type.kind !== 'array') {
      const message = `${call.name} takes an array data block; ${textOf(block.operand)} is none.`
      context.report('wrong-operand', block.at, message, 'Declare it as Array[…] of the type of its elements.')
      return nothing
    }
    const element = array?.type.kind === 'array' ? array.type.element : undefined
    const number = valueAs(bound, block, DbAny)
    const index = valueAs(bound, bound.given('INDEX'), DInt)
    const target = isRead ? targetRegion(context, value.operand, value.at) : undefined
    const other = target ?? (isRead ? undefined : sourceRegion(context, value.operand, value.at, element))
    if (!number || !index || !other) return nothing
    const run = routine(bound, isRead ? 'anyBlock.read' : 'anyBlock.write', Int, number, index, ...other.values)
    const status = context.local(Int)
    return valued(Int, local(Int, status), [...other.statements, setLocal(status, run), ...(target?.after ?? [])])
  })
}

/** DB_ANY_TO_VARIANT(IN, ERR): a Variant that points to the data block. */
const toVariant = instruction('IN =ERR', (bound) => {
  const { context, call } = bound
  const number = valueAs(bound, bound.given('IN'), DbAny)
  if (!number) return nothing
  const place = context.frame({ kind: 'pointer', form: 'Variant' })
  const status = context.local(Int)
  const value: Value = {
    kind: 'variable',
    type: { kind: 'pointer', form: 'Variant' },
    at: { kind: 'place', place },
    readOnly: 'constant',
    text: call.name,
  }
  const run = setLocal(status, routine(bound, 'anyBlock.toVariant', Int, number, address(place)))
  return { statements: [run, ...giveOut(bound, bound.given('ERR'), Int, local(Int, status))], value }
})

/** VARIANT_TO_DB_ANY(IN, ERR): the number of the data block that a Variant points to, 0 when it points to none. */
const ofVariant = instruction('IN =ERR', (bound) => {
  const { context } = bound
  const input = bound.given('IN')
  const region = regionOf(context, input.operand, input.at)
  if (!region) return nothing
  const both = context.local(UDInt)
  const upper = binary('shiftRight', UDInt, local(UDInt, both), constant(UInt, 16n))
  const lower = binary('and', UDInt, local(UDInt, both), constant(UDInt, 0xffffn))
  return valued(DbAny, convert(lower, UDInt, DbAny, 'value'), [
    ...region.statements,
    setLocal(both, routine(bound, 'anyBlock.ofVariant', UDInt, ...region.values)),
    ...giveOut(bound, bound.given('ERR'), Int, convert(upper, UDInt, Int, 'value')),
  ])
})

export const anyBlockInstructions: Readonly<Record<string, Instruction>> = {
  READFROMARRAYDB: arrayBlock(true),
  WRITETOARRAYDB: arrayBlock(false),
  DB_ANY_TO_VARIANT: toVariant,
  VARIANT_TO_DB_ANY: ofVariant,
}
