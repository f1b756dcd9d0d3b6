/** Type codes of ANY pointers (TIA Portal help, "Format of the parameter type ANY"). */
import type { Type } from './type.ts'

/** Codes by the names of scalars. */
export const anyCodes: Readonly<Record<string, number>> = {
  ...{ Bool: 1, Byte: 2, Char: 3, Word: 4, Int: 5, DWord: 6, DInt: 7, Real: 8, Date: 9, Time_Of_Day: 10, Time: 11 },
  S5Time: 12,
}
export const [dateAndTimeCode, stringCode] = [0x0e, 0x13]

/** The code of a type; `undefined`: it has none. */
export function codeOfAny(type: Type): number | undefined {
  if (type.kind === 'scalar') return anyCodes[type.name]
  return type.kind === 'dateAndTime' ? dateAndTimeCode : undefined
}
