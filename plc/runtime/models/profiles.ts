/**
 * Polyline and RampSoak (TIA Portal help, "Polyline", "RampSoak"): values, modes, error bits and substitutes as their
 * pages say. Both check the data in UserData and work with the copy in WorkingData. The controller does not tell a
 * block of a restart: values of the static area start again with the data block, and hidden members with them.
 */
import type { InstanceView, Model } from './instance-view.ts'
import { limited } from './pid-law.ts'

const greatest = 3.402823e38

const isValid = (value: number) => Number.isFinite(value) && Math.abs(value) <= greatest

const bits = {
  limited: 0x0000_0001,
  cycleMeasurement: 0x0000_0002,
  dataOfPolyline: 0x0000_0002,
  dataOfProfile: 0x0000_0004,
  nextPoint: 0x0000_0008,
  substitute: 0x0001_0000,
  input: 0x0002_0000,
  result: 0x0004_0000,
  noData: 0x0008_0000,
  stop: 0x0010_0000,
  start: 0x0020_0000,
  cycleValue: 0x0040_0000,
} as const

/** Clears ErrorBits at the edges of Reset and ErrorAck. */
function acknowledge(instance: InstanceView): void {
  const [reset, acknowledged] = [instance.rises('Reset', 'RESET_OLD'), instance.rises('ErrorAck', 'ACK_OLD')]
  if (reset || acknowledged) instance.set('ErrorBits', 0)
}

/** Writes the output, limited to the range of Real, and the errors. */
function finish(instance: InstanceView, value: number, errors: number): void {
  const output = limited(value, -greatest, greatest)
  const all = errors | (output === value ? 0 : bits.limited)
  instance.setAll({ Output: output, ErrorBits: instance.number('ErrorBits') | all, Error: all !== 0 })
  if (all >= bits.substitute) instance.context.fail()
}

function pairs(instance: InstanceView, path: string, names: readonly [string, string]): [number, number][] {
  const count = instance.number(`${path}.NumberOfUsedPoints`)
  return instance
    .elements(`${path}.Point`)
    .slice(0, Math.max(0, count))
    .map((point) => [point.number(names[0]), point.number(names[1])])
}

function copyPoints(instance: InstanceView, names: readonly string[]): void {
  instance.set('WorkingData.NumberOfUsedPoints', instance.number('UserData.NumberOfUsedPoints'))
  const target = instance.elements('WorkingData.Point')
  for (const [i, point] of instance.elements('UserData.Point').entries())
    for (const name of names) target[i]?.set(name, point.number(name))
}

// ── Polyline ────────────────────────────────────────────────────────────────────────────────────────────────────────

const coordinates = ['x', 'y'] as const

function isPolyline(instance: InstanceView): boolean {
  const count = instance.number('UserData.NumberOfUsedPoints')
  if (count < 2 || count > 50) return false
  const points = pairs(instance, 'UserData', coordinates)
  return points.every(([x, y], i) => isValid(x) && isValid(y) && x < (points[i + 1]?.[0] ?? Number.POSITIVE_INFINITY))
}

/** The value of the polyline; `next` is the index of the next greater x, 1 before and count + 1 behind all. */
function interpolated(points: readonly (readonly [number, number])[], input: number, isFlat: boolean) {
  const found = points.findIndex(([x]) => input <= x)
  const next = found < 0 ? points.length + 1 : found + 1
  if (isFlat && next === 1) return { next, value: points[0]?.[1] ?? 0 }
  if (isFlat && next > points.length) return { next, value: points.at(-1)?.[1] ?? 0 }
  const to = Math.min(Math.max(next, 2), points.length)
  const [[x1, y1], [x2, y2]] = [points[to - 2] ?? [0, 0], points[to - 1] ?? [0, 0]]
  return { next, value: y1 + ((y2 - y1) / (x2 - x1)) * (input - x1) }
}

/** The substitute of ErrorMode; NaN in it gives 0.0 with an error. */
function substituted(value: number): readonly [number, number] {
  return Number.isNaN(value) ? [0, bits.substitute] : [value, 0]
}

const polyline: Model = (instance) => {
  acknowledge(instance)
  const input = instance.number('Input')
  if (instance.is('Reset')) {
    const [value, error] = substituted(instance.number('SubstituteOutput'))
    finish(instance, value, error)
    return
  }
  let errors = 0
  const isFirst = !instance.is('CHECKED')
  if (isFirst || instance.is('Validate')) {
    if (isPolyline(instance)) {
      copyPoints(instance, coordinates)
      instance.set('VALID', true)
    } else errors |= instance.is('VALID') ? bits.dataOfPolyline : bits.noData
    instance.set('CHECKED', true)
  } else if (!instance.is('VALID')) errors |= bits.noData
  if (Number.isNaN(input)) errors |= bits.input
  if (errors < bits.substitute) {
    const points = pairs(instance, 'WorkingData', coordinates)
    const { next, value } = interpolated(points, input, instance.number('OutOfRangeMode') === 1)
    instance.set('NextXIndex', next)
    if (Number.isNaN(value)) errors |= bits.result
    else {
      instance.set('LAST', limited(value, -greatest, greatest))
      finish(instance, value, errors)
      return
    }
  }
  const mode = instance.number('ErrorMode')
  // An input that is no number gives 0.0 with ErrorMode 0.
  const wanted = mode === 1 ? instance.number('SubstituteOutput') : mode === 2 ? instance.number('LAST') : input
  const [value, error] = substituted(wanted)
  finish(instance, value, errors | error)
}

// ── RampSoak ────────────────────────────────────────────────────────────────────────────────────────────────────────

const steps = ['Value', 'Time'] as const

function isProfile(instance: InstanceView): boolean {
  const count = instance.number('UserData.NumberOfUsedPoints')
  if (count < 1 || count > 50 || instance.number('NextPoint') > count) return false
  if (instance.is('RUNS') && instance.number('CurrentPoint') > count) return false
  const points = pairs(instance, 'UserData', steps)
  const total = points.reduce((sum, [, time]) => sum + time, 0)
  return (
    isValid(instance.number('UserData.StartValue')) &&
    points.every(([value, time]) => isValid(value) && isValid(time) && time >= 0) &&
    total > 0 &&
    total <= greatest
  )
}

/** Seconds since the last call, measured or given; NaN: not known. */
function cycleOf(instance: InstanceView): { readonly time: number; readonly errors: number } {
  const last = BigInt.asIntN(64, instance.bits('LastCall'))
  const { now } = instance
  instance.set('LastCall', now === 0n ? 1n : now)
  const isMeasured = instance.is('CycleTime.EnableMeasurement')
  const isKnown = !isMeasured || (last !== 0n && now > last)
  if (isMeasured && isKnown) instance.set('CycleTime.Value', Number(now - last) / 1e9)
  const time = instance.number('CycleTime.Value')
  if (!(time > 0 && time <= greatest)) return { time: Number.NaN, errors: bits.cycleValue }
  return { time, errors: isKnown || last === 0n ? 0 : bits.cycleMeasurement }
}

/** The value that StartMode, StopMode or ErrorMode chooses; `last`: none of them changes it. */
function chosen(instance: InstanceView, mode: number, last: number): number {
  if (mode === 0) return instance.number('WorkingData.StartValue')
  if (mode === 1) return instance.number('SubstituteOutput')
  return mode === 3 ? 0 : last
}

function mode(instance: InstanceView, name: string, most: number): number {
  const value = instance.number(name)
  return value >= 0 && value <= most ? value : 2
}

/** Makes NextPoint the one after the point that has begun. */
function follow(instance: InstanceView, point: number, count: number, isRunning: boolean): void {
  const isLast = point >= count
  const after = !isLast ? point + 1 : isRunning && mode(instance, 'StopMode', 4) !== 4 ? count : 1
  instance.setAll({ NextPoint: after, LastNext: after })
}

/** Begins a point: Goal and the time are kept, so that new data act from the next point on. */
function begin(instance: InstanceView, point: number, from: number): void {
  const points = pairs(instance, 'WorkingData', steps)
  const [goal, time] = points[point - 1] ?? [from, 0]
  instance.setAll({ CurrentPoint: point, Value: from, Goal: goal, RemainingTime_Point: time })
  follow(instance, point, points.length, true)
}

/** Ends the profile; the output is then what StopMode chooses. */
function stop(instance: InstanceView): number {
  instance.setAll({ RUNS: false, NextPoint: 1, LastNext: 1, RemainingTime_Total: 0, RemainingTime_Point: 0 })
  const value = chosen(instance, mode(instance, 'StopMode', 4), instance.number('Last'))
  if (!Number.isNaN(value)) instance.set('Value', limited(value, -greatest, greatest))
  return Number.isNaN(value) ? bits.stop : 0
}

/** Runs the profile for a time; points end and begin within it. */
function advance(instance: InstanceView, time: number): number {
  let left = time
  // A profile of 50 points; a cycle of all of them takes time, so the loop ends.
  while (left >= 0 && instance.is('RUNS')) {
    const remaining = instance.number('RemainingTime_Point')
    const [from, goal] = [instance.number('Value'), instance.number('Goal')]
    if (left < remaining) {
      instance.setAll({ Value: from + ((goal - from) * left) / remaining, RemainingTime_Point: remaining - left })
      instance.set('Last', instance.number('Value'))
      return 0
    }
    left -= remaining
    instance.setAll({ Value: goal, Last: goal, RemainingTime_Point: 0 })
    const isEnd = instance.number('CurrentPoint') >= instance.number('WorkingData.NumberOfUsedPoints')
    const next = instance.number('NextPoint')
    // While the last point runs NextPoint is that point: another one continues the profile.
    if (isEnd && mode(instance, 'StopMode', 4) !== 4 && next === instance.number('CurrentPoint')) return stop(instance)
    begin(instance, next, goal)
  }
  return 0
}

function remainingTotal(instance: InstanceView): number {
  const later = pairs(instance, 'WorkingData', steps).slice(instance.number('CurrentPoint'))
  return later.reduce((sum, [, time]) => sum + time, instance.number('RemainingTime_Point'))
}

const rampSoak: Model = (instance) => {
  acknowledge(instance)
  const isFirst = !instance.is('STARTED')
  const { time, errors: measured } = cycleOf(instance)
  const [isOn, isHeld] = [instance.is('Enable'), instance.is('Hold')]
  let errors = 0
  if (instance.is('Validate') || (isOn && !instance.is('VALID'))) {
    if (isProfile(instance)) {
      copyPoints(instance, steps)
      instance.set('WorkingData.StartValue', instance.number('UserData.StartValue'))
      const total = pairs(instance, 'WorkingData', steps).reduce((sum, [, one]) => sum + one, 0)
      instance.setAll({ VALID: true, TotalTime: total })
    } else errors |= bits.dataOfProfile
  }
  const hasData = instance.is('VALID')
  const count = instance.number('WorkingData.NumberOfUsedPoints')
  const next = instance.number('NextPoint')
  if (hasData && (next < 1 || next > count)) {
    errors |= bits.nextPoint
    instance.set('NextPoint', Math.max(1, instance.number('LastNext')))
  } else instance.set('LastNext', next)
  if (isFirst) {
    const value = chosen(instance, mode(instance, 'StartMode', 4), instance.number('Output'))
    if (Number.isNaN(value)) errors |= bits.start
    else instance.setAll({ Value: value, Last: value })
    instance.set('STARTED', true)
  }
  if ((isOn || instance.is('Next')) && !hasData) errors |= bits.noData
  // Edges wait while the profile is held or has no data.
  else if (!isHeld) {
    const [starts, continues] = [instance.rises('Enable'), instance.rises('Next')]
    if (starts) {
      const from = chosen(instance, mode(instance, 'StartMode', 4), instance.number('Value'))
      if (Number.isNaN(from)) errors |= bits.start
      instance.set('RUNS', true)
      begin(instance, instance.number('NextPoint'), Number.isNaN(from) ? 0 : from)
    } else if (!isOn && instance.is('RUNS')) errors |= stop(instance)
    else if (continues && instance.is('RUNS')) begin(instance, instance.number('NextPoint'), instance.number('Value'))
    else if (continues) {
      const point = instance.number('NextPoint')
      const [value] = pairs(instance, 'WorkingData', steps)[point - 1] ?? [0]
      instance.setAll({ Value: value, Last: value, CurrentPoint: point })
      follow(instance, point, count, false)
    } else if (instance.is('RUNS')) {
      errors |= measured
      if (!Number.isNaN(time)) errors |= advance(instance, time)
    }
    if (instance.is('RUNS')) instance.set('RemainingTime_Total', remainingTotal(instance))
  }
  let value = instance.number('Value')
  if (instance.is('Reset')) {
    const [substitute, error] = substituted(instance.number('SubstituteOutput'))
    // Without Hold the profile goes on from the substitute when Reset ends.
    if (!isHeld && instance.is('RUNS')) instance.set('Value', substitute)
    finish(instance, substitute, errors | error)
    return
  }
  if (errors >= bits.input) {
    const [substitute, error] = substituted(chosen(instance, mode(instance, 'ErrorMode', 3), instance.number('Last')))
    errors |= error
    value = substitute
  }
  finish(instance, value, errors)
}

/** Models by name in upper case. */
export const profileModels: Readonly<Record<string, Model>> = { POLYLINE: polyline, RAMPSOAK: rampSoak }
