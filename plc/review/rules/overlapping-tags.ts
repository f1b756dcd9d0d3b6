/** Rule `overlapping-tags`. */
import { ob } from '../examples.ts'
import type { Rule } from '../rule.ts'
import { bitsOfTag } from '../tags.ts'

export const overlappingTags: Rule = {
  code: 'overlapping-tags',
  group: 'data',
  severity: 'warning',
  title: 'Tags overlap in memory',
  why: 'Writing one tag changes the other. A bit inside a word of the same area may be meant; two tags that share a part are a mistake.',
  fails: {
    program: ob('"Speed" := 1;\n  "Level" := 2;'),
    tags: '"Speed" Int %MW10 // speed\n"Level" Int %MW11 // level',
  },
  passes: {
    program: ob('"Speed" := 1;\n  "Level" := 2;'),
    tags: '"Speed" Int %MW10 // speed\n"Level" Int %MW12 // level',
  },
  options: { bits: { value: false, description: 'Also report bits and bytes of a wider tag.' } },
  check(program, report, options) {
    const withParts = options.text('bits') === 'true'
    const all = program.tables.flatMap((table) =>
      (table.object.tags ?? []).flatMap((tag) => {
        const bits = bitsOfTag(tag)
        return bits ? [{ table, tag, ...bits }] : []
      }),
    )
    all.sort((a, b) => (a.area < b.area ? -1 : a.area > b.area ? 1 : a.first - b.first || b.bits - a.bits))
    // Of those before only the one that reaches furthest can overlap what comes after.
    let reach: (typeof all)[number] | undefined
    for (const one of all) {
      if (reach && reach.area === one.area && one.first < reach.first + reach.bits) {
        const isSame = one.first === reach.first && one.bits === reach.bits
        const isInside = !isSame && one.first + one.bits <= reach.first + reach.bits
        // One name in two tables is a fault of its own.
        const isOther = one.tag.name.toLowerCase() !== reach.tag.name.toLowerCase()
        if (isOther && (!isInside || withParts))
          report(
            one.table,
            { member: one.tag.name },
            `"${one.tag.name}" (${one.tag.logicalAddress}) ${isSame ? 'has the address of' : 'overlaps'} "${reach.tag.name}" (${reach.tag.logicalAddress}).`,
            { hint: 'Give it an address of its own.' },
          )
      }
      if (!reach || reach.area !== one.area || one.first + one.bits > reach.first + reach.bits) reach = one
    }
  },
}
