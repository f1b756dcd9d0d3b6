/**
 * GetBlockName, GetSymbolName: names as texts. They are known when the program is compiled: GetSymbolName of a parameter gives the parameter's
 * own name, not that of the variable which a caller passed.
 */
import type { Instruction } from '../instructions.ts'
import { textOf } from '../operands.ts'
import { type BoundCall, instruction } from './arguments.ts'

/** The text with at most as many characters as SIZE says, where that is a constant other than 0. */
function cut(bound: BoundCall, text: string) {
  const size = bound.optional('SIZE')?.operand
  const most = size?.kind === 'constant' ? Number(size.value) : 0
  const value = most > 0 && text.length > most ? `${text.slice(0, Math.max(0, most - 3))}...`.slice(0, most) : text
  return { statements: [], value: { kind: 'constant', value, text: `'${value}'` } } as const
}

const blockName: Instruction = instruction('?SIZE', (bound) => cut(bound, bound.context.block.name))

const symbolName: Instruction = instruction('VARIABLE ?SIZE', (bound) => {
  const { operand } = bound.given('VARIABLE')
  return cut(bound, textOf(operand).replace(/^#|"/g, ''))
})

/** Which instance a block works on is not told when it runs. */
const instanceName: Instruction = ({ context, name, at }) => {
  context.report(
    'unsupported',
    at,
    `${name} is not supported: a block does not know the name of its instance.`,
    'Pass the name as an input.',
  )
  return { statements: [] }
}

export const nameInstructions: Readonly<Record<string, Instruction>> = {
  GETBLOCKNAME: blockName,
  GETSYMBOLNAME: symbolName,
  GETSYMBOLPATH: symbolName,
  GETINSTANCENAME: instanceName,
  GETINSTANCEPATH: instanceName,
}
