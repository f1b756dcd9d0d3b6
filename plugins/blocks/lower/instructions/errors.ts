/** GET_ERROR and GET_ERR_ID: a block that asks for its errors handles them itself (runtime/local-errors.ts). */
import type { Expression, Statement } from '../../program/ir.ts'
import { binary, constant, isFalse, local, setLocal, when } from '../../program/ir-build.ts'
import { Word } from '../../program/scalars.ts'
import { errorRoutine } from '../../runtime/local-errors.ts'
import type { BlockContext } from '../block-context.ts'
import type { Instruction } from '../instructions.ts'
import { memberOperand } from '../operands.ts'
import { assign } from '../reading.ts'
import type { Value } from '../values.ts'
import { instruction, nothing, valued } from './arguments.ts'

/** The first error since the block was asked last, 0 when there was none; ENO is FALSE then. */
function lastError(context: BlockContext): { readonly statements: readonly Statement[]; readonly id: Expression } {
  const { name } = context.block
  const begin: Statement = { kind: 'routine', routine: errorRoutine('begin', name), arguments: [], setsEno: false }
  if (!context.prologue.some((one) => one.kind === 'routine' && one.routine === begin.routine))
    context.prologue.push(begin)
  const id = local(Word, context.local(Word))
  const ask: Expression = {
    kind: 'routine',
    routine: errorRoutine('id', name),
    type: Word,
    arguments: [],
    setsEno: false,
  }
  const tell = context.setsEno
    ? [when(binary('equal', Word, id, constant(Word, 0n)), [{ kind: 'setEno', value: isFalse }])]
    : []
  return { statements: [setLocal((id as { readonly local: number }).local, ask), ...tell], id }
}

/** GET_ERR_ID(): the number of the error. */
const errorId: Instruction = instruction('?>ID', (bound) => {
  const { statements, id } = lastError(bound.context)
  const value: Value = { kind: 'result', type: Word, expression: id }
  const output = bound.optional('ID')
  const give = output ? assign(bound.context, output.operand, value, output.at, output.at) : []
  return valued(Word, id, [...statements, ...give])
})

/** GET_ERROR(ERROR): the structure of the error; of its parts only the number is known here. */
const errorStructure: Instruction = instruction('=ERROR', (bound) => {
  const { operand, at } = bound.given('ERROR')
  const target = memberOperand(bound.context, operand, 'ERROR_ID', at)
  if (target.kind === 'wrong') return nothing
  const { statements, id } = lastError(bound.context)
  const value: Value = { kind: 'result', type: Word, expression: id }
  return { statements: [...statements, ...assign(bound.context, target, value, at, at)] }
})

export const errorInstructions: Readonly<Record<string, Instruction>> = {
  GET_ERR_ID: errorId,
  GET_ERROR: errorStructure,
}
