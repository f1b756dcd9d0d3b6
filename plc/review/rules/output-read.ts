/** Rule `output-read`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const outputRead: Rule = {
  code: 'output-read',
  group: 'data',
  severity: 'warning',
  title: 'A function reads its output before it writes it',
  why: 'Outputs of a function have no value at the beginning of a call: what is read is left over from other calls.',
  fails: fc('#n := #n + 1;'),
  passes: fc('#n := #x;\n  #n := #n + 1;'),
  check({ code }, report) {
    for (const object of code) {
      if (object.kind !== 'FC' || object.scl.length === 0 || object.scl.length !== object.networks.length) continue
      for (const { member } of object.members('Output')) {
        const first = object.locals.get(member.name.toLowerCase())?.[0]
        if (first?.isWhole !== true || first.access !== 'Write') continue
        const { place } = first
        // The target of an assignment comes first in the text, and its value is calculated before.
        for (const scl of object.scl) {
          const found = scl.statements.find(
            ({ node }) => node.kind === 'assignment' && isAt(scl.placeOf(node.target), place),
          )
          if (found?.node.kind !== 'assignment') continue
          const form = scl.formOf(found.node.target)
          const isRead = scl
            .expressionsOf('name')
            .some(
              ({ node, statement }) =>
                statement === found.node && node.start > found.node.start && scl.formOf(node) === form,
            )
          if (isRead)
            report(object, place, `The output ${member.name} is read before it has a value.`, {
              hint: 'Assign it first, or make it an in-out.',
            })
        }
      }
    }
  },
}

function isAt(
  a: { readonly line?: number; readonly column?: number; readonly network?: number },
  b: typeof a,
): boolean {
  return a.line === b.line && a.column === b.column && a.network === b.network
}
