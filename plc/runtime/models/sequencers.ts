/**
 * Blocks that S7-1500 inherits from older controllers (TIA Portal help, "DRUM", "DRUM_X", "DCAT", "MCAT",
 * "SMC"). Times are whole
 * milliseconds; the remainder counts at the next call. Choices where the pages say nothing: a drum that runs for the
 * first time loads the time of its step, times restart with each command of DCAT, SMC begins with mask 0, and the
 * events of DRUM_X are TRUE as those of DRUM, so that a step with a time alone runs.
 */
import type { InstanceView, Model } from './instance-view.ts'

/**
 * Whole milliseconds since the last call; 0 at the first one. LastCall contains its time plus one: 0 means no call so
 * far.
 */
function elapsed(instance: InstanceView): number {
  const { now } = instance
  const kept = BigInt.asIntN(64, instance.bits('LastCall'))
  const last = kept === 0n || kept > now + 1n ? now : kept - 1n
  const passed = (now - last) / 1_000_000n
  instance.set('LastCall', last + passed * 1_000_000n + 1n)
  return Number(passed)
}

const longest = 2 ** 31 - 1
const later = (instance: InstanceView, time: number) => Math.min(longest, instance.number('ET') + time)

/** What differs between DRUM and DRUM_X, the SFB 32 of older controllers. */
interface DrumKind {
  /** Number of the first output: OUT1, or OUT0. */
  readonly firstOutput: number
  /** Whether the rest of the time becomes 0 where the last step ends. */
  readonly clearsTime: boolean
  /** Errors of LST_STEP, DSC, DSP, and of a time longer than 2³¹ - 1 ms; 0: there is none. */
  readonly errors: readonly [number, number, number, number]
}

/** The error of the steps of a drum; 0: none. */
function drumError(instance: InstanceView, isReset: boolean, [last, current, first]: DrumKind['errors']): number {
  const end = instance.number('LST_STEP')
  const isStep = (name: string) => instance.number(name) >= 1 && instance.number(name) <= end
  if (end < 1 || end > 16) return last
  if (!isReset && !isStep('DSC')) return current
  return isStep('DSP') ? 0 : first
}

const drum =
  ({ firstOutput, clearsTime, errors }: DrumKind): Model =>
  (instance) => {
    const [reset, jog] = [instance.is('RESET'), instance.is('JOG')]
    const time = elapsed(instance)
    const error = drumError(instance, reset, errors)
    instance.set('ERR_CODE', error)
    if (error !== 0) return
    const presets = instance.elements('S_PRESET')
    const load = (step: number) => instance.number('DTBP') * (presets[step - 1]?.value ?? 0)
    const isFirst = !instance.is('STARTED')
    let step = instance.number('DSC')
    let left = instance.number('DCC')
    let isOver = instance.is('EOD')
    if (isFirst && left === 0) left = load(step)
    const advance = () => {
      if (step >= instance.number('LST_STEP')) {
        isOver = true
        if (clearsTime) left = 0
      } else {
        step += 1
        left = load(step)
      }
    }
    if (reset) {
      step = instance.number('DSP')
      left = load(step)
      isOver = false
    } else if (!isOver && jog && !instance.is('JOG_HIS')) advance()
    else if (!isOver && instance.is('DRUM_EN') && instance.is(`EVENT${step}`)) {
      left = Math.max(0, left - time)
      if (left === 0) advance()
    }
    if (errors[3] !== 0 && left > longest) {
      instance.set('ERR_CODE', errors[3])
      return
    }
    instance.setAll({ DSC: step, DCC: left, EOD: isOver, Q: isOver, JOG_HIS: jog, STARTED: true })
    const first = 16 * (step - 1)
    const values = instance.elements('OUT_VAL').slice(first, first + 16)
    let word = instance.number('OUT_WORD')
    for (const [bit, mask] of instance
      .elements('S_MASK')
      .slice(first, first + 16)
      .entries()) {
      if (mask.value === 0) continue
      const isOn = values[bit]?.value === 1
      word = isOn ? word | (1 << bit) : word & ~(1 << bit)
      instance.set(`OUT${bit + firstOutput}`, isOn)
    }
    instance.set('OUT_WORD', word)
  }

const discreteAlarm: Model = (instance) => {
  const time = elapsed(instance)
  const [command, opened, closed] = [instance.is('CMD'), instance.is('O_FB'), instance.is('C_FB')]
  const preset = instance.number('PT')
  if (command !== instance.is('CMD_HIS')) instance.setAll({ ET: 0, OA: false, CA: false })
  else {
    const [alarm, feedback, other] = command ? ['OA', opened, closed] : ['CA', closed, opened]
    if (!feedback) {
      const passed = later(instance, time)
      instance.setAll({ ET: passed, [alarm as string]: passed > preset })
    } else if (!other) instance.setAll({ ET: preset, [alarm as string]: false })
  }
  instance.setAll({ Q: command, CMD_HIS: command })
  if (opened && closed) instance.setAll({ OA: true, CA: true })
}

const motorAlarm: Model = (instance) => {
  const time = elapsed(instance)
  const [wasOpening, wasClosing] = [instance.is('O_HIS'), instance.is('C_HIS')]
  const [open, close] = [instance.is('O_CMD'), instance.is('C_CMD')]
  const [opened, closed] = [instance.is('O_FB'), instance.is('C_FB')]
  const preset = instance.number('PT')
  const passed = instance.number('ET')
  const rest = { OO: false, CO: false, OA: false, CA: false, O_HIS: false, C_HIS: false, Q: true }
  const moving = (isOpening: boolean) => ({ ...rest, O_HIS: isOpening, C_HIS: !isOpening })
  const output = (isOpening: boolean) => (isOpening ? 'OO' : 'CO')
  if (wasOpening && wasClosing) instance.setAll({ ...rest, ET: preset })
  else if (opened && closed) instance.setAll({ ...rest, OA: true, CA: true, Q: false, ET: preset })
  else if (instance.is('S_CMD') || (open && close)) instance.setAll(rest)
  else if ((open && !wasOpening) || (close && !wasClosing))
    instance.setAll({ ...moving(open), [output(open)]: true, ET: 0 })
  else if (!wasOpening && !wasClosing) instance.setAll(rest)
  else if (wasOpening ? opened : closed) instance.setAll({ ...moving(wasOpening), ET: preset })
  else if (passed < preset)
    instance.setAll({ ...moving(wasOpening), [output(wasOpening)]: true, ET: later(instance, time) })
  else instance.setAll({ ...moving(wasOpening), [wasOpening ? 'OA' : 'CA']: true, Q: false, ET: preset })
}

/** Compares sixteen inputs with the masks CMP_VAL[0 … LAST] and finds the first equal one. */
const scanMatrix: Model = (instance) => {
  const last = instance.number('LAST')
  if (last > 15) {
    instance.setAll({ OUT: false, ERR_CODE: 0x000e })
    return
  }
  const masks = instance.elements('CMP_VAL')
  const isEqual = (step: number) =>
    masks.slice(16 * step, 16 * step + 16).every((bit, i) => (bit.value !== 0) === instance.is(`IN_BIT${i}`))
  let step = 0
  while (step <= last && !isEqual(step)) step++
  instance.setAll({ OUT: step <= last, OUT_STEP: step, ERR_CODE: 0 })
}

/** Models by name in upper case. */
export const sequencerModels: Readonly<Record<string, Model>> = {
  DRUM: drum({ firstOutput: 1, clearsTime: false, errors: [0x000b, 0x000c, 0x000d, 0] }),
  DRUM_X: drum({ firstOutput: 0, clearsTime: true, errors: [0x8081, 0x8082, 0x8083, 0x8084] }),
  DCAT: discreteAlarm,
  MCAT: motorAlarm,
  SMC: scanMatrix,
}
