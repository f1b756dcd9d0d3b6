/** Rule `naming-parameter`. */
import { fb } from '../examples.ts'
import { checkNames } from '../names.ts'
import type { Rule } from '../rule.ts'

export const namingParameter: Rule = {
  code: 'naming-parameter',
  group: 'naming',
  severity: 'information',
  title: 'The name of a parameter is not as agreed',
  why: 'One way of naming lets readers see what a name is. The default is that of the programming style guide of Siemens: camelCase: setSpeed.',
  fails: fb('VAR_INPUT\n  SetSpeed : Int;\nEND_VAR'),
  passes: fb('VAR_INPUT\n  setSpeed : Int;\nEND_VAR'),
  options: { pattern: { value: '^[a-z][A-Za-z0-9_]*$', description: 'A regular expression for the whole name.' } },
  check(program, report, options) {
    checkNames(program, 'parameter', options.text('pattern'), report)
  },
}
