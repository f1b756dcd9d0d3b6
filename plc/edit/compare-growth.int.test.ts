/** Comparing takes work in line with the length of a statement, that inside native list functions included. */
// In a process of its own: it replaces functions of Array to count what they look at.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importFile } from '../formats/import.ts'
import { compareObjects } from './compare.ts'

const native = ['indexOf', 'includes', 'splice', 'shift'] as const

/** How many entries the lists had that native functions were called on. */
function lookedAt(run: () => void): number {
  let entries = 0
  const undo = native.map((name) => {
    const own = Array.prototype[name] as (...given: unknown[]) => unknown
    const set = (value: unknown) => Object.defineProperty(Array.prototype, name, { value, configurable: true })
    set(function (this: unknown[], ...given: unknown[]) {
      entries += this.length
      return own.apply(this, given)
    })
    return () => set(own)
  })
  try {
    run()
  } finally {
    for (const one of undo) one()
  }
  return entries
}

const sum = (letter: string, n: number) =>
  `FUNCTION "Sum" : Void\nVAR_TEMP\n  x : Int;\nEND_VAR\nBEGIN\n#x := ${Array.from({ length: n }, (_, i) => `"${letter}${i}"`).join(' + ')};\nEND_FUNCTION\n`

test('a statement of many words is compared in line with its length', async () => {
  const work = async (n: number) => {
    const [left, right] = await Promise.all(
      [sum('a', n), sum('b', n)].map(async (text) => {
        const { objects } = await importFile(new TextEncoder().encode(text), { path: 'sum.scl' })
        return objects[0]!
      }),
    )
    return lookedAt(() => assert.equal(compareObjects(left!, right!).differences.length, 2))
  }
  const [few, many] = [await work(200), await work(800)]
  assert.ok(many <= 6 * few + 5000, `${few} to ${many}`)
})
