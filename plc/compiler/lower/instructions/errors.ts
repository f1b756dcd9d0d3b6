/** GET_ERROR and GET_ERR_ID: a block that uses one of these handles its own errors (runtime/local-errors.ts). */

import { binary, constant, isFalse, local, setLocal, when } from '../../../ir/build.ts'
import type { Expression, Statement } from '../../../ir/ir.ts'
import { errorRoutine } from '../../../library/routine-names.ts'
import { Byte, UInt, Word } from '../../../program/scalars.ts'
import type { ScalarType } from '../../../program/type.ts'
import { assign } from '../assignments.ts'
import type { BlockContext } from '../block-context.ts'
import type { Instruction } from '../instruction.ts'
import { memberOperand } from '../operands.ts'
import type { Operand, Value } from '../values.ts'
import { instruction, nothing } from './arguments.ts'

/** Reads the first error since the last query of the block, 0 when there is none; then ENO is FALSE. */
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

/** GET_ERR_ID(): the number of the error. Without one its target stays unchanged (TIA help V19, "GET_ERR_ID"). */
const errorId: Instruction = instruction('?>ID', (bound) => {
  const { statements, id } = lastError(bound.context)
  const isGiven = binary('notEqual', Word, id, constant(Word, 0n))
  const value: Value = { kind: 'result', type: Word, expression: id, isGiven }
  const output = bound.optional('ID')
  const give = output ? assign(bound.context, output.operand, value, output.at, output.at) : []
  return { statements: [...statements, ...give], value }
})

/** Kinds of blocks as CODE_ADDRESS.BLOCK_TYPE numbers them. */
const blockTypes: Readonly<Record<string, bigint>> = { OB: 1n, FC: 2n, FB: 3n }

/**
 * GET_ERROR(ERROR): writes the structure of the error, which stays unchanged when there is none (TIA Portal help,
 * "GET_ERROR"). Number, reaction, block and area of the data are filled in; offsets and the places of operands belong
 * to Siemens' own code and are 0.
 */
const errorStructure: Instruction = instruction('=ERROR', (bound) => {
  const { context } = bound
  const { operand, at } = bound.given('ERROR')
  const { statements, id } = lastError(context)
  const has = binary('notEqual', Word, id, constant(Word, 0n))
  const ask = (question: 'reaction' | 'area'): Expression => ({
    kind: 'routine',
    routine: errorRoutine(question, context.block.name),
    type: Byte,
    arguments: [],
    setsEno: false,
  })
  const { block } = context
  const parts: readonly (readonly [path: string, type: ScalarType, value: Expression])[] = [
    ['ERROR_ID', Word, id],
    ['FLAGS', Byte, constant(Byte, 0n)],
    ['REACTION', Byte, ask('reaction')],
    ['CODE_ADDRESS.BLOCK_TYPE', Byte, constant(Byte, blockTypes[block.kind] ?? 0n)],
    ['CODE_ADDRESS.CB_NUMBER', UInt, constant(UInt, BigInt(block.number))],
    ['DATA_ADDRESS.AREA', Byte, ask('area')],
  ]
  const given: Statement[] = []
  for (const [path, type, expression] of parts) {
    const target = path
      .split('.')
      .reduce((object: Operand, name): Operand => memberOperand(context, object, name, at), operand)
    if (target.kind === 'wrong') return nothing
    given.push(...assign(context, target, { kind: 'result', type, expression }, at, at))
  }
  return { statements: [...statements, when(has, given)] }
})

export const errorInstructions: Readonly<Record<string, Instruction>> = {
  GET_ERR_ID: errorId,
  GET_ERROR: errorStructure,
}
