/** Types of literals. SimaticML writes them beside the value; in SIMATIC SD they follow from the instruction. */

import type { TemplateValue } from '../../model/instance.ts'
import type { Instruction } from './instructions.ts'

/** Type of a literal at a pin, as far as the instruction's templates give it. */
export function literalTypes(
  entry: Instruction,
  templates: readonly TemplateValue[],
): (pin: string) => string | undefined {
  return (pin) => {
    const name = entry.literals[pin] ?? entry.literals['*']
    if (name === undefined) return undefined
    return templates.find((template) => template.name === name)?.value
  }
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
