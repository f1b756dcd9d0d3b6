/**
 * Routines on texts that the runtime implements: conversions of numbers. All others are generated code
 * (library/text-blocks.ts). The last argument gives the layout of the texts, two bits for each address in the order of
 * the arguments: bit 0 its words are big-endian, bit 1 it is a WString.
 */
import type { RoutineFamily } from '../context.ts'
import * as functions from '../text-functions.ts'
import { readText, type TextPlace, writeText } from '../texts.ts'

function placeOf(address: number, flags: number): TextPlace {
  return { address, isStandard: (flags & 1) !== 0, isWide: (flags & 2) !== 0 }
}

export const stringRoutines: RoutineFamily = (context) => {
  const { fail } = context
  const read = (address: number, flags: number) => readText(context, placeOf(address, flags))
  const give = (target: number, flags: number, text: string): undefined => {
    if (!writeText(context, placeOf(target, flags), text)) fail()
  }
  return {
    'string.toInteger': (source: number, bits: number, isSigned: number, flags: number) => {
      const value = functions.toInteger(read(source, flags), bits, isSigned !== 0)
      if (value === undefined) fail()
      return BigInt.asIntN(64, value ?? 0n)
    },
    'string.toReal': (source: number, bits: number, flags: number) => {
      const value = functions.toReal(read(source, flags), bits)
      if (value === undefined) fail()
      return value ?? 0
    },
    /** With `isSigned` 0 the 64 bits are an unsigned number. */
    'string.fromInteger': (target: number, value: bigint, bits: number, isSigned: number, flags: number) =>
      give(target, flags, functions.fromInteger(isSigned === 0 ? BigInt.asUintN(64, value) : value, bits)),
    'string.fromReal': (target: number, value: number, bits: number, flags: number) =>
      give(target, flags, functions.fromReal(value, bits)),
  }
}
