/** Rule `naming-constant`. */
import { fb } from '../examples.ts'
import { checkNames } from '../names.ts'
import type { Rule } from '../rule.ts'

export const namingConstant: Rule = {
  code: 'naming-constant',
  group: 'naming',
  severity: 'information',
  title: 'The name of a constant is not as agreed',
  why: 'One way of naming lets readers see what a name is. The default is that of the programming style guide of Siemens: UPPER_CASE: MAX_SPEED.',
  fails: fb('VAR CONSTANT\n  maxSpeed : Int := 5;\nEND_VAR'),
  passes: fb('VAR CONSTANT\n  MAX_SPEED : Int := 5;\nEND_VAR'),
  options: { pattern: { value: '^[A-Z][A-Z0-9_]*$', description: 'A regular expression for the whole name.' } },
  check(program, report, options) {
    checkNames(program, 'constant', options.text('pattern'), report)
  },
}
