/**
 * Queries of the type that a Variant or DB_ANY has at run time: `TypeOf(#v) = Int`, `TypeOfElements(#v) = TypeOf(#x)`,
 * the labels of `CASE TypeOf(#v) OF`, and assignment attempts `#reference ?= #v` (TIA Portal help, "TypeOf",
 * "TypeOfElements", "Assignment attempt").
 */

import { constant, not, store } from '../../ir/build.ts'
import type { Expression, Statement } from '../../ir/ir.ts'
import type { Operand as ModelOperand } from '../../model/operand.ts'
import { operandText } from '../../model/operand-text.ts'
import { Bool, DInt, UDInt } from '../../program/scalars.ts'
import type { Type } from '../../program/type.ts'
import { typeName } from '../../program/type-name.ts'
import type { BlockContext } from './block-context.ts'
import { regionOf, typeAddress } from './instructions/regions.ts'
import { textOf } from './operands.ts'
import { named, readAs, requireWritable } from './reading.ts'
import type { SourceRange } from './source-range.ts'
import type { Operand, Result } from './values.ts'

/** A type that is known only at run time, or a named type. */
export interface AskedType {
  /** Address of the type, number of the element, 1 for the type of the elements. */
  readonly values: readonly [Expression, Expression, Expression]
  /** Number of a data block whose type is queried instead. */
  readonly block?: Expression
  readonly statements: readonly Statement[]
}

/** Means no element, as in runtime/routines/memory.ts. */
const whole = constant(DInt, -0x8000_0000n)

/** Resolves a type name: `Int`, `"MyType"`. */
export function namedType(context: BlockContext, name: string, at: SourceRange): AskedType | undefined {
  const type = context.program.typeOf(name)
  if (type.kind === 'unknown') {
    context.report('unknown-type', at, `There is no data type ${name}.`, 'Compare with a type, or with TypeOf(…).')
    return undefined
  }
  return { values: [typeAddress(type), whole, constant(UDInt, 0n)], statements: [] }
}

/** Lowers `TypeOf(operand)`, `TypeOfElements(operand)`, `TypeOfDB(operand)`. */
export function typeOfOperand(
  context: BlockContext,
  instruction: string,
  operand: Operand,
  at: SourceRange,
): AskedType | undefined {
  if (operand.kind === 'wrong') return undefined
  const isDbAny =
    (operand.kind === 'variable' || operand.kind === 'result') &&
    operand.type.kind === 'scalar' &&
    operand.type.name === 'DB_ANY'
  const noType: AskedType['values'] = [constant(UDInt, 0n), whole, constant(UDInt, 0n)]
  if (isDbAny) {
    const number = readAs(context, operand, operand.type, at)
    return number && { values: noType, block: number, statements: [] }
  }
  const region = regionOf(context, operand, at)
  if (!region) return undefined
  const [, type, , number] = region.values
  const elements = constant(UDInt, /ELEMENTS$/i.test(instruction) ? 1n : 0n)
  return { values: [type, number, elements], statements: region.statements }
}

/** Lowers the question for the type of a data block; what is no DB_ANY is reported. */
export function typeOfBlock(
  context: BlockContext,
  instruction: string,
  operand: Operand,
  at: SourceRange,
): AskedType | undefined {
  if (operand.kind === 'wrong') return undefined
  const asked = typeOfOperand(context, 'TypeOfDB', operand, at)
  if (asked && !asked.block) {
    context.report('wrong-operand', at, `${instruction} asks a DB_ANY for its type; ${textOf(operand)} is none.`)
    return undefined
  }
  return asked
}

/** Returns the type that an operand names, or that of the variable that it is. */
export function typeOrVariable(
  context: BlockContext,
  given: ModelOperand,
  operand: () => Operand,
  at: SourceRange,
): AskedType | undefined {
  const text = given.kind === 'other' || isBareName(given) ? operandText(given) : undefined
  const names = text === undefined ? [] : [text, text.replace(/^"(.*)"$/, '$1')]
  const name = names.find((one) => context.program.typeOf(one).kind !== 'unknown')
  return name === undefined ? typeOfOperand(context, 'TypeOf', operand(), at) : namedType(context, name, at)
}

function isBareName(given: ModelOperand): boolean {
  if (given.kind !== 'symbol' || given.scope === 'LocalVariable') return false
  const [first, ...others] = given.path
  return others.length === 0 && first?.indices === undefined && first?.slice === undefined
}

/** Compares two types for equality or inequality. */
export function compareTypes(
  left: AskedType,
  right: AskedType,
  isEqual: boolean,
): Result & { statements: readonly Statement[] } {
  const [asked, other] = left.block ? [left, right] : [right, left]
  const same: Expression = {
    kind: 'routine',
    routine: asked.block ? 'type.ofBlock' : 'type.equal',
    type: Bool,
    arguments: asked.block ? [asked.block, ...other.values] : [...left.values, ...right.values],
    setsEno: false,
  }
  return {
    kind: 'result',
    type: Bool,
    expression: isEqual ? same : not(same),
    statements: [...left.statements, ...right.statements],
  }
}

/**
 * Lowers `target ?= value`: the reference points to the target of the Variant when that has the type, else it becomes
 * NULL.
 */
export function attemptAssignment(
  context: BlockContext,
  target: Operand,
  value: Operand,
  at: SourceRange,
  valueAt: SourceRange,
): readonly Statement[] {
  if (value.kind === 'wrong' || !requireWritable(context, target, at)) return []
  const { type } = target
  if (type.kind !== 'reference' || target.at.kind !== 'place') {
    context.report(
      'wrong-operand',
      at,
      `?= assigns to references; ${target.text} is of type ${typeName(type)}.`,
      'Declare it as REF_TO the type that is wanted.',
    )
    return []
  }
  if (type.target.kind === 'unknown') return []
  const found = addressIn(context, value, type.target, valueAt)
  if (!found) return []
  const place = { ...target.at.place, isStandard: false }
  return [...found.statements, store(UDInt, place, found.address, context.site(at))]
}

function addressIn(
  context: BlockContext,
  value: Operand,
  wanted: Type,
  at: SourceRange,
): { readonly statements: readonly Statement[]; readonly address: Expression } | undefined {
  const ask = (routine: string, values: readonly Expression[]): Expression => ({
    kind: 'routine',
    routine,
    type: UDInt,
    arguments: [...values, typeAddress(wanted)],
    setsEno: false,
  })
  const type = value.kind === 'variable' || value.kind === 'result' ? value.type : undefined
  if (type?.kind === 'scalar' && type.name === 'DB_ANY') {
    const number = readAs(context, value, type, at)
    return number && { statements: [], address: ask('block.reference', [number]) }
  }
  if (type?.kind === 'pointer' && type.form === 'Variant') {
    const region = regionOf(context, value, at)
    return region && { statements: region.statements, address: ask('variant.reference', region.values) }
  }
  context.report(
    'wrong-operand',
    at,
    `?= takes a Variant or a DB_ANY; ${type ? `${named(value, type)} is of type ${typeName(type)}` : `${textOf(value)} is none`}.`,
    'A variable of the type itself is assigned with := REF(…).',
  )
  return undefined
}
