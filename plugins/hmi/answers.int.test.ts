/** What the operations on HMI stations answer, word by word (fixtures/). */
import { testAnswers } from '../../test/answers.ts'
import { openTestGateway } from '../../test/harness.ts'
import { panels, withPumpStation } from '../../test/hmi.ts'
import { withProject } from '../../test/online.ts'

const file = (name: string) => new URL(`fixtures/${name}.yaml`, import.meta.url)

for (const name of ['kinds', 'content-kinds', 'objects', 'tags', 'exchange-by-kind', 'compile', 'generate'])
  testAnswers(`HMI stations answer as recorded: ${name}`, file(name), async (t) => {
    const at = await withProject(t)
    await at.call('devices.add', { orderNumber: panels.classic, name: 'Panel' })
    if (name !== 'compile' && name !== 'generate')
      await at.call('devices.add', { orderNumber: panels.unified, name: 'Unified' })
    return at
  })

testAnswers('a compiled HMI station answers as recorded', file('live'), withPumpStation)

testAnswers('the files of HMI stations are read as recorded', file('files'), openTestGateway)
