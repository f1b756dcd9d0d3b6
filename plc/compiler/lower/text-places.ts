/** Places of texts for routines, including constants and single characters. */

import type { Expression, Place, Statement } from '../../ir/ir.ts'
import { Char, UDInt, UInt, WChar } from '../../program/scalars.ts'
import type { ScalarType } from '../../program/type.ts'
import { typeName } from '../../program/type-name.ts'
import type { BlockContext } from './block-context.ts'
import { textOf } from './operands.ts'
import { readAs } from './reading.ts'
import type { SourceRange } from './source-range.ts'
import type { Operand } from './values.ts'

/**
 * Returns the layout flags of texts, two bits each: bit 0 big-endian, bit 1 a WString. Last argument of the runtime's
 * routines on texts.
 */
export function textFlags(...texts: readonly (readonly [place: Place, isWide: boolean])[]): Expression {
  let bits = 0n
  for (const [i, [{ isStandard }, isWide]] of texts.entries())
    bits |= ((isStandard ? 1n : 0n) | (isWide ? 2n : 0n)) << BigInt(2 * i)
  return { kind: 'constant', type: UInt, value: bits }
}

/** Returns the place of a text: a variable, or a constant. A single character becomes a text of one character. */
export function stringPlace(
  context: BlockContext,
  value: Operand,
  isWide: boolean,
  at: SourceRange,
  what: string,
): Place | undefined {
  if (value.kind === 'wrong') return undefined
  if (
    value.kind === 'variable' &&
    value.type.kind === 'string' &&
    value.type.isWide === isWide &&
    value.at.kind === 'place'
  )
    return value.at.place
  if (
    value.kind === 'constant' &&
    typeof value.value === 'string' &&
    (value.type === undefined || (value.type.kind === 'string' && value.type.isWide === isWide))
  ) {
    if (!isWide) checkCharacters(context, value.value, at)
    return constantText(value.value, isWide)
  }
  const character =
    value.kind === 'result' ||
    value.kind === 'variable' ||
    (value.kind === 'constant' && typeof value.value !== 'string')
      ? value.type
      : undefined
  if (character?.kind === 'scalar' && character === (isWide ? WChar : Char))
    return characterText(context, value, character, at)
  context.report(
    'type-mismatch',
    at,
    `${what} a text of type ${isWide ? 'WString' : 'String'} is wanted; ${textOf(value)} ${value.kind === 'variable' ? `is of type ${typeName(value.type)}` : 'is none'}.`,
  )
  return undefined
}

/** Makes a text of one character in the frame. */
function characterText(context: BlockContext, value: Operand, type: ScalarType, at: SourceRange): Place | undefined {
  const isWide = type === WChar
  const code = readAs(context, value, type, at)
  if (!code) return undefined
  const place = context.frame({ kind: 'string', isWide, length: 1 })
  const address: Expression = { kind: 'address', place }
  const flags = textFlags([place, isWide])
  const one: Expression = { kind: 'constant', type: UDInt, value: 1n }
  const statements: Statement[] = [
    { kind: 'routine', routine: 'string.clear', arguments: [address, one, flags], setsEno: false },
    { kind: 'routine', routine: 'string.fromCharacter', arguments: [address, code, flags], setsEno: false },
  ]
  return {
    base: { kind: 'pointer', address: { kind: 'sequence', statements, value: address } },
    offset: 0,
    indices: [],
    isStandard: false,
  }
}

/** A String has a byte for each character: of others the lower one is kept. */
function checkCharacters(context: BlockContext, text: string, at: SourceRange): void {
  const [lost] = [...text].filter((character) => character > '\u00ff')
  if (lost === undefined) return
  context.report(
    'text-characters',
    at,
    `The text has the character ${lost}, which a String has no place for: another one is kept.`,
    `Use WString: WSTRING#'${lost}'.`,
    'warning',
  )
}

function constantText(text: string, isWide: boolean): Place {
  const width = isWide ? 2 : 1
  const view = new DataView(new ArrayBuffer(2 * width + text.length * width))
  for (let i = 0; i < text.length; i++) {
    if (isWide) view.setUint16(4 + 2 * i, text.charCodeAt(i), true)
    else view.setUint8(2 + i, text.charCodeAt(i))
  }
  if (isWide) {
    view.setUint16(0, text.length, true)
    view.setUint16(2, text.length, true)
  } else {
    view.setUint8(0, text.length)
    view.setUint8(1, text.length)
  }
  return { base: { kind: 'constant', bytes: new Uint8Array(view.buffer) }, offset: 0, indices: [], isStandard: false }
}
