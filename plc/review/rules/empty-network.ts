/** Rule `empty-network`. */
import { ladder } from '../examples.ts'
import type { Rule } from '../rule.ts'

const sections = 'VAR_INPUT\n  a : Bool;\nEND_VAR\nVAR_OUTPUT\n  q : Bool;\nEND_VAR'
const network = '    RUNG wire#powerrail\n      Contact( #a )\n      Coil( #q )\n    END_RUNG'

export const emptyNetwork: Rule = {
  code: 'empty-network',
  group: 'structure',
  severity: 'information',
  title: 'A network is empty',
  why: 'An empty network between others is left over from editing; one with a title says that something is missing.',
  fails: ladder(sections, network, '', network),
  passes: ladder(sections, network),
  check({ code }, report) {
    for (const object of code) {
      const { networks } = object
      for (const [at, { number, graph, statements, text, chart, comment }] of networks.entries()) {
        const isEmpty =
          chart === undefined &&
          (graph?.nodes.length ?? 0) === 0 &&
          (statements ?? []).every(({ mnemonic }) => mnemonic === '') &&
          (text ?? '').trim() === ''
        // TIA Portal keeps one empty network in each block; a comment alone may be a heading.
        const isMeant =
          networks.length === 1 || at === networks.length - 1 || Object.values(comment).some((one) => one !== '')
        if (isEmpty && !isMeant) report(object, { network: number }, 'The network is empty.', { hint: 'Delete it.' })
      }
    }
  },
}
