/** STL: CALL, UC and CC. */

import { when } from '../../ir/build.ts'
import type { Statement as IrStatement } from '../../ir/ir.ts'
import { withInstance } from '../../languages/ladder/instructions.ts'
import type { Operand as ModelOperand } from '../../model/operand.ts'
import { operandText } from '../../model/operand-text.ts'
import type { Statement, StatementCall } from '../../model/statement.ts'
import { blockNamed, type ProgramBlock } from '../../program/program.ts'
import { systemBlockName } from '../../program/system-block-numbers.ts'
import type { Member } from '../../program/type.ts'
import { typeName } from '../../program/type-name.ts'
import { assign } from './assignments.ts'
import { callFunction, callInstance, instanceVariable } from './calls.ts'
import { findStatementInstruction, unknownInstruction } from './instructions.ts'
import { lowerPath } from './model-operand.ts'
import { textOf, wholeVariable } from './operands.ts'
import type { SourceRange } from './source-range.ts'
import type { StatementMachine } from './statement-list-machine.ts'
import { stlOperand } from './statement-list-operands.ts'
import { lowerTypedCall } from './statement-list-typed-calls.ts'
import { callSystemInstance, instructionOf } from './system-instances.ts'
import type { CallArgument, Called, Operand, Variable } from './values.ts'

/** Output parameters of built-in instructions; all others are inputs. */
const outputParameters: ReadonlySet<string> = new Set(
  'RET_VAL OUT Q QU QD ET CV ENO DSTBLK BVAL CDT DEST DEST_ARRAY DEST_VARIABLE DONE BUSY ERROR STATUS NDR RECORD_OUT ERR_CODE'.split(
    ' ',
  ),
)

/** Lowers CALL, UC or CC; after a call of a block BR is its ENO. */
export function lowerCall(machine: StatementMachine, statement: Statement, at: SourceRange): void {
  const body = workOut(machine, statement, at).flatMap((one): IrStatement[] =>
    one.kind === 'call' && !one.block.startsWith('$') ? [one, { kind: 'setEno', value: { kind: 'calleeEno' } }] : [one],
  )
  machine.add(...(statement.mnemonic === 'CC' ? [machine.context.noted(when(machine.rlo, body), at, 'CC')] : body))
  machine.endLogic()
}

function workOut(machine: StatementMachine, statement: Statement, at: SourceRange): readonly IrStatement[] {
  const { call, operand, mnemonic } = statement
  if (!call) return operand ? callOperand(machine, mnemonic, operand, at) : []
  if (call.target === 'instruction') return callInstruction(machine, call, at)
  const { context } = machine
  if (call.instance) {
    const target = lowerPath(context, call.instance.scope, call.instance.path, at)
    return callOf(machine, target, call, at, findBlock(machine, call))
  }
  if (call.target === 'multiInstance')
    return callOf(machine, lowerPath(context, 'LocalVariable', [{ name: call.name }], at), call, at)
  const block = findBlock(machine, call)
  if (block) return callBlock(machine, block, call, at)
  // STEP 7 classic writes the names of system functions in quotes too.
  if (findStatementInstruction(call.name)) return callInstruction(machine, call, at)
  context.report(
    'undeclared',
    at,
    `There is no block "${call.name || `${call.blockType} ${call.blockNumber}`}" in the program.`,
    'Import the block, or correct its name.',
  )
  return []
}

function findBlock({ context: { program } }: StatementMachine, call: StatementCall): ProgramBlock | undefined {
  const byName = blockNamed(program, call.name)
  if (byName) return byName
  const [, kind = call.blockType, number = String(call.blockNumber ?? '')] = /^(FB|FC)\s*(\d+)$/i.exec(call.name) ?? []
  return program.byNumber.get(`${kind?.toUpperCase()} ${number}`)
}

/** `UC %FC 5`, `CC "block"`: without parameters. */
function callOperand(
  machine: StatementMachine,
  mnemonic: string,
  operand: ModelOperand,
  at: SourceRange,
): readonly IrStatement[] {
  const { context } = machine
  if (operand.kind === 'indirect') {
    context.report(
      'unknown-statement',
      at,
      `${mnemonic} ${operandText(operand)}: blocks whose number is worked out cannot be called.`,
      'Call each block by its name.',
    )
    return []
  }
  const found = stlOperand(machine, operand, at)
  const call: StatementCall = { target: 'block', name: '', parameters: [] }
  return callOf(machine, found, call, at)
}

/** @param wanted the function block that is named beside its instance */
function callOf(
  machine: StatementMachine,
  target: Operand,
  call: StatementCall,
  at: SourceRange,
  wanted?: ProgramBlock,
): readonly IrStatement[] {
  const { context } = machine
  if (target.kind === 'wrong') return []
  if (target.kind === 'block' && !target.block.kind.endsWith('DB') && !wanted)
    return callBlock(machine, target.block, call, at)
  const variable = target.kind === 'block' ? instanceVariable(context, target.block, at) : target
  // A type that does not exist is reported where it is declared.
  if (variable.kind === 'wrong' || (variable.kind === 'variable' && variable.type.kind === 'unknown')) return []
  if (variable.kind !== 'variable' || variable.type.kind !== 'instance') {
    context.report('not-callable', at, `${textOf(target)} cannot be called.`)
    return []
  }
  const { type } = variable
  if (wanted && type.name.toLowerCase() !== wanted.name.toLowerCase())
    return noInstanceOf(machine, variable, `"${wanted.name}"`, at)
  if (type.isSystem) return systemCall(machine, variable, instructionOf(type) ?? type.name, call, at)
  const site = context.site(at)
  const { statements } = callInstance(context, variable, given(machine, call, type.members, at), at, (address) => [
    { kind: 'call', block: type.name, instance: address, arguments: [], results: [], site },
  ])
  return statements
}

function noInstanceOf({ context }: StatementMachine, target: Operand, name: string, at: SourceRange): [] {
  const of = target.kind === 'variable' ? `is of type ${typeName(target.type)}, not an` : 'is no'
  context.report('not-callable', at, `${textOf(target)} ${of} instance of ${name}.`)
  return []
}

function callBlock(
  machine: StatementMachine,
  block: ProgramBlock,
  call: StatementCall,
  at: SourceRange,
): readonly IrStatement[] {
  const { context } = machine
  if (block.kind === 'FC') {
    // The return value of the function is a parameter like the others.
    const isReturn = (name: string) => /^RET_VAL$/i.test(name) && block.returnType?.kind !== 'void'
    const ret = call.parameters.find(({ name }) => isReturn(name))
    const rest = ret ? { ...call, parameters: call.parameters.filter((one) => one !== ret) } : call
    const called = callFunction(context, block, given(machine, rest, block.members, at), at)
    return [...called.statements, ...assignReturn(machine, ret?.value, called, at)]
  }
  const isFb = block.kind === 'FB'
  context.report(
    isFb ? 'no-instance' : 'not-callable',
    at,
    isFb ? `"${block.name}" is a function block: it is called with an instance.` : `"${block.name}" cannot be called.`,
    isFb ? `Write CALL "${block.name}", "its instance data block".` : undefined,
  )
  return []
}

function assignReturn(
  machine: StatementMachine,
  target: ModelOperand | undefined,
  called: Called,
  at: SourceRange,
): readonly IrStatement[] {
  if (!target || !called.value) return []
  return assign(machine.context, stlOperand(machine, target, at), called.value, at, at)
}

/** Returns the arguments; the interface shows which of them are outputs. */
function given(
  machine: StatementMachine,
  call: StatementCall,
  members: readonly Member[],
  at: SourceRange,
): CallArgument[] {
  return call.parameters.map(({ name, value }) => {
    const member = members.find((one) => one.name.toLowerCase() === name.toLowerCase())
    return argument(machine, name, member?.section === 'Output', value, at)
  })
}

function argument(
  machine: StatementMachine,
  name: string,
  isOutput: boolean,
  value: ModelOperand | undefined,
  at: SourceRange,
): CallArgument {
  const read = (given: ModelOperand) => machine.context.argument(name, () => stlOperand(machine, given, at))
  return { name, isOutput, at, ...(value === undefined ? {} : { operand: read(value) }) }
}

// ── Built-in instructions ───────────────────────────────────────────────────────────────────────────────────────────

function isOutput(name: string): boolean {
  return outputParameters.has(name.toUpperCase())
}

function callInstruction(machine: StatementMachine, call: StatementCall, at: SourceRange): readonly IrStatement[] {
  const { context } = machine
  const name = systemBlockName(call.name) ?? call.name
  if (call.instance) {
    const target = lowerPath(context, call.instance.scope, call.instance.path, at)
    const instance = wholeVariable(target)
    const type = instance?.type
    if (instance && (type?.kind === 'instance' || type?.kind === 'struct') && type.isSystem)
      return systemCall(machine, instance, name, call, at)
    if (target.kind === 'wrong' || type?.kind === 'unknown') return []
    return noInstanceOf(machine, instance ?? target, name, at)
  }
  if (withInstance.has(name.toUpperCase())) {
    const hint = `Write CALL ${name}, "its instance data block".`
    context.report('no-instance', at, `${name} is called without an instance.`, hint)
    return []
  }
  const typed = lowerTypedCall(machine, call, at)
  if (typed) return typed
  const instruction = findStatementInstruction(name)
  if (!instruction) {
    context.report('unknown-instruction', at, ...unknownInstruction(name))
    return []
  }
  const list = call.parameters.map(({ name, value }) => ({
    ...argument(machine, name, isOutput(name), value, at),
    isEither: true,
  }))
  return instruction({ context, name, at, arguments: list }).statements
}

function systemCall(
  machine: StatementMachine,
  instance: Variable,
  instruction: string,
  call: StatementCall,
  at: SourceRange,
): readonly IrStatement[] {
  const list = call.parameters.map(({ name, value }) => ({
    ...argument(machine, name, isOutput(name), value, at),
    isEither: true,
  }))
  return callSystemInstance(machine.context, instance, instruction, list, at).statements
}
