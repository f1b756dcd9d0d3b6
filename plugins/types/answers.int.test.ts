/** What the operations on PLC data types answer, word by word (fixtures/answers.yaml). */
import { testAnswers } from '../../test/answers.ts'
import { withProject } from '../../test/online.ts'

testAnswers('PLC data types answer as recorded', new URL('fixtures/answers.yaml', import.meta.url), withProject)
