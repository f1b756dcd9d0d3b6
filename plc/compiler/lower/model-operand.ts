/**
 * Resolves operands of LAD, FBD, STL and GRAPH networks (model/operand.ts), the same for all languages without a text
 * form.
 */
import { defined } from '../../../lib/optional.ts'
import type {
  AddressOperand,
  ConstantOperand,
  LiteralOperand,
  Operand as ModelOperand,
  PathComponent,
  SymbolScope,
} from '../../model/operand.ts'
import { operandText, pathText } from '../../model/operand-text.ts'
import { type ConstantValue, readConstant } from '../../program/constants.ts'
import type { AbsoluteAddress } from '../../program/program.ts'
import { Bool, DInt, DWord, scalarNamed, Word } from '../../program/scalars.ts'
import { isRangePointer, rangePointer } from './any-pointers.ts'
import type { BlockContext } from './block-context.ts'
import {
  absoluteOperand,
  elementOperand,
  globalOperand,
  localOperand,
  memberOperand,
  peripheryOperand,
  textOf,
} from './operands.ts'
import { readIndex } from './reading.ts'
import { sliceOperand } from './slices.ts'
import type { SourceRange } from './source-range.ts'
import { type Operand, wrong } from './values.ts'

/**
 * Resolves an operand.
 * @param at the place in the source that faults are reported at
 * @returns `wrong` when the operand cannot be used, which is then reported
 */
export function lowerOperand(context: BlockContext, operand: ModelOperand, at: SourceRange): Operand {
  switch (operand.kind) {
    case 'symbol':
      return lowerPath(context, operand.scope, operand.path, at)
    case 'literal':
      return lowerLiteral(context, operand, at)
    case 'constant':
      return lowerConstant(context, operand, at)
    case 'address':
      return lowerAddress(context, operand, at)
    default:
      return refuse(context, operandText(operand), at)
  }
}

function refuse(context: BlockContext, text: string, at: SourceRange, hint?: string): Operand {
  context.report('unsupported-operand', at, `${text} cannot be used here.`, hint)
  return wrong
}

/** Resolves a symbol or the instance of a call. */
export function lowerPath(
  context: BlockContext,
  scope: SymbolScope,
  path: readonly PathComponent[],
  at: SourceRange,
): Operand {
  const [first, ...rest] = path
  if (!first) return refuse(context, 'A symbol without a name', at)
  if (scope === 'PredefinedVariable') {
    if (first.name.toUpperCase() === 'ENO') return { kind: 'result', type: Bool, expression: { kind: 'eno' } }
    return refuse(context, pathText(scope, path), at)
  }
  const isLocal =
    scope === 'LocalVariable' ||
    (scope === 'Undef' && context.localName(first.name) !== undefined && !isGlobal(context, first.name))
  let operand = isLocal ? localOperand(context, first.name, at) : globalOperand(context, first.name, at)
  operand = withFields(context, operand, first, at)
  for (const component of rest) {
    if (component.name !== '' || component.slice === undefined)
      operand = memberOperand(context, operand, component.name, at)
    operand = withFields(context, operand, component, at)
  }
  return operand
}

function isGlobal({ program }: BlockContext, name: string): boolean {
  const key = name.toLowerCase()
  return program.tags.has(key) || program.blocks.has(key) || program.constants.has(key)
}

/** Applies indices, slice and `:P` after a name. */
function withFields(
  context: BlockContext,
  operand: Operand,
  { indices, slice, access }: PathComponent,
  at: SourceRange,
): Operand {
  let result = operand
  if (indices !== undefined) {
    const read = indices.map((index) => readIndex(context, lowerOperand(context, index, at), at))
    const known = read.filter((index) => index !== undefined)
    result = known.length === read.length ? elementOperand(context, result, known, at) : wrong
  }
  if (slice !== undefined) result = sliceOperand(context, result, `%${slice}`, at)
  if (access === 'Periphery') return peripheryOperand(context, result, at)
  if (access === 'QualityInformation') return refuse(context, `${textOf(result)}:QI`, at)
  return result
}

/** Areas in pointers, as STEP 7 numbers them. */
const pointerAreas: Readonly<Record<string, bigint>> = {
  '': 0n,
  I: 0x81n,
  Q: 0x82n,
  M: 0x83n,
  DBX: 0x84n,
  DIX: 0x85n,
  L: 0x86n,
}

function lowerLiteral(context: BlockContext, operand: LiteralOperand, at: SourceRange): Operand {
  const { value, type, scope } = operand
  if (isRangePointer(value)) return rangePointer(context, value, at)
  if (scope === 'AddressConstant' || /^P#/i.test(value)) {
    const [, area = '', byte, bit] =
      /^P#\s*(?:DB\d{1,5}\.(?=DBX))?(DBX|DIX|[IQML])?\s*(\d+)\.([0-7])$/i.exec(value.trim()) ?? []
    const code = pointerAreas[area.toUpperCase()]
    if (byte === undefined || code === undefined) return refuse(context, value, at, 'Give the variable itself.')
    const pointer = (code << 24n) | (BigInt(byte) * 8n + BigInt(bit as string))
    return { kind: 'constant', type: DWord, value: pointer, text: value }
  }
  const read = readSigned(value.trim())
  if (!('kind' in read)) {
    context.report('wrong-constant', at, read.message, read.hint)
    return wrong
  }
  return typed(read, type)
}

/** Reads a constant with its sign, including `L#5` and `C#100` of statement lists. */
function readSigned(text: string): ReturnType<typeof readConstant> {
  const [, long] = /^L#([+-]?\d+)$/i.exec(text) ?? []
  if (long !== undefined) return { kind: 'constant', type: DInt, value: BigInt(long), text }
  const [, count] = /^C#(\d{1,3})$/i.exec(text) ?? []
  if (count !== undefined) return { kind: 'constant', type: Word, value: BigInt(`0x${count}`), text }
  const whole = readConstant(text)
  if ('kind' in whole || !/^[+-]/.test(text)) return whole
  const unsigned = readConstant(text.slice(1).trimStart())
  if (!('kind' in unsigned) || typeof unsigned.value === 'string') return whole
  return { ...unsigned, value: text.startsWith('-') ? -unsigned.value : unsigned.value, text }
}

/**
 * The type next to a number matters where its spelling is ambiguous: `5` as Real, `1` as Bool, `5000` as Time. Other
 * numbers stay without a type and take the type of their pin.
 */
function typed(read: ConstantValue, name: string | undefined): ConstantValue {
  const type = name === undefined ? undefined : scalarNamed(name)
  if (!type || read.type !== undefined || typeof read.value === 'string') return read
  if (type.family === 'real') return { ...read, value: Number(read.value) }
  const isOwn = type.family === 'bool' || type.family === 'duration' || type.family === 'date'
  return isOwn && typeof read.value === 'bigint' ? { ...read, type } : read
}

function lowerConstant(context: BlockContext, operand: ConstantOperand, at: SourceRange): Operand {
  switch (operand.scope) {
    case 'LocalConstant':
      return localOperand(context, operand.name, at)
    case 'GlobalConstant':
      return globalOperand(context, operand.name, at)
    case 'NamedValueConstant':
      return refuse(context, operand.name, at, 'Values of named value types are not supported yet.')
  }
}

const areas: Readonly<Record<string, AbsoluteAddress['area']>> = {
  Input: 'I',
  Output: 'Q',
  Memory: 'M',
  PeripheryInput: 'PI',
  PeripheryOutput: 'PQ',
  DB: 'DB',
  DI: 'DB',
  Timer: 'T',
  Counter: 'C',
}

/** `%MW10`, `%DB1.DBX2.3`, `%DB7`: typed as the address operand states, which contains more than the width. */
function lowerAddress(context: BlockContext, operand: AddressOperand, at: SourceRange): Operand {
  const { area, type: typeText, blockNumber, bitOffset } = operand
  const text = operandText(operand)
  const block = blockKey(operand)
  if (block !== undefined) {
    const found = context.program.byNumber.get(block)
    if (found) return { kind: 'block', block: found, text: `"${found.name}"` }
    context.report('undeclared', at, `There is no block ${block}.`)
    return wrong
  }
  const type = scalarNamed(typeText)
  const known = areas[area]
  if (known === undefined || bitOffset === undefined || bitOffset < 0) return refuse(context, text, at)
  if (known === 'T' || known === 'C')
    return absoluteOperand(context, { area: known, byte: bitOffset, bits: 16 }, text, at)
  if (!type || (known === 'DB' && blockNumber === undefined)) return refuse(context, text, at)
  const { bits } = type
  if (bits > 1 && bitOffset % 8 !== 0) return refuse(context, text, at, 'Bytes and words begin at bit 0.')
  const found = absoluteOperand(
    context,
    {
      area: known,
      byte: Math.floor(bitOffset / 8),
      bits,
      ...(bits === 1 ? { bit: bitOffset % 8 } : {}),
      ...defined({ block: blockNumber }),
    },
    text,
    at,
  )
  return found.kind === 'variable' ? { ...found, type } : found
}

/** `DB 7` for a block as a whole. */
function blockKey({ area, type, blockNumber, bitOffset }: AddressOperand): string | undefined {
  if (area === 'FB' || area === 'FC') {
    const number = blockNumber ?? bitOffset
    return number === undefined ? undefined : `${area} ${number}`
  }
  if (area !== 'DB' && area !== 'DI') return undefined
  if (bitOffset !== undefined && type !== 'Block_DB') return undefined
  return blockNumber === undefined ? undefined : `DB ${blockNumber}`
}
