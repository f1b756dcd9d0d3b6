/** Rule `network-title-missing`. */

import { ladder } from '../examples.ts'
import type { Rule } from '../rule.ts'
import { hasText } from '../texts.ts'

const sections = 'VAR_INPUT\n  a : Bool;\nEND_VAR\nVAR_OUTPUT\n  q : Bool;\nEND_VAR'
const network = '    RUNG wire#powerrail\n      Contact( #a )\n      Coil( #q )\n    END_RUNG'

export const networkTitleMissing: Rule = {
  code: 'network-title-missing',
  group: 'documentation',
  severity: 'information',
  title: 'Networks have neither title nor comment',
  why: 'The titles are the table of contents of a block: without them every network has to be read.',
  fails: ladder(sections, network),
  passes: ladder(sections, network).replace(
    '{ S7_Language := "LAD" }',
    '{ S7_Language := "LAD"; S7_NetworkTitle := "Motor runs" }',
  ),
  check({ code }, report) {
    for (const object of code) {
      const open = object.graphs.filter(
        ({ graph, title, comment }) => graph.nodes.length > 0 && !hasText(title) && !hasText(comment),
      )
      const [first] = open
      if (!first) continue
      const numbers = open.map(({ number }) => number)
      const list = numbers.length > 8 ? `${numbers.slice(0, 8).join(', ')} …` : numbers.join(', ')
      report(
        object,
        { network: first.number },
        `${open.length === 1 ? 'Network' : `${open.length} networks without title:`} ${list}${open.length === 1 ? ' has no title' : ''}.`,
        {
          hint: 'Say in the title what the network does.',
        },
      )
    }
  },
}
