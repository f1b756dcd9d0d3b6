/** Sizes of a controller's memory areas. */
import type { AbsoluteAddress } from './program.ts'

/** Sizes of the areas of a controller in bytes. */
export interface AreaSizes {
  readonly I: number
  readonly Q: number
  readonly M: number
}

/** S7-1500: 32 KiB of process image for inputs and outputs each, 16 KiB of flags (CPU 1516 manual, technical data). */
export const defaultAreas: AreaSizes = { I: 32_768, Q: 32_768, M: 16_384 }

const areaNames = { I: 'the inputs', Q: 'the outputs', M: 'the bit memory' } as const

/**
 * Returns the fault of an address behind the end of its area, as the end of a sentence that begins with the address.
 * The areas are those of the largest CPUs, since a program does not say which CPU it runs on.
 */
export function areaFault({ area, byte, bits }: AbsoluteAddress): string | undefined {
  const letter = area === 'PI' ? 'I' : area === 'PQ' ? 'Q' : area
  if (letter !== 'I' && letter !== 'Q' && letter !== 'M') return undefined
  const size = defaultAreas[letter]
  if (byte + Math.ceil(bits / 8) <= size) return undefined
  return `lies outside ${areaNames[letter]}, which end${letter === 'M' ? 's' : ''} at byte ${size - 1}`
}
