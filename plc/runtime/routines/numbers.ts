/** Analog values, and counting bits. */
import type { RoutineFamily } from '../context.ts'

const nominal = 27_648

/** Rounds half to even, as REAL to Int conversions do. */
function rounded(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest !== 0.5) return Math.round(value)
  return floor % 2 === 0 ? floor : floor + 1
}

export const numberRoutines: RoutineFamily = ({ fail }) => {
  const limits = (isBipolar: number) => [isBipolar === 0 ? 0 : -nominal, nominal] as const
  const isOutsideAnalog = (value: number, isBipolar: number) => {
    const [low, high] = limits(isBipolar)
    return value < low || value > high
  }
  const isOutsideReal = (value: number, high: number, low: number) => !(value >= low && value <= high) || !(low < high)
  return {
    'scale.value': (value: number, high: number, low: number, isBipolar: number) => {
      const [first, last] = limits(isBipolar)
      if (isOutsideAnalog(value, isBipolar)) {
        fail()
        return value < first ? low : high
      }
      const share = Math.fround((value - first) / (last - first))
      return Math.fround(Math.fround(share * Math.fround(high - low)) + low)
    },
    'scale.status': (value: number, _high: number, _low: number, isBipolar: number) =>
      isOutsideAnalog(value, isBipolar) ? 8 : 0,
    'unscale.value': (value: number, high: number, low: number, isBipolar: number) => {
      const [first, last] = limits(isBipolar)
      if (isOutsideReal(value, high, low)) {
        fail()
        if (!(low < high) || Number.isNaN(value)) return first
        return value < low ? first : last
      }
      const share = Math.fround(Math.fround(value - low) / Math.fround(high - low))
      return rounded(Math.fround(Math.fround(share * (last - first)) + first))
    },
    'unscale.status': (value: number, high: number, low: number) => (isOutsideReal(value, high, low) ? 8 : 0),
    'number.random': () => Math.floor(Math.random() * 2 ** 32) | 0,
    'bits.lowest': (value: bigint) => {
      if (value === 0n) {
        fail()
        return 0
      }
      let bit = 0
      while (((value >> BigInt(bit)) & 1n) === 0n) bit++
      return bit
    },
    'bits.count': (value: bigint) => {
      let count = 0
      for (let rest = BigInt.asUintN(64, value); rest !== 0n; rest &= rest - 1n) count++
      return count
    },
  }
}
