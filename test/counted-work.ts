/**
 * Work as a number that is the same at every run, whatever the time: how often the blocks of the code were executed
 * (the engine's precise coverage): calls, loop turns and branches of all JavaScript, also of packages. What has run
 * before this module is loaded has no counters.
 */
import { type Profiler, Session } from 'node:inspector/promises'

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

const sumOf = ({ ranges }: Profiler.FunctionCoverage) => ranges.reduce((sum, { count }) => sum + count, 0)

/** Runs one thing after the other and counts the executions of code blocks of each. */
export async function countedWork(...runs: readonly (() => unknown)[]): Promise<number[]> {
  return (await coverageOf(runs)).map((found) =>
    found.reduce((all, { functions }) => all + functions.reduce((sum, one) => sum + sumOf(one), 0), 0),
  )
}

/**
 * Runs one thing after the other and counts for each the executions of code blocks by function.
 * @param within what the address of a file contains that is looked at
 */
export async function countedFunctions(
  within: string,
  ...runs: readonly (() => unknown)[]
): Promise<ReadonlyMap<string, number>[]> {
  return (await coverageOf(runs)).map((found) => {
    const counts = new Map<string, number>()
    for (const { url, functions } of found) {
      const at = url.indexOf(within)
      if (at < 0 || url.includes('node_modules')) continue
      const file = url.slice(at + within.length).split('?')[0]
      for (const one of functions) {
        const name = `${file} ${one.functionName || `function at ${one.ranges[0]!.startOffset}`}`
        counts.set(name, (counts.get(name) ?? 0) + sumOf(one))
      }
    }
    return counts
  })
}

/**
 * What each run has executed. Taking the counters takes longer than most runs do, so it is done once for each, and
 * nothing else is done between them.
 */
async function coverageOf(runs: readonly (() => unknown)[]): Promise<(readonly Profiler.ScriptCoverage[])[]> {
  const all: (readonly Profiler.ScriptCoverage[])[] = []
  await session.post('Profiler.takePreciseCoverage')
  for (const run of runs) {
    await run()
    all.push((await session.post('Profiler.takePreciseCoverage')).result)
  }
  return all
}
