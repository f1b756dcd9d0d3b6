/** What the operations on tests of programs answer, word by word (fixtures/). */
import { testAnswers } from '../../test/answers.ts'
import { openTestGateway } from '../../test/harness.ts'
import { withProject } from '../../test/online.ts'

testAnswers('tests of programs answer as recorded', new URL('fixtures/answers.yaml', import.meta.url), withProject)

testAnswers('the test harness answers as recorded', new URL('fixtures/harness.yaml', import.meta.url), openTestGateway)
