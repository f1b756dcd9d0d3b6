/**
 * The bytes of the process images that code uses. A controller copies these between image and periphery, and not the
 * whole areas: copying 128 KiB in each cycle costs more than most programs, and drops their data from the cache.
 */
import type { Place } from '../../ir/ir.ts'
import type { AreaSizes } from '../../program/memory-areas.ts'
import type { ImportedFunction } from '../wasm/module.ts'
import { reach } from './overlap.ts'

/** Bytes `from` up to `to`, without `to`; empty when both are the same. */
export type Extent = readonly [from: number, to: number]

/** The used bytes of inputs and outputs, each the image and its periphery together. */
export interface ImageUse {
  readonly I: Extent
  readonly Q: Extent
}

const nothing: Extent = [0, 0]
/** Beyond the end of every area; a number that JSON can hold. */
const end = 2 ** 31

/** The smallest extent that contains both. */
export function joinedExtent(a: Extent, b: Extent): Extent {
  if (a[0] >= a[1]) return b
  if (b[0] >= b[1]) return a
  return [Math.min(a[0], b[0]), Math.max(a[1], b[1])]
}

/** Collects what the code of a block uses. */
export class ImageUseCollector implements ImageUse {
  I = nothing
  Q = nothing

  /**
   * Adds a place.
   * @param size bytes of the access; absent: code takes the address, and may use everything from there on
   */
  add(place: Place, size = end): void {
    const { base, offset } = place
    if (base.kind !== 'area') return
    const extent: Extent = [offset, Math.min(end, offset + reach(place, size))]
    if (base.area === 'I' || base.area === 'PI') this.I = joinedExtent(this.I, extent)
    else if (base.area === 'Q' || base.area === 'PQ') this.Q = joinedExtent(this.Q, extent)
  }
}

/** Routines that find an area at run time: PEEK, POKE, ANY and POINTER, and models that use the whole image. */
const byAreaCode = /^(?:peek|poke|any|pointer|model\.image)\b/

/** Returns what a program uses: all of its blocks together, within the sizes of the areas. */
export function usedImage(
  blocks: readonly { readonly image: ImageUse; readonly routines: readonly ImportedFunction[] }[],
  areas: AreaSizes,
): ImageUse {
  let [inputs, outputs] = [nothing, nothing]
  for (const { image, routines } of blocks) {
    if (routines.some(({ name }) => byAreaCode.test(name))) return { I: [0, areas.I], Q: [0, areas.Q] }
    inputs = joinedExtent(inputs, image.I)
    outputs = joinedExtent(outputs, image.Q)
  }
  const within = ([from, to]: Extent, size: number): Extent => [Math.min(from, size), Math.min(to, size)]
  return { I: within(inputs, areas.I), Q: within(outputs, areas.Q) }
}
