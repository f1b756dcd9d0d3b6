/**
 * Blocks that talk to SINAMICS drives (TIA Portal help, "SINAMICS Instructions"). No drive is simulated, so they end as
 * where the drive does not answer: the status of DPRD_DAT or RDREC for an address without a module, 16#8090.
 */
import type { InstanceView, Model } from './instance-view.ts'

/** Status of the system function for an address that belongs to no module. */
const noModule = 0x8090

/** First word of Status of SinaPara and SinaParaS. */
const status = { none: 0, parameters: 2, call: 3, cancelled: 4 } as const

/** Calls that a job takes until RDREC has ended with its error. */
const calls = 2

function end(instance: InstanceView, reason: number, isError: boolean): void {
  instance.setAll({
    STATE: 0,
    Busy: false,
    Ready: true,
    Error: isError,
    Status: reason * 0x1_0000,
    DiagId: reason === status.call ? noModule : 0,
  })
}

/**
 * SinaPara and SinaParaS: the edge of Start begins a job, its end gives Ready for one call; Start reset cancels it.
 * Error, Status and DiagId stay until the next job.
 */
function parameterAccess(isValid: (instance: InstanceView) => boolean): Model {
  return (instance) => {
    const isStarted = instance.rises('Start', 'REQ_OLD')
    const left = instance.number('STATE')
    instance.setAll({ Ready: false, Done: false })
    if (isStarted) {
      instance.setAll({ Error: false, Status: 0, DiagId: 0 })
      if (isValid(instance)) instance.setAll({ Busy: true, STATE: calls })
      else end(instance, status.parameters, true)
    } else if (left > 0 && !instance.is('Start')) end(instance, status.cancelled, true)
    else if (left === 1) end(instance, status.call, true)
    else if (left > 1) instance.set('STATE', left - 1)
  }
}

const inRange = (value: number, low: number, high: number) => value >= low && value <= high

/** A drive that does not answer: 8600, DPRD_DAT has failed. */
const noAnswer = (names: readonly string[], diagnosis: string): Model => {
  const off = Object.fromEntries(names.map((name) => [name, 0]))
  return (instance) => instance.setAll({ ...off, Error: true, Status: 0x8600, [diagnosis]: noModule })
}

/** Models by name in upper case. */
export const driveModels: Readonly<Record<string, Model>> = {
  SINAPARA: parameterAccess((instance) => inRange(instance.number('ParaNo'), 1, 16)),
  SINAPARAS: parameterAccess((instance) => instance.number('Parameter') !== 0),
  SINAPOS: noAnswer([], 'DiagId'),
  SINASPEED: noAnswer([], 'DiagId'),
  SINAINFEED: noAnswer(['Ready', 'Operation', 'Run', 'Fault', 'Lockout', 'Warning', 'ZSW1'], 'DiagID'),
}
