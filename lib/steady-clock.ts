/** Clocks for durations and deadlines: the wall clock can be set, forwards and back, at any time. */

/** Milliseconds of a clock that nobody sets; it may stand still while the computer sleeps. For durations. */
export const ticks = (): number => performance.now()

/**
 * A clock that never goes back and does not stand still while the computer sleeps: it takes the longer of what the two
 * clocks say has passed. For what must end, e.g. a session: at worst it ends too early.
 */
export function steadyClock(wall: () => number = () => Date.now(), steps: () => number = ticks): () => number {
  let [atWall, atStep] = [wall(), steps()]
  let now = atWall
  return () => {
    const [nextWall, nextStep] = [wall(), steps()]
    now += Math.max(nextWall - atWall, nextStep - atStep, 0)
    atWall = nextWall
    atStep = nextStep
    return now
  }
}

/** The one of this process. */
export const steadyNow = steadyClock()
