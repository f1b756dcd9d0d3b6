/** Rule `unused-label`. */
import { fc } from '../examples.ts'
import type { Rule } from '../rule.ts'

export const unusedLabel: Rule = {
  code: 'unused-label',
  group: 'structure',
  severity: 'information',
  title: 'Nothing jumps to a label',
  why: 'The label is left over from a jump that was deleted.',
  fails: fc('#n := 1;\n  done: ;'),
  passes: fc('#n := 1;'),
  check({ code }, report) {
    for (const object of code) {
      for (const scl of object.scl) {
        const targets = new Set<string>()
        for (const { node } of scl.statementsOf('goto'))
          if (node.label >= 0) targets.add(scl.nameAt(node.label).toLowerCase())
        for (const { node } of scl.statementsOf('label'))
          if (!targets.has(scl.nameAt(node.start).toLowerCase()))
            report(object, scl.placeOf(node), `Nothing jumps to "${scl.nameAt(node.start)}".`, {
              hint: 'Delete the label.',
            })
      }
      const jumps = new Set<string>()
      for (const { graph } of object.graphs)
        for (const node of graph.nodes)
          if (node.kind === 'operand' && node.operand.kind === 'label') jumps.add(node.operand.name.toLowerCase())
      for (const { graph, number } of object.graphs)
        for (const { name } of graph.labels)
          if (!jumps.has(name.toLowerCase()))
            report(object, { network: number }, `Nothing jumps to the label "${name}".`, { hint: 'Delete the label.' })
    }
  },
}
