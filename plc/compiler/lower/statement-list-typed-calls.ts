/**
 * Calls of STL that need more than the values of their parameters: EQ_TypeOfDB and NE_TypeOfDB may name a type at IN2,
 * and CompType compares as its template `relation` says (TIA help V19, "EQ_TypeOfDB", "CompType" of STL).
 */

import type { Statement } from '../../ir/ir.ts'
import type { Operand as ModelOperand } from '../../model/operand.ts'
import type { StatementCall } from '../../model/statement.ts'
import { assign } from './assignments.ts'
import { comparison } from './operators.ts'
import type { SourceRange } from './source-range.ts'
import type { StatementMachine } from './statement-list-machine.ts'
import { stlOperand } from './statement-list-operands.ts'
import { compareTypes, typeOfBlock, typeOrVariable } from './type-questions.ts'
import type { Operand } from './values.ts'

type Values = Readonly<Record<'IN1' | 'IN2' | 'result', ModelOperand>>
type Work = (machine: StatementMachine, call: StatementCall, values: Values, at: SourceRange) => readonly Statement[]

const sameBlockType =
  (isEqual: boolean): Work =>
  (machine, { name }, { IN1, IN2, result }, at) => {
    const { context } = machine
    const asked = typeOfBlock(context, name, operandAt(machine, 'IN1', IN1, at), at)
    const type = typeOrVariable(context, IN2, () => operandAt(machine, 'IN2', IN2, at), at)
    if (!asked || !type) return []
    const { statements, ...answer } = compareTypes(asked, type, isEqual)
    return [...statements, ...assign(context, operandAt(machine, 'RET_VAL', result, at), answer, at, at)]
  }

const compare: Work = (machine, { templates = [] }, { IN1, IN2, result }, at) => {
  const { context } = machine
  const relation = templates.find(({ name }) => name.toLowerCase() === 'relation')?.value ?? 'Eq'
  const [left, right] = [IN1, IN2].map((value, i) => ({ operand: operandAt(machine, `IN${i + 1}`, value, at), at }))
  const answer = comparison(context, /^ne$/i.test(relation) ? '<>' : '=', left!, right!, at)
  return answer.kind === 'wrong' ? [] : assign(context, operandAt(machine, 'OUT', result, at), answer, at, at)
}

const works: ReadonlyMap<string, readonly [result: 'RET_VAL' | 'OUT', work: Work]> = new Map([
  ['EQ_TYPEOFDB', ['RET_VAL', sameBlockType(true)]],
  ['NE_TYPEOFDB', ['RET_VAL', sameBlockType(false)]],
  ['COMPTYPE', ['OUT', compare]],
])

/** Lowers such a call; `undefined` when it is another one. */
export function lowerTypedCall(
  machine: StatementMachine,
  call: StatementCall,
  at: SourceRange,
): readonly Statement[] | undefined {
  const found = works.get(call.name.toUpperCase())
  if (!found) return undefined
  const [result, work] = found
  const { context } = machine
  const names = ['IN1', 'IN2', result]
  const given = new Map(call.parameters.map(({ name, value }) => [name.toUpperCase(), value]))
  const all = `Its parameters: ${names.join(', ')}.`
  for (const name of given.keys())
    if (!names.includes(name)) context.report('unknown-parameter', at, `${call.name} has no parameter "${name}".`, all)
  const [IN1, IN2, into] = names.map((name) => {
    const value = given.get(name)
    if (value === undefined)
      context.report('missing-parameter', at, `Parameter "${name}" of ${call.name} is not given.`, all)
    return value
  })
  return IN1 && IN2 && into ? work(machine, call, { IN1, IN2, result: into }, at) : []
}

const operandAt = (machine: StatementMachine, name: string, value: ModelOperand, at: SourceRange): Operand =>
  machine.context.argument(name, () => stlOperand(machine, value, at))
