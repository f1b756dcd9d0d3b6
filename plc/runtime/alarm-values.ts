/** Associated values of alarms, read from memory. */
import type { AlarmValue } from './alarms.ts'
import { type Cell, decoded, partsOf, readBits } from './cells.ts'
import type { RuntimeContext } from './context.ts'
import { readText } from './texts.ts'

/** Reads a value for an alarm; `undefined` for structures and other types that alarms cannot show. */
export function alarmValue(
  context: Pick<RuntimeContext, 'view' | 'bytes'>,
  cell: Cell,
): (AlarmValue & { readonly bytes: number }) | undefined {
  const { type, isStandard } = cell
  if (type.kind === 'string') {
    const place = { address: cell.address, isWide: type.isWide, isStandard }
    const text = readText(context, place)
    return {
      type: type.isWide ? 'WString' : 'String',
      value: text,
      bytes: type.isWide ? 4 + 2 * text.length : 2 + text.length,
    }
  }
  if (type.kind === 'array') {
    const { element } = type
    if (element.kind !== 'scalar' || element.family !== 'character') return undefined
    const codes = partsOf(cell).map((part) => Number(readBits(context.view, element, part)))
    return { type: 'String', value: String.fromCharCode(...codes), bytes: codes.length * (element.bits >> 3) }
  }
  if (type.kind !== 'scalar') return undefined
  const { name, bits, family, isSigned } = type
  const pattern = readBits(context.view, type, cell)
  const bytes = Math.max(1, bits >> 3)
  if (family === 'bool') return { type: name, value: pattern !== 0n, bytes }
  if (family === 'real') return { type: name, value: decoded(type, pattern), bytes }
  if (family === 'character') return { type: name, value: String.fromCharCode(Number(pattern)), bytes }
  const whole = isSigned ? BigInt.asIntN(bits, pattern) : pattern
  return { type: name, value: bits === 64 ? String(whole) : Number(whole), bytes }
}
