/** What the operations on specifications and designs answer, word by word (fixtures/). */
import { testAnswers } from '../../test/answers.ts'
import { openTestGateway } from '../../test/harness.ts'
import { newProject } from '../../test/online.ts'

for (const name of ['answers', 'by-type', 'design', 'design-again'])
  testAnswers(
    `specifications answer as recorded: ${name}`,
    new URL(`fixtures/${name}.yaml`, import.meta.url),
    async (t) => {
      const at = await openTestGateway(t)
      await newProject(at, 'Line')
      return at
    },
  )
