/** Rule `statement-list`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const statementList: Rule = {
  code: 'statement-list',
  group: 'structure',
  severity: 'off',
  title: 'A block is written in STL',
  why: 'S7-1200 has no statement lists, and on S7-1500 they are slow and known to few. SCL, LAD and FBD run everywhere.',
  fails:
    'FUNCTION "Old" : Void\nVAR_INPUT\n  a : Bool;\nEND_VAR\nVAR_OUTPUT\n  q : Bool;\nEND_VAR\nBEGIN\nNETWORK\n      A #a;\n      = #q;\nEND_FUNCTION\n',
  passes: fc('#q := #a;'),
  check({ code }, report) {
    for (const object of code)
      if (object.networks.some(({ statements }) => (statements ?? []).some(({ mnemonic }) => mnemonic !== '')))
        report(object, {}, 'The block has statement lists.', { hint: 'Write it in SCL, LAD or FBD.' })
  },
}
