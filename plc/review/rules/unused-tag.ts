/** Rule `unused-tag`. */
import { ob } from '../examples.ts'
import type { Rule } from '../rule.ts'
import { bitsOfTag } from '../tags.ts'

export const unusedTag: Rule = {
  code: 'unused-tag',
  group: 'data',
  severity: 'information',
  title: 'A tag is not used',
  why: 'An input that no block reads, or an output that none writes: it was forgotten, or the table is out of date.',
  fails: { program: ob(';'), tags: '"Start" Bool %I0.0 // start button' },
  passes: {
    program: ob('"Motor" := "Start";'),
    tags: '"Start" Bool %I0.0 // start button\n"Motor" Bool %Q0.0 // motor',
  },
  check(program, report) {
    if (!program.hasStart) return
    const { usedAddresses } = program
    for (const table of program.tables)
      for (const tag of table.object.tags ?? []) {
        const bits = bitsOfTag(tag)
        if (program.usesOf(tag.name).some(({ by }) => by !== table)) continue
        if (bits && usedAddresses.has(`${bits.area} ${bits.first}`)) continue
        report(
          table,
          { member: tag.name },
          `No block uses the tag "${tag.name}" (${tag.logicalAddress || 'without address'}).`,
          {
            hint: 'Use it or delete it.',
          },
        )
      }
  },
}
