/**
 * Synchronous operation as models of ideal axes (TIA Portal help, "S7-1500 Motion Control", each block's page; numbers
 * of errors: "Error IDs in Motion Control instructions").
 *
 * The following axis moves when its job is called, by what its leading axis has done since the last call. MC_GearIn
 * first goes to the velocity, the others to a position along a curve without jumps of position or velocity that depends
 * on the leading value. Modulo axes are not simulated, so a job that waits for a leading value already passed waits
 * until it comes back.
 */
import {
  type Axis,
  dynamicsOf,
  errors,
  executed,
  fail,
  ideal,
  type MoveRule,
  move,
  noResult,
  objectBehind,
} from './axis.ts'
import { type CamCurve, camOf, interpolatedCam } from './cams.ts'
import type { InstanceView, Model } from './instance-view.ts'

const faults = {
  numerator: 0x8017,
  denominator: 0x8018,
  chain: 0x8019,
  masterScaling: 0x8023,
  slaveScaling: 0x8024,
  distance: 0x8026,
  application: 0x8027,
  profile: 0x8036,
} as const

const functionStates = { none: 0, gear: 1, gearPosition: 2, cam: 3, gearOut: 4, camOut: 5, gearVelocity: 6 } as const
const status = 'StatusSynchronizedMotion'
const phases = { waiting: 0, synchronizing: 1, synchronous: 2 } as const

interface Leading {
  readonly position: number
  readonly velocity: number
  readonly view: InstanceView
}

/** The leading value, with the shift of MC_Phasing…; encoders give their actual values. */
function leading(instance: InstanceView, slave: Axis): Leading | undefined {
  const view = objectBehind(instance, 'Master')
  if (!view) return undefined
  const { type } = view.cell
  const isEncoder = type.kind === 'struct' && type.name?.toUpperCase() === 'TO_EXTERNALENCODER'
  const [position, velocity] = isEncoder ? ['ActualPosition', 'ActualVelocity'] : ['Position', 'Velocity']
  const shift = slave.view.number(`${status}.PhaseShift`)
  return { position: view.number(position) + shift, velocity: view.number(velocity), view }
}

/** Checks that all synchronous jobs share; returns 0, or an ErrorID. */
function begins(instance: InstanceView, slave: Axis): number {
  const master = leading(instance, slave)
  if (!master) return errors.object
  if (master.view.cell.address === slave.address) return faults.chain
  instance.setAll({ Phase: phases.waiting, LeadLast: master.position, SlaveStart: slave.position })
  return 0
}

function ratioOf(instance: InstanceView): number {
  return instance.number('RatioNumerator') / instance.number('RatioDenominator')
}

function ratioError(instance: InstanceView): number {
  if (instance.number('RatioNumerator') === 0) return faults.numerator
  return instance.number('RatioDenominator') < 1 ? faults.denominator : 0
}

/** Writes to the following axis which function it is in. */
function tell(slave: Axis, isActive: boolean, functionState: number, { view, ...lead }: Leading): void {
  slave.view.setAll({
    [`${status}.FunctionState`]: isActive ? functionState : functionStates.none,
    [`${status}.WaitingFunctionState`]: isActive ? functionStates.none : functionState,
    [`${status}.EffectiveLeadingValue.Position`]: lead.position,
    [`${status}.EffectiveLeadingValue.Velocity`]: lead.velocity,
    [`${status}.FunctionLeadingValue.Position`]: lead.position,
    [`${status}.FunctionFollowingValue.Position`]: slave.position,
    [`${status}.FunctionFollowingValue.Velocity`]: slave.velocity,
  })
}

function isLeft(slave: Axis): void {
  slave.view.setAll({ [`${status}.FunctionState`]: 0, [`${status}.WaitingFunctionState`]: 0 })
}

/** Makes a job that couples the following axis to the leading one. `check` returns 0, or an ErrorID. */
function coupled(check: (instance: InstanceView) => number, run: MoveRule['run']): Model {
  return executed(
    {
      isMotion: true,
      begin: (instance, slave) => {
        const values = dynamicsOf(instance, slave)
        if (typeof values === 'number') return values
        return check(instance) || begins(instance, slave)
      },
      run,
      left: isLeft,
    },
    'Slave',
  )
}

/** Gearing without positions: first the velocity, then every movement of the leading axis. */
function gear(functionState: number, done: 'InGear' | 'InSync'): Model {
  return coupled(ratioError, (instance, slave, time) => {
    const lead = leading(instance, slave)
    const values = dynamicsOf(instance, slave)
    if (!lead || typeof values === 'number') return false
    const ratio = ratioOf(instance)
    const wanted = lead.velocity * ratio
    if (instance.number('Phase') === phases.synchronous) {
      slave.position += (lead.position - instance.number('LeadLast')) * ratio
      slave.velocity = wanted
    } else {
      move(slave, time, wanted, values.up, values.down)
      if (slave.velocity === wanted) instance.set('Phase', phases.synchronous)
    }
    const isIn = instance.number('Phase') === phases.synchronous
    instance.setAll({ LeadLast: lead.position, StartSync: !isIn, [done]: isIn })
    tell(slave, true, functionState, lead)
    return false
  })
}

/** Gives the following position for a leading one, and its slope. */
type Curve = (lead: number) => { readonly position: number; readonly slope: number }

/**
 * The range of the leading value in which the following axis synchronizes; when both are equal, it synchronizes at once
 * there.
 */
type Stretch = readonly [from: number, to: number]

interface Following {
  readonly functionState: number
  curve(instance: InstanceView): Curve | undefined
  /** Returns the range; `direction` of the leading axis is 1 or -1. */
  stretch(instance: InstanceView, lead: Leading, slave: Axis, direction: number): Stretch
  check(instance: InstanceView): number
  /** Whether synchronous operation is over. */
  ends?(instance: InstanceView, lead: number): boolean
}

/** A curve between two positions with given slopes, without jumps: a cubic over `part`, 0 to 1. */
function between(part: number, start: number, end: number, slope: number, way: number): number {
  const [square, cube] = [part * part, part * part * part]
  return start * (2 * cube - 3 * square + 1) + end * (3 * square - 2 * cube) + slope * way * (cube - square)
}

function following({ functionState, curve, stretch, check, ends }: Following): Model {
  return coupled(check, (instance, slave, time) => {
    const lead = leading(instance, slave)
    const target = curve(instance)
    if (!lead || !target) return false
    const last = instance.number('LeadLast')
    let phase = instance.number('Phase')
    if (phase === phases.waiting) {
      const way = lead.position - last
      const direction = Math.sign(way) || Math.sign(lead.velocity) || 1
      const [from, to] = stretch(instance, lead, slave, direction)
      // Ends the movement of the earlier job.
      move(slave, time, 0, ideal, ideal)
      const isReached = (last - from) * direction <= 0 && (lead.position - from) * direction >= 0
      if (isReached) {
        instance.setAll({ From: from, To: to, SlaveStart: slave.position })
        phase = phases.synchronizing
      }
    }
    if (phase === phases.synchronizing) {
      const [from, to] = [instance.number('From'), instance.number('To')]
      const part = to === from ? 1 : (lead.position - from) / (to - from)
      if (part >= 1) phase = phases.synchronous
      else {
        const { position, slope } = target(to)
        place(slave, between(Math.max(0, part), instance.number('SlaveStart'), position, slope, to - from), time)
      }
    }
    if (phase === phases.synchronous) place(slave, target(lead.position).position, time)
    const [isIn, isStarting] = [phase === phases.synchronous, phase === phases.synchronizing]
    instance.setAll({ LeadLast: lead.position, Phase: phase, StartSync: isStarting, InSync: isIn })
    tell(slave, phase !== phases.waiting, functionState, lead)
    if (!isIn || ends?.(instance, lead.position) !== true) return false
    slave.velocity = 0
    isLeft(slave)
    return true
  })
}

function place(slave: Axis, position: number, time: number): void {
  const way = position - slave.position
  slave.position = position
  if (time > 0) slave.velocity = way / time
}

/** The distance of the leading axis while the following one reaches its position with its own dynamics. */
function ownWay(instance: InstanceView, lead: Leading, slave: Axis, target: number): number {
  const values = dynamicsOf(instance, slave)
  if (typeof values === 'number') return 0
  const speed = slave.dynamic(values.velocity, 'Velocity', ideal)
  const time = Math.abs(target - slave.position) / speed + speed / (2 * values.up) + speed / (2 * values.down)
  return Math.abs(lead.velocity) * time
}

const gearPosition = following({
  functionState: functionStates.gearPosition,
  check: (instance) => {
    if (![0, 1, 3].includes(instance.number('SyncProfileReference'))) return faults.profile
    return ratioError(instance) || (instance.number('MasterStartDistance') < 0 ? faults.distance : 0)
  },
  curve: (instance) => {
    const ratio = ratioOf(instance)
    const [start, slave] = [instance.number('MasterSyncPosition'), instance.number('SlaveSyncPosition')]
    return (lead) => ({ position: slave + (lead - start) * ratio, slope: ratio })
  },
  stretch: (instance, lead, slave, direction) => {
    const [at, distance] = [instance.number('MasterSyncPosition'), instance.number('MasterStartDistance')]
    const profile = instance.number('SyncProfileReference')
    if (profile === 3) return [at, at + direction * distance]
    const way = profile === 0 ? ownWay(instance, lead, slave, instance.number('SlaveSyncPosition')) : distance
    return [at - direction * way, at]
  },
})

/** The cam of a job over the leading value: shifted, scaled, and repeated when it is cyclic. */
function camCurve(instance: InstanceView): Curve | undefined {
  const cam = camOf(objectBehind(instance, 'Cam'))
  if (!cam) return undefined
  const [offset, up] = [instance.number('MasterOffset'), instance.number('SlaveOffset')]
  const [stretchX, stretchY] = [instance.number('MasterScaling'), instance.number('SlaveScaling')]
  const mode = instance.number('ApplicationMode')
  const length = cam.end - cam.start
  return (lead) => {
    const x = (lead - offset) / stretchX
    const round = mode === 0 || length <= 0 ? 0 : Math.floor((x - cam.start) / length)
    const { y, slope } = cam.at(x - round * length)
    const rise = mode === 2 ? round * (cam.at(cam.end).y - cam.at(cam.start).y) : 0
    return { position: (y + rise) * stretchY + up, slope: (slope * stretchY) / stretchX }
  }
}

function camStart(instance: InstanceView, cam: CamCurve): number {
  return instance.number('MasterOffset') + cam.start * instance.number('MasterScaling')
}

const camIn = following({
  functionState: functionStates.cam,
  check: (instance) => {
    if (!camOf(objectBehind(instance, 'Cam'))) return errors.object
    const profile = instance.number('SyncProfileReference')
    if (profile < 0 || profile > 6) return faults.profile
    if (instance.number('MasterScaling') === 0) return faults.masterScaling
    if (instance.number('MasterStartDistance') < 0) return faults.distance
    const mode = instance.number('ApplicationMode')
    return mode < 0 || mode > 2 ? faults.application : 0
  },
  curve: camCurve,
  stretch: (instance, lead, slave, direction) => {
    const cam = camOf(objectBehind(instance, 'Cam'))
    const profile = instance.number('SyncProfileReference')
    const here = lead.position
    if (!cam || profile === 2 || profile === 5) return [here, here]
    const distance = instance.number('MasterStartDistance')
    const at = camStart(instance, cam) + instance.number('MasterSyncPosition')
    if (profile === 3) return [at, at + direction * distance]
    if (profile === 4) return [here, here + direction * distance]
    if (profile === 6) return [here, at]
    const way = profile === 0 ? ownWay(instance, lead, slave, camCurve(instance)?.(at).position ?? 0) : distance
    return [at - direction * way, at]
  },
  ends: (instance, lead) => {
    const cam = camOf(objectBehind(instance, 'Cam'))
    if (!cam) return true
    const x = (lead - instance.number('MasterOffset')) / instance.number('MasterScaling')
    const isOutside = x < cam.start || x > cam.end
    instance.set('EndOfProfile', isOutside)
    return isOutside && instance.number('ApplicationMode') === 0
  },
})

/** Ends synchronous operation at a position; profile 5 only cancels a waiting job. */
function syncOut(functionState: number): Model {
  return executed(
    {
      isMotion: true,
      begin: (instance, slave) => {
        const values = dynamicsOf(instance, slave)
        if (typeof values === 'number') return values
        const profile = instance.number('SyncProfileReference')
        if (profile !== 0 && profile !== 1 && profile !== 5) return faults.profile
        instance.set('Speed', Math.abs(slave.velocity))
        return 0
      },
      run: (instance, slave, time) => {
        const values = dynamicsOf(instance, slave)
        if (typeof values === 'number') return false
        const rest = instance.number('SlavePosition') - slave.position
        const speed = instance.number('Speed') || slave.dynamic(-1, 'Velocity', ideal)
        const isOver =
          instance.number('SyncProfileReference') === 5 || move(slave, time, speed, values.up, values.down, rest)
        instance.set('StartSyncOut', !isOver)
        slave.view.set(`${status}.FunctionState`, isOver ? functionStates.none : functionState)
        return isOver
      },
      left: isLeft,
    },
    'Slave',
  )
}

/** Shifts the leading value of a following axis, which stays synchronous. */
function phasing(isRelative: boolean): Model {
  const shift = `${status}.PhaseShift`
  return executed(
    {
      isMotion: false,
      begin: (instance, slave) => {
        if (!slave.bit('Enable')) return errors.disabled
        const values = dynamicsOf(instance, slave)
        if (typeof values === 'number') return values
        if (slave.dynamic(values.velocity, 'Velocity', ideal) === 0) return errors.velocity
        const start = slave.view.number(shift)
        const wanted = instance.number('PhaseShift')
        instance.setAll({ Start: start, Target: isRelative ? start + wanted : wanted })
        return 0
      },
      run: (instance, slave, time) => {
        const values = dynamicsOf(instance, slave)
        if (typeof values === 'number') return false
        const speed = slave.dynamic(values.velocity, 'Velocity', ideal)
        const before = slave.view.number(shift)
        const rest = instance.number('Target') - before
        const isOver = Math.abs(rest) <= speed * time
        const next = isOver ? instance.number('Target') : before + Math.sign(rest) * speed * time
        slave.view.set(shift, next)
        instance.setAll({
          StartPhasing: !isOver,
          CoveredPhaseShift: next - instance.number('Start'),
          AbsolutePhaseShift: next,
        })
        return isOver
      },
    },
    'Slave',
  )
}

/** Makes a job that ends with the edge of Execute; its results stay while Execute is on. */
function atOnce(run: Model): Model {
  return (instance) => {
    if (instance.rises('Execute', 'REQ_OLD')) run(instance)
    else if (!instance.is('Execute')) instance.setAll({ ...noResult })
  }
}

/** Interpolates the current points of a cam. */
const interpolateCam = atOnce((instance) => {
  const cam = objectBehind(instance, 'Cam')
  if (!cam) return fail(instance, errors.object)
  const error = interpolatedCam(cam)
  if (error !== 0) return fail(instance, error)
  instance.setAll({ ...noResult, Done: true })
})

/** The value of a cam at a leading value. */
const followingValue = atOnce((instance) => {
  const cam = camOf(objectBehind(instance, 'Cam'))
  if (!cam) return fail(instance, errors.object)
  const stretch = instance.number('MasterScaling')
  if (stretch === 0) return fail(instance, faults.masterScaling)
  const x = (instance.number('LeadingValue') - instance.number('MasterOffset')) / stretch
  if (!(x >= cam.start && x <= cam.end)) return fail(instance, 0x8064)
  const { y, slope } = cam.at(x)
  const high = instance.number('SlaveScaling')
  instance.setAll({
    ...noResult,
    Done: true,
    Value: y * high + instance.number('SlaveOffset'),
    FirstDerivative: (slope * high) / stretch,
    SecondDerivative: 0,
  })
})

/** Models by name in upper case. */
export const synchronousModels: Readonly<Record<string, Model>> = {
  MC_GEARIN: gear(functionStates.gear, 'InGear'),
  MC_GEARINVELOCITY: gear(functionStates.gearVelocity, 'InSync'),
  MC_GEARINPOS: gearPosition,
  MC_CAMIN: camIn,
  MC_GEAROUT: syncOut(functionStates.gearOut),
  MC_CAMOUT: syncOut(functionStates.camOut),
  MC_PHASINGRELATIVE: phasing(true),
  MC_PHASINGABSOLUTE: phasing(false),
  MC_INTERPOLATECAM: interpolateCam,
  MC_GETCAMFOLLOWINGVALUE: followingValue,
}
