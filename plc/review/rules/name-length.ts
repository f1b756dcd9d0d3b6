/** Rule `name-length`. */
import { fb } from '../examples.ts'
import { reportNames } from '../names.ts'
import type { Rule } from '../rule.ts'

export const nameLength: Rule = {
  code: 'name-length',
  group: 'naming',
  severity: 'information',
  title: 'A name is too long',
  why: 'Long names are cut off in LAD and FBD, in watch tables and on panels. Siemens: at most 24 characters.',
  fails: fb('', '', 'ConveyorMotorWithTwoDirectionsAndSoftstarter'),
  passes: fb(''),
  options: { most: { value: 24, description: 'Characters.' } },
  check(program, report, options) {
    const most = options.number('most')
    reportNames(
      program,
      ({ name }) => name.length > most,
      (names) => `Longer than ${most} characters: ${names}.`,
      'Shorten it.',
      report,
    )
  },
}
