/** Rule `magic-number`. */
import { TokenKind } from '../../languages/scl/tokens.ts'
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const magicNumber: Rule = {
  code: 'magic-number',
  group: 'structure',
  severity: 'information',
  title: 'A number has no name',
  why: 'Nobody knows what 27648 or 85 means, and where the same number is meant. A constant has a name, and its value is changed in one place.',
  fails: fc('IF #x > 85 THEN\n    #q := TRUE;\n  END_IF;'),
  passes: fc(
    'IF #x > #LEVEL_HIGH THEN\n    #q := TRUE;\n  END_IF;',
    'VAR CONSTANT\n  LEVEL_HIGH : Int := 85;\nEND_VAR',
  ),
  options: {
    allowed: { value: ['0', '1', '2', '10', '100', '1000', '-1'], description: 'Numbers that need no name.' },
  },
  check({ code }, report, options) {
    const allowed = new Set(options.list('allowed').map(Number))
    for (const object of code)
      for (const scl of object.scl) {
        const told = new Set<string>()
        for (const { node, parent } of scl.expressionsOf('literal')) {
          if (parent?.kind !== 'binary') continue
          const kind = scl.kindAt(node.start)
          if (kind !== TokenKind.Integer && kind !== TokenKind.Real) continue
          const text = scl.sourceOf(node)
          // Bit patterns are what they are.
          if (text.includes('#') || allowed.has(Number(text.replaceAll('_', ''))) || told.has(text)) continue
          told.add(text)
          report(object, scl.placeOf(node), `What does ${text} mean?`, { hint: 'Declare a constant and use its name.' })
        }
      }
  },
}
