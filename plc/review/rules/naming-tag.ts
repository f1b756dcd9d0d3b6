/** Rule `naming-tag`. */
import { ob } from '../examples.ts'
import { checkNames } from '../names.ts'
import type { Rule } from '../rule.ts'

export const namingTag: Rule = {
  code: 'naming-tag',
  group: 'naming',
  severity: 'information',
  title: 'The name of a tag is not as agreed',
  why: 'One way of naming lets readers see what a name is. The default is that of the programming style guide of Siemens: letters, digits and underscore: startButton.',
  fails: { program: ob(';'), tags: '"1Start" Bool %I0.0 // start' },
  passes: { program: ob(';'), tags: '"startButton" Bool %I0.0 // start' },
  options: { pattern: { value: '^[A-Za-z][A-Za-z0-9_]*$', description: 'A regular expression for the whole name.' } },
  check(program, report, options) {
    checkNames(program, 'tag', options.text('pattern'), report)
  },
}
