/** Rule `watchdog-retriggered`. */
import { ob } from '../examples.ts'
import { everyBox } from '../graph.ts'
import type { Rule } from '../rule.ts'

export const watchdogRetriggered: Rule = {
  code: 'watchdog-retriggered',
  group: 'security',
  severity: 'warning',
  title: 'The cycle watchdog is started again, or the program waits',
  why: 'RE_TRIGR and WAIT hide a cycle that has become too long: outputs react late, and nobody learns of it (Secure PLC Coding Practices, 15: watch the cycle time).',
  fails: ob('RE_TRIGR();'),
  passes: ob(';'),
  check({ code }, report) {
    const names = /^(RE_TRIGR|WAIT)$/i
    const more = { hint: 'Divide the work over several cycles.' }
    for (const object of code) {
      for (const { box, network } of everyBox(object))
        if (names.test(box.name))
          report(object, { network, uId: box.uId }, `${box.name} makes the cycle longer than it may be.`, more)
      for (const scl of object.scl)
        for (const { node } of scl.expressionsOf('call'))
          if (node.callee.kind === 'name' && names.test(scl.sourceOf(node.callee)))
            report(
              object,
              scl.placeOf(node),
              `${scl.sourceOf(node.callee)} makes the cycle longer than it may be.`,
              more,
            )
    }
  },
}
