/**
 * Routines on texts. The last argument says how the texts stand, two bits for each address in the order of the arguments: bit 0 its words are
 * big-endian, bit 1 it is a WString.
 */
import type { RoutineFamily } from '../context.ts'
import * as functions from '../text-functions.ts'
import { clearText, currentLength, maximumLength, readText, type TextPlace, writeText } from '../texts.ts'

const isWide = 2
const isStandard = 1

function placeOf(address: number, flags: number, index: number): TextPlace {
  const bits = flags >> (2 * index)
  return { address, isStandard: (bits & isStandard) !== 0, isWide: (bits & isWide) !== 0 }
}

export const stringRoutines: RoutineFamily = (context) => {
  const { fail } = context
  const read = (address: number, flags: number, index: number) => readText(context, placeOf(address, flags, index))
  /** The first address is the target. */
  const give = (target: number, flags: number, { text, isRight }: functions.TextResult): undefined => {
    if (!writeText(context, placeOf(target, flags, 0), text) || !isRight) fail()
  }
  const whole = (text: string): functions.TextResult => ({ text, isRight: true })
  return {
    'string.assign': (target: number, source: number, flags: number) =>
      give(target, flags, whole(read(source, flags, 1))),
    'string.clear': (target: number, length: number, flags: number) =>
      clearText(context, placeOf(target, flags, 0), length) as undefined,
    'string.compare': (a: number, b: number, flags: number) => {
      const [left, right] = [read(a, flags, 0), read(b, flags, 1)]
      return left < right ? -1 : left > right ? 1 : 0
    },
    'string.length': (address: number, flags: number) => currentLength(context, placeOf(address, flags, 0)),
    'string.maximum': (address: number, flags: number) => maximumLength(context, placeOf(address, flags, 0)),
    'string.append': (target: number, source: number, flags: number) =>
      give(target, flags, whole(read(target, flags, 0) + read(source, flags, 1))),
    'string.left': (target: number, source: number, length: number, flags: number) =>
      give(target, flags, functions.left(read(source, flags, 1), length)),
    'string.right': (target: number, source: number, length: number, flags: number) =>
      give(target, flags, functions.rightPart(read(source, flags, 1), length)),
    'string.mid': (target: number, source: number, length: number, position: number, flags: number) =>
      give(target, flags, functions.middle(read(source, flags, 1), length, position)),
    'string.delete': (target: number, source: number, length: number, position: number, flags: number) =>
      give(target, flags, functions.remove(read(source, flags, 1), length, position)),
    'string.insert': (target: number, source: number, other: number, position: number, flags: number) =>
      give(target, flags, functions.insert(read(source, flags, 1), read(other, flags, 2), position)),
    'string.replace': (
      target: number,
      source: number,
      other: number,
      length: number,
      position: number,
      flags: number,
    ) => give(target, flags, functions.replace(read(source, flags, 1), read(other, flags, 2), length, position)),
    'string.find': (source: number, other: number, flags: number) =>
      functions.find(read(source, flags, 0), read(other, flags, 1)),
    'string.toInteger': (source: number, bits: number, isSigned: number, flags: number) => {
      const value = functions.toInteger(read(source, flags, 0), bits, isSigned !== 0)
      if (value === undefined) fail()
      return BigInt.asIntN(64, value ?? 0n)
    },
    'string.toReal': (source: number, bits: number, flags: number) => {
      const value = functions.toReal(read(source, flags, 0), bits)
      if (value === undefined) fail()
      return value ?? 0
    },
    /** `isSigned` 0: the 64 bits are an unsigned number. */
    'string.fromInteger': (target: number, value: bigint, bits: number, isSigned: number, flags: number) =>
      give(target, flags, whole(functions.fromInteger(isSigned === 0 ? BigInt.asUintN(64, value) : value, bits))),
    'string.fromReal': (target: number, value: number, bits: number, flags: number) =>
      give(target, flags, whole(functions.fromReal(value, bits))),
    'string.fromCharacter': (target: number, code: number, flags: number) =>
      give(target, flags, whole(String.fromCharCode(code))),
    'string.toCharacter': (source: number, flags: number) => {
      const text = read(source, flags, 0)
      if (text === '') fail()
      return text === '' ? 0 : text.charCodeAt(0)
    },
  }
}
