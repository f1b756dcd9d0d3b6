/**
 * Torque limits, output cams, measuring inputs and control words of ideal axes (TIA Portal help, "S7-1500 Motion
 * Control", each block's page; numbers of errors: "Error IDs in Motion Control instructions"). Axes have no load:
 * torque is never limited, and no stop is ever hit. The axis of an output cam or measuring input is part of the
 * configuration, which programs do not contain: cams stay off, and measuring waits until it is aborted.
 */
import { errors, executed, objectBehind } from './axis.ts'
import type { InstanceView, Model } from './instance-view.ts'

const faults = { upper: 0x804b, lower: 0x804c, range: 0x804d, limiting: 0x804e, mask: 0x8055 } as const
const status = 'StatusSynchronizedMotion'

/**
 * Makes a function that is on while Enable is on.
 * @param check returns an ErrorID, or 0
 */
function enabled(
  parameter: string,
  check: (instance: InstanceView, object: InstanceView) => number,
  act: (instance: InstanceView, object: InstanceView, isOn: boolean) => void,
): Model {
  return (instance) => {
    const isOn = instance.is('Enable')
    const object = objectBehind(instance, parameter)
    const error = !isOn ? 0 : object ? check(instance, object) : errors.object
    const isActive = isOn && error === 0
    const wasActive = instance.is('Busy')
    instance.setAll({ Busy: isActive, Error: error !== 0, ErrorID: error })
    if (object && (isActive || wasActive)) act(instance, object, isActive)
  }
}

function setBit(view: InstanceView, bit: number, isOn: boolean): void {
  const word = view.number('StatusWord')
  view.set('StatusWord', (isOn ? word | (1 << bit) : word & ~(1 << bit)) >>> 0)
}

const torqueLimitingCommand = 26
const rangeActive = 'StatusTorqueData.CommandTorqueRangeActive'
const largest = 1e12

const torqueLimiting = enabled(
  'Axis',
  (instance, axis) => {
    if (instance.number('Mode') !== 0 && instance.number('Mode') !== 1) return errors.mode
    return axis.is(rangeActive) ? faults.limiting : 0
  },
  (instance, axis, isOn) => {
    setBit(axis, torqueLimitingCommand, isOn)
    instance.setAll({ InClamping: false, InLimitation: false })
  },
)

const torqueRange = enabled(
  'Axis',
  (instance, axis) => {
    const [upper, lower] = [instance.number('UpperLimit'), instance.number('LowerLimit')]
    if (!(Math.abs(upper) <= largest)) return faults.upper
    if (!(Math.abs(lower) <= largest)) return faults.lower
    if (upper <= lower) return faults.range
    return (axis.number('StatusWord') >>> torqueLimitingCommand) & 1 ? faults.limiting : 0
  },
  (_instance, axis, isOn) => axis.set(rangeActive, isOn),
)

const torqueAdditive = enabled(
  'Axis',
  () => 0,
  (instance, axis, isOn) =>
    axis.setAll({
      'StatusTorqueData.CommandAdditiveTorqueActive': isOn,
      'StatusTorqueData.TotalTorqueAdditive': isOn ? instance.number('Value') : 0,
    }),
)

const motionSimulation = enabled(
  'Slave',
  () => 0,
  (instance, slave, isOn) => {
    const word = slave.number(`${status}.StatusWord`)
    slave.set(`${status}.StatusWord`, isOn ? word | 8 : word & ~8)
    instance.set('InSimulation', isOn)
  },
)

/** Mode 2 switches a cam track on permanently; the places of its cams depend on an axis that is not known here. */
const camTrack = enabled(
  'CamTrack',
  (instance) => (instance.number('Mode') < 0 || instance.number('Mode') > 2 ? errors.mode : 0),
  (instance, track, isOn) => {
    const isSet = isOn && (instance.number('Mode') === 2) !== instance.is('InvertOutput')
    instance.set('TrackOutput', isSet)
    track.set('TrackOutput', isSet)
  },
)

/** Mode 1 unchanged, 2 inverted, 3 always on. */
const outputCam = enabled(
  'OutputCam',
  (instance) => (instance.number('Mode') < 1 || instance.number('Mode') > 3 ? errors.mode : 0),
  (instance, cam, isOn) => {
    const isSet = isOn && instance.number('Mode') !== 1
    instance.set('CamOutput', isSet)
    cam.set('CamOutput', isSet)
  },
)

/** One job measures at a time: a new one, or the one that aborts it, replaces it. */
const measuring = executed(
  {
    isMotion: false,
    isAlone: true,
    begin: (instance) => (instance.number('Mode') < 0 || instance.number('Mode') > 4 ? errors.mode : 0),
    run: () => false,
  },
  'MeasuringInput',
)

const abortMeasuring = executed({ isMotion: false, isAlone: true, begin: () => 0, run: () => true }, 'MeasuringInput')

/** Bits 8, 9 and 11 to 15 of the first control word and 0 to 11 of the second belong to the program. */
const setControlWord = executed({
  isMotion: false,
  begin: (instance) =>
    instance.number('STW1BitMask') & ~0xfb00 || instance.number('STW2BitMask') & ~0x0fff ? faults.mask : 0,
  run: () => true,
})

/** Models by name in upper case. */
export const motionCompanionModels: Readonly<Record<string, Model>> = {
  MC_TORQUELIMITING: torqueLimiting,
  MC_TORQUERANGE: torqueRange,
  MC_TORQUEADDITIVE: torqueAdditive,
  MC_SYNCHRONIZEDMOTIONSIMULATION: motionSimulation,
  MC_CAMTRACK: camTrack,
  MC_OUTPUTCAM: outputCam,
  MC_MEASURINGINPUT: measuring,
  MC_MEASURINGINPUTCYCLIC: measuring,
  MC_ABORTMEASURINGINPUT: abortMeasuring,
  MC_SETAXISSTW: setControlWord,
}
