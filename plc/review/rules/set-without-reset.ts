/** Rule `set-without-reset`. */
import { ladder } from '../examples.ts'
import { memoryOf } from '../memory.ts'
import type { Rule } from '../rule.ts'

const sections = 'VAR_INPUT\n  a : Bool;\n  b : Bool;\nEND_VAR\nVAR\n  m : Bool;\nEND_VAR'
const coil = (operand: string, name: string): string =>
  `    RUNG wire#powerrail\n      Contact( ${operand} )\n      ${name}( #m )\n    END_RUNG`

export const setWithoutReset: Rule = {
  code: 'set-without-reset',
  group: 'logic',
  severity: 'warning',
  title: 'A bit is set and never reset',
  why: 'Once set, by a coil, in an IF or by holding itself, the bit stays TRUE for ever: a fault cannot be acknowledged, a drive not switched off. Variables that the block itself cannot keep to itself are meant only when the whole program is there; what an HMI does is not known.',
  fails: ladder(sections, coil('#a', 'S_Coil')),
  passes: ladder(sections, coil('#a', 'S_Coil'), coil('#b', 'R_Coil')),
  check(program, report) {
    const memory = memoryOf(program)
    for (const variable of memory.variables) {
      const { range, writers } = variable
      if (range.bits !== 1 || !writers.every(({ write }) => write.onlySets)) continue
      // What is TRUE in each cycle is a constant.
      if (!writers.every(({ write }) => isLatch(write.values, write.isConditional))) continue
      if (!memory.isKnown(variable)) continue
      const { by, write } = writers[0]!
      report(by, write, `${write.text} is set here and reset nowhere.`, {
        hint: 'Reset it where the cause is over, or assign it the condition itself.',
      })
    }
  },
}

function isLatch(values: readonly string[], isConditional: boolean | undefined): boolean {
  return isConditional === true || values.length === 0
}
