/**
 * Questions for types and for NULL as STL has them, calls with OPERAND or IN1 and IN2 and the answer at RET_VAL (TIA
 * help V19, "EQ_Type", "EQ_ElemType", "IS_NULL", "IS_ARRAY" of STL). SCL asks with TypeOf and =, LAD and FBD in the
 * power flow (ladder/type-checks.ts).
 */

import { Bool } from '../../program/scalars.ts'
import type { Instruction } from './instruction.ts'
import { instruction, nothing, routine, valued } from './instructions/arguments.ts'
import { regionOf } from './instructions/regions.ts'
import { compareReferences, nullReference } from './references.ts'
import { compareTypes, typeOfOperand } from './type-questions.ts'

function sameType(question: 'TypeOf' | 'TypeOfElements', isEqual: boolean): Instruction {
  return instruction('IN1 IN2', ({ context, given }) => {
    const [one, other] = [given('IN1'), given('IN2')]
    const left = typeOfOperand(context, question, one.operand, one.at)
    const right = typeOfOperand(context, 'TypeOf', other.operand, other.at)
    if (!left || !right) return nothing
    const { statements, expression } = compareTypes(left, right, isEqual)
    return valued(Bool, expression, statements)
  })
}

function isNull(isAsked: boolean): Instruction {
  return instruction('OPERAND', ({ call, context, given }) => {
    const { operand, at } = given('OPERAND')
    const other = { operand: nullReference(context), at }
    const found = compareReferences(context, isAsked ? '=' : '<>', { operand, at }, other, at)
    if (found?.kind === 'result') return valued(Bool, found.expression)
    if (!found) context.report('wrong-operand', at, `${call.name} asks a Variant or a reference.`)
    return nothing
  })
}

const isArray = instruction('OPERAND', (bound) => {
  const { operand, at } = bound.given('OPERAND')
  const region = regionOf(bound.context, operand, at)
  return region ? valued(Bool, routine(bound, 'variant.isArray', Bool, ...region.values), region.statements) : nothing
})

/** Instructions of STL alone by name in upper case. */
export const statementQuestions: Readonly<Record<string, Instruction>> = {
  EQ_TYPE: sameType('TypeOf', true),
  NE_TYPE: sameType('TypeOf', false),
  EQ_ELEMTYPE: sameType('TypeOfElements', true),
  NE_ELEMTYPE: sameType('TypeOfElements', false),
  IS_NULL: isNull(true),
  NOT_NULL: isNull(false),
  IS_ARRAY: isArray,
}
