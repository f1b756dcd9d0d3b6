/**
 * PID_Compact, PID_3Step and PID_Temp as models of their published behaviour (function manual PID control A5E35300227):
 * modes, limits, errors, the PIDT1 law, pulses. Tuning is not part of the model (see `operate`).
 */
import type { InstanceView, Model } from './instance-view.ts'
import {
  follow,
  lawStep,
  limited,
  limitedSetpoint,
  modes,
  operate,
  peripheryValue,
  processValue,
  pulse,
  sinceLastCall,
} from './pid-law.ts'

/**
 * Returns the seconds for the law when it is due, every Cycle of its parameters. Member SinceCycle: seconds since it
 * last ran.
 */
function hasTurn(instance: InstanceView, cycle: number, time: number, isFirst: boolean): number | undefined {
  const since = instance.number('SinceCycle') + time
  // Calls do not occur exactly at multiples of the cycle.
  const isDue = isFirst || since >= cycle - time / 2
  instance.set('SinceCycle', isDue ? 0 : since)
  return isDue ? (isFirst ? time : since) : undefined
}

interface Turn {
  readonly output: number
  readonly state: number
  readonly time: number
}

/** One call of a controller with one output between two limits. */
function turn(
  instance: InstanceView,
  low: number,
  high: number,
  parameters: string,
  held: number,
  manualValue = instance.number('ManualValue'),
): Turn {
  const time = sinceLastCall(instance)
  const input = processValue(instance)
  const setpoint = limitedSetpoint(instance, input)
  const { state, isFirst } = operate(instance, input)
  const isInverted = instance.is('Config.InvertControl')
  // An invalid disturbance counts as 0, an invalid substitute value as the low limit ("ErrorBits" of the help).
  const finite = (name: string, otherwise: number) =>
    Number.isFinite(instance.number(name)) ? instance.number(name) : otherwise
  const disturbance = finite('Disturbance', 0)
  const law = { setpoint, input, disturbance, parameters, isInverted }
  const substitute = limited(finite('SubstituteOutput', low), low, high)
  switch (state) {
    case modes.manual: {
      const output = limited(Number.isFinite(manualValue) ? manualValue : substitute, low, high)
      follow(instance, output, law)
      return { output, state, time }
    }
    case modes.automatic: {
      const due = hasTurn(instance, instance.number(`${parameters}.Cycle`), time, isFirst)
      const output = due === undefined ? limited(held, low, high) : lawStep(instance, { ...law, time: due, low, high })
      return { output, state, time }
    }
    case modes.substitute: {
      const usesValue = !instance.has('SetSubstituteOutput') || instance.is('SetSubstituteOutput')
      return { output: usesValue ? substitute : limited(held, low, high), state, time }
    }
    default:
      if (instance.is('Reset')) instance.set('IntegralPart', 0)
      return { output: 0, state, time }
  }
}

const compact: Model = (instance) => {
  const [low, high] = [instance.number('Config.OutputLowerLimit'), instance.number('Config.OutputUpperLimit')]
  const { output, state, time } = turn(instance, low, high, 'Retain.CtrlParams', instance.number('Output'))
  const isOn = pulse(instance, 'PwmTime', {
    percent: output,
    period: instance.number('Retain.CtrlParams.Cycle'),
    on: instance.number('Config.MinimumOnTime'),
    off: instance.number('Config.MinimumOffTime'),
    time,
  })
  instance.setAll({
    Output: output,
    Output_PER: peripheryValue(output),
    Output_PWM: state !== modes.inactive && isOn,
  })
}

/**
 * The actuator of PID_3Step runs while Output_UP or Output_DN is on, from end to end in Retain.TransitTime seconds. Its
 * position comes from the feedback, or is computed. In manual mode Manual_UP and Manual_DN move it; ManualValue is a
 * position and needs feedback.
 */
const threeStep: Model = (instance) => {
  const [low, high] = [instance.number('Config.OutputLowerLimit'), instance.number('Config.OutputUpperLimit')]
  const hasFeedback = instance.is('Config.FeedbackOn')
  const position = hasFeedback
    ? instance.is('Config.FeedbackPerOn')
      ? (instance.number('Feedback_PER') * 100) / 27_648
      : instance.number('Feedback')
    : instance.number('Position')
  const { output, state, time } = turn(
    instance,
    low,
    high,
    'Retain.CtrlParams',
    instance.number('WantedPosition'),
    position,
  )
  const wanted = state === modes.manual && hasFeedback ? limited(instance.number('ManualValue'), low, high) : output
  const transit = Math.max(instance.number('Retain.TransitTime'), 0.001)
  const perCall = (time / transit) * 100
  // Avoids oscillation: the actuator moves for at least one call.
  const zone = Math.max(instance.number('Config.DeadBand'), perCall / 2, 0.01)
  const mayMove = state === modes.automatic || state === modes.substitute || (state === modes.manual && hasFeedback)
  const isByHand = state === modes.manual && !hasFeedback
  const atTop = instance.is('Actuator_H')
  const atBottom = instance.is('Actuator_L')
  const wantsUp = isByHand ? instance.is('Manual_UP') && !instance.is('Manual_DN') : mayMove && wanted - position > zone
  const wantsDown = isByHand
    ? instance.is('Manual_DN') && !instance.is('Manual_UP')
    : mayMove && position - wanted > zone
  const [up, down] = [wantsUp && !atTop, wantsDown && !atBottom]
  const moved = limited(position + (up ? perCall : down ? -perCall : 0), 0, 100)
  instance.setAll({
    Output_UP: up,
    Output_DN: down,
    Output_PER: peripheryValue(state === modes.inactive ? 0 : wanted),
    ScaledFeedback: position,
    WantedPosition: wanted,
    Position: atTop ? 100 : atBottom ? 0 : moved,
  })
}

/**
 * Heating is the part of the output above 0, cooling the part below it; cooling has its own gain (Config.CoolFactor).
 */
const temperature: Model = (instance) => {
  const cools = instance.is('Config.ActivateCooling')
  const limit = (path: string, otherwise: number) => (instance.has(path) ? instance.number(path) : otherwise)
  const high = limit('Config.Output.Heat.PidUpperLimit', 100)
  const low = cools
    ? limit('Config.Output.Cool.PidLowerLimit', -100)
    : Math.max(0, limit('Config.Output.Heat.PidLowerLimit', 0))
  const { output, state, time } = turn(instance, low, high, 'Retain.CtrlParams.Heat', instance.number('PidOutputSum'))
  const factor = instance.number('Config.CoolFactor') || 1
  const [heat, cool] = [Math.max(output, 0), Math.max(-output, 0) * factor]
  const side = (name: 'Heat' | 'Cool', percent: number) => {
    const isOn = pulse(instance, `Pwm${name}`, {
      percent,
      period:
        instance.number(`Retain.CtrlParams.${name}.PwmPeriode`) || instance.number('Retain.CtrlParams.Heat.Cycle'),
      on: instance.number(`Config.Output.${name}.MinimumOnTime`),
      off: instance.number(`Config.Output.${name}.MinimumOffTime`),
      time,
    })
    instance.setAll({
      [`Output${name}`]: percent,
      [`Output${name}_PER`]: peripheryValue(percent),
      [`Output${name}_PWM`]: state !== modes.inactive && isOn,
    })
  }
  side('Heat', heat)
  side('Cool', limited(cool, 0, 100))
  instance.set('PidOutputSum', output)
}

export const pidModels: Readonly<Record<string, Model>> = {
  PID_COMPACT: compact,
  PID_3STEP: threeStep,
  PID_TEMP: temperature,
}
