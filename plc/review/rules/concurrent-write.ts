/** Rule `concurrent-write`. */
import { scheduleOf } from '../../program/organization-blocks.ts'
import { db } from '../examples.ts'
import { memoryOf, type Writer } from '../memory.ts'
import type { ReviewedObject, ReviewedProgram } from '../reviewed-program.ts'
import type { Rule } from '../rule.ts'

const interrupt = (member: string) =>
  `ORGANIZATION_BLOCK "Cyclic interrupt"\nBEGIN\n  "Data".${member} := "Data".${member} + 1;\nEND_ORGANIZATION_BLOCK\n`
const main = `ORGANIZATION_BLOCK "Main"\nBEGIN\n  "Data".count := "Data".count + 1;\nEND_ORGANIZATION_BLOCK\n`

export const concurrentWrite: Rule = {
  code: 'concurrent-write',
  group: 'logic',
  severity: 'warning',
  title: 'A variable is written at different priorities',
  why: 'An organization block of higher priority interrupts the other between its reading and its writing: one of the two values is lost, now and then. The calls of each organization block are followed; those of the startup are not meant, nor is a bit that is only set and reset under conditions.',
  fails: db('  count : Int;\n  fast : Int;') + main + interrupt('count'),
  passes: db('  count : Int;\n  fast : Int;') + main + interrupt('fast'),
  check(program, report) {
    const levels = levelsOf(program)
    const memory = memoryOf(program)
    for (const { owner, writers, range } of memory.variables) {
      if (owner !== undefined) continue
      const byLevel = new Map<number, { readonly writer: Writer; readonly ob: string }>()
      for (const writer of writers)
        for (const [priority, ob] of levels.get(writer.by) ?? [])
          if (!byLevel.has(priority)) byLevel.set(priority, { writer, ob })
      if (byLevel.size < 2) continue
      const isSignal = range.bits === 1 && writers.every(({ write }) => isSetOrReset(write))
      const blocks = new Set([...byLevel.values()].map(({ writer }) => writer.by))
      // Several blocks that assign one output are a rule of their own.
      if (isSignal || (range.area === 'Q' && blocks.size > 1)) continue
      const ordered = [...byLevel].sort(([a], [b]) => a - b)
      const [[low, below], [high, above]] = [ordered[0]!, ordered.at(-1)!]
      const { by, write } = above.writer
      const there = below.writer.by === by ? 'the same block runs' : `"${below.writer.by.name}" writes it`
      report(
        by,
        write,
        `${write.text} is written here in "${above.ob}" (priority ${high}), and ${there} in "${below.ob}" (priority ${low}).`,
        { hint: 'Write it at one priority only: give each its own variable, and put them together in one place.' },
      )
    }
  },
}

function isSetOrReset({ values, from, isOther, isConditional }: Writer['write']): boolean {
  return isOther === undefined && from.length === 0 && values.length === 1 && isConditional === true
}

/** The priorities that each block runs at, with an organization block of each. */
function levelsOf(program: ReviewedProgram): Map<ReviewedObject, Map<number, string>> {
  const found = new Map<ReviewedObject, Map<number, string>>()
  const starts = new Map<number, ReviewedObject[]>()
  for (const object of program.objects) {
    if (object.kind !== 'OB' || object.block === undefined) continue
    const { eventClass, priority } = scheduleOf(object.block)
    if (eventClass === 'Startup') continue
    starts.set(priority, [...(starts.get(priority) ?? []), object])
  }
  for (const [priority, blocks] of starts)
    for (const start of blocks) {
      const open = [start]
      for (const block of open) {
        const own = found.get(block) ?? new Map<number, string>()
        if (own.has(priority)) continue
        found.set(block, own.set(priority, start.name))
        for (const { block: name } of program.facts.get(block.name.toLowerCase())?.calls ?? []) {
          const next = program.named(name)
          if (next) open.push(next)
        }
      }
    }
  return found
}
