/** Sizes of a controller's memory areas. */

/** Sizes of the areas of a controller in bytes. */
export interface AreaSizes {
  readonly I: number
  readonly Q: number
  readonly M: number
}

/** S7-1500: 32 KiB of process image for inputs and outputs each, 16 KiB of flags (CPU 1516 manual, technical data). */
export const defaultAreas: AreaSizes = { I: 32_768, Q: 32_768, M: 16_384 }
