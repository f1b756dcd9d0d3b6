/**
 * Types of literals. SimaticML writes them beside the value; SIMATIC SD leaves them to the instruction. TIA Portal
 * gives a literal the type of its pin: of 2 900 literals in exports all but four have it (docs/formats.md#simatic-sd).
 */

import { fitsLiteral } from '../../languages/ladder/data-types.ts'
import type { TemplateValue } from '../../model/instance.ts'
import type { LiteralOperand } from '../../model/operand.ts'
import { systemPinType } from '../../model/system-pins.ts'
import type { Instruction } from './instructions.ts'

/** Type of a literal at a pin, as far as the instruction and its templates give it. */
export function literalTypes(
  entry: Instruction,
  templates: readonly TemplateValue[],
): (pin: string) => string | undefined {
  return (pin) => {
    const name = entry.literals[pin] ?? entry.literals['*']
    const chosen = name === undefined ? undefined : templates.find((template) => template.name === name)?.value
    if (chosen !== undefined && chosen !== '') return chosen
    if (
      pin === entry.flowIn ||
      pin === 'en' ||
      entry.bits.includes(pin.replace(/\d+$/, '#')) ||
      entry.bits.includes(pin)
    )
      return 'Bool'
    return systemPinType(entry.part, pin)
  }
}

/** The literal with its type: that of its pin when it can have it, else that of its form. */
export function typedLiteral(literal: LiteralOperand, type: string | undefined): LiteralOperand {
  const { value } = literal
  // A pointer has no prefix of a type, although it looks like one.
  if (/^P#/i.test(value))
    return {
      ...literal,
      scope: 'LiteralConstant',
      type: /^(Any|Pointer|Variant)$/i.test(type ?? '') ? (type ?? '') : 'Any',
    }
  if (literal.scope !== 'LiteralConstant' || literal.type !== undefined) return literal
  return { ...literal, type: type !== undefined && canHave(value, type) ? plainType(type) : literalTypeByForm(value) }
}

function canHave(value: string, type: string): boolean {
  return fitsLiteral(value, type) || (type === 'Bool' && /^[01]$/.test(value))
}

/** `String[20]` is String. */
function plainType(type: string): string {
  return type.replace(/\[.*$/, '')
}

/** Type by the form of a value: the smallest of the usual types that can contain it. */
export function literalTypeByForm(value: string): string {
  const text = value.replaceAll('_', '')
  if (/^(true|false)$/i.test(text)) return 'Bool'
  const based = /^(2|8|16)#([0-9A-F]+)$/i.exec(text)
  if (based !== null) {
    const bits = Math.ceil(Math.log2(Number(based[1])) * (based[2] as string).length)
    return bits <= 8 ? 'Byte' : bits <= 16 ? 'Word' : bits <= 32 ? 'DWord' : 'LWord'
  }
  if (/^[-+]?\d+$/.test(text)) {
    const number = Number(text)
    if (number >= -32768 && number <= 32767) return 'Int'
    return number >= -2147483648 && number <= 2147483647 ? 'DInt' : 'LInt'
  }
  if (/^[-+]?\d/.test(text)) return 'Real'
  return text.length === 3 ? 'Char' : 'String'
}
