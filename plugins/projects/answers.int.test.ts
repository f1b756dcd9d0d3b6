/** What the operations on projects answer, word by word (fixtures/answers.yaml). */
import { testAnswers } from '../../test/answers.ts'
import { openTestGateway } from '../../test/harness.ts'

testAnswers('projects answer as recorded', new URL('fixtures/answers.yaml', import.meta.url), openTestGateway)

testAnswers('folders are opened as recorded', new URL('fixtures/opened.yaml', import.meta.url), openTestGateway)
