/** What the operations on the gateway's own types and services answer, word by word (fixtures/answers.yaml). */
import { testAnswers } from '../../test/answers.ts'
import { withProject } from '../../test/online.ts'

testAnswers('types and services answer as recorded', new URL('fixtures/answers.yaml', import.meta.url), withProject)
