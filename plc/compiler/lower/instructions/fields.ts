/**
 * FieldRead and FieldWrite: one component of an array by an index of run time (TIA Portal help, "FieldRead",
 * "FieldWrite"). MEMBER names the first component of the array. An index outside the array sets ENO to FALSE and moves
 * nothing; it is no programming error.
 */

import { and, binary, constant, isFalse, local, setLocal, when } from '../../../ir/build.ts'
import type { Statement } from '../../../ir/ir.ts'
import { DInt } from '../../../program/scalars.ts'
import { typeName } from '../../../program/type-name.ts'
import { assign } from '../assignments.ts'
import type { BlockContext } from '../block-context.ts'
import type { Instruction } from '../instruction.ts'
import { elementOperand, textOf } from '../operands.ts'
import { type Operand, sameType, type Variable } from '../values.ts'
import { type BoundCall, type Given, instruction, nothing, valueAs } from './arguments.ts'

/** Returns the array that an operand is a component of; `undefined`: it is not one, which is then reported. */
function arrayOf(context: BlockContext, { operand, at }: Given, name: string): Variable | undefined {
  if (operand.kind === 'wrong') return undefined
  const element = operand.kind === 'variable' ? operand.element : undefined
  if (operand.kind !== 'variable' || !element || element.of.kind !== 'array' || element.of.dimensions.length !== 1) {
    const message = `MEMBER of ${name} is the first component of an array with one dimension; ${textOf(operand)} is none.`
    context.report('wrong-operand', at, message, 'E.g. MEMBER := "Data".list[0].')
    return undefined
  }
  const { element: _element, ...rest } = operand
  const { limits } = element
  return {
    ...rest,
    type: element.of,
    at: { kind: 'place', place: element.place },
    text: operand.text.replace(/\[…\]$/, ''),
    ...(limits ? { limits } : {}),
  }
}

/** Runs `move` with the component at INDEX when there is one. */
function component(bound: BoundCall, move: (field: Operand, at: Given['at']) => Statement[]): readonly Statement[] {
  const { context, call } = bound
  const member = bound.given('MEMBER')
  const array = arrayOf(context, member, call.name)
  const index = valueAs(bound, bound.given('INDEX'), DInt)
  if (array?.type.kind !== 'array' || !index) return []
  const [dimension] = array.type.dimensions
  if (dimension?.low === undefined || dimension.high === undefined) {
    const message = `The limits of ${array.text} are not known to ${call.name}.`
    context.report('open-array', member.at, message, 'Write the element with its index in brackets.')
    return []
  }
  const number = context.local(DInt)
  const isInside = and(
    binary('greaterOrEqual', DInt, local(DInt, number), constant(DInt, BigInt(dimension.low))),
    binary('lessOrEqual', DInt, local(DInt, number), constant(DInt, BigInt(dimension.high))),
  )
  const field = elementOperand(context, array, [{ expression: local(DInt, number), at: member.at }], member.at)
  return [
    setLocal(number, index),
    when(isInside, move(field, member.at), context.setsEno ? [{ kind: 'setEno', value: isFalse }] : []),
  ]
}

/** VALUE has the type of the components: nothing is converted (TIA help V19, "FieldRead", "FieldWrite"). */
function hasTypeOf({ context, call }: BoundCall, value: Given, field: Operand): boolean {
  const [own, wanted] = [value.operand, field].map((one) => (one.kind === 'variable' ? one.type : undefined))
  if (!own || !wanted || own === wanted || sameType(own, wanted)) return true
  const message = `VALUE of ${call.name} has the type of the components, ${typeName(wanted)}, not ${typeName(own)}.`
  context.report('type-mismatch', value.at, message, 'It converts nothing.')
  return false
}

const fieldRead = instruction('INDEX MEMBER >VALUE', (bound) => {
  const value = bound.given('VALUE')
  const statements = component(bound, (field, at) =>
    hasTypeOf(bound, value, field) ? assign(bound.context, value.operand, field, value.at, at) : [],
  )
  return statements.length === 0 ? nothing : { statements }
})

const fieldWrite = instruction('INDEX VALUE =MEMBER', (bound) => {
  const value = bound.given('VALUE')
  const statements = component(bound, (field, at) =>
    hasTypeOf(bound, value, field) ? assign(bound.context, field, value.operand, at, value.at) : [],
  )
  return statements.length === 0 ? nothing : { statements }
})

/** Instructions by name in upper case. */
export const fieldInstructions: Readonly<Record<string, Instruction>> = {
  FIELDREAD: fieldRead,
  FIELDWRITE: fieldWrite,
}
