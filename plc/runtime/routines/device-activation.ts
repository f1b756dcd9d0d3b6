/**
 * D_ACT_DP: activates and deactivates IO devices of the loaded hardware; ATTACH and DETACH: organization blocks of
 * hardware interrupts (TIA Portal help of each). Without hardware every device is there. Events of modules have no
 * numbers here, so any number is taken for one.
 */
import type { RuntimeContext } from '../context.ts'

interface Answer {
  readonly status: number
  readonly outputs: readonly boolean[]
}

const status = {
  done: 0,
  active: 1,
  inactive: 2,
  idle: 0x7000,
  started: 0x7001,
  noModule: 0x8090,
  noDevice: 0x8093,
  noAnswer: 0x80a7,
} as const

/** Deactivation and activation take two calls. */
export function deviceActivation({ hardware }: RuntimeContext) {
  /** Devices without hardware that were deactivated. */
  const inactive = new Set<number>()
  /** Devices of which a job runs. */
  const jobs = new Set<number>()
  const isActive = (device: number) => hardware?.()?.isActive(device) ?? !inactive.has(device)
  const answer = (code: number, isBusy = false): Answer => ({ status: code, outputs: [isBusy] })
  return {
    /** MODE: 0 asks, 1 activates, 2 deactivates. */
    D_ACT_DP: (request: bigint, mode: bigint, identifier: bigint): Answer => {
      const device = Number(identifier)
      const loaded = hardware?.()
      if (request === 0n && !jobs.has(device)) return answer(status.idle)
      if (loaded?.isActive(device) === undefined && loaded !== undefined)
        return answer(loaded.isKnown(device) ? status.noDevice : status.noModule)
      if (mode === 0n) return answer(isActive(device) ? status.active : status.inactive)
      if (mode !== 1n && mode !== 2n) return answer(status.noDevice)
      if (!jobs.delete(device)) {
        jobs.add(device)
        return answer(status.started, true)
      }
      if (mode === 1n) inactive.delete(device)
      else inactive.add(device)
      loaded?.setActive(device, mode === 1n)
      const modules = loaded?.modulesOf(device) ?? []
      const isSilent = mode === 1n && modules.length > 0 && modules.every((one) => loaded?.isGone(one))
      return answer(isSilent ? status.noAnswer : status.done)
    },
  }
}

const attachStatus = { none: 1, noBlock: 0x8090, wrongKind: 0x8091 } as const

export function attachments({ interrupts }: RuntimeContext) {
  /** Events by the number of their block. */
  const attached = new Map<number, Set<bigint>>()
  const fault = (block: number): number => {
    const kind = interrupts?.classOf(block)
    if (kind === undefined) return attachStatus.noBlock
    return kind === 'HardwareInterrupt' ? 0 : attachStatus.wrongKind
  }
  return {
    ATTACH: (given: bigint, event: bigint, adds: bigint): number => {
      const block = Number(given)
      const found = fault(block)
      if (found !== 0) return found
      const events = (adds !== 0n && attached.get(block)) || new Set<bigint>()
      attached.set(block, events.add(event))
      return 0
    },
    /** Event 0: all events of the block. */
    DETACH: (given: bigint, event: bigint): number => {
      const block = Number(given)
      const found = fault(block)
      if (found !== 0) return found
      const events = attached.get(block)
      if (!events || (event !== 0n && !events.delete(event))) return attachStatus.none
      if (event === 0n || events.size === 0) attached.delete(block)
      return 0
    },
  }
}
