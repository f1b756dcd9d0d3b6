/** What the operations on blocks and external sources answer, word by word (fixtures/). */
import { testAnswers } from '../../test/answers.ts'
import { withProject } from '../../test/online.ts'

for (const name of ['edit', 'exchange', 'content'])
  testAnswers(`blocks answer as recorded: ${name}`, new URL(`fixtures/${name}.yaml`, import.meta.url), withProject)
