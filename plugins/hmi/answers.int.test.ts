/** What the operations on HMI stations answer, word by word (fixtures/). */
import { testAnswers } from '../../test/answers.ts'
import { panels } from '../../test/hmi.ts'
import { withProject } from '../../test/online.ts'

for (const name of ['kinds', 'content-kinds', 'objects', 'tags'])
  testAnswers(
    `HMI stations answer as recorded: ${name}`,
    new URL(`fixtures/${name}.yaml`, import.meta.url),
    async (t) => {
      const at = await withProject(t)
      await at.call('devices.add', { orderNumber: panels.classic, name: 'Panel' })
      await at.call('devices.add', { orderNumber: panels.unified, name: 'Unified' })
      return at
    },
  )
