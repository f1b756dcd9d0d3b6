/** Rule `too-many-parameters`. */
import { fb } from '../examples.ts'
import type { Rule } from '../rule.ts'

const many = Array.from({ length: 21 }, (_, i) => `  p${i} : Bool;`).join('\n')

export const tooManyParameters: Rule = {
  code: 'too-many-parameters',
  group: 'structure',
  severity: 'information',
  title: 'A block has too many parameters',
  why: 'A call with thirty arguments cannot be read, and every caller has to be changed for a new one. A PLC data type holds together what belongs together.',
  fails: fb(`VAR_INPUT\n${many}\nEND_VAR`),
  passes: fb('VAR_INPUT\n  a : Bool;\nEND_VAR'),
  options: { most: { value: 20, description: 'Inputs, outputs and in-outs together.' } },
  check({ code }, report, options) {
    const most = options.number('most')
    for (const object of code) {
      const count = object.members('Input', 'Output', 'InOut').length
      if (object.kind !== 'OB' && count > most)
        report(object, {}, `The block has ${count} parameters; at most ${most} are readable.`, {
          hint: 'Bring them together in a PLC data type.',
        })
    }
  },
}
