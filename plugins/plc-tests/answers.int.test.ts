/** What the operations on tests of programs answer, word by word (fixtures/). */
import { testAnswers } from '../../test/answers.ts'
import { withProject } from '../../test/online.ts'

testAnswers('tests of programs answer as recorded', new URL('fixtures/answers.yaml', import.meta.url), withProject)
