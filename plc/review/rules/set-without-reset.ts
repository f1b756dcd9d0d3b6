/** Rule `set-without-reset`. */
import { operandText } from '../../model/operand-text.ts'
import { ladder } from '../examples.ts'
import { everyBox, operandForm } from '../graph.ts'
import type { Rule } from '../rule.ts'

const sections = 'VAR_INPUT\n  a : Bool;\n  b : Bool;\nEND_VAR\nVAR\n  m : Bool;\nEND_VAR'
const coil = (operand: string, name: string): string =>
  `    RUNG wire#powerrail\n      Contact( ${operand} )\n      ${name}( #m )\n    END_RUNG`

export const setWithoutReset: Rule = {
  code: 'set-without-reset',
  group: 'logic',
  severity: 'warning',
  title: 'A bit is set and never reset',
  why: 'Once set, the bit stays TRUE for ever: a fault cannot be acknowledged, a drive not switched off.',
  fails: ladder(sections, coil('#a', 'S_Coil')),
  passes: ladder(sections, coil('#a', 'S_Coil'), coil('#b', 'R_Coil')),
  check(program, report) {
    for (const object of program.code) {
      const set = new Map<string, { readonly name: string; readonly network: number; readonly uId: number }>()
      for (const { box, network, pins } of everyBox(object)) {
        const operand = pins.get('operand')
        if (box.name !== 'SCoil' || operand?.kind !== 'symbol' || operand.scope !== 'LocalVariable') continue
        if (operand.path.length !== 1 || operand.path[0]!.indices || set.has(operandForm(operand))) continue
        set.set(operandForm(operand), { name: operand.path[0]!.name, network, uId: box.uId })
      }
      for (const { name, network, uId } of set.values()) {
        const writes = (object.locals.get(name.toLowerCase()) ?? []).filter(({ access }) => access !== 'Read')
        const member = object.members().find((one) => one.member.name === name)
        // The caller can reset an in-out, and a static of an instance is visible from outside.
        if (
          member?.section === 'InOut' ||
          writes.length !== writes.filter((one) => isSet(object, one.place.uId, one.place.network)).length
        )
          continue
        if (isWrittenOutside(program, object.name, name)) continue
        report(
          object,
          { network, uId },
          `${operandText({ kind: 'symbol', scope: 'LocalVariable', path: [{ name }] })} is set here and reset nowhere.`,
          {
            hint: 'Reset it, or assign it with a coil.',
          },
        )
      }
    }
  },
}

function isSet(object: Parameters<typeof everyBox>[0], uId: number | undefined, network: number | undefined): boolean {
  const graph = object.graphs.find((one) => one.number === network)?.graph
  const node = graph?.nodes.find((one) => one.uId === uId)
  return node?.kind === 'part' && node.name === 'SCoil'
}

/** Whether data of any instance have a member of this name that is written elsewhere. */
function isWrittenOutside(program: Parameters<Rule['check']>[0], type: string, member: string): boolean {
  return program
    .usesOf(type)
    .filter(({ by, use }) => use.access === 'Instance' && by.kind === 'InstanceDB')
    .some(({ by }) =>
      program
        .usesOf(by.name)
        .some(({ use }) => use.access !== 'Read' && use.path[0]?.toLowerCase() === member.toLowerCase()),
    )
}
