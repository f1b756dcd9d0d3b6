/** Rule `know-how-protected`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const knowHowProtected: Rule = {
  code: 'know-how-protected',
  group: 'security',
  severity: 'information',
  title: 'A block is know-how protected',
  why: 'What it does can be neither reviewed nor tested, and a change in it is not seen.',
  fails: fc('#n := 1;').replace('VAR_INPUT', 'KNOW_HOW_PROTECT\nVAR_INPUT'),
  passes: fc('#n := 1;'),
  check({ objects }, report) {
    for (const object of objects)
      if (object.object.isKnowHowProtected)
        report(object, {}, 'The block is protected and cannot be reviewed.', { hint: 'Export it without protection.' })
  },
}
