/** What the operations on protection, users and roles answer, word by word (fixtures/answers.yaml). */
import { testAnswers } from '../../test/answers.ts'
import { withProject } from '../../test/online.ts'

testAnswers(
  'protection, users and roles answer as recorded',
  new URL('fixtures/answers.yaml', import.meta.url),
  withProject,
)
