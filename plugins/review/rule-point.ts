/** Where plugins give the review rules of their own. */
import { extensionPoint } from '../../core/index.ts'
import { ruleFaults } from '../../plc/review/contributed-rule.ts'
import type { Rule } from '../../plc/review/rule.ts'

/** A rule of a plugin; a program that fails and one that passes are texts. */
export interface ContributedRule extends Rule {
  readonly fails: string
  readonly passes: string
}

/** Rules beside the built-in ones (plc/review/rules.ts), which have the same shape. */
export const reviewRule = extensionPoint<ContributedRule>('review.rules', {
  title: 'Rules of the review',
  description:
    'A rule that reads a compiled program and reports what it finds, with its code `<plugin>.<name>`. It runs with the built-in rules: in `gantry check` and editors when gantry.yml names the plugin, in a gateway when it is loaded. What a rule throws is a finding `rule-failed`.',
  constant: 'reviewRule',
  check: {
    code: 'text',
    group: 'text',
    severity: 'text',
    title: 'text',
    why: 'text',
    fails: 'text',
    passes: 'text',
    options: 'object?',
    fixes: 'boolean?',
    check: 'function',
  },
  faults: ruleFaults,
  example:
    "{ code: 'plant.short-names', group: 'naming', severity: 'warning', title: 'A name is too short', why: 'One letter says nothing.', fails: 'FUNCTION \"A\" : Void …', passes: 'FUNCTION \"Add\" : Void …', check(program, report) { for (const object of program.objects) if (object.name.length < 2) report(object, {}, object.name + ' is too short.') } }",
})
