/** What the operations of the review answer, word by word (fixtures/answers.yaml). */
import { testAnswers } from '../../test/answers.ts'
import { openTestGateway } from '../../test/harness.ts'

testAnswers('the review answers as recorded', new URL('fixtures/answers.yaml', import.meta.url), openTestGateway)
