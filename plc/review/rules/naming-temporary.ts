/** Rule `naming-temporary`. */
import { fb } from '../examples.ts'
import { checkNames } from '../names.ts'
import type { Rule } from '../rule.ts'

export const namingTemporary: Rule = {
  code: 'naming-temporary',
  group: 'naming',
  severity: 'information',
  title: 'The name of a temporary is not as agreed',
  why: 'One way of naming lets readers see what a name is. The default is that of the programming style guide of Siemens: camelCase, mostly with temp before it: tempIndex.',
  fails: fb('VAR_TEMP\n  Index : Int;\nEND_VAR'),
  passes: fb('VAR_TEMP\n  tempIndex : Int;\nEND_VAR'),
  options: { pattern: { value: '^[a-z][A-Za-z0-9_]*$', description: 'A regular expression for the whole name.' } },
  check(program, report, options) {
    checkNames(program, 'temporary', options.text('pattern'), report)
  },
}
