/** Rule `default-name`. */
import { fb } from '../examples.ts'
import { everyName } from '../names.ts'
import type { Rule } from '../rule.ts'

export const defaultName: Rule = {
  code: 'default-name',
  group: 'naming',
  severity: 'information',
  title: 'A name is the one that the tool proposed',
  why: 'Block_1 and Tag_3 say nothing.',
  fails: fb('', '', 'Block_1'),
  passes: fb('', '', 'Motor'),
  check(program, report) {
    for (const { object, name, place, what } of everyName(program))
      if (
        /^(Block|Baustein|Bloc|Tag|Variable|Static|Statisch|Data_block|Datenbaustein|User_data_type|Anwenderdatentyp|Element|Tag table|Variablentabelle|块)_\d+$/i.test(
          name,
        )
      )
        report(object, place, `The name of ${what} "${name}" says nothing.`, { hint: 'Name it after what it is for.' })
  },
}
