/**
 * GetBlockName, GetSymbolName, GetInstanceName …: names as texts. Names of blocks and tags are known at compile time:
 * GetSymbolName of a parameter gives the parameter's own name, not that of the variable that a caller passed. Names of
 * instances are found at run time.
 */
import { address } from '../../../ir/build.ts'
import { instanceRoutine, shortened } from '../../../library/routine-names.ts'
import { DInt } from '../../../program/scalars.ts'
import type { Instruction } from '../instruction.ts'
import { textOf } from '../operands.ts'
import { type BoundCall, effect, instruction, nothing, number, valueAs } from './arguments.ts'
import { newText, textValue } from './strings.ts'

/** The text cut to SIZE characters, where SIZE is a constant other than 0. */
function cut(bound: BoundCall, text: string) {
  const size = bound.optional('SIZE')?.operand
  const value = shortened(text, size?.kind === 'constant' ? Number(size.value) : 0)
  return { statements: [], value: { kind: 'constant', value, text: `'${value}'` } } as const
}

const blockName: Instruction = instruction('?SIZE', (bound) => cut(bound, bound.context.block.name))

const symbolName: Instruction = instruction('VARIABLE ?SIZE', (bound) => {
  const { operand } = bound.given('VARIABLE')
  return cut(bound, textOf(operand).replace(/^#|"/g, ''))
})

/** The name or path of the instance, in a function block. */
function instanceText(kind: 'name' | 'path'): Instruction {
  return instruction('?SIZE', (bound) => {
    const { context, call } = bound
    if (context.block.kind !== 'FB') {
      const message = `${call.name} is for function blocks: ${context.block.kind === 'OB' ? 'an organization block' : 'a function'} has no instance.`
      context.report('unsupported', call.at, message, 'Call it in a function block, or use GetBlockName.')
      return nothing
    }
    const given = bound.optional('SIZE')
    const size = given ? valueAs(bound, given, DInt) : number(0)
    if (!size) return nothing
    const { text, prepare } = newText(context, true, longestPath)
    const own = address({
      base: { kind: 'instance' },
      offset: 0,
      indices: [],
      isStandard: context.block.access === 'standard',
    })
    const run = effect(bound, instanceRoutine(kind, context.block.name), own, address(text.place), size)
    return { statements: [prepare, run], value: textValue(text, call.name) }
  })
}

/** Largest number of characters of a path: longer ones are cut. */
const longestPath = 1022

export const nameInstructions: Readonly<Record<string, Instruction>> = {
  GETBLOCKNAME: blockName,
  GETSYMBOLNAME: symbolName,
  GETSYMBOLPATH: symbolName,
  GETINSTANCENAME: instanceText('name'),
  GETINSTANCEPATH: instanceText('path'),
}
