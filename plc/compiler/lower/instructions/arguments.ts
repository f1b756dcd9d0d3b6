/** Arguments of instructions: by name or by position. */

import type { Expression, Statement } from '../../../ir/ir.ts'
import type { Diagnostic } from '../../../program/program.ts'
import { UDInt } from '../../../program/scalars.ts'
import type { ScalarType } from '../../../program/type.ts'
import { assign } from '../assignments.ts'
import type { Instruction, InstructionCall } from '../instruction.ts'
import { readAs } from '../reading.ts'
import type { SourceRange } from '../source-range.ts'
import type { Called, Operand } from '../values.ts'

/** An argument of the call. */
export interface Given {
  readonly name: string
  readonly operand: Operand
  readonly at: SourceRange
}

/**
 * Returns the arguments in the order of `names`; all are required, and no others are allowed.
 * @returns undefined when there is a fault, which is then reported, or when an argument itself has one
 */
export function bindArguments(call: InstructionCall, names: readonly string[]): Given[] | undefined {
  const inputs = names.map((name): Parameter => ({ name, kind: 'in', isOptional: false }))
  const bound = bindParameters(call, inputs)
  return bound && names.flatMap((name) => bound.get(name) ?? [])
}

/** A parameter of an instruction. */
export interface Parameter {
  readonly name: string
  /** `any`: written `:=` or `=>`, as versions of the instruction differ. */
  readonly kind: 'in' | 'out' | 'inout' | 'any'
  readonly isOptional: boolean
}

/**
 * Parses parameters from a short text: `IN COUNT >OUT POS* ?EXT` – `>` output, `*` in-out, `=` in either direction, `?`
 * optional.
 */
export function parameters(text: string): readonly Parameter[] {
  return text.split(' ').map((word): Parameter => {
    const name = word.replace(/[>?*=]/g, '')
    const kind = word.includes('>') ? 'out' : word.includes('*') ? 'inout' : word.includes('=') ? 'any' : 'in'
    return { name, kind, isOptional: word.includes('?') }
  })
}

/**
 * Returns the arguments by the name of their parameter in upper case. Arguments without names follow the order of the
 * parameters.
 * @returns undefined when there is a fault, which is then reported, or when an argument itself has one
 */
function bindParameters(call: InstructionCall, known: readonly Parameter[]): ReadonlyMap<string, Given> | undefined {
  const { context, name: instruction, at } = call
  const found = new Map<string, Given>()
  let isRight = true
  const refuse = (code: Diagnostic['code'], place: SourceRange, message: string, hint?: string) => {
    context.report(code, place, message, hint)
    isRight = false
  }
  const all = `Its parameters: ${known.map(({ name }) => name).join(', ')}.`
  for (const [i, argument] of call.arguments.entries()) {
    const upper = argument.name?.toUpperCase()
    const parameter = upper === undefined ? known[i] : known.find(({ name }) => name.toUpperCase() === upper)
    if (!parameter) {
      const message =
        argument.name === undefined
          ? `${instruction} takes ${known.length} values, more are given.`
          : `${instruction} has no parameter "${argument.name}".`
      refuse('unknown-parameter', argument.at, message, all)
      continue
    }
    const { name, kind } = parameter
    if (found.has(name.toUpperCase())) refuse('duplicate-parameter', argument.at, `Parameter "${name}" is given twice.`)
    else if (
      argument.name !== undefined &&
      argument.isEither !== true &&
      kind !== 'any' &&
      argument.isOutput !== (kind === 'out')
    )
      refuse(
        'parameter-direction',
        argument.at,
        `"${name}" is ${kind === 'out' ? 'an output' : kind === 'in' ? 'an input' : 'an in-out'}: write ${name} ${kind === 'out' ? '=>' : ':='} …`,
      )
    else if (argument.operand?.kind === 'wrong') isRight = false
    else if (argument.operand) found.set(name.toUpperCase(), { name, operand: argument.operand, at: argument.at })
  }
  for (const { name, isOptional } of known)
    if (
      !isOptional &&
      !call.arguments.some(
        (one, i) => (one.name?.toUpperCase() ?? known[i]?.name.toUpperCase()) === name.toUpperCase() && one.operand,
      )
    )
      refuse('missing-parameter', at, `Parameter "${name}" of ${instruction} is not given.`, all)
  return isRight ? found : undefined
}

/** A call with its arguments assigned to parameters. */
export interface BoundCall {
  readonly call: InstructionCall
  readonly context: InstructionCall['context']
  /** Returns an argument, which exists unless the parameter is optional. */
  given(name: string): Given
  optional(name: string): Given | undefined
}

/** Makes an instruction with these parameters; `work` runs when all arguments are valid. */
export function instruction(text: string, work: (bound: BoundCall) => Called): Instruction {
  const known = parameters(text)
  return (call) => {
    const found = bindParameters(call, known)
    if (!found) return { statements: [] }
    return work({
      call,
      context: call.context,
      given: (name) => found.get(name) as Given,
      optional: (name) => found.get(name),
    })
  }
}

/** Returns a value in the required type; faults are reported. */
export function valueAs(
  { context }: BoundCall,
  { operand, at, name }: Given,
  type: ScalarType,
): Expression | undefined {
  return readAs(context, operand, type, at, `For parameter "${name}"`)
}

/** Writes a result from a register or expression to an output. */
export function giveOut(
  { context }: BoundCall,
  { operand, at }: Given,
  type: ScalarType,
  expression: Expression,
): Statement[] {
  return assign(context, operand, { kind: 'result', type, expression }, at, at)
}

export const nothing: Called = { statements: [] }

/** Returns a call with a scalar value. */
export function valued(type: ScalarType, expression: Expression, statements: readonly Statement[] = []): Called {
  return { statements, value: { kind: 'result', type, expression } }
}

/** Returns a constant of type UDInt: sizes, flags, counts. */
export function number(value: number): Expression {
  return { kind: 'constant', type: UDInt, value: BigInt(value) }
}

/** Calls a runtime routine for its value. */
export function routine(
  { context }: BoundCall,
  name: string,
  type: ScalarType | 'address',
  ...values: readonly Expression[]
): Expression {
  return { kind: 'routine', routine: name, type, arguments: values, setsEno: context.setsEno }
}

/** Calls a runtime routine for its effect. */
export function effect({ context }: BoundCall, name: string, ...values: readonly Expression[]): Statement {
  return { kind: 'routine', routine: name, arguments: values, setsEno: context.setsEno }
}
