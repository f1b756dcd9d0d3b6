/** Rule `naming-data-block`. */
import { db } from '../examples.ts'
import { checkNames } from '../names.ts'
import type { Rule } from '../rule.ts'

export const namingDataBlock: Rule = {
  code: 'naming-data-block',
  group: 'naming',
  severity: 'information',
  title: 'The name of a data block is not as agreed',
  why: 'One way of naming lets readers see what a name is. The default is that of the programming style guide of Siemens: PascalCase: MotorData.',
  fails: db('  speed : Int;', 'motor_data'),
  passes: db('  speed : Int;', 'MotorData'),
  options: { pattern: { value: '^[A-Z][A-Za-z0-9_]*$', description: 'A regular expression for the whole name.' } },
  check(program, report, options) {
    checkNames(program, 'data-block', options.text('pattern'), report)
  },
}
