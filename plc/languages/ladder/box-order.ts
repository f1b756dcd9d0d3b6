/** The order in which the boxes of a network are executed or shown. */
import { comparePins } from './canonical.ts'
import type { Box, NetworkIndex } from './network-index.ts'

/**
 * Orders all boxes, each after those that feed it, as near to document order as that allows: what feeds a box comes
 * right before it, its inputs from top to bottom.
 * @param isRoot boxes that get a place of their own; all others come with what they feed, or at the end
 */
export function boxesInOrder(index: NetworkIndex, isRoot: (box: Box) => boolean): Box[] {
  const order: Box[] = []
  const state = new Map<number, 'open' | 'done'>()
  for (const root of [...index.boxes.filter(isRoot), ...index.boxes]) {
    const pending: Box[] = [root]
    for (let box = pending.at(-1); box !== undefined; box = pending.at(-1)) {
      const known = state.get(box.uId)
      if (known !== undefined) {
        pending.pop()
        if (known === 'open') order.push(box)
        state.set(box.uId, 'done')
        continue
      }
      state.set(box.uId, 'open')
      for (const pin of [...index.inputs(box.uId)].sort(comparePins).reverse()) {
        const source = index.source(box.uId, pin)
        const feeder = source?.kind === 'pin' ? index.box(source.uId) : undefined
        if (feeder !== undefined && !state.has(feeder.uId)) pending.push(feeder)
      }
    }
  }
  return order
}
