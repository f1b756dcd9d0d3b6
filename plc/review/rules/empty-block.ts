/** Rule `empty-block`. */
import { fb } from '../examples.ts'
import type { ReviewedObject } from '../reviewed-program.ts'
import type { Rule } from '../rule.ts'

export const emptyBlock: Rule = {
  code: 'empty-block',
  group: 'structure',
  severity: 'information',
  title: 'A block has no code',
  why: 'It costs a call in each cycle and makes readers look for what is not there.',
  fails: fb('VAR\n  n : Int;\nEND_VAR'),
  passes: fb('VAR\n  n : Int;\nEND_VAR', '#n := #n + 1;'),
  check({ code }, report) {
    // An empty organization block is there on purpose: without it the controller stops at its event.
    for (const object of code)
      if (object.kind !== 'OB' && isEmpty(object))
        report(object, {}, 'The block has no code.', { hint: 'Write it, or delete the block.' })
  },
}

function isEmpty({ object, scl }: ReviewedObject): boolean {
  return (
    scl.every(({ statements }) => statements.every(({ node }) => node.kind === 'empty' || node.kind === 'region')) &&
    object.networks.every(
      ({ graph, statements, chart }) =>
        (graph?.nodes.length ?? 0) === 0 &&
        chart === undefined &&
        (statements ?? []).every(({ mnemonic }) => mnemonic === ''),
    )
  )
}
