/** A thread that runs cases of a group; the next one is the number in a shared cell. */
import { parentPort, workerData } from 'node:worker_threads'
import { GroupRunner, type TestGroup } from '../../plc/program-tests/group.ts'
import { groupTools } from './group-tools.ts'
import type { FromWorker } from './run-group.ts'

const { group, next } = workerData as { readonly group: TestGroup; readonly next: Int32Array }
const say = (message: FromWorker) => parentPort?.postMessage(message)
const runner = new GroupRunner(group, groupTools)
for (let index = Atomics.add(next, 0, 1); index < group.cases.length; index = Atomics.add(next, 0, 1))
  say({ index, result: runner.run(index) })
say({ coverage: runner.coverage })
