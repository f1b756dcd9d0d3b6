/**
 * References (`REF_TO T`): the address of a variable, four bytes that are little-endian whatever is around them; 0 is
 * NULL. REF(x) and NULL are references in a register. The target of a reference has optimized access and outlives the
 * call: it is data of blocks, never in a frame, and never a tag.
 */

import { address, behind, binary, constant, load, local, setLocal, store } from '../../ir/build.ts'
import {
  type Expression,
  everyAddress,
  isBehindReference,
  type Place,
  type PlaceIndex,
  type Statement,
} from '../../ir/ir.ts'
import { extentOf } from '../../program/layout.ts'
import { Bool, UDInt } from '../../program/scalars.ts'
import type { ReferenceType, Type } from '../../program/type.ts'
import { typeName } from '../../program/type-name.ts'
import type { BlockContext } from './block-context.ts'
import type { Instruction } from './instruction.ts'
import { textOf, wholeVariable } from './operands.ts'
import type { SourceRange } from './source-range.ts'
import type { Called, Side } from './values.ts'
import { type Operand, type Result, sameType, type Variable, type Wrong, wrong } from './values.ts'

type Reference = Variable & { readonly type: ReferenceType }

function isReference(operand: Operand): operand is Reference {
  return operand.kind === 'variable' && operand.type.kind === 'reference'
}

function isVariant(
  operand: Operand,
): operand is Variable & { readonly at: { readonly kind: 'place'; readonly place: Place } } {
  return (
    operand.kind === 'variable' &&
    operand.type.kind === 'pointer' &&
    operand.type.form === 'Variant' &&
    operand.at.kind === 'place'
  )
}

/** The target type of NULL. */
const nothing: Type = { kind: 'void' }

/** NULL: fits every reference. */
export function nullReference(context: BlockContext): Variable {
  return inRegister(context, nothing, 'NULL').reference
}

function inRegister(context: BlockContext, target: Type, text: string) {
  const register = context.local('address')
  const type: ReferenceType = { kind: 'reference', target }
  const reference: Variable = {
    kind: 'variable',
    type,
    at: { kind: 'local', local: register },
    readOnly: 'constant',
    text,
  }
  return { register, reference }
}

/**
 * Whether a reference to `to` may point to a value of type `from`: the same type, in as many bytes; a text of any
 * length.
 */
export function mayReferTo(to: Type, from: Type): boolean {
  if (to === from) return true
  if (to.kind === 'void' || from.kind === 'void' || !sameType(to, from)) return false
  return to.kind === 'string' || extentOf(to, 'optimized').size === extentOf(from, 'optimized').size
}

/** The address in a reference. */
function addressOf({ at }: Reference): Expression {
  return at.kind === 'local' ? local('address', at.local) : load(UDInt, { ...at.place, isStandard: false })
}

/**
 * An index that fails for NULL: a programming error, where a read gives 0 and a write is left out. It moves nothing.
 */
function notNull(context: BlockContext, value: Expression, at: SourceRange): PlaceIndex {
  return { value, ...everyAddress, stride: 0, site: context.site(at) }
}

/** Lowers `reference^`. The statements read the address once. */
export function dereference(
  context: BlockContext,
  operand: Operand,
  at: SourceRange,
): { readonly statements: readonly Statement[]; readonly target: Operand } {
  if (operand.kind === 'wrong') return { statements: [], target: wrong }
  if (!isReference(operand)) {
    const type = operand.kind === 'variable' ? `is of type ${typeName(operand.type)}` : 'is none'
    context.report('no-reference', at, `A reference stands before "^"; ${textOf(operand)} ${type}.`)
    return { statements: [], target: wrong }
  }
  const { target } = operand.type
  if (target.kind === 'unknown') return { statements: [], target: wrong }
  if (target.kind === 'void') {
    context.report('no-reference', at, 'NULL points to nothing.')
    return { statements: [], target: wrong }
  }
  const register = context.local('address')
  const pointer = local('address', register)
  const place: Place = { ...behind(pointer, false), indices: [notNull(context, pointer, at)] }
  return {
    statements: [setLocal(register, addressOf(operand))],
    target: { kind: 'variable', type: target, at: { kind: 'place', place }, text: `${operand.text}^` },
  }
}

/** `REF(variable)`. */
const refer: Instruction = ({ context, at, arguments: given }): Called => {
  const [argument, ...others] = given
  if (!argument?.operand || argument.isOutput || others.length > 0) {
    context.report('wrong-operand', at, 'REF takes one variable.', 'Write REF(#x).')
    return { statements: [] }
  }
  const { operand } = argument
  if (operand.kind === 'wrong') return { statements: [] }
  const variable = wholeVariable(operand)
  const fault = variable ? whyNot(variable) : `${textOf(operand)} is no variable`
  if (fault !== undefined || variable?.at.kind !== 'place') {
    context.report(
      'not-referable',
      argument.at,
      `${fault ?? textOf(operand)}: REF cannot be taken of it.`,
      'References point to data of blocks with optimized access: inputs, outputs and statics of an FB, members of data blocks.',
    )
    return { statements: [] }
  }
  const { register, reference } = inRegister(context, variable.type, `REF(${variable.text})`)
  return { statements: [setLocal(register, address(variable.at.place))], value: reference }
}

/** Returns the reason why no reference may point to a variable. */
function whyNot({ type, at, slice, text }: Variable): string | undefined {
  if (at.kind === 'local' || at.place.base.kind === 'frame')
    return `${text} is of this call only, and is gone when it ends`
  const { base, isStandard, bit } = at.place
  if (base.kind === 'area') return `${text} is an input, output or flag`
  if (base.kind === 'pointer' && !isBehindReference(at.place))
    return `${text} is a parameter that may be a copy of what was passed`
  if (slice) return `${text} is a part of a value`
  if (type.kind === 'instance') return `${text} is an instance of ${typeName(type)}`
  return isStandard || bit !== undefined ? `${text} has standard access` : undefined
}

/** Instructions by name, for instructions.ts. */
export const referenceInstructions: Readonly<Record<string, Instruction>> = { REF: refer }

/** Lowers `target := value` for a reference. */
export function assignReference(
  context: BlockContext,
  target: Variable,
  value: Operand,
  at: SourceRange,
  valueAt: SourceRange,
): Statement[] {
  if (!isReference(target) || target.at.kind !== 'place') return []
  const isRight =
    isReference(value) && (value.type.target === nothing || mayReferTo(target.type.target, value.type.target))
  if (!isRight) {
    const given =
      value.kind === 'variable' ? `${value.text} is of type ${typeName(value.type)}` : `${textOf(value)} is none`
    context.report(
      'type-mismatch',
      valueAt,
      `For ${target.text} a value of type ${typeName(target.type)} is wanted; ${given}.`,
      value.kind === 'variable' && mayReferTo(target.type.target, value.type) ? `Write REF(${value.text}).` : undefined,
    )
    return []
  }
  return [store(UDInt, { ...target.at.place, isStandard: false }, addressOf(value), context.site(at))]
}

/** Lowers `=` and `<>` of references and NULL; `undefined` when no side is a reference. */
export function compareReferences(
  context: BlockContext,
  operator: string,
  { operand: left }: Side,
  { operand: right }: Side,
  at: SourceRange,
): Result | Wrong | undefined {
  if (!isReference(left) && !isReference(right)) return undefined
  const variant = [left, right].find((one) => isVariant(one))
  const isNull = [left, right].some((one) => isReference(one) && one.type.target === nothing)
  if (variant && isVariant(variant) && isNull && (operator === '=' || operator === '<>')) {
    // A Variant without a target has no type.
    const type = load(UDInt, { ...variant.at.place, offset: variant.at.place.offset + 4, isStandard: false })
    const expression = binary(operator === '=' ? 'equal' : 'notEqual', UDInt, type, constant(UDInt, 0n))
    return { kind: 'result', type: Bool, expression }
  }
  const isRight =
    isReference(left) &&
    isReference(right) &&
    (left.type.target === nothing ||
      right.type.target === nothing ||
      mayReferTo(left.type.target, right.type.target)) &&
    (operator === '=' || operator === '<>')
  if (!isRight) {
    context.report(
      'wrong-operand',
      at,
      `${operator} cannot be applied to ${textOf(left)} and ${textOf(right)}.`,
      'References are compared with = and <>, with references to the same type and with NULL.',
    )
    return wrong
  }
  const expression = binary(operator === '=' ? 'equal' : 'notEqual', UDInt, addressOf(left), addressOf(right))
  return { kind: 'result', type: Bool, expression }
}
