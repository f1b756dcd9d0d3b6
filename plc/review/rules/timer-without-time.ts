/** Rule `timer-without-time`. */
import { fb } from '../examples.ts'
import { everyBox } from '../graph.ts'
import type { Rule } from '../rule.ts'

const sections = 'VAR_INPUT\n  a : Bool;\nEND_VAR\nVAR\n  delay : TON;\nEND_VAR'
const timers = /^(TON|TOF|TP|TONR)(_TIME|_LTIME)?$/i
const zero = /^(L?T(IME)?#)0(D|H|M|S|MS|US|NS)$/i

export const timerWithoutTime: Rule = {
  code: 'timer-without-time',
  group: 'logic',
  severity: 'warning',
  title: 'A timer has no time',
  why: 'A timer without PT, or with 0, ends in the cycle it starts in: the delay is missing.',
  fails: fb(sections, '#delay(IN := #a, PT := T#0s);'),
  passes: fb(sections, '#delay(IN := #a, PT := T#5s);'),
  check({ code }, report) {
    for (const object of code) {
      for (const { box, pins, network } of everyBox(object)) {
        if (box.kind !== 'part' || !timers.test(box.name)) continue
        const time = pins.get('PT')
        if (!pins.has('PT') || (time?.kind === 'literal' && zero.test(time.value)))
          report(object, { network, uId: box.uId }, `The ${box.name} has no time.`, { hint: 'Connect PT.' })
      }
      for (const scl of object.scl)
        for (const { node } of scl.expressionsOf('call')) {
          const time = node.arguments.find(({ name }) => name >= 0 && scl.nameAt(name).toUpperCase() === 'PT')?.value
          const type = node.callee.kind === 'name' ? object.typeOf(scl.nameAt(node.callee.start)) : undefined
          if (time && zero.test(scl.sourceOf(time)) && (type === undefined || timers.test(type)))
            report(object, scl.placeOf(time), 'The timer has no time.', { hint: 'Give PT a time.' })
        }
    }
  },
}
