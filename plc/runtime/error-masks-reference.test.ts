/**
 * Masks of synchronous errors against sets of bit numbers: any order of masking, unmasking, errors, reading and OBs.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ProgrammingFault } from '../library/faults.ts'
import { ErrorMasks, type MaskAnswer } from './error-masks.ts'

/** Events 2521 to 2525, 2528, 2529, 2530 to 2535, 253A, 253C to 253F as bits; 2942 and 2943. */
const program = [1, 2, 3, 4, 5, 8, 9, 16, 17, 18, 19, 20, 21, 26, 28, 29, 30, 31]
const access = [2, 3]

type Pair = readonly [program: ReadonlySet<number>, access: ReadonlySet<number>]
interface Level {
  masked: [Set<number>, Set<number>]
  occurred: Set<number>
}
const fresh = (): Level => ({ masked: [new Set(), new Set()], occurred: new Set() })
const bitsOf = (numbers: Iterable<number>) => [...numbers].reduce((bits, number) => bits | (1n << BigInt(number)), 0n)

/** The same by sets: only errors that exist count. */
class Model {
  levels: Level[] = []
  get top(): Level {
    return this.levels.at(-1) ?? fresh()
  }
  of(given: Pair): [number[], number[]] {
    return [program.filter((bit) => given[0].has(bit)), access.filter((bit) => given[1].has(bit))]
  }
  masks({ masked }: Level): readonly [bigint, bigint] {
    return [bitsOf(masked[0]), bitsOf(masked[1])]
  }
  mask(given: Pair): MaskAnswer {
    const { top } = this
    const wanted = this.of(given)
    const status = wanted.some((list, i) => list.some((bit) => top.masked[i]!.has(bit))) ? 1 : 0
    for (const i of [0, 1]) for (const bit of wanted[i]!) top.masked[i]!.add(bit)
    return { status, outputs: this.masks(top) }
  }
  unmask(given: Pair): MaskAnswer {
    const { top } = this
    const wanted = this.of(given)
    const status = wanted.some((list, i) => list.some((bit) => !top.masked[i]!.has(bit))) ? 1 : 0
    for (const i of [0, 1]) for (const bit of wanted[i]!) top.masked[i]!.delete(bit)
    for (const bit of wanted[0]) top.occurred.delete(bit)
    return { status, outputs: this.masks(top) }
  }
  take(event: number): boolean {
    const bit = event - 0x2520
    if (!this.top.masked[0].has(bit)) return false
    this.top.occurred.add(bit)
    return true
  }
  read(given: Pair): MaskAnswer {
    const { top } = this
    const wanted = this.of(given)
    const status = wanted.some((list, i) => list.some((bit) => !top.masked[i]!.has(bit))) ? 1 : 0
    const seen = wanted[0].filter((bit) => top.occurred.delete(bit))
    return { status, outputs: [bitsOf(seen), 0n] }
  }
}

const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 31 }), { maxLength: 6 }).map((list) => new Set(list))
const step = fc.oneof(
  fc.constant({ what: 'enter' as const }),
  fc.constant({ what: 'leave' as const }),
  fc.integer({ min: 1, max: 31 }).map((bit) => ({ what: 'take' as const, event: 0x2520 + bit })),
  fc
    .tuple(fc.constantFrom('mask' as const, 'unmask' as const, 'read' as const), numbers, numbers)
    .map(([what, first, second]) => ({ what, given: [first, second] as Pair })),
)

test('masks, registers and results are those of sets of errors', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const masks = new ErrorMasks()
      const model = new Model()
      masks.enter()
      model.levels.push(fresh())
      for (const one of steps) {
        if (one.what === 'enter') {
          masks.enter()
          model.levels.push(fresh())
        } else if (one.what === 'leave') {
          masks.leave()
          model.levels.pop()
        } else if (one.what === 'take') {
          assert.equal(masks.take({ id: one.event } as ProgrammingFault), model.take(one.event))
        } else {
          const [first, second] = one.given
          assert.deepEqual(masks[one.what](bitsOf(first), bitsOf(second)), model[one.what](one.given), one.what)
        }
      }
    }),
    { numRuns: 500 },
  )
})
