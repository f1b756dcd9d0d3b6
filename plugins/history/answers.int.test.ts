/** What the operations on snapshots and on undoing answer, word by word (fixtures/answers.yaml). */
import { testAnswers } from '../../test/answers.ts'
import { withProject } from '../../test/online.ts'

testAnswers('snapshots and undo answer as recorded', new URL('fixtures/answers.yaml', import.meta.url), withProject)
