/** Rule `retentive-timer`. */

import type { InterfaceMember } from '../../model/object.ts'
import { db } from '../examples.ts'
import type { Rule } from '../rule.ts'

const transient =
  /^"?(TON|TOF|TP|TON_TIME|TOF_TIME|TP_TIME|TON_LTIME|TOF_LTIME|TP_LTIME|IEC_TIMER|IEC_LTIMER|R_TRIG|F_TRIG)"?$/i

export const retentiveTimer: Rule = {
  code: 'retentive-timer',
  group: 'data',
  severity: 'warning',
  title: 'A timer or edge is retentive',
  why: 'After a power failure the timer goes on with an old time, and an edge compares with a state of yesterday. Retentive memory is small, and was mostly switched on for the data beside it.',
  fails: db("  RETAIN_delay { S7_Retain := 'TRUE' } : TON_TIME;").replace(
    "STRUCT\n  RETAIN_delay { S7_Retain := 'TRUE' } : TON_TIME;\nEND_STRUCT;",
    'VAR RETAIN\n  delay : TON_TIME;\nEND_VAR',
  ),
  passes: db('').replace(
    'STRUCT\n\nEND_STRUCT;',
    'VAR\n  delay : TON_TIME;\nEND_VAR\nVAR RETAIN\n  total : DInt;\nEND_VAR',
  ),
  check({ objects }, report) {
    for (const object of objects) {
      const found = object
        .members('Static', 'Input', 'Output')
        .flatMap(({ member }) => [...retentive(member, member.name, false)])
      const [first] = found
      if (!first) continue
      const more = found.length > 1 ? `, and ${found.length - 1} more` : ''
      report(object, { member: first.path }, `${first.path} (${first.one.dataType})${more}: retentive.`, {
        hint: 'Switch retain off for it.',
      })
    }
  },
}

function* retentive(
  member: InterfaceMember,
  path: string,
  isAround: boolean,
): Generator<{ path: string; one: InterfaceMember }> {
  const isRetentive = member.remanence === undefined ? isAround : member.remanence === 'Retain'
  if (isRetentive && transient.test(member.dataType)) yield { path, one: member }
  else for (const inner of member.members) yield* retentive(inner, `${path}.${inner.name}`, isRetentive)
}
