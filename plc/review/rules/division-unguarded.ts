/** Rule `division-unguarded`. */
import { fc } from '../examples.ts'
import { guardedForms } from '../guards.ts'
import type { Rule } from '../rule.ts'
import { withoutGroups } from '../scl-code.ts'

export const divisionUnguarded: Rule = {
  code: 'division-unguarded',
  group: 'security',
  severity: 'warning',
  title: 'A divisor may be 0',
  why: 'A division by 0 gives a wrong value without a word, or stops the controller (Secure PLC Coding Practices, 8: validate inputs; paired with IEC 61131-3 error handling).',
  fails: fc('#n := #x / #y;'),
  passes: fc('IF #y <> 0 THEN\n    #n := #x / #y;\n  END_IF;'),
  check({ code }, report) {
    for (const object of code) {
      const constants = new Set(object.members('Constant').map(({ member }) => member.name.toLowerCase()))
      for (const scl of object.scl) {
        // Most code divides by nothing that can be 0.
        let guarded: ReadonlySet<string> | undefined
        for (const { node } of scl.expressionsOf('binary')) {
          if (!['/', 'DIV', 'MOD'].includes(node.operator)) continue
          const divisor = withoutGroups(node.right)
          if (!['name', 'member', 'index', 'address'].includes(divisor.kind)) continue
          // A plain word or a name in quotes may be a constant of the program.
          const name = divisor.kind === 'name' ? scl.nameAt(divisor.start).toLowerCase() : ''
          if (constants.has(name) || /^[A-Z][A-Z0-9_]*$/.test(scl.nameAt(divisor.start))) continue
          guarded ??= guardedForms(scl)
          if (guarded.has(scl.formOf(divisor))) continue
          report(
            object,
            scl.placeOf(node.right),
            `${scl.sourceOf(divisor)} is not compared with 0 in this block before it divides.`,
            {
              hint: `Write IF ${scl.sourceOf(divisor)} <> 0 THEN around it, or limit it.`,
            },
          )
        }
      }
    }
  },
}
