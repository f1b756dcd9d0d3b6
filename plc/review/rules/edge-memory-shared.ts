/** Rule `edge-memory-shared`. */
import { operandText } from '../../model/operand-text.ts'
import { ladder } from '../examples.ts'
import { everyBox, operandForm } from '../graph.ts'
import type { ReviewedObject } from '../reviewed-program.ts'
import type { Rule } from '../rule.ts'

const sections =
  'VAR_INPUT\n  a : Bool;\n  b : Bool;\nEND_VAR\nVAR_OUTPUT\n  p : Bool;\n  q : Bool;\nEND_VAR\nVAR\n  m1 : Bool;\n  m2 : Bool;\nEND_VAR'
const edge = (operand: string, memory: string, coil: string): string =>
  `    RUNG wire#powerrail\n      PContact( operand := ${operand}, bit := ${memory} )\n      Coil( ${coil} )\n    END_RUNG`

export const edgeMemoryShared: Rule = {
  code: 'edge-memory-shared',
  group: 'logic',
  severity: 'warning',
  title: 'Two edges share one memory bit',
  why: 'Each edge needs a bit of its own for the state of the last cycle. With a shared bit edges are missed, or seen that were none.',
  fails: ladder(sections, edge('#a', '#m1', '#p'), edge('#b', '#m1', '#q')),
  passes: ladder(sections, edge('#a', '#m1', '#p'), edge('#b', '#m2', '#q')),
  check({ code }, report) {
    const global = new Map<string, string>()
    for (const object of code) {
      const local = new Map<string, string>()
      for (const { bit, network, uId } of edgesOf(object)) {
        const isGlobal = bit.kind !== 'symbol' || bit.scope !== 'LocalVariable'
        const known = isGlobal ? global : local
        const before = known.get(operandForm(bit))
        if (before !== undefined)
          report(object, { network, uId }, `${operandText(bit)} is already the memory of the edge in ${before}.`, {
            hint: 'Give each edge a bit of its own.',
          })
        else known.set(operandForm(bit), `network ${network}${isGlobal ? ` of "${object.name}"` : ''}`)
      }
    }
  },
}

function* edgesOf(object: ReviewedObject) {
  for (const { box, network, pins } of everyBox(object)) {
    const bit = /^[PN](Contact|Coil|Box)$/.test(box.name) ? pins.get('bit') : undefined
    // An element of an array is chosen when the program runs.
    const isFixed =
      bit?.kind === 'address' ||
      (bit?.kind === 'symbol' && bit.path.every(({ indices }) => !indices?.some(({ kind }) => kind !== 'literal')))
    if (bit && isFixed) yield { bit, network, uId: box.uId }
  }
}
