/** What a block accesses in memory, and which variables it only reads and assigns as a whole. */
import type { Place } from '../ir/ir.ts'
import { extentOf } from '../program/layout.ts'
import type { FlowEvent } from './graph.ts'
import { placeKey } from './guards.ts'

/** The key of a variable with its size; `undefined` for what has no known place in memory. */
export function accessKey({
  place,
  type,
}: {
  readonly place: Place
  readonly type: { readonly bits: number }
}): string | undefined {
  const { kind } = place.base
  if (kind !== 'instance' && kind !== 'area' && kind !== 'block') return undefined
  const key = placeKey(place)
  return key && `${key}:${type.bits}`
}

/** All accesses to memory, to find what is only accessed in one way. */
export class Accesses {
  readonly #ranges = new Map<string, { readonly first: number; readonly end: number; readonly key: string }[]>()

  add({ node }: FlowEvent): void {
    switch (node.kind) {
      case 'load':
      case 'store':
        this.#range(node.place, node.type.bits, accessKey(node))
        return
      case 'address':
        this.#range(node.place, 1)
        return
      case 'copy':
        for (const place of [node.from, node.to])
          this.#range(place, 8 * extentOf(node.type, place.isStandard ? 'standard' : 'optimized').size)
        return
      case 'clear':
        this.#range(node.place, 8 * node.size)
    }
  }

  /** Keys of variables that no other access overlaps. */
  plain(): Set<string> {
    const found = new Set<string>()
    for (const ranges of this.#ranges.values()) {
      ranges.sort((a, b) => a.first - b.first || a.end - b.end)
      let group: typeof ranges = []
      let end = -1
      const close = () => {
        const keys = new Set(group.map(({ key }) => key))
        const [key = ''] = keys
        if (keys.size === 1 && key !== '') found.add(key)
      }
      for (const range of ranges) {
        if (range.first >= end) {
          close()
          group = []
        }
        group.push(range)
        end = Math.max(end, range.end)
      }
      close()
    }
    return found
  }

  #range(place: Place, bits: number, key = ''): void {
    const { base, offset, bit = 0, indices } = place
    if (base.kind !== 'instance' && base.kind !== 'area' && base.kind !== 'block') return
    const name = base.kind === 'area' ? base.area : base.kind === 'block' ? `"${base.block.toLowerCase()}"` : base.kind
    const more = indices.reduce((sum, { low, high, stride, isBits }) => {
      const count = typeof low === 'number' && typeof high === 'number' ? high - low : 0
      return sum + count * stride * (isBits ? 1 : 8)
    }, 0)
    const first = offset * 8 + bit
    const list = this.#ranges.get(name)
    const range = { first, end: first + bits + more, key: indices.length === 0 ? key : '' }
    if (list) list.push(range)
    else this.#ranges.set(name, [range])
  }
}
