/** Rule `default-name`. */
import { fb } from '../examples.ts'
import { reportNames } from '../names.ts'
import type { Rule } from '../rule.ts'

/** In the languages of TIA Portal. */
const proposed =
  /^(Block|Baustein|Bloc|Tag|Variable|Static|Statisch|Data_block|Datenbaustein|User_data_type|Anwenderdatentyp|Element|Tag table|Variablentabelle|块)_\d+$/i

export const defaultName: Rule = {
  code: 'default-name',
  group: 'naming',
  severity: 'information',
  title: 'A name is the one that the tool proposed',
  why: 'Block_1 and Tag_3 say nothing.',
  fails: fb('', '', 'Block_1'),
  passes: fb('', '', 'Motor'),
  check(program, report) {
    reportNames(
      program,
      ({ name }) => proposed.test(name),
      (names) => `Names that say nothing: ${names}.`,
      'Name things after what they are for.',
      report,
    )
  },
}
