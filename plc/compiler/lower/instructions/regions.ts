/**
 * Operands of any type in the form of the runtime: address, type, layout, number of the element (see
 * runtime/routines/memory.ts).
 */

import { address, behind, constant, load, local, setLocal, store } from '../../../ir/build.ts'
import type { Expression, Place, Statement } from '../../../ir/ir.ts'
import { ownType } from '../../../program/constants.ts'
import { Bool, Byte, DInt, DWord, UDInt, UInt, Word } from '../../../program/scalars.ts'
import type { StringType, Type } from '../../../program/type.ts'
import { openTypeMark, typeCode } from '../../../program/type-code.ts'
import type { BlockContext } from '../block-context.ts'
import { isOpenArray } from '../open-array-parameters.ts'
import { textOf, wholeVariable } from '../operands.ts'
import { readAs, readScalar, storeScalar } from '../reading.ts'
import type { SourceRange } from '../source-range.ts'
import type { Limits, Operand, Variable } from '../values.ts'

export interface Region {
  /** Address, type, layout, number of the element. */
  readonly values: readonly [Expression, Expression, Expression, Expression]
  /** Its type as known at compile time; the content of a Variant is not known. */
  readonly type: Type
  readonly statements: readonly Statement[]
}

/** Number that means no element (`whole` of runtime/routines/memory.ts). */
const wholeNumber = -0x8000_0000n

/** Offsets of the parts of a Variant: address, address of the type, layout, number of the element. */
const variantOffsets = [0, 4, 8, 12] as const

/** Returns the address of the bytes of a type. */
export function typeAddress(type: Type): Expression {
  return address({
    base: { kind: 'constant', bytes: typeCode(type) },
    offset: 0,
    indices: [],
    isStandard: false,
  })
}

function flag(isSet: boolean): Expression {
  return constant(UDInt, isSet ? 1n : 0n)
}

/** Returns the four values of a variable, an element of an array, or the target of a Variant. */
export function regionOf(context: BlockContext, operand: Operand, at: SourceRange): Region | undefined {
  if (operand.kind === 'wrong') return undefined
  const variable = wholeVariable(operand)
  if (!variable || variable.slice) {
    context.report('wrong-operand', at, `${textOf(operand)} is no variable: one with a place in memory is wanted.`)
    return undefined
  }
  if (variable.at.kind === 'local') return inFrame(context, variable, at)
  const { place } = variable.at
  if (variable.type.kind === 'pointer') {
    if (variable.type.form === 'Variant') {
      const register = context.local('address')
      const read = (offset: number) => load(UDInt, behind(local('address', register), false, offset))
      const [a, b, c, d] = variantOffsets.map(read) as [Expression, Expression, Expression, Expression]
      return { values: [a, b, c, d], type: variable.type, statements: [setLocal(register, address(place))] }
    }
    if (variable.type.form === 'Any') return behindAny(context, variable, place)
    context.report('unsupported', at, `${variable.text} is of type ${variable.type.form}, which is not supported here.`)
    return undefined
  }
  if (variable.type.kind === 'unknown') return undefined
  if (variable.stride !== undefined) {
    context.report(
      'open-array',
      at,
      `${variable.text} takes texts of any length: it cannot be moved as a whole.`,
      'Move its elements one by one.',
    )
    return undefined
  }
  const { element } = variable
  const open = element
    ? openType(context, element.of, element.limits)
    : openType(context, variable.type, variable.limits)
  if (open) {
    const start = withoutBit(element?.place ?? place)
    const number = element ? element.number : constant(DInt, wholeNumber)
    return {
      values: [address(start), address(open.place), flag(start.isStandard), number],
      type: variable.type,
      statements: open.statements,
    }
  }
  // A single Bool among other bits has no address of its own.
  if (!element && place.bit !== undefined && variable.type.kind === 'scalar') return inFrame(context, variable, at)
  const [whole, type, number] = element
    ? [element.place, element.of, element.number]
    : [place, variable.type, constant(DInt, wholeNumber)]
  return {
    values: [address(withoutBit(whole)), typeAddress(type), flag(whole.isStandard), number],
    type: variable.type,
    statements: [],
  }
}

/** A member of a structure as FILL_BLK takes it: the structure, and the number of the member among its parts. */
export function siblingRegion(operand: Operand): (Region & { readonly after: readonly Statement[] }) | undefined {
  if (operand.kind !== 'variable' || operand.readOnly !== undefined || operand.slice || !operand.member)
    return undefined
  const { of, place, number } = operand.member
  const region = regionOfPlace(withoutBit(place), of, constant(DInt, BigInt(number)))
  return { ...region, type: operand.type, after: [] }
}

function regionOfPlace(place: Place, type: Type, number: Expression): Region {
  return { values: [address(place), typeAddress(type), flag(place.isStandard), number], type, statements: [] }
}

/** Returns the four values of a text at a place. */
export function regionOfText(place: Place, type: StringType): Region {
  return regionOfPlace(place, type, constant(DInt, wholeNumber))
}

/**
 * Builds the type of an `Array[*]` for this call in the frame: `openTypeMark` with the number of dimensions, the
 * address of the type of the elements, then the limits (runtime/routines/memory.ts reads it).
 */
function openType(
  context: BlockContext,
  type: Type,
  limits: readonly Limits[] | undefined,
): { readonly place: Place; readonly statements: readonly Statement[] } | undefined {
  if (!limits || type.kind !== 'array' || !isOpenArray(type)) return undefined
  const words = 2 + 2 * limits.length
  const dimensions = [{ low: 0, high: words - 1 }]
  const place = context.frame({ kind: 'array', dimensions, element: UDInt })
  const at = (word: number): Place => ({ ...place, offset: place.offset + 4 * word })
  return {
    place,
    statements: [
      store(UDInt, at(0), constant(UDInt, BigInt(openTypeMark + limits.length))),
      store(UDInt, at(1), typeAddress(type.element)),
      ...limits.flatMap(({ low, high }, i) => [store(DInt, at(2 + 2 * i), low), store(DInt, at(3 + 2 * i), high)]),
    ],
  }
}

/** The target of an Any, decoded from its bytes (runtime/routines/any-pointers.ts) when it is used. */
function behindAny(context: BlockContext, variable: Variable, place: Place): Region {
  const told = context.frame({ kind: 'pointer', form: 'Variant' })
  const part = (i: 0 | 1 | 2 | 3) => load(i === 3 ? DInt : UDInt, { ...told, offset: told.offset + variantOffsets[i] })
  return {
    values: [part(0), part(1), part(2), part(3)],
    type: variable.type,
    statements: [
      {
        kind: 'routine',
        routine: 'any.resolve',
        arguments: [address(place), address(told)],
        setsEno: context.setsEno,
      },
    ],
  }
}

/**
 * Makes the Any or Pointer at a place point to an operand.
 * @returns statements; none when nothing can point to the operand, which is then reported
 */
export function storePointer(
  context: BlockContext,
  place: Place,
  form: 'Any' | 'Pointer',
  operand: Operand,
  at: SourceRange,
): readonly Statement[] {
  if (operand.kind === 'variable' && operand.type.kind === 'pointer' && operand.type.form === form)
    return operand.at.kind === 'place' ? copyBytes(operand.at.place, place, form === 'Any' ? 10 : 6) : []
  if (form === 'Pointer') return storePlainPointer(context, place, operand, at)
  const region = anyRegion(context, operand, at)
  if (!region) return []
  const run: Statement = {
    kind: 'routine',
    routine: 'any.store',
    arguments: [address(place), ...region.values],
    setsEno: false,
  }
  return [...region.statements, run]
}

function copyBytes(from: Place, to: Place, count: number): Statement[] {
  const at = (place: Place, offset: number): Place => ({ ...place, offset: place.offset + offset, isStandard: false })
  return Array.from({ length: count / 2 }, (_one, i) => store(Word, at(to, 2 * i), load(Word, at(from, 2 * i))))
}

/** Stores `P#M10.0`, `P#DB5.DBX2.0` or a variable with an address of its own as the six bytes of a POINTER. */
function storePlainPointer(
  context: BlockContext,
  place: Place,
  operand: Operand,
  at: SourceRange,
): readonly Statement[] {
  if (operand.kind === 'constant' && typeof operand.value === 'bigint' && /^P#/i.test(operand.text)) {
    const block = BigInt(/^P#DB(\d+)\./i.exec(operand.text)?.[1] ?? 0)
    const part = (offset: number): Place => ({ ...place, offset: place.offset + offset, isStandard: true })
    return [
      store(UInt, part(0), constant(UInt, block)),
      store(DWord, part(2), constant(DWord, BigInt.asUintN(32, operand.value))),
    ]
  }
  if (operand.kind !== 'variable' || operand.at.kind !== 'place' || operand.slice) {
    if (operand.kind !== 'wrong')
      context.report('wrong-operand', at, `${textOf(operand)} has no address: a Pointer cannot point to it.`)
    return []
  }
  const { bit = 0 } = operand.at.place
  const { element: _element, ...alone } = operand
  // A bit is given by its byte and its number.
  const whole: Variable =
    operand.type === Bool ? { ...alone, type: Byte, at: { kind: 'place', place: withoutBit(operand.at.place) } } : alone
  if (operand.at.place.indices.some(({ isBits }) => isBits === true)) {
    context.report(
      'unsupported',
      at,
      `${operand.text}: a Pointer to a bit whose number is worked out is not supported.`,
    )
    return []
  }
  const region = regionOf(context, whole, at)
  if (!region) return []
  const run: Statement = {
    kind: 'routine',
    routine: 'pointer.store',
    arguments: [address(place), constant(UDInt, BigInt(bit)), ...region.values],
    setsEno: context.setsEno,
  }
  return [...region.statements, run]
}

/** Returns an Any or Pointer in the frame that points to an operand. */
export function pointerOf(
  context: BlockContext,
  form: 'Any' | 'Pointer',
  operand: Operand,
  at: SourceRange,
):
  | { readonly address: Expression; readonly before: readonly Statement[]; readonly after: readonly Statement[] }
  | undefined {
  const place = context.frame({ kind: 'pointer', form })
  const before = storePointer(context, place, form, operand, at)
  return before.length === 0 ? undefined : { address: address(place), before, after: [] }
}

/** Like `sourceRegion`, but an element of an array means only itself. */
function anyRegion(context: BlockContext, operand: Operand, at: SourceRange): Region | undefined {
  if (operand.kind === 'variable' && operand.type.kind === 'pointer' && operand.type.form !== 'Any') {
    context.report('type-mismatch', at, `${operand.text} is of type ${operand.type.form}: it cannot be passed as Any.`)
    return undefined
  }
  if (operand.kind !== 'variable') return sourceRegion(context, operand, at)
  const { element: _element, ...alone } = operand
  const bit = operand.at.kind === 'place' && !operand.slice ? bitRegion(operand, operand.at.place) : undefined
  if (bit) {
    context.notePartlyWritten(alone)
    return bit
  }
  return operand.element ? regionOf(context, alone, at) : sourceRegion(context, operand, at)
}

/** A single Bool among other bits, as one of the eight of its byte; undefined for all else. */
function bitRegion({ type }: Variable, place: Place): Region | undefined {
  const { bit, indices, isStandard } = place
  if (type !== Bool || bit === undefined || indices.some(({ isBits }) => isBits === true)) return undefined
  const bits: Type = { kind: 'array', dimensions: [{ low: 0, high: 7 }], element: Bool }
  return {
    values: [address(withoutBit(place)), typeAddress(bits), flag(isStandard), constant(DInt, BigInt(bit))],
    type,
    statements: [],
  }
}

/** The beginning of the bits of an array; the runtime counts them from there. */
function withoutBit(place: Place): Place {
  const { bit: _bit, ...rest } = place
  return rest
}

/** Copies a value from a register into the frame, for reading only. */
function inFrame(context: BlockContext, variable: Variable, at: SourceRange): Region | undefined {
  context.notePartlyWritten(variable)
  const value = readScalar(context, variable, at)
  return value && valueRegion(context, value.expression, value.type)
}

function valueRegion(context: BlockContext, value: Expression, type: Type): Region | undefined {
  if (type.kind !== 'scalar') return undefined
  const place = context.frame(type)
  return {
    values: [address(place), typeAddress(type), flag(false), constant(DInt, wholeNumber)],
    type,
    statements: [store(type, place, value)],
  }
}

/**
 * Like `regionOf`, for reading only: constants and computed values are put into the frame, as `type` if that is known.
 */
export function sourceRegion(
  context: BlockContext,
  operand: Operand,
  at: SourceRange,
  type?: Type,
): Region | undefined {
  if (operand.kind === 'constant' || operand.kind === 'result') {
    const wanted = type?.kind === 'scalar' ? type : operand.kind === 'constant' ? ownType(operand) : operand.type
    const value = wanted && readAs(context, operand, wanted, at)
    if (value && wanted) return valueRegion(context, value, wanted)
    if (!wanted) context.report('no-scalar', at, `${textOf(operand)} cannot be used here.`)
    return undefined
  }
  return regionOf(context, operand, at)
}

/**
 * Like `regionOf`, for writing. A scalar in a register is written in the frame and copied to the register afterwards.
 */
export function targetRegion(
  context: BlockContext,
  operand: Operand,
  at: SourceRange,
): (Region & { readonly after: readonly Statement[] }) | undefined {
  // The target of a Variant or Any may be written, even when the pointer itself may not.
  const isPointer = operand.kind === 'variable' && operand.type.kind === 'pointer'
  if (operand.kind === 'variable' && !isPointer && operand.readOnly !== undefined && operand.readOnly !== 'in') {
    context.report('not-assignable', at, `${operand.text} cannot be written to.`)
    return undefined
  }
  const region = regionOf(context, operand, at)
  if (!region) return undefined
  const [from] = region.values
  const isCopy = from.kind === 'address' && from.place.base.kind === 'frame'
  if (operand.kind !== 'variable' || operand.type.kind !== 'scalar' || !isCopy || isInFrame(operand))
    return { ...region, after: [] }
  return { ...region, after: storeScalar(context, operand, load(operand.type, from.place), at) }
}

function isInFrame({ at }: Variable): boolean {
  return at.kind === 'place' && at.place.base.kind === 'frame'
}

/** Makes the Variant at a place point to an operand; a Variant is always little-endian, whatever is around it. */
export function storeVariant(
  context: BlockContext,
  place: Place,
  operand: Operand,
  at: SourceRange,
): readonly Statement[] {
  const region = isNull(operand) ? noRegion : sourceRegion(context, operand, at)
  if (!region) return []
  const stores = region.values.map((value, i) =>
    store(
      i === 3 ? DInt : UDInt,
      { ...place, offset: place.offset + (variantOffsets[i] ?? 0), isStandard: false },
      value,
    ),
  )
  return [...region.statements, ...stores]
}

/** What a Variant has that points to nothing. */
const noRegion: Region = {
  values: [flag(false), flag(false), flag(false), constant(DInt, wholeNumber)],
  type: { kind: 'void' },
  statements: [],
}

function isNull(operand: Operand): boolean {
  return operand.kind === 'variable' && operand.type.kind === 'reference' && operand.type.target.kind === 'void'
}

/** Returns a Variant in the frame that points to an operand. */
export function variantOf(
  context: BlockContext,
  operand: Operand,
  at: SourceRange,
):
  | { readonly address: Expression; readonly before: readonly Statement[]; readonly after: readonly Statement[] }
  | undefined {
  const region: (Region & { readonly after?: readonly Statement[] }) | undefined = isNull(operand)
    ? noRegion
    : operand.kind === 'variable'
      ? targetLike(context, operand, at)
      : sourceRegion(context, operand, at)
  if (!region) return undefined
  const place = context.frame({ kind: 'pointer', form: 'Variant' })
  const stores = region.values.map((value, i) =>
    store(i === 3 ? DInt : UDInt, { ...place, offset: place.offset + (variantOffsets[i] ?? 0) }, value),
  )
  return {
    address: address(place),
    before: [...region.statements, ...stores],
    after: region.after ?? [],
  }
}

function targetLike(
  context: BlockContext,
  operand: Variable,
  at: SourceRange,
): (Region & { readonly after?: readonly Statement[] }) | undefined {
  return operand.readOnly === undefined || operand.readOnly === 'in'
    ? targetRegion(context, operand, at)
    : regionOf(context, operand, at)
}
