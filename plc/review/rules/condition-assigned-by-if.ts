/** Rule `condition-assigned-by-if`. */

import type { Assignment, Statement } from '../../languages/scl/syntax.ts'
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'
import type { SclCode } from '../scl-code.ts'

export const conditionAssignedByIf: Rule = {
  code: 'condition-assigned-by-if',
  group: 'logic',
  severity: 'information',
  title: 'An IF only assigns TRUE or FALSE',
  why: 'IF a THEN q := TRUE; ELSE q := FALSE; END_IF says in five lines what q := a says in one.',
  fails: fc('IF #a AND #b THEN\n    #q := TRUE;\n  ELSE\n    #q := FALSE;\n  END_IF;'),
  passes: fc('#q := #a AND #b;'),
  fixes: true,
  check({ code }, report) {
    for (const object of code)
      for (const scl of object.scl)
        for (const { node } of scl.statementsOf('if')) {
          if (node.branches.length !== 1 || node.otherwise === undefined) continue
          const [branch] = node.branches
          const [yes, no] = [only(branch!.body), only(node.otherwise)]
          if (!yes || !no || scl.formOf(yes.target) !== scl.formOf(no.target)) continue
          const [first, second] = [constantIn(scl, yes), constantIn(scl, no)]
          if (first === undefined || second === undefined || first === second) continue
          const condition = scl.sourceOf(branch!.condition)
          const text = `${scl.sourceOf(yes.target)} := ${first ? condition : `NOT (${condition})`};`
          const edit = { network: scl.network, ...scl.extentOf(node), text }
          const isKept = !scl.sourceOf(node).includes('//') && !scl.sourceOf(node).includes('(*')
          report(object, scl.placeOf(node), `The IF only assigns ${first ? '' : 'the opposite of '}its condition.`, {
            hint: `Write ${text}`,
            ...(isKept ? { fix: { description: 'Assign the condition', edits: [edit] } } : {}),
          })
        }
  },
}

function only(body: readonly Statement[]): Assignment | undefined {
  const real = body.filter(({ kind }) => kind !== 'empty')
  const [first] = real
  return real.length === 1 && first?.kind === 'assignment' && first.operator === ':=' ? first : undefined
}

function constantIn(scl: SclCode, { value }: Assignment): boolean | undefined {
  const text = scl.sourceOf(value).toLowerCase()
  return text === 'true' ? true : text === 'false' ? false : undefined
}
