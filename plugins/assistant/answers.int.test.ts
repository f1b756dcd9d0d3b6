/** What the operations on the assistant answer, word by word (fixtures/answers.yaml). */
import { testAnswers } from '../../test/answers.ts'
import { openTestGateway } from '../../test/harness.ts'

testAnswers('the assistant answers as recorded', new URL('fixtures/answers.yaml', import.meta.url), async (t) => {
  const at = await openTestGateway(t)
  await at.call('projects.create', { name: 'Plant' })
  return at
})
