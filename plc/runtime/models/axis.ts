/**
 * MC_Power, MC_Home, MC_MoveAbsolute … as models of an ideal axis: it follows its setpoint at once, with the velocity,
 * acceleration and deceleration of the job and without jerk limits. One job drives the axis; a new one replaces it, and
 * the old one reports CommandAborted. An axis moves only in calls of its job.
 *
 * ErrorID (TIA Portal help, "Error IDs in Motion Control instructions"): 8002 technology object, 8003 velocity, 8004
 * acceleration, 8005 deceleration, 8007 direction, 800A mode, 800F the technology object is disabled. Bits of
 * StatusWord: the same manual, "Tags of the positioning axis". For a technology object without this tag (S7-1200), the
 * model writes StatusBits and MotionStatus.
 */

import { extentOf } from '../../program/layout.ts'
import { systemStructure } from '../../program/system-structures.ts'
import type { RuntimeContext } from '../context.ts'
import { InstanceView, type Model } from './instance-view.ts'

export const errors = {
  object: 0x8002,
  velocity: 0x8003,
  acceleration: 0x8004,
  deceleration: 0x8005,
  direction: 0x8007,
  mode: 0x800a,
  disabled: 0x800f,
} as const
const bits = { Enable: 0, Error: 1, HomingDone: 5, Done: 6, Standstill: 7 } as const

/** States of a job in hidden member STATE. */
const job = { none: 0, active: 1, ended: 2 } as const

export class Axis {
  readonly view: InstanceView

  constructor(view: InstanceView) {
    this.view = view
  }

  get address(): number {
    return this.view.cell.address
  }

  bit(name: keyof typeof bits): boolean {
    if (this.view.has('StatusWord')) return ((this.view.number('StatusWord') >>> bits[name]) & 1) === 1
    return this.view.is(`StatusBits.${name}`)
  }

  setBit(name: keyof typeof bits, value: boolean): void {
    const mask = 1 << bits[name]
    const word = this.view.number('StatusWord')
    this.view.set('StatusWord', (value ? word | mask : word & ~mask) >>> 0)
    this.view.set(`StatusBits.${name}`, value)
  }

  #member(name: 'Position' | 'Velocity'): string {
    return this.view.has(name) ? name : `MotionStatus.${name}`
  }

  get position(): number {
    return this.view.number(this.#member('Position'))
  }

  set position(value: number) {
    this.view.setAll({ [this.#member('Position')]: value, ActualPosition: value })
  }

  get velocity(): number {
    return this.view.number(this.#member('Velocity'))
  }

  set velocity(value: number) {
    this.view.setAll({ [this.#member('Velocity')]: value, ActualVelocity: value, ActualSpeed: value })
    this.setBit('Standstill', value === 0)
  }

  /**
   * Returns the value of a job; a negative one means the default of the axis, or `otherwise` when there is no default.
   */
  dynamic(given: number, name: string, otherwise: number): number {
    if (given >= 0) return given
    const own = this.view.number(`DynamicDefaults.${name}`)
    return own > 0 ? own : otherwise
  }
}

/**
 * The job that drives each axis, by the addresses of both. A restarted controller has none: no axis moves and
 * are disabled.
 */
const owners = new WeakMap<RuntimeContext, Map<number, number>>()

function ownersOf({ context }: InstanceView): Map<number, number> {
  let known = owners.get(context)
  if (!known) {
    known = new Map()
    owners.set(context, known)
  }
  return known
}

/** Returns the technology object of a parameter; `undefined`: there is none. */
export function objectBehind(instance: InstanceView, parameter: string): InstanceView | undefined {
  const view = instance.behind(parameter)
  if (view?.cell.type.kind !== 'scalar') return view
  return view.cell.type.name === 'DB_ANY' ? technologyObject(view.context, view.value) : undefined
}

/** Returns the technology object of this number. */
function technologyObject(context: RuntimeContext, number: number): InstanceView | undefined {
  const block = context.blockOfNumber(number)
  const type = block?.typeName === undefined ? undefined : systemStructure(block.typeName)
  // An axis of S7-1200 has other members, and fewer.
  if (!block || !type || block.size < extentOf(type, block.access).size) return undefined
  return new InstanceView(context, { type, address: block.address, isStandard: block.access === 'standard' })
}

function axisOf(instance: InstanceView, parameter = 'Axis'): Axis | undefined {
  const view = objectBehind(instance, parameter)
  return view && new Axis(view)
}

function own(instance: InstanceView, axis: Axis): void {
  ownersOf(instance).set(axis.address, instance.cell.address)
}

function isOwner(instance: InstanceView, axis: Axis): boolean {
  const owner = ownersOf(instance).get(axis.address)
  if (owner === undefined) own(instance, axis)
  return owner === undefined || owner === instance.cell.address
}

/** Seconds since the last call of this job. */
function sinceLast(instance: InstanceView): number {
  const last = BigInt.asIntN(64, instance.bits('LastCall'))
  instance.set('LastCall', instance.now)
  return Math.max(0, Number(instance.now - last) / 1e9)
}

/** Moves the axis for `time` seconds towards the velocity `wanted`. `distance`: the signed distance still to go. */
export function move(axis: Axis, time: number, wanted: number, up: number, down: number, distance?: number): boolean {
  const before = axis.velocity
  let goal = wanted
  if (distance !== undefined) {
    // The velocity at the end of this step from which the remaining distance is enough to stop: v² / 2a + (before + v)
    // t / 2 = way.
    const half = (down * time) / 2
    const room = 2 * Math.abs(distance) - before * Math.sign(distance) * time
    const most = room > 0 ? Math.sqrt(half * half + down * room) - half : 0
    goal = Math.sign(distance) * Math.min(Math.abs(wanted), most)
  }
  const isSlower = Math.abs(goal) < Math.abs(before) || Math.sign(goal) !== Math.sign(before)
  const step = (isSlower && before !== 0 ? down : up) * time
  let next = Math.abs(goal - before) <= step ? goal : before + Math.sign(goal - before) * step
  const way = ((before + next) / 2) * time
  if (
    distance !== undefined &&
    Math.abs(way) >= Math.abs(distance) - 1e-9 &&
    (distance === 0 || Math.sign(way) === Math.sign(distance))
  ) {
    axis.position += distance
    axis.velocity = 0
    return true
  }
  if (distance !== undefined && next === 0) next = Math.sign(distance) * Math.min(Math.abs(wanted), down * time)
  axis.position += way
  axis.velocity = next
  return false
}

interface Dynamics {
  readonly velocity: number
  readonly up: number
  readonly down: number
}

export const ideal = 1e9

/** Checks the values of a job; returns them, or an ErrorID. */
export function dynamicsOf(instance: InstanceView, axis: Axis): Dynamics | number {
  const value = (name: string) => (instance.has(name) ? instance.number(name) : -1)
  const velocity = value(instance.has('VelocityDiff') ? 'VelocityDiff' : 'Velocity')
  if (!Number.isFinite(velocity)) return errors.velocity
  if (value('Acceleration') === 0) return errors.acceleration
  if (value('Deceleration') === 0) return errors.deceleration
  return {
    // MC_MoveVelocity and MC_MoveJog accept 0 and, without a default, negative velocities unchanged.
    velocity,
    up: axis.dynamic(value('Acceleration'), 'Acceleration', ideal),
    down: axis.dynamic(value('Deceleration'), 'Deceleration', ideal),
  }
}

export const noResult = {
  Done: false,
  Busy: false,
  Active: false,
  CommandAborted: false,
  Error: false,
  ErrorID: 0,
  InVelocity: false,
  InGear: false,
  InSync: false,
  StartSync: false,
  StartSyncOut: false,
  StartPhasing: false,
} as const

export function fail(instance: InstanceView, error: number): void {
  instance.setAll({ ...noResult, Error: true, ErrorID: error, STATE: job.ended })
}

export interface MoveRule {
  /** Whether the job needs an enabled axis. */
  readonly isMotion: boolean
  /** Begins a job; returns an ErrorID, or 0. */
  begin(instance: InstanceView, axis: Axis): number
  /** Whether a new job ends the previous one, as motions do, without being a motion. */
  readonly isAlone?: boolean
  /** Called when the job is aborted, before the next call of a job that replaces it. */
  left?(axis: Axis): void
  /** Continues the job; returns true when it is done. */
  run(instance: InstanceView, axis: Axis, time: number): boolean
}

/** Makes a job that the edge of Execute starts. Results stay while Execute is on, for one call at least. */
export function executed(rule: MoveRule, parameter = 'Axis'): Model {
  return (instance) => {
    const execute = instance.is('Execute')
    const isEdge = instance.rises('Execute', 'REQ_OLD')
    const axis = axisOf(instance, parameter)
    const time = sinceLast(instance)
    const state = instance.number('STATE')
    if (isEdge) {
      if (!axis) return fail(instance, errors.object)
      if (rule.isMotion && !axis.bit('Enable')) return fail(instance, errors.disabled)
      const error = rule.begin(instance, axis)
      if (error !== 0) return fail(instance, error)
      if (rule.isMotion || rule.isAlone) own(instance, axis)
      if (!rule.isAlone) axis.setBit('Done', false)
      instance.setAll({ ...noResult, Busy: true, Active: true, STATE: job.active })
      return
    }
    if (state === job.active && axis) {
      const isTaken = (rule.isMotion || rule.isAlone) && !isOwner(instance, axis)
      if (isTaken || (rule.isMotion && !axis.bit('Enable'))) {
        rule.left?.(axis)
        instance.setAll({ ...noResult, CommandAborted: true, STATE: job.ended })
      } else if (rule.run(instance, axis, time)) {
        if (!rule.isAlone) axis.setBit('Done', true)
        instance.setAll({ ...noResult, Done: true, STATE: job.ended })
      }
      return
    }
    if (!execute) instance.setAll({ ...noResult, STATE: job.none })
  }
}

function positioning(target: (instance: InstanceView, axis: Axis) => number): Model {
  return executed({
    isMotion: true,
    begin: (instance, axis) => {
      const values = dynamicsOf(instance, axis)
      if (typeof values === 'number') return values
      if (axis.dynamic(values.velocity, 'Velocity', ideal) === 0) return errors.velocity
      instance.set('Target', target(instance, axis))
      return 0
    },
    run: (instance, axis, time) => {
      const values = dynamicsOf(instance, axis)
      if (typeof values === 'number') return false
      const velocity = axis.dynamic(values.velocity, 'Velocity', ideal)
      return move(axis, time, velocity, values.up, values.down, instance.number('Target') - axis.position)
    },
  })
}

const halt = executed({
  isMotion: true,
  begin: () => 0,
  run: (instance, axis, time) => {
    const values = dynamicsOf(instance, axis)
    if (typeof values === 'number') return false
    move(axis, time, 0, values.down, values.down)
    return axis.velocity === 0
  },
})

/** Direction: 0 the sign of the velocity, 1 positive, 2 negative; 3 is invalid. */
const velocity: Model = executed({
  isMotion: true,
  begin: (instance, axis) => {
    if (instance.number('Direction') > 2 || instance.number('Direction') < 0) return errors.direction
    const values = dynamicsOf(instance, axis)
    return typeof values === 'number' ? values : 0
  },
  run: (instance, axis, time) => {
    const values = dynamicsOf(instance, axis)
    if (typeof values === 'number') return false
    const direction = instance.number('Direction')
    const wanted = direction === 0 ? values.velocity : Math.abs(values.velocity) * (direction === 1 ? 1 : -1)
    move(axis, time, instance.is('Current') ? axis.velocity : wanted, values.up, values.down)
    instance.set('InVelocity', axis.velocity === wanted || instance.is('Current'))
    return false
  },
})

/** The axis moves while one of the two inputs is on, and stops when both are off or both are on (8006). */
const jog: Model = (instance) => {
  const axis = axisOf(instance)
  const time = sinceLast(instance)
  const [forward, backward] = [instance.is('JogForward'), instance.is('JogBackward')]
  const wants = forward || backward
  const isActive = instance.number('STATE') === job.active
  if (!wants && !isActive) return instance.setAll({ ...noResult, STATE: job.none })
  if (!axis?.bit('Enable'))
    return wants ? fail(instance, errors.disabled) : instance.setAll({ ...noResult, STATE: job.none })
  if (wants && !isActive && instance.number('STATE') === job.none) {
    own(instance, axis)
    instance.set('STATE', job.active)
  } else if (isActive && !isOwner(instance, axis)) {
    instance.setAll({ ...noResult, CommandAborted: true, STATE: job.ended })
    return
  } else if (!isActive) return
  const values = dynamicsOf(instance, axis)
  if (typeof values === 'number') return fail(instance, values)
  const isBoth = forward && backward
  const speed = Math.abs(axis.dynamic(values.velocity, 'Velocity', ideal))
  const wanted = isBoth || !wants ? 0 : forward ? speed : -speed
  move(axis, time, wanted, values.up, values.down)
  if (isBoth) return fail(instance, errors.direction)
  const isEnd = !wants && axis.velocity === 0
  instance.setAll({
    ...noResult,
    Busy: !isEnd,
    InVelocity: wants && axis.velocity === wanted,
    STATE: isEnd ? job.none : job.active,
  })
}

const power: Model = (instance) => {
  const axis = axisOf(instance)
  const enable = instance.is('Enable')
  if (!axis) {
    instance.setAll({
      Status: false,
      Busy: false,
      Error: enable,
      ErrorID: enable ? errors.object : 0,
    })
    return
  }
  if (!enable && axis.bit('Enable')) {
    // Abort the job that drives it.
    ownersOf(instance).delete(axis.address)
    axis.velocity = 0
  }
  if (enable && !axis.bit('Enable')) axis.velocity = 0
  axis.setBit('Enable', enable)
  instance.setAll({ Status: enable, Busy: enable, Error: false, ErrorID: 0 })
}

/** Modes 0 and 6 set the position, 1 and 7 add to it; all others find their mark at once, and set the position too. */
const home = executed({
  isMotion: false,
  begin: (instance) => (instance.number('Mode') < 0 || instance.number('Mode') > 13 ? errors.mode : 0),
  run: (instance, axis) => {
    const isRelative = instance.number('Mode') === 1 || instance.number('Mode') === 7
    axis.position = instance.number('Position') + (isRelative ? axis.position : 0)
    axis.setBit('HomingDone', true)
    instance.set('ReferenceMarkPosition', axis.position)
    return true
  },
})

const reset = executed({
  isMotion: false,
  begin: () => 0,
  run: (_instance, axis) => {
    axis.view.setAll({ ErrorWord: 0, 'ErrorDetail.Number': 0, 'ErrorDetail.Reaction': 0 })
    axis.setBit('Error', false)
    return true
  },
})

/** Jobs that an ideal axis finishes at once. */
const immediate = executed({ isMotion: false, begin: () => 0, run: () => true })

export const axisModels: Readonly<Record<string, Model>> = {
  MC_POWER: power,
  MC_RESET: reset,
  MC_HOME: home,
  MC_HALT: halt,
  MC_STOP: halt,
  MC_MOVEABSOLUTE: positioning((instance) => instance.number('Position')),
  MC_MOVERELATIVE: positioning((instance, axis) => axis.position + instance.number('Distance')),
  MC_MOVESUPERIMPOSED: positioning((instance, axis) => axis.position + instance.number('Distance')),
  MC_MOVEVELOCITY: velocity,
  MC_MOVEJOG: jog,
  MC_CHANGEDYNAMIC: immediate,
  MC_SETSENSOR: immediate,
}
