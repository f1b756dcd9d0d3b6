/** Names of instructions as people type them, beside a distance that is computed here by its definition. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownInstruction, nearestInstruction } from './instructions.ts'

/** Characters that are put in, left out or replaced to make one word of the other, without regard to case. */
function steps(one: string, other: string): number {
  const [a, b] = [one.toUpperCase(), other.toUpperCase()]
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      )
    row = next
  }
  return row[b.length] ?? 0
}

const names =
  'Move Add Sub LIMIT Serialize Deserialize UNSCALE RD_SYS_T UMOVE_BLK TON CTUD R_TRIG GetBlockName SCoil'.split(' ')

test('instructions are found whatever the case of their names', () => {
  for (const name of names.filter((one) => one !== 'SCoil'))
    for (const typed of [name, name.toLowerCase(), name.toUpperCase()]) assert.equal(knownInstruction(typed), name)
  for (const none of ['', 'Mov', 'TONN', 'Nothing']) assert.equal(knownInstruction(none), undefined)
})

test('a mistyped name is near when a third of its letters, at least two, are wrong', () => {
  for (const name of names) assert.equal(nearestInstruction(name)?.toUpperCase(), name.toUpperCase())
  for (const name of names)
    for (let wrong = 1; wrong <= 6; wrong++)
      for (let at = 0; at + wrong <= name.length; at += 2) {
        const typed = name.slice(0, at) + '#'.repeat(wrong) + name.slice(at + wrong)
        const found = nearestInstruction(typed)
        const most = Math.max(2, Math.ceil(typed.length / 3))
        if (wrong > most) {
          // Nothing is nearer than the letters that are wrong.
          if (found !== undefined) assert.ok(steps(found, typed) <= most, `${typed}: ${found}`)
        } else {
          assert.ok(found !== undefined, typed)
          assert.ok(steps(found, typed) <= wrong, `${typed}: ${found}`)
        }
      }
  for (const far of ['########', 'qqqqqqqqqqqqqqqqqqq']) assert.equal(nearestInstruction(far), undefined)
})
