/** Rule `standard-access`. */
import { db } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const standardAccess: Rule = {
  code: 'standard-access',
  group: 'data',
  severity: 'information',
  title: 'A block has no optimized access',
  why: 'Standard access is slower on S7-1200/1500, wastes memory, and a change of one member moves all after it.',
  fails: db('  speed : Int;', 'Data', "{ S7_Optimized_Access := 'FALSE' }"),
  passes: db('  speed : Int;', 'Data', "{ S7_Optimized_Access := 'TRUE' }"),
  check({ objects }, report) {
    for (const object of objects)
      if (object.object.memoryLayout === 'Standard' && object.kind !== 'OB')
        report(object, {}, `"${object.name}" has standard access.`, {
          hint: 'Switch optimized access on, unless a partner reads the block by addresses.',
        })
  },
}
