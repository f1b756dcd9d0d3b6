/** GETIO, SETIO, GETIO_PART and SETIO_PART: user data of modules (../module-data.ts). */
import type { Cell } from '../cells.ts'
import { type BytesOfModule, isWideText, moduleDataStatus, readModule, writeModule } from '../module-data.ts'
import type { InstanceView, Model } from './instance-view.ts'

/** A block that moves data; without loaded hardware it succeeds and changes nothing. */
function moduleData(move: (instance: InstanceView, module: number, variable: Cell | undefined) => number): Model {
  return (instance) => {
    const isLoaded = instance.context.hardware?.() !== undefined
    const variable = instance.behind('INPUTS') ?? instance.behind('OUTPUTS')
    const found = isLoaded ? move(instance, instance.number('ID'), variable?.cell) : 0
    const status = found === moduleDataStatus.noOutputs ? moduleDataStatus.noInputs : found
    // 40: an error of PROFIBUS DP and PROFINET IO; the status of DPRD_DAT is in the middle.
    instance.setAll({ STATUS: status === 0 ? 0 : 0x4000_0000 + status * 0x100, ERROR: status !== 0 })
  }
}

const getInputs = moduleData((instance, module, variable) => {
  const { status, length } = readModule(instance.context, module, variable, { refused: isWideText })
  instance.set('LEN', length)
  return status
})

function partOf(instance: InstanceView): BytesOfModule {
  return { offset: instance.number('OFFSET'), length: instance.number('LEN') }
}

/** Models by name in upper case. */
export const moduleModels: Readonly<Record<string, Model>> = {
  GETIO: (instance) => {
    instance.set('LEN', 0)
    getInputs(instance)
  },
  SETIO: moduleData((instance, module, variable) =>
    writeModule(instance.context, module, variable, { refused: isWideText }),
  ),
  GETIO_PART: moduleData(
    (instance, module, variable) =>
      readModule(instance.context, module, variable, { refused: isWideText, part: partOf(instance) }).status,
  ),
  SETIO_PART: moduleData((instance, module, variable) =>
    writeModule(instance.context, module, variable, { refused: isWideText, part: partOf(instance) }),
  ),
}
