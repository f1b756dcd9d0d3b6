/** What the operations on watch and force tables answer, word by word (fixtures/answers.yaml). */
import { testAnswers } from '../../test/answers.ts'
import { withProject } from '../../test/online.ts'

testAnswers('watch and force tables answer as recorded', new URL('fixtures/answers.yaml', import.meta.url), withProject)
