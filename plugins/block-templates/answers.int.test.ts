/** What the operations on templates of blocks answer, word by word (fixtures/answers.yaml). */
import { testAnswers } from '../../test/answers.ts'
import { openTestGateway } from '../../test/harness.ts'
import { newProject } from '../../test/online.ts'

testAnswers('templates answer as recorded', new URL('fixtures/answers.yaml', import.meta.url), async (t) => {
  const at = await openTestGateway(t)
  await newProject(at, 'Line')
  return at
})
