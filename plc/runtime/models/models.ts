/** All models of system blocks by name in upper case; library/model-names.ts lists the same names for the compiler. */
import type { RoutineFamily } from '../context.ts'
import { regionOf, whole } from '../routines/memory.ts'
import { alarmModels } from './alarm-blocks.ts'
import { arrayBlockModels } from './array-block-access.ts'
import { axisModels } from './axis.ts'
import { checksumModels } from './checksums.ts'
import { continuousControlModels } from './continuous-control.ts'
import { driveModels } from './drives.ts'
import { InstanceView, type Model } from './instance-view.ts'
import { jobModels, ownJobModels, quietModels } from './jobs.ts'
import { modbusModels } from './modbus.ts'
import { moduleModels } from './module-blocks.ts'
import { motionCompanionModels } from './motion-companions.ts'
import { openCommunicationModels } from './open-communication.ts'
import { pidModels } from './pid.ts'
import { profileModels } from './profiles.ts'
import { s7CommunicationModels } from './s7-communication.ts'
import { safetyModels } from './safety.ts'
import { sequencerModels } from './sequencers.ts'
import { signalModels } from './signal-blocks.ts'
import { synchronousModels } from './synchronous-axis.ts'
import { temperatureModels } from './temperature-control.ts'

export const models: Readonly<Record<string, Model>> = {
  ...jobModels,
  ...ownJobModels,
  ...moduleModels,
  ...quietModels,
  ...alarmModels,
  ...openCommunicationModels,
  ...modbusModels,
  ...s7CommunicationModels,
  ...pidModels,
  ...continuousControlModels,
  ...axisModels,
  ...synchronousModels,
  ...motionCompanionModels,
  ...signalModels,
  ...arrayBlockModels,
  ...sequencerModels,
  ...checksumModels,
  ...safetyModels,
  ...profileModels,
  ...temperatureModels,
  ...driveModels,
}

export const modelRoutines: RoutineFamily = (context) => {
  const run = (address: number, type: number, isStandard: number) => {
    const { cell } = regionOf(context, address, type, isStandard, whole)
    const name = cell.type.kind === 'struct' || cell.type.kind === 'instance' ? (cell.type.name ?? '') : ''
    models[name.toUpperCase()]?.(new InstanceView(context, cell))
    return undefined
  }
  return {
    /** Runs one call of the block with the instance at the address; its type determines the block. */
    'model.run': run,
    /** The same for blocks that use the whole process image (compiler/codegen/image-use.ts). */
    'model.image': run,
  }
}
