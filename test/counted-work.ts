/**
 * Work as a number that is the same at every run, whatever the time: how often the blocks of the code were executed
 * (the engine's precise coverage): calls, loop turns and branches of all JavaScript, also of packages. What has run
 * before this module is loaded has no counters.
 */
import { Session } from 'node:inspector/promises'

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/** Runs one thing after the other and counts the executions of code blocks of each. */
export async function countedWork(...runs: readonly (() => unknown)[]): Promise<number[]> {
  await session.post('Profiler.takePreciseCoverage')
  const counts: number[] = []
  for (const run of runs) {
    run()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    let count = 0
    for (const { functions } of result)
      for (const { ranges } of functions) for (const range of ranges) count += range.count
    counts.push(count)
  }
  return counts
}
