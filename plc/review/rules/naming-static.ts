/** Rule `naming-static`. */
import { fb } from '../examples.ts'
import { checkNames } from '../names.ts'
import type { Rule } from '../rule.ts'

export const namingStatic: Rule = {
  code: 'naming-static',
  group: 'naming',
  severity: 'information',
  title: 'The name of a static is not as agreed',
  why: 'One way of naming lets readers see what a name is. The default is that of the programming style guide of Siemens: camelCase, mostly with stat before it, and inst before instances: statCounter, instDelay.',
  fails: fb('VAR\n  Counter : Int;\nEND_VAR'),
  passes: fb('VAR\n  statCounter : Int;\nEND_VAR'),
  options: {
    pattern: {
      value: '^(stat|inst)[A-Z0-9][A-Za-z0-9_]*$|^[a-z][A-Za-z0-9_]*$',
      description: 'A regular expression for the whole name.',
    },
  },
  check(program, report, options) {
    checkNames(program, 'static', options.text('pattern'), report)
  },
}
