/** Runs the cases of a group; when they take long, in several threads. */
import { setImmediate } from 'node:timers/promises'
import { defined, startThread } from '../../core/index.ts'
import type { CompiledProgram } from '../../plc/compiler/put-together.ts'
import type { BlockCoverage } from '../../plc/program-tests/coverage.ts'
import { GroupRunner, type TestGroup } from '../../plc/program-tests/group.ts'
import type { CaseResult } from '../../plc/program-tests/run-case.ts'
import { groupTools } from './group-tools.ts'

/** A result, or, at the end, what was reached. */
export type FromWorker =
  | { readonly index: number; readonly result: CaseResult }
  | { readonly coverage: readonly BlockCoverage[] }

/** A thread takes longer to start than this many milliseconds of cases take. */
const usuallyBeforeThreads = 400
/** Cases that are left must be worth a thread. */
const leastCases = 8
/** This thread looks for results of the others so often, in milliseconds. */
const betweenLooks = 50

export interface GroupRun {
  /** Threads, this one included. */
  readonly jobs: number
  /** Milliseconds of cases before other threads start. */
  readonly beforeThreads?: number
  /** Called in the order of the cases. */
  readonly onResult: (result: CaseResult) => void
}

/** @returns what the cases reached, for each thread */
export async function runGroup(
  group: TestGroup,
  { jobs, onResult, beforeThreads = usuallyBeforeThreads }: GroupRun,
): Promise<BlockCoverage[][]> {
  const count = group.cases.length
  const next = new Int32Array(new SharedArrayBuffer(4))
  const results = new Array<CaseResult | undefined>(count)
  let told = 0
  const take = (index: number, result: CaseResult) => {
    results[index] = result
    for (let one = results[told]; one !== undefined; one = results[++told]) onResult(one)
  }
  const runner = new GroupRunner(group, groupTools)
  const coverage: BlockCoverage[][] = []
  const threads: Promise<void>[] = []
  const start = () => {
    const thread = startThread(new URL('./group-worker.ts', import.meta.url), {
      workerData: { group: withoutCode(group), next },
    })
    thread.on('message', (message: FromWorker) => {
      if ('result' in message) take(message.index, message.result)
      else coverage.push([...message.coverage])
    })
    threads.push(
      new Promise((resolve) => {
        // What a thread did not finish runs here.
        thread.once('error', () => undefined)
        thread.once('exit', () => resolve())
      }),
    )
  }
  const begin = performance.now()
  let looked = begin
  for (let index = Atomics.add(next, 0, 1); index < count; index = Atomics.add(next, 0, 1)) {
    take(index, runner.run(index))
    const now = performance.now()
    if (threads.length === 0 && jobs > 1 && now - begin > beforeThreads && count - index > leastCases)
      for (let i = 1; i < Math.min(jobs, count - index); i++) start()
    if (threads.length === 0 || now - looked < betweenLooks) continue
    looked = now
    await setImmediate()
  }
  await Promise.all(threads)
  for (let index = 0; index < count; index++) if (results[index] === undefined) take(index, runner.run(index))
  return [...coverage, runner.coverage]
}

/** The module is compiled: its bytes need not go to the thread. */
function withoutCode(group: TestGroup): TestGroup {
  const { compiled, programs, cases, covered, added, module } = group
  const bare = (program: CompiledProgram) => ({ ...program, linked: { ...program.linked, wasm: [] } })
  return {
    ...defined({ cases, covered, added, module }),
    ...(compiled ? { compiled: bare(compiled) } : {}),
    ...(programs ? { programs: programs.map((one) => ({ ...one, compiled: bare(one.compiled) })) } : {}),
  }
}
