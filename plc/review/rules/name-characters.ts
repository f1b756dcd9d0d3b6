/** Rule `name-characters`. */
import { fb } from '../examples.ts'
import { reportNames } from '../names.ts'
import type { Rule } from '../rule.ts'

export const nameCharacters: Rule = {
  code: 'name-characters',
  group: 'naming',
  severity: 'information',
  title: 'A name has special characters',
  why: 'Names with spaces or signs need quotes everywhere and cannot be used by all clients. Siemens: letters of ASCII, digits and underscore.',
  fails: fb('', '', 'Motor left/right'),
  passes: fb('', '', 'MotorLeftRight'),
  check(program, report) {
    reportNames(
      program,
      ({ name }) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name),
      (names) => `Special characters in names: ${names}.`,
      'Use letters, digits and underscore.',
      report,
    )
  },
}
