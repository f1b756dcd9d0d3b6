/**
 * Advances several controllers in lock step: each runs one step of virtual time, then they exchange what their blocks
 * of communication asked for, in the order of the controllers. Inside a step they run side by side and do not see each
 * other, so the same inputs give the same result.
 */
import type { CommunicationHub } from '../communication/hub.ts'
import type { Controller } from '../controller/contract.ts'

/** A controller that advances. */
export interface Stepped {
  readonly name: string
  readonly controller: Controller
}

/** When the advance ends; at the latest after `steps`. */
export interface StepPlan {
  readonly stepMs: number
  readonly steps: number
  /** Asked after each step; true ends the advance. */
  readonly until?: () => Promise<boolean>
}

/** Why the advance ended. */
export type StepEnd = 'steps' | 'condition' | 'state'

export interface StepResult {
  readonly steps: number
  /** `state`: a controller left RUN. */
  readonly end: StepEnd
  /** Cycles of each controller, in the order given. */
  readonly cycles: readonly number[]
}

/**
 * Runs the plan; all controllers are in RUN with stepped time.
 * @throws what a controller refuses; `AbortError` when the signal ends it
 */
export async function advanceTogether(
  hub: CommunicationHub,
  members: readonly Stepped[],
  { stepMs, steps, until }: StepPlan,
  signal: AbortSignal,
  progress: (done: number) => void = () => undefined,
): Promise<StepResult> {
  const cycles = members.map(() => 0)
  let done = 0
  let end: StepEnd = 'steps'
  hub.hold(members.map(({ name }) => name))
  try {
    while (done < steps) {
      signal.throwIfAborted()
      const results = await Promise.all(
        members.map(({ controller }) => controller.advance({ milliseconds: stepMs }, signal)),
      )
      await hub.exchange()
      for (const [i, result] of results.entries()) cycles[i] = cycles[i]! + result.cycles
      done++
      progress(done)
      if (members.some(({ controller }) => controller.state !== 'Run')) {
        end = 'state'
        break
      }
      if (until && (await until())) {
        end = 'condition'
        break
      }
    }
  } finally {
    await hub.release()
  }
  return { steps: done, end, cycles }
}

/**
 * What an advance in stepped time will give when a cycle is due now, and none takes longer than its time: the answer of
 * a dry run.
 * @returns cycles, and the system time after them, ms since 1970
 */
export function expectedAdvance(
  { options: { time }, time: now }: Controller,
  by: { readonly cycles: number } | { readonly milliseconds: number },
): { cycles: number; time: number } {
  const cycleTimeMs = time.mode === 'stepped' ? time.cycleTimeMs : 1
  if ('cycles' in by) return { cycles: by.cycles, time: now + by.cycles * cycleTimeMs }
  return { cycles: Math.ceil(by.milliseconds / cycleTimeMs - 1e-9), time: now + by.milliseconds }
}

/** The least common rhythm of controllers: the smallest of their cycles, ms. */
export function smallestCycle(members: readonly Stepped[]): number {
  return Math.min(
    ...members.map(({ controller: { options } }) => (options.time.mode === 'stepped' ? options.time.cycleTimeMs : 1)),
  )
}
