/** What the operations on the gateway itself answer, word by word (fixtures/answers.yaml). */
import { testAnswers } from '../../test/answers.ts'
import { openTestGateway } from '../../test/harness.ts'

testAnswers('the gateway answers as recorded', new URL('fixtures/answers.yaml', import.meta.url), (t) =>
  openTestGateway(t, { apiKey: 'key of the recorded answers' }),
)
