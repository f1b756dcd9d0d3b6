/** Rule `naming-block`. */
import { fb } from '../examples.ts'
import { checkNames } from '../names.ts'
import type { Rule } from '../rule.ts'

export const namingBlock: Rule = {
  code: 'naming-block',
  group: 'naming',
  severity: 'information',
  title: 'The name of a block is not as agreed',
  why: 'One way of naming lets readers see what a name is. The default is that of the programming style guide of Siemens: PascalCase: MotorControl.',
  fails: fb('', '', 'motor_control'),
  passes: fb('', '', 'MotorControl'),
  options: { pattern: { value: '^[A-Z][A-Za-z0-9_]*$', description: 'A regular expression for the whole name.' } },
  check(program, report, options) {
    checkNames(program, 'block', options.text('pattern'), report)
  },
}
