/** Rule `hmi-value-unchecked`. */
import type { InterfaceMember } from '../../model/object.ts'
import { db, fb } from '../examples.ts'
import type { Rule } from '../rule.ts'

const data = db("  recipe { S7_SetPoint := 'True' } : Int;")
const sections = 'VAR_OUTPUT\n  n : Int;\nEND_VAR\nVAR_TEMP\n  i : Int;\nEND_VAR'

export const hmiValueUnchecked: Rule = {
  code: 'hmi-value-unchecked',
  group: 'security',
  severity: 'warning',
  title: 'A setpoint of the operator is used without a plausibility check',
  why: 'What comes from an HMI may be anything: as limit of a loop or index it stops the controller (Secure PLC Coding Practices, 8: validate HMI input).',
  fails: data + fb(sections, 'FOR #i := 1 TO "Data".recipe DO\n    #n := #n + 1;\n  END_FOR;'),
  passes:
    data +
    fb(sections, 'FOR #i := 1 TO LIMIT(MN := 1, IN := "Data".recipe, MX := 10) DO\n    #n := #n + 1;\n  END_FOR;'),
  check(program, report) {
    const setpoints = new Set<string>()
    for (const { kind, name, object } of program.objects)
      if (kind.endsWith('DB'))
        for (const { members } of object.interface)
          for (const member of members)
            for (const path of setpointsIn(member, member.name)) setpoints.add(`${name}.${path}`.toLowerCase())
    if (setpoints.size === 0) return
    for (const object of program.code)
      for (const scl of object.scl) {
        const check = (node: { readonly start: number; readonly end: number }, what: string) => {
          const path = scl.formOf(node).replace(/[" ]/g, '')
          if (setpoints.has(path))
            report(object, scl.placeOf(node), `The setpoint ${scl.sourceOf(node)} is ${what} without a check.`, {
              hint: 'Bring it into its limits first, e.g. with LIMIT.',
            })
        }
        for (const { node } of scl.statementsOf('for')) check(node.to, 'the end of a loop')
        for (const { node } of scl.expressionsOf('index')) for (const index of node.indices) check(index, 'an index')
      }
  },
}

function* setpointsIn(member: InterfaceMember, path: string): Generator<string> {
  if (member.attributes.some(({ name, value }) => name === 'SetPoint' && value.toLowerCase() === 'true')) yield path
  for (const inner of member.members) yield* setpointsIn(inner, `${path}.${inner.name}`)
}
