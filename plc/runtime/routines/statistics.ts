/**
 * RT_INFO: measurements of the controller (TIA Portal help). Cycle times and settings are those of the controller.
 * Runtimes of single organization blocks and shares of communication are not measured here: the former keep the values
 * they have before the first measurement, and there is no communication.
 */
import { writeBits } from '../cells.ts'
import type { CycleTimes, RuntimeContext } from '../context.ts'
import { meant, regionOf } from './memory.ts'

const status = {
  wrongMode: 0x8080,
  noBlock: 0x8081,
  /** Modes of redundant systems, which this CPU type does not have. */
  notRedundant: 0x8091,
  /** Modes that reset values, which this CPU version does not have. */
  noReset: 0x8092,
  wrongType: 0x8452,
} as const

type Value = { readonly type: 'LTime' | 'UInt'; readonly value: bigint } | undefined

/** Returns the value of a mode; `undefined`: there is no such mode. */
function measured(mode: number, times: CycleTimes | undefined): Value {
  const duration = (value: bigint | undefined, preset: bigint): Value => ({ type: 'LTime', value: value ?? preset })
  switch (mode) {
    case 1:
    case 2:
      return duration(undefined, 0n)
    case 3:
      return duration(undefined, -1n)
    case 10:
    case 11:
    case 20:
    case 21:
    case 32:
      return { type: 'UInt', value: 0n }
    case 23:
      return duration(times?.longest, 0n)
    case 24:
      return duration(times?.shortest, -1n)
    case 25:
      return duration(times?.last, times?.minimum ?? 0n)
    case 30:
      return duration(times?.monitoring, 0n)
    case 31:
      return duration(times?.minimum, 0n)
    default:
      return undefined
  }
}

export function statisticsServices(
  context: RuntimeContext,
): Record<string, (...inputs: never[]) => { readonly status: number }> {
  return {
    RT_INFO: (mode: bigint, block: bigint, ...info: number[]) => {
      const number = Number(mode)
      if ([40, 42, 43, 44].includes(number)) return { status: status.noReset }
      if (number >= 50 && number <= 55) return { status: status.notRedundant }
      const value = measured(number, context.cycleTimes?.())
      if (!value) return { status: status.wrongMode }
      if (number <= 3 && context.hasOrganizationBlock?.(Number(block)) === false) return { status: status.noBlock }
      const cell = meant(regionOf(context, ...(info as [number, number, number, number])))
      if (cell?.type.kind !== 'scalar' || cell.type.name !== value.type) return { status: status.wrongType }
      writeBits(context.view, cell.type, cell, value.value)
      return { status: 0 }
    },
  }
}
