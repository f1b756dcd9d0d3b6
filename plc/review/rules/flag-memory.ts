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
    for (const table of program.tables)
      for (const tag of table.object.tags ?? []) {
        const bits = bitsOfTag(tag)
        if (bits?.area !== 'M' || allowed.has(String(bits.first >> 3)) || isSystem(tag.name)) continue
        report(table, { member: tag.name }, `"${tag.name}" is in bit memory (${tag.logicalAddress}).`, {
          hint: 'Put it into a data block, or the static data of the block that uses it.',
        })
      }
  },
}

/** Names that TIA Portal gives to system and clock memory. */
function isSystem(name: string): boolean {
  return /^(Clock_|FirstScan|DiagStatusUpdate|AlwaysTRUE|AlwaysFALSE|System_Byte|Tag_System|Clock_Byte)/i.test(name)
}
