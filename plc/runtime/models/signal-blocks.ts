/**
 * Blocks that process signals. RampFunction and SplitRange (TIA Portal help, "RampFunction", "SplitRange"): values,
 * limits, error bits and substitutes as their pages say. Filter_PT1, Filter_PT2 and Filter_DT1 share the frame; only
 * the transfer functions of their laws are published. This project computes them between two calls exactly, for an
 * input that stays constant from call to call.
 */
import type { InstanceView, Model } from './instance-view.ts'
import { limited } from './pid-law.ts'

const greatest = 3.402823e38

const bits = {
  cycleTime: 0x0000_0002,
  substitute: 0x0001_0000,
  input: 0x0002_0000,
  result: 0x0004_0000,
  parameters: 0x0008_0000,
  rates: 0x0010_0000,
  start: 0x0020_0000,
  cycleValue: 0x0040_0000,
} as const

/** Result of one call without Reset: the output and the errors. No output: the substitute is used. */
interface Worked {
  readonly output?: number
  readonly errors: number
}

interface Frame {
  /** Limits of the output; `undefined` when they are wrong. */
  readonly limits: (instance: InstanceView) => readonly [number, number] | undefined
  readonly work: (instance: InstanceView, last: number, time: number) => Worked
  /** Whether the block has StartMode and CycleTime. */
  readonly hasTime: boolean
  /** Sets the state to a value, so that the next call continues from it. */
  readonly follow?: (instance: InstanceView, output: number) => void
}

/** The value that ErrorMode or StartMode selects. */
function chosen(instance: InstanceView, mode: number, last: number): number {
  const names = ['Input', 'SubstituteOutput', undefined, undefined, 'LowerLimit', 'UpperLimit']
  if (mode === 2) return last
  const name = names[mode]
  return name === undefined ? 0 : instance.number(name)
}

/**
 * Seconds since the last call, measured or given; `isKnown` is false when the clock has not moved and the last value
 * counts.
 */
function cycleTime(instance: InstanceView): { readonly time: number; readonly isKnown: boolean } {
  const last = BigInt.asIntN(64, instance.bits('LastCall'))
  const { now } = instance
  instance.set('LastCall', now === 0n ? 1n : now)
  const isMeasured = instance.is('CycleTime.EnableMeasurement')
  if (isMeasured && last !== 0n && now > last) instance.set('CycleTime.Value', Number(now - last) / 1e9)
  return { time: instance.number('CycleTime.Value'), isKnown: !isMeasured || now > last }
}

function framed({ limits, work, hasTime, follow }: Frame): Model {
  return (instance) => {
    const [reset, acknowledged] = [instance.is('Reset'), instance.is('ErrorAck')]
    if ((reset && !instance.is('RESET_OLD')) || (acknowledged && !instance.is('ACK_OLD'))) instance.set('ErrorBits', 0)
    const isFirst = !instance.is('STARTED')
    instance.setAll({ RESET_OLD: reset, ACK_OLD: acknowledged, STARTED: true })
    const last = instance.number('Output')
    const range = limits(instance)
    const [low, high] = range ?? [-greatest, greatest]
    let errors = range ? 0 : bits.parameters
    const { time, isKnown } = hasTime ? cycleTime(instance) : { time: 0, isKnown: true }
    let value: number | undefined
    if (reset) value = instance.number('SubstituteOutput')
    else {
      if (!Number.isFinite(instance.number('Input'))) errors |= bits.input
      if (hasTime && !isFirst && !(time > 0 && time <= greatest)) errors |= bits.cycleValue
      if (errors === 0 && isFirst && hasTime) {
        value = chosen(instance, instance.number('StartMode'), last)
        if (!Number.isFinite(value)) {
          errors |= bits.start
          value = undefined
        }
      } else if (errors === 0) {
        if (!isKnown) errors |= bits.cycleTime
        const worked = work(instance, last, time)
        errors |= worked.errors
        value = worked.output
      }
      if (value === undefined) value = chosen(instance, instance.number('ErrorMode'), last)
    }
    const isSubstitute = reset || errors >= bits.substitute
    if (!Number.isFinite(value)) {
      if (isSubstitute && !(errors & bits.input && instance.number('ErrorMode') === 0)) errors |= bits.substitute
      value = 0
    }
    const output = limited(value, low, high)
    if (isSubstitute || isFirst) follow?.(instance, output)
    instance.setAll({ Output: output, ErrorBits: instance.number('ErrorBits') | errors, Error: errors !== 0 })
    if (instance.has('UpperLimit_Active'))
      instance.setAll({ UpperLimit_Active: value > high, LowerLimit_Active: value < low })
    if (errors >= bits.substitute) instance.context.fail()
  }
}

const rates = ['PositiveRising', 'PositiveFalling', 'NegativeRising', 'NegativeFalling'] as const

/** The value of a ramp after a time. When it passes 0, the rest of the time uses the other rate. */
function ramp(instance: InstanceView, last: number, wanted: number, time: number) {
  const rate = (name: (typeof rates)[number]) => instance.number(`${name}SlewRate`)
  let [at, left] = [last, time]
  let active: string | undefined
  for (let i = 0; i < 2 && at !== wanted; i++) {
    const isPositive = at > 0 || (at === 0 && wanted > 0)
    const isRising = isPositive ? wanted > at : wanted < at
    const name = `${isPositive ? 'Positive' : 'Negative'}${isRising ? 'Rising' : 'Falling'}` as const
    // A falling ramp ends at 0: another rate is valid beyond it.
    const goal = !isRising && at * wanted < 0 ? 0 : wanted
    const most = rate(name) >= greatest ? Number.POSITIVE_INFINITY : rate(name) * left
    const way = Math.abs(goal - at)
    if (way > most) return { output: at + Math.sign(goal - at) * most, active: `${name}SlewRate_Active` }
    left = most === Number.POSITIVE_INFINITY ? left : left - way / rate(name)
    at = goal
  }
  return { output: at, active }
}

const rampFunction = framed({
  hasTime: true,
  limits: (instance) => {
    const [low, high] = [instance.number('LowerLimit'), instance.number('UpperLimit')]
    return low < high && Math.abs(low) <= greatest && Math.abs(high) <= greatest ? [low, high] : undefined
  },
  work: (instance, last, time) => {
    if (rates.some((name) => !(instance.number(`${name}SlewRate`) > 0))) return { errors: bits.rates }
    const { output, active } = ramp(instance, last, instance.number('Input'), time)
    if (!Number.isFinite(output)) return { errors: bits.result }
    for (const name of rates) instance.set(`${name}SlewRate_Active`, active === `${name}SlewRate_Active`)
    return { output, errors: 0 }
  },
  follow: (instance) => {
    for (const name of rates) instance.set(`${name}SlewRate_Active`, false)
  },
})

const wholeRange = (): readonly [number, number] => [-greatest, greatest]

const splitRange = framed({
  hasTime: false,
  limits: wholeRange,
  work: (instance) => {
    const [x1, y1, x2, y2] = ['x1', 'y1', 'x2', 'y2'].map((name) => instance.number(`Points.${name}`)) as [
      number,
      number,
      number,
      number,
    ]
    const isRight = x1 < x2 && [x1, y1, x2, y2].every((one) => Math.abs(one) <= greatest)
    if (!isRight) return { errors: bits.result }
    const x = limited(instance.number('Input'), x1, x2)
    const output = y1 + ((x - x1) * (y2 - y1)) / (x2 - x1)
    return Number.isFinite(output) ? { output, errors: 0 } : { errors: bits.result }
  },
})

/** Gain / (1 + Lag s). Members: Gain, Lag in seconds. */
const firstOrder = framed({
  hasTime: true,
  limits: wholeRange,
  work: (instance, last, time) => {
    const [gain, lag] = [instance.number('Gain'), instance.number('Lag')]
    if (!Number.isFinite(gain) || !(lag >= 0 && lag <= greatest)) return { errors: bits.parameters }
    const goal = gain * instance.number('Input')
    return { output: lag === 0 ? goal : goal + (last - goal) * Math.exp(-time / lag), errors: 0 }
  },
})

/**
 * Gain / (1 + 2 D T s + T² s²). Members: Gain, TimeConstant in seconds, Damping; SLOPE stores the slope of the output.
 */
const secondOrder = framed({
  hasTime: true,
  limits: wholeRange,
  work: (instance, last, time) => {
    const [gain, constant, damping] = ['Gain', 'TimeConstant', 'Damping'].map((name) => instance.number(name)) as [
      number,
      number,
      number,
    ]
    if (!Number.isFinite(gain) || !(constant >= 0 && constant <= greatest) || !(damping >= 0 && damping <= greatest))
      return { errors: bits.parameters }
    const goal = gain * instance.number('Input')
    if (constant === 0) return { output: goal, errors: 0 }
    const { away, slope } = oscillation(last - goal, instance.number('SLOPE'), 1 / constant, damping, time)
    instance.set('SLOPE', slope)
    return { output: goal + away, errors: 0 }
  },
  follow: (instance) => instance.set('SLOPE', 0),
})

/** A damped oscillation after a time: its distance from rest, and its slope. */
function oscillation(away: number, slope: number, frequency: number, damping: number, time: number) {
  const decay = damping * frequency
  const square = frequency * frequency * (1 - damping * damping)
  const root = Math.sqrt(Math.abs(square))
  const factor = Math.exp(-decay * time)
  // cos and sin/root, or their hyperbolic counterparts when it does not oscillate.
  const even = square >= 0 ? Math.cos(root * time) : Math.cosh(root * time)
  const odd = root * time < 1e-6 ? time : (square > 0 ? Math.sin(root * time) : Math.sinh(root * time)) / root
  const start = slope + decay * away
  const next = factor * (away * even + start * odd)
  const nextSlope = factor * (start * even - square * away * odd) - decay * next
  return { away: next, slope: nextSlope }
}

/** Td s / (1 + Lag s). Members: Td and Lag in seconds; LAGGED stores the lagged input. */
const derivative = framed({
  hasTime: true,
  limits: wholeRange,
  work: (instance, _last, time) => {
    const [td, lag, input] = ['Td', 'Lag', 'Input'].map((name) => instance.number(name)) as [number, number, number]
    if (!(td >= 0 && td <= greatest) || !(lag >= 0 && lag <= greatest)) return { errors: bits.parameters }
    const before = instance.number('LAGGED')
    const kept = lag === 0 ? input : input + (before - input) * Math.exp(-time / lag)
    instance.set('LAGGED', kept)
    return { output: lag === 0 ? (td * (input - before)) / time : (td / lag) * (input - kept), errors: 0 }
  },
  follow: (instance, output) => {
    const [td, lag, input] = ['Td', 'Lag', 'Input'].map((name) => instance.number(name)) as [number, number, number]
    const known = Number.isFinite(input) ? input : 0
    instance.set('LAGGED', td > 0 ? known - (output * lag) / td : known)
  },
})

/**
 * LEAD_LAG (TIA Portal help; its equation is a picture there, this is the difference equation of STEP 7's FB 80 and
 * gives the page's example). Times in the unit of SAMPLE_T.
 */
const leadLag: Model = (instance) => {
  const [gain, lead, lag, sample] = ['GAIN', 'LD_TIME', 'LG_TIME', 'SAMPLE_T'].map((name) => instance.number(name)) as [
    number,
    number,
    number,
    number,
  ]
  if (!(gain > 0)) {
    instance.set('ERR_CODE', 0x0009)
    return
  }
  const input = instance.number('IN')
  const span = lag + sample
  const next = lag * instance.number('PREV_OUT') + gain * ((lead + sample) * input - lead * instance.number('PREV_IN'))
  const output = span === 0 ? gain * input : next / span
  instance.setAll({ OUT: output, PREV_IN: input, PREV_OUT: output, ERR_CODE: 0 })
}

/** IMC: whether sixteen inputs are those of the mask CMP_VAL[CMP_STEP, 0..15] (TIA Portal help, "IMC"). */
const inputMask: Model = (instance) => {
  const step = instance.number('CMP_STEP')
  if (step > 15) {
    instance.setAll({ OUT: false, ERR_CODE: 0x000a })
    return
  }
  const mask = instance.elements('CMP_VAL').slice(16 * step, 16 * step + 16)
  const isEqual = mask.every((bit, i) => (bit.value !== 0) === instance.is(`IN_BIT${i}`))
  instance.setAll({ OUT: isEqual, ERR_CODE: 0 })
}

/** Models by name in upper case. */
export const signalModels: Readonly<Record<string, Model>> = {
  LEAD_LAG: leadLag,
  IMC: inputMask,
  RAMPFUNCTION: rampFunction,
  SPLITRANGE: splitRange,
  FILTER_PT1: firstOrder,
  FILTER_PT2: secondOrder,
  FILTER_DT1: derivative,
}
