/** Rule `naming-type`. */
import { checkNames } from '../names.ts'
import type { Rule } from '../rule.ts'

export const namingType: Rule = {
  code: 'naming-type',
  group: 'naming',
  severity: 'information',
  title: 'The name of a PLC data type is not as agreed',
  why: 'One way of naming lets readers see what a name is. The default is that of the programming style guide of Siemens: type and a name in PascalCase: typeDrive.',
  fails: 'TYPE "Drive"\nSTRUCT\n  speed : Int;\nEND_STRUCT;\nEND_TYPE\n',
  passes: 'TYPE "typeDrive"\nSTRUCT\n  speed : Int;\nEND_STRUCT;\nEND_TYPE\n',
  options: {
    pattern: {
      value: '^type[A-Z0-9][A-Za-z0-9_]*$|^[A-Za-z][A-Za-z0-9]*_type[A-Z0-9][A-Za-z0-9_]*$',
      description: 'A regular expression for the whole name.',
    },
  },
  check(program, report, options) {
    checkNames(program, 'type', options.text('pattern'), report)
  },
}
