/** Rule `hardware-input-written`. */
import { ob } from '../examples.ts'
import type { Rule } from '../rule.ts'
import { bitsOfTag } from '../tags.ts'

export const hardwareInputWritten: Rule = {
  code: 'hardware-input-written',
  group: 'data',
  severity: 'warning',
  title: 'The program writes to an input of the hardware',
  why: 'The next update of the process image overwrites the value. Mostly it is a simulation that was forgotten.',
  fails: { program: ob('"Start" := TRUE;'), tags: '"Start" Bool %I0.0 // start button' },
  passes: {
    program: ob('"Motor" := "Start";'),
    tags: '"Start" Bool %I0.0 // start button\n"Motor" Bool %Q0.0 // motor',
  },
  check(program, report) {
    const inputs = new Set<string>()
    for (const table of program.tables)
      for (const tag of table.object.tags ?? []) if (bitsOfTag(tag)?.area === 'I') inputs.add(tag.name.toLowerCase())
    for (const object of program.code)
      for (const { name, address, access, place, text } of object.uses) {
        if (access !== 'Write' || (address?.area !== 'I' && !inputs.has(name.toLowerCase()))) continue
        report(object, place, `${text} is an input of the hardware and is written here.`, {
          hint: 'Write to a variable of the program, and take it in place of the input.',
        })
      }
  },
}
