/** What the operations on devices and the catalog answer, word by word (fixtures/answers.yaml). */
import { testAnswers } from '../../test/answers.ts'
import { openTestGateway } from '../../test/harness.ts'

testAnswers(
  'devices and the catalog answer as recorded',
  new URL('fixtures/answers.yaml', import.meta.url),
  async (t) => {
    const at = await openTestGateway(t)
    await at.call('projects.create', { name: 'Plant' })
    return at
  },
)
