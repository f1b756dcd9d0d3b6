/** Rule `address-at-runtime`. */
import { ob } from '../examples.ts'
import { everyBox } from '../graph.ts'
import type { Rule } from '../rule.ts'

export const addressAtRuntime: Rule = {
  code: 'address-at-runtime',
  group: 'security',
  severity: 'warning',
  title: 'Memory is accessed by a number',
  why: 'PEEK, POKE and BLKMOV with made addresses bypass names, types and limits: a wrong number writes into other data, and no cross-reference shows it.',
  fails: ob('POKE(area := 16#83, dbNumber := 0, byteOffset := 10, value := B#16#1);'),
  passes: ob(';'),
  check({ code }, report) {
    const names = /^(PEEK|POKE)(_\w+)?$/i
    const more = { hint: 'Use names; for a choice at run time an array and a checked index.' }
    for (const object of code) {
      for (const { box, network } of everyBox(object))
        if (names.test(box.name))
          report(object, { network, uId: box.uId }, `${box.name} accesses memory by a number.`, more)
      for (const scl of object.scl)
        for (const { node } of scl.expressionsOf('call'))
          if (node.callee.kind === 'name' && names.test(scl.sourceOf(node.callee)))
            report(object, scl.placeOf(node), `${scl.sourceOf(node.callee)} accesses memory by a number.`, more)
    }
  },
}
