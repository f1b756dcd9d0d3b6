/** What the operations on modules, racks and networks answer, word by word (fixtures/). */
import { testAnswers } from '../../test/answers.ts'
import { openTestGateway } from '../../test/harness.ts'

for (const name of ['modules', 'networks', 'racks'])
  testAnswers(`hardware answers as recorded: ${name}`, new URL(`fixtures/${name}.yaml`, import.meta.url), async (t) => {
    const at = await openTestGateway(t)
    await at.call('projects.create', { name: 'Plant' })
    return at
  })
