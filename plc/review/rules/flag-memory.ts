/** Rule `flag-memory`. */
import { ob } from '../examples.ts'
import type { Rule } from '../rule.ts'
import { bitsOfTag } from '../tags.ts'

export const flagMemory: Rule = {
  code: 'flag-memory',
  group: 'data',
  severity: 'information',
  title: 'A tag is in bit memory (M)',
  why: 'Bit memory is global and has no structure, so blocks that use it cannot be used twice. Data blocks and statics have names, types and start values.',
  fails: { program: ob('"State" := 1;'), tags: '"State" Int %MW10 // state' },
  passes: {
    program: ob('"Motor" := "Start";'),
    tags: '"Start" Bool %I0.0 // start button\n"Motor" Bool %Q0.0 // motor',
  },
  options: { bytes: { value: ['0', '1'], description: 'Bytes of system and clock memory, which are allowed.' } },
  check(program, report, options) {
    const allowed = new Set(options.list('bytes'))
    for (const table of program.tables) {
      const found = (table.object.tags ?? []).filter((tag) => {
        const bits = bitsOfTag(tag)
        return bits?.area === 'M' && !allowed.has(String(bits.first >> 3)) && !isSystem(tag.name)
      })
      const [first] = found
      if (!first) continue
      const more = found.length > 1 ? `, and ${found.length - 1} more` : ''
      report(table, { member: first.name }, `"${first.name}" (${first.logicalAddress})${more}: in bit memory.`, {
        hint: 'Use a data block, or the static data of the block that needs it.',
      })
    }
  },
}

/** Names that TIA Portal gives to system and clock memory. */
function isSystem(name: string): boolean {
  return /^(Clock_|FirstScan|DiagStatusUpdate|AlwaysTRUE|AlwaysFALSE|System_Byte|Tag_System|Clock_Byte)/i.test(name)
}
