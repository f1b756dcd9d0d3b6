/**
 * TCONT_CP and TCONT_S (TIA Portal help, "TCONT_CP", "TCONT_S"; FB 58 and FB 59 of older controllers). Times are
 * seconds. Choices where the pages give only block diagrams: the parts of the law are computed from call to call like
 * those of CONT_C; the pulses of TCONT_S are those of CONT_S. Tuning is not simulated: TUN_ON and TUN_ST change nothing
 * and PHASE stays 0.
 */
import { actuate } from './continuous-control.ts'
import type { InstanceView, Model } from './instance-view.ts'
import { limited } from './pid-law.ts'

/** The process value: PV_IN, or PV_PER in the unit of PER_MODE with factor and offset. */
function processValue(instance: InstanceView): number {
  if (!instance.is('PVPER_ON')) return instance.number('PV_IN')
  const units = [0.1, 0.01, 100 / 27_648]
  const unit = units[instance.number('PER_MODE')] ?? 0.1
  return instance.number('PV_PER') * unit * instance.number('PV_FAC') + instance.number('PV_OFFS')
}

/** The control deviation after the dead band. */
function deviation(instance: InstanceView, value: number): number {
  const error = instance.number('SP_INT') - value
  const band = instance.number('DEADB_W')
  return Math.abs(error) <= band ? 0 : error - Math.sign(error) * band
}

const saved = ['PFAC_SP', 'GAIN', 'TI', 'TD', 'D_F', 'CON_ZONE', 'CONZ_ON'] as const

/** SAVE_PAR, UNDO_PAR and LOAD_PID: each runs once and is reset; the last two need manual mode. */
function exchangeParameters(instance: InstanceView): void {
  if (instance.is('SAVE_PAR')) for (const name of saved) instance.set(`PAR_SAVE.${name}`, instance.number(name))
  const isManual = instance.is('MAN_ON')
  if (instance.is('UNDO_PAR') && isManual && instance.number('PAR_SAVE.GAIN') !== 0)
    for (const name of saved) instance.set(name, instance.number(`PAR_SAVE.${name}`))
  if (instance.is('LOAD_PID') && isManual) {
    if (instance.is('PID_ON') && instance.number('PID_CON.GAIN') === 0) instance.set('PID_ON', false)
    const from = instance.is('PID_ON') ? 'PID_CON' : 'PI_CON'
    const gain = instance.number(`${from}.GAIN`)
    if (gain !== 0) {
      const names = from === 'PID_CON' ? ['GAIN', 'TI', 'TD'] : ['GAIN', 'TI']
      for (const name of names) instance.set(name, instance.number(`${from}.${name}`))
      instance.set('CON_ZONE', 250 / gain)
    }
  }
  instance.setAll({ SAVE_PAR: false, UNDO_PAR: false, LOAD_PID: false })
}

/** The limit that the control zone gives; 0: the value of the law counts. It is left at 80 % of the zone. */
function zone(instance: InstanceView, error: number): number {
  if (!instance.is('CONZ_ON')) return 0
  const width = instance.number('CON_ZONE')
  if (Math.abs(error) > width) return Math.sign(error)
  const before = instance.number('OutOfZone')
  return before !== 0 && error * before > 0.8 * width ? before : 0
}

/** One run of the PID law. Members: Integral, LastError, LastD, LastSetpoint, OutOfZone. */
function regulate(instance: InstanceView): void {
  const cycle = Math.max(instance.number('CYCLE'), 0.001)
  const value = processValue(instance)
  const setpoint = instance.number('SP_INT')
  const error = deviation(instance, value)
  const [gain, ti, td] = [instance.number('GAIN'), instance.number('TI'), instance.number('TD')]
  const disturbance = instance.number('DISV')
  const [low, high] = [instance.number('LMN_LLM'), instance.number('LMN_HLM')]
  const isFirst = !instance.is('Started')
  const proportional = gain * error
  const lag = td / Math.max(instance.number('D_F'), 1)
  const change = isFirst ? 0 : error - instance.number('LastError')
  let slope = td > 0 ? (lag * instance.number('LastD') + td * gain * change) / (lag + cycle) : 0
  let integral = instance.number('Integral')
  let output: number
  let side = 0
  if (instance.is('MAN_ON')) {
    output = limited(instance.number('MAN'), low, high)
    slope = 0
    // Avoids a jump when the law takes control.
    integral = ti > 0 ? output - proportional - disturbance : 0
  } else {
    // A weaker proportional action at a change of the setpoint: the integral action takes the rest away.
    if (!isFirst && ti > 0)
      integral -= gain * (1 - limited(instance.number('PFAC_SP'), 0, 1)) * (setpoint - instance.number('LastSetpoint'))
    if (instance.is('I_ITL_ON')) integral = instance.number('I_ITLVAL')
    else if (ti === 0) integral = 0
    const wish = ti > 0 && !instance.is('I_ITL_ON') ? (gain * error * cycle) / ti : 0
    const isHeld = wish > 0 ? instance.is('INT_HPOS') : wish < 0 && instance.is('INT_HNEG')
    const step = isHeld ? 0 : wish
    const sum = proportional + integral + step + slope + disturbance
    side = zone(instance, error)
    output = side === 0 ? limited(sum, low, high) : side > 0 ? high : low
    // At a limit the integral action waits, unless it leads back.
    if ((side === 0 && output === sum) || Math.sign(step) !== Math.sign(sum - output)) integral += step
    instance.set('MAN', output)
  }
  const scaled = output * instance.number('LMN_FAC') + instance.number('LMN_OFFS')
  instance.setAll({
    Integral: integral,
    LastError: error,
    LastD: slope,
    LastSetpoint: setpoint,
    OutOfZone: side,
    Started: true,
    Held: output,
    PV: value,
    ER: error,
    LMN: scaled,
    LMN_PER: Math.round((limited(scaled, -118, 118) * 27_648) / 100),
    QLMN_HLM: output >= high,
    QLMN_LLM: output <= low,
    LMN_P: proportional,
    LMN_I: integral,
    LMN_D: slope,
  })
}

/**
 * One call of the pulse generator: a pulse of PER_TM × output / 100 in each period. Members: Held, the output; Pulse,
 * that at the beginning of the period; Passed, seconds of the period.
 */
function pulse(instance: InstanceView): void {
  const cycle = Math.max(instance.number('CYCLE_P'), 0.001)
  const period = Math.max(instance.number('PER_TM'), cycle)
  const least = Math.max(instance.number('P_B_TM'), cycle)
  const passed = instance.number('Passed')
  // Sums of Real cycles do not meet the end of the period exactly.
  const isBegin = passed <= 0 || passed > period - cycle / 2
  const at = isBegin ? 0 : passed
  if (isBegin) instance.set('Pulse', instance.number('Held'))
  const length = (limited(instance.number('Pulse'), 0, 100) / 100) * period
  const clipped = length < least - cycle / 1000 ? 0 : length > period - least + cycle / 1000 ? period : length
  instance.setAll({ QPULSE: at < clipped - cycle / 1000, Passed: at + cycle })
}

const continuous: Model = (instance) => {
  if (instance.is('COM_RST')) {
    const start = instance.number('I_ITLVAL')
    instance.setAll({ Integral: start, LastError: 0, LastD: 0, OutOfZone: 0, Started: false, Passed: 0, Waited: 0 })
    instance.setAll({ Held: 0, PV: 0, LMN: 0, LMN_PER: 0, QPULSE: false, QLMN_HLM: false, QLMN_LLM: false })
    instance.setAll({ ER: 0, LMN_P: 0, LMN_I: start, LMN_D: 0, QC_ACT: true, COM_RST: false })
    return
  }
  exchangeParameters(instance)
  if (!instance.is('PULSE_ON')) {
    regulate(instance)
    instance.setAll({ QPULSE: false, QC_ACT: true })
    return
  }
  const select = instance.number('SELECT')
  const isDue = instance.is('QC_ACT')
  if (select === 3 || (select !== 2 && isDue)) {
    regulate(instance)
    instance.setAll({ Waited: 0, QC_ACT: false })
  }
  if (select === 1 || select === 3) return
  pulse(instance)
  const waited = instance.number('Waited') + instance.number('CYCLE_P')
  // QC_ACT: the next call runs the law.
  const isNext = waited > instance.number('CYCLE') - instance.number('CYCLE_P') / 2
  instance.setAll({ Waited: waited, QC_ACT: isNext || (select === 2 && isDue) })
}

/** A PI step controller without position feedback. Members of `actuate`, LastError, LastSetpoint, LastDisturbance. */
const step: Model = (instance) => {
  const cycle = Math.max(instance.number('CYCLE'), 0.001)
  const value = processValue(instance)
  const error = deviation(instance, value)
  const outputs = (up: boolean, down: boolean) =>
    instance.setAll({
      QLMNUP: up && !instance.is('LMNR_HS'),
      QLMNDN: down && !instance.is('LMNR_LS'),
      PV: value,
      ER: error,
    })
  const [setpoint, disturbance] = [instance.number('SP_INT'), instance.number('DISV')]
  const rest = { Wanted: 0, Running: 0, Break: 0, Direction: 0, LastError: 0, LastDisturbance: 0 }
  if (instance.is('COM_RST')) {
    instance.setAll({ ...rest, LastSetpoint: setpoint, COM_RST: false, QLMNUP: false, QLMNDN: false, PV: 0, ER: 0 })
    return
  }
  if (instance.is('LMNS_ON')) {
    // The integrator is 0: the deviation acts as a step when the law takes control again.
    instance.setAll({ ...rest, LastSetpoint: setpoint })
    const [up, down] = [instance.is('LMNUP'), instance.is('LMNDN')]
    outputs(up && !down, down && !up)
    return
  }
  const [gain, ti] = [instance.number('GAIN'), instance.number('TI')]
  const motor = Math.max(instance.number('MTR_TM'), cycle)
  const weakened = (1 - limited(instance.number('PFAC_SP'), 0, 1)) * (setpoint - instance.number('LastSetpoint'))
  const percent =
    gain * (error - instance.number('LastError') - weakened) +
    (ti > 0 ? (gain * error * cycle) / ti : 0) +
    (disturbance - instance.number('LastDisturbance'))
  const direction = actuate(instance, {
    wanted: limited(instance.number('Wanted') + (percent / 100) * motor, -motor, motor),
    cycle,
    least: Math.max(instance.number('PULSE_TM'), cycle),
    pause: instance.number('BREAK_TM'),
  })
  instance.setAll({ LastError: error, LastSetpoint: setpoint, LastDisturbance: disturbance })
  outputs(direction > 0, direction < 0)
}

/** Models by name in upper case. */
export const temperatureModels: Readonly<Record<string, Model>> = { TCONT_CP: continuous, TCONT_S: step }
