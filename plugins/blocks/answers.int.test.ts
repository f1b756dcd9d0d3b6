/** What the operations on blocks and external sources answer, word by word (fixtures/). */
import { testAnswers } from '../../test/answers.ts'
import { openTestGateway } from '../../test/harness.ts'
import { newProject, withProject } from '../../test/online.ts'

for (const name of ['edit', 'exchange', 'content'])
  testAnswers(`blocks answer as recorded: ${name}`, new URL(`fixtures/${name}.yaml`, import.meta.url), withProject)

testAnswers(
  'the status of single blocks answers as recorded',
  new URL('fixtures/status.yaml', import.meta.url),
  async (t) => {
    const at = await openTestGateway(t)
    await newProject(at, 'Line')
    return at
  },
)
