/** What the operations on libraries answer, word by word (fixtures/). */
import { testAnswers } from '../../test/answers.ts'
import { withProject } from '../../test/online.ts'

for (const name of ['master-copies', 'types', 'type-users', 'global'])
  testAnswers(`libraries answer as recorded: ${name}`, new URL(`fixtures/${name}.yaml`, import.meta.url), withProject)
