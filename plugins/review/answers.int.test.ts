/** What the operations of the review answer, word by word (fixtures/). */
import { testAnswers } from '../../test/answers.ts'
import { openTestGateway } from '../../test/harness.ts'
import { withProject } from '../../test/online.ts'

testAnswers('the review answers as recorded', new URL('fixtures/answers.yaml', import.meta.url), openTestGateway)
testAnswers('changes of jobs answer as recorded', new URL('fixtures/job-changes.yaml', import.meta.url), withProject)
