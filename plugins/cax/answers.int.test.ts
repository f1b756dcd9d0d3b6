/** What the operations on hardware as AML answer, word by word (fixtures/answers.yaml). */
import { testAnswers } from '../../test/answers.ts'
import { openTestGateway } from '../../test/harness.ts'

testAnswers('hardware as AML answers as recorded', new URL('fixtures/answers.yaml', import.meta.url), async (t) => {
  const at = await openTestGateway(t)
  await at.call('projects.create', { name: 'Plant' })
  return at
})
