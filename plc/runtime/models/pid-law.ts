/**
 * What the controllers of the PID family share: the control law, their times, limits, pulses. State is in members of
 * the instance.
 */
import type { InstanceView } from './instance-view.ts'

/** Values of one step. */
export interface LawInput {
  readonly setpoint: number
  readonly input: number
  readonly disturbance: number
  /** Seconds since the step before. */
  readonly time: number
  readonly low: number
  readonly high: number
  /** Member with the parameters: Gain, Ti, Td, TdFiltRatio, PWeighting, DWeighting, DeadZone. */
  readonly parameters: string
  readonly isInverted: boolean
}

export function limited(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}

/**
 * The PIDT1 law with weights (function manual PID control A5E35300227, "PIDT1 algorithm"): y = K [ (b w - x) + (w - x)
 * / (Ti s) + Td s / (a Td s + 1) (c w - x) ]. The integral stops while the output is at a limit and would pass it.
 * Members: IntegralPart, LastInput, LastDerivative.
 */
export function lawStep(instance: InstanceView, law: LawInput): number {
  const { setpoint, disturbance, time, low, high, parameters } = law
  const parameter = (name: string) => instance.number(`${parameters}.${name}`)
  const gain = parameter('Gain') * (law.isInverted ? -1 : 1)
  const [ti, td] = [parameter('Ti'), parameter('Td')]
  // Within the dead zone the process value counts as the setpoint.
  const input = Math.abs(setpoint - law.input) <= parameter('DeadZone') ? setpoint : law.input
  const difference = setpoint - input
  const proportional = parameter('PWeighting') * setpoint - input
  const weighted = parameter('DWeighting') * setpoint - input
  const lag = parameter('TdFiltRatio') * td
  const derivative =
    td === 0
      ? 0
      : (lag * instance.number('LastDerivative') + td * (weighted - instance.number('LastInput'))) / (lag + time)
  const integral = instance.number('IntegralPart')
  const step = ti > 0 ? (gain * time * difference) / ti : 0
  const wanted = gain * (proportional + derivative) + integral + step + disturbance
  const output = limited(wanted, low, high)
  const goesOn = output === wanted || Math.sign(step) !== Math.sign(wanted - output)
  instance.setAll({
    IntegralPart: goesOn ? integral + step : integral,
    LastInput: weighted,
    LastDerivative: derivative,
  })
  return output
}

/** Follows an output from another source, so that the law takes control without a jump. */
export function follow(instance: InstanceView, output: number, law: Omit<LawInput, 'time' | 'low' | 'high'>): void {
  const parameter = (name: string) => instance.number(`${law.parameters}.${name}`)
  const gain = parameter('Gain') * (law.isInverted ? -1 : 1)
  const proportional = gain * (parameter('PWeighting') * law.setpoint - law.input)
  instance.setAll({
    IntegralPart: output - proportional - law.disturbance,
    LastInput: parameter('DWeighting') * law.setpoint - law.input,
    LastDerivative: 0,
  })
}

/** Returns the seconds since the last call: measured (CycleTime.EnEstimation) or CycleTime.Value. Member: LastCall. */
export function sinceLastCall(instance: InstanceView): number {
  const last = BigInt.asIntN(64, instance.bits('LastCall'))
  const { now } = instance
  const isMeasured = instance.is('CycleTime.EnEstimation') && last !== 0n && now > last
  if (isMeasured) instance.set('CycleTime.Value', Number(now - last) / 1e9)
  instance.set('LastCall', now === 0n ? 1n : now)
  return Math.max(instance.number('CycleTime.Value'), 0.001)
}

/** Returns the process value: Input, or Input_PER scaled between its two points. */
export function processValue(instance: InstanceView): number {
  if (!instance.is('Config.InputPerOn')) return instance.number('Input')
  const point = (name: string) => instance.number(`Config.InputScaling.${name}`)
  const span = point('UpperPointIn') - point('LowerPointIn')
  const share = (instance.number('Input_PER') - point('LowerPointIn')) / (span === 0 ? 1 : span)
  return point('LowerPointOut') + share * (point('UpperPointOut') - point('LowerPointOut'))
}

/** Sets the outputs that show limits and returns the setpoint within them. */
export function limitedSetpoint(instance: InstanceView, input: number): number {
  const setpoint = instance.number('Setpoint')
  const [low, high] = [instance.number('Config.SetpointLowerLimit'), instance.number('Config.SetpointUpperLimit')]
  const within = limited(setpoint, low, high)
  instance.setAll({
    SetpointLimit_H: setpoint >= high,
    SetpointLimit_L: setpoint <= low,
    InputWarning_H: input >= instance.number('Config.InputUpperWarning'),
    InputWarning_L: input <= instance.number('Config.InputLowerWarning'),
    CurrentSetpoint: within,
    ScaledInput: input,
  })
  return within
}

/** Converts a value in per cent to a number for an analog output: 100 % are 27648. */
export function peripheryValue(percent: number): number {
  return Math.round((limited(percent, -117, 117) * 27_648) / 100)
}

/**
 * Makes pulses for a value in per cent of the period; none shorter than `on`, no pause shorter than `off`, all in
 * seconds. `member` contains the time since the pulse began.
 */
export function pulse(
  instance: InstanceView,
  member: string,
  {
    percent,
    period,
    on,
    off,
    time,
  }: {
    readonly percent: number
    readonly period: number
    readonly on: number
    readonly off: number
    readonly time: number
  },
): boolean {
  const since = instance.number(member) + time
  const passed = since >= period ? 0 : since
  instance.set(member, passed)
  const wanted = (limited(percent, 0, 100) / 100) * period
  const length = wanted < on ? 0 : period - wanted < off ? period : wanted
  return passed < length
}

// ── Operating modes ─────────────────────────────────────────────────────────────────────────────────────────────────

/** State and Mode of the PID family (function manual, "Parameters State and Mode"). */
export const modes = {
  inactive: 0,
  pretuning: 1,
  fineTuning: 2,
  automatic: 3,
  manual: 4,
  substitute: 5,
} as const

/** Bits of ErrorBits (function manual, "Parameter ErrorBits"). */
export const errors = {
  inputLimits: 0x1,
  inputPeriphery: 0x2,
  fineTuning: 0x4,
  pretuning: 0x8,
  input: 0x200,
  output: 0x400,
  setpoint: 0x1000,
  manualValue: 0x1_0000,
  substituteValue: 0x2_0000,
  disturbance: 0x4_0000,
} as const

/** A bit of Warning: the value of Mode is invalid, the mode stays unchanged. */
const invalidMode = 0x80

/** Errors in automatic mode that replace the output by a substitute value until they are gone. */
const substituting = errors.inputPeriphery | errors.input | errors.output | errors.setpoint

export interface Operation {
  /** State of this call. */
  readonly state: number
  readonly isFirst: boolean
}

/**
 * Determines the mode of this call: the rising edge of ModeActivate activates Mode, ManualEnable keeps manual mode,
 * Reset stops the controller, errors in automatic mode lead to the substitute value (ActivateRecoverMode) or to
 * inactive mode. Tuning is not part of the model: it ends at once with its error. Member LastState: mode + 1, 256
 * ModeActivate, 512 ManualEnable, 1024 ErrorAck, 2048 Reset of the last call.
 */
export function operate(instance: InstanceView, input: number): Operation {
  const last = instance.number('LastState')
  const rises = (name: string, bit: number) => instance.is(name) && (last & bit) === 0
  const falls = (name: string, bit: number) => !instance.is(name) && (last & bit) !== 0
  const isFirst = (last & 0xff) === 0
  let mode: number = isFirst ? modes.inactive : (last & 0xff) - 1
  const isAcknowledged = rises('ErrorAck', 1024) || rises('Reset', 2048)
  let pending = isAcknowledged ? 0 : instance.number('ErrorBits')
  if (isAcknowledged) instance.set('Warning', 0)
  const asksForMode = rises('ModeActivate', 256) || falls('ManualEnable', 512) || falls('Reset', 2048)
  if (asksForMode || (isFirst && instance.is('RunModeByStartup'))) {
    const wanted = instance.number('Mode')
    if (wanted >= modes.inactive && wanted <= modes.manual) mode = wanted
    else instance.set('Warning', instance.number('Warning') | invalidMode)
  }
  if (mode === modes.pretuning || mode === modes.fineTuning) {
    pending |= mode === modes.pretuning ? errors.pretuning : errors.fineTuning
    mode = modes.automatic
    instance.set('Mode', mode)
  }
  let now = 0
  if (!Number.isFinite(input)) now |= instance.is('Config.InputPerOn') ? errors.inputPeriphery : errors.input
  else if (input > instance.number('Config.InputUpperLimit') || input < instance.number('Config.InputLowerLimit'))
    now |= errors.inputLimits
  if (instance.is('Config.InputPerOn') && Math.abs(instance.number('Input_PER')) === 32_767)
    now |= errors.inputPeriphery
  if (!Number.isFinite(instance.number('Setpoint'))) now |= errors.setpoint
  const isManual = instance.is('ManualEnable') || mode === modes.manual
  if (isManual && !Number.isFinite(instance.number('ManualValue'))) now |= errors.manualValue
  if (!Number.isFinite(instance.number('SubstituteOutput'))) now |= errors.substituteValue
  if (!Number.isFinite(instance.number('Disturbance'))) now |= errors.disturbance
  pending |= now
  let state: number = isManual ? modes.manual : mode
  if (instance.is('Reset')) state = modes.inactive
  else if (state === modes.automatic && now !== 0) {
    if (!instance.is('ActivateRecoverMode')) {
      state = modes.inactive
      mode = modes.inactive
    } else if ((now & substituting) !== 0) state = modes.substitute
  }
  const bit = (name: string, value: number) => (instance.is(name) ? value : 0)
  instance.setAll({
    State: state,
    ErrorBits: pending,
    Error: now !== 0,
    LastState:
      (mode + 1) | bit('ModeActivate', 256) | bit('ManualEnable', 512) | bit('ErrorAck', 1024) | bit('Reset', 2048),
  })
  return { state, isFirst }
}
