/** What the operations on names in source texts answer, word by word (fixtures/answers.yaml). */
import { testAnswers } from '../../test/answers.ts'
import { withProject } from '../../test/online.ts'

testAnswers(
  'names in source texts are explained as recorded',
  new URL('fixtures/answers.yaml', import.meta.url),
  withProject,
)
