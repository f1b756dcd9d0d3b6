/** What the operations on a controller that is reached from a device answer, word by word (fixtures/). */
import { testAnswers } from '../../test/answers.ts'
import { withDownload, withProject } from '../../test/online.ts'

const file = (name: string) => new URL(`fixtures/${name}.yaml`, import.meta.url)

testAnswers('the program online answers as recorded', file('program'), withProject)

testAnswers('watch and force tables online answer as recorded', file('tables'), async (t) => {
  const { at, controller } = await withDownload(t)
  await controller.setTime(Date.parse('2020-05-06T07:08:09Z'))
  return at
})
