/**
 * CONT_C, CONT_S and PULSEGEN (function manual PID control, "CONT_C", "CONT_S", "PULSEGEN"; STEP 7 FB 41 to FB 43). The
 * sampling time is the parameter CYCLE. Times are milliseconds.
 */
import type { InstanceView, Model } from './instance-view.ts'
import { limited } from './pid-law.ts'

/** The process value: PV_IN, or PV_PER (27648 are 100 %) with factor and offset. */
function processVariable(instance: InstanceView): number {
  if (!instance.is('PVPER_ON')) return instance.number('PV_IN')
  return ((instance.number('PV_PER') * 100) / 27_648) * instance.number('PV_FAC') + instance.number('PV_OFF')
}

/** The control difference after the dead band. */
function difference(instance: InstanceView, value: number): number {
  const error = instance.number('SP_INT') - value
  const band = instance.number('DEADB_W')
  return Math.abs(error) <= band ? 0 : error - Math.sign(error) * band
}

const seconds = (instance: InstanceView, name: string) => instance.number(name) / 1000

/** Members: Integral, LastError, LastD. */
const continuous: Model = (instance) => {
  if (instance.is('COM_RST')) {
    const start = instance.is('I_ITL_ON') ? instance.number('I_ITLVAL') : 0
    instance.setAll({ Integral: start, LastError: 0, LastD: 0, LMN: 0, LMN_PER: 0, LMN_P: 0, LMN_I: start, LMN_D: 0 })
    instance.setAll({ QLMN_HLM: false, QLMN_LLM: false, PV: 0, ER: 0 })
    return
  }
  const cycle = Math.max(seconds(instance, 'CYCLE'), 0.001)
  const value = processVariable(instance)
  const error = difference(instance, value)
  const gain = instance.number('GAIN')
  const [ti, td, lag] = [seconds(instance, 'TI'), seconds(instance, 'TD'), seconds(instance, 'TM_LAG')]
  const [low, high] = [instance.number('LMN_LLM'), instance.number('LMN_HLM')]
  const disturbance = instance.number('DISV')
  const proportional = instance.is('P_SEL') ? gain * error : 0
  const lastError = instance.number('LastError')
  const slope = instance.is('D_SEL')
    ? (lag * instance.number('LastD') + td * gain * (error - lastError)) / (lag + cycle)
    : 0
  let integral = instance.is('I_SEL') ? instance.number('Integral') : 0
  let output: number
  if (instance.is('MAN_ON')) {
    const manual = instance.number('MAN')
    output = limited(manual, low, high)
    // Avoids a jump when the law takes control.
    integral = instance.is('I_SEL') ? output - proportional - disturbance : 0
  } else {
    const adds = instance.is('I_SEL')
    if (adds && instance.is('I_ITL_ON')) integral = instance.number('I_ITLVAL')
    const step =
      adds && !instance.is('INT_HOLD') && !instance.is('I_ITL_ON') && ti > 0 ? (gain * error * cycle) / ti : 0
    const wanted = proportional + slope + integral + step + disturbance
    output = limited(wanted, low, high)
    if (output === wanted || Math.sign(step) !== Math.sign(wanted - output)) integral += step
  }
  const normed = output * instance.number('LMN_FAC') + instance.number('LMN_OFF')
  instance.setAll({
    Integral: integral,
    LastError: error,
    LastD: instance.is('MAN_ON') ? 0 : slope,
    LMN: normed,
    LMN_PER: Math.round((limited(normed, -117, 117) * 27_648) / 100),
    QLMN_HLM: output >= high,
    QLMN_LLM: output <= low,
    LMN_P: proportional,
    LMN_I: integral,
    LMN_D: instance.is('MAN_ON') ? 0 : slope,
    PV: value,
    ER: error,
  })
}

/** Movement of an actuator in seconds of running, positive up. */
export interface Movement {
  /** Movement that the law requests. */
  readonly wanted: number
  readonly cycle: number
  /** Shortest pulse and shortest pause. */
  readonly least: number
  readonly pause: number
}

/**
 * Decides the pulse of this cycle and keeps the rest of the movement. Members: Wanted, Running (seconds), Break
 * (seconds), Direction.
 * @returns 1: up, -1: down, 0: no pulse
 */
export function actuate(instance: InstanceView, { wanted, cycle, least, pause }: Movement): number {
  const before = instance.number('Direction')
  const running = instance.number('Running')
  let direction = 0
  // A pulse lasts for its shortest time, and while movement remains: more than what is left by rounding.
  if (before !== 0 && wanted * before > cycle / 1000) direction = before
  else if (before !== 0 && running < least) direction = before
  else if (Math.abs(wanted) >= least && instance.number('Break') >= pause) direction = Math.sign(wanted)
  instance.setAll({
    Wanted: wanted - direction * cycle,
    Direction: direction,
    Running: direction === 0 ? 0 : direction === before ? running + cycle : cycle,
    Break: direction === 0 ? instance.number('Break') + cycle : 0,
  })
  return direction
}

/**
 * A PI step controller for an actuator that needs MTR_TM from end to end: it collects the movement that the law
 * requests and outputs it as pulses of at least PULSE_TM with pauses of at least BREAK_TM. Members: Wanted (seconds of
 * running, positive up), LastError, Running (seconds, positive up), Break (seconds), Direction.
 */
const step: Model = (instance) => {
  const cycle = Math.max(seconds(instance, 'CYCLE'), 0.001)
  const value = processVariable(instance)
  const error = difference(instance, value)
  const [atTop, atBottom] = [instance.is('LMNR_HS'), instance.is('LMNR_LS')]
  const outputs = (up: boolean, down: boolean) =>
    instance.setAll({ QLMNUP: up && !atTop, QLMNDN: down && !atBottom, PV: value, ER: error })
  if (instance.is('COM_RST')) {
    instance.setAll({ Wanted: 0, LastError: 0, Running: 0, Break: 0, Direction: 0 })
    outputs(false, false)
    return
  }
  if (instance.is('LMNS_ON')) {
    instance.setAll({ Wanted: 0, LastError: error, Running: 0, Break: 0, Direction: 0 })
    const [up, down] = [instance.is('LMNUP'), instance.is('LMNDN')]
    outputs(up && !down, down && !up)
    return
  }
  const gain = instance.number('GAIN')
  const ti = seconds(instance, 'TI')
  const motor = seconds(instance, 'MTR_TM')
  const percent = gain * (error - instance.number('LastError')) + (ti > 0 ? (gain * error * cycle) / ti : 0)
  const direction = actuate(instance, {
    wanted: limited(instance.number('Wanted') + (percent / 100) * motor, -motor, motor),
    cycle,
    least: Math.max(seconds(instance, 'PULSE_TM'), cycle),
    pause: seconds(instance, 'BREAK_TM'),
  })
  instance.set('LastError', error)
  outputs(direction > 0, direction < 0)
}

/**
 * Pulses with a length proportional to INV (per cent) in the period PER_TM. Three steps: positive pulses for positive
 * values, negative ones for negative values. Two steps: one pulse, its pause is the other step. Members: Passed,
 * milliseconds of the period; Held, INV at its beginning.
 */
const pulses: Model = (instance) => {
  const set = (positive: boolean, negative: boolean) => instance.setAll({ QPOS_P: positive, QNEG_P: negative })
  if (instance.is('COM_RST')) {
    instance.setAll({ Passed: 0, Held: 0 })
    set(false, false)
    return
  }
  const isThreeStep = instance.is('STEP3_ON')
  if (instance.is('MAN_ON')) {
    const [positive, negative] = [instance.is('POS_P_ON'), instance.is('NEG_P_ON')]
    set(positive && !(isThreeStep && negative), isThreeStep ? negative && !positive : !positive)
    return
  }
  const period = Math.max(instance.number('PER_TM'), 1)
  const passed = instance.number('Passed')
  const isBegin = passed <= 0 || passed >= period
  const value = isBegin ? instance.number('INV') : instance.number('Held')
  const at = isBegin ? 0 : passed
  instance.setAll({ Held: value, Passed: at + Math.max(instance.number('CYCLE'), 1) })
  const least = instance.number('P_B_TM')
  const clipped = (length: number) => (length < least ? 0 : length > period - least ? period : length)
  if (!isThreeStep) {
    const isBipolar = instance.is('ST2BI_ON')
    const share = isBipolar ? (limited(value, -100, 100) + 100) / 200 : limited(value, 0, 100) / 100
    const isOn = at < clipped(share * period)
    set(isOn, !isOn)
    return
  }
  // A factor below 1 shortens the negative pulses with their shortest length, one above 1 the positive ones (System
  // Software for S7-300/400, volume 2, 27.3, asymmetrical three-step control).
  const ratio = instance.number('RATIOFAC') || 1
  const positive = clipped((limited(value, 0, 100) / 100) * period) / Math.max(1, ratio)
  const negative = clipped((limited(-value, 0, 100) / 100) * period) * Math.min(1, ratio)
  set(at < positive, at < negative)
}

export const continuousControlModels: Readonly<Record<string, Model>> = {
  CONT_C: continuous,
  CONT_S: step,
  PULSEGEN: pulses,
}
