/**
 * Measures virtual controllers: the time of a cycle without its program, the jitter of a real cycle with and without
 * readers, the speed of stepped time, and whether reads delay cycles when several controllers run at the same time.
 * `SECONDS=600` makes the last part a long soak.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHost } from '../plc/runtime/host.ts'
import type { Controller, ControllerOptions, MemoryRange } from '../plugins/simulation/controller/contract.ts'
import { ControlBlock } from '../plugins/simulation/controller/control-block.ts'
import { createController } from '../plugins/simulation/controller/controller.ts'
import { Machine } from '../plugins/simulation/controller/machine.ts'
import { makeRunnable, readPackage } from '../plugins/simulation/controller/runnable.ts'
import { packageOf, testOptions } from '../test/controller.ts'
import { median, percentile, report } from './report.ts'

const seconds = Number(process.env.SECONDS ?? 5)
const empty = 'ORGANIZATION_BLOCK "Main"\nBEGIN\n;\nEND_ORGANIZATION_BLOCK\n'
const folders: string[] = []

async function running(source: string, options: Partial<ControllerOptions>): Promise<Controller> {
  const storage = await mkdtemp(join(tmpdir(), 'gantry-bench-controller-'))
  folders.push(storage)
  const controller = createController(testOptions(storage, options))
  await controller.change('powerOn')
  await controller.load(packageOf(source), { inRun: false, reinitialize: false })
  await controller.change('run')
  return controller
}

/** Nanoseconds of one call of `work`, the best of several rounds. */
function timeOf(work: () => void): number {
  let count = 1000
  const run = () => {
    const begin = performance.now()
    for (let i = 0; i < count; i++) work()
    return performance.now() - begin
  }
  while (run() < 50) count *= 2
  return (Math.min(...Array.from({ length: 7 }, run)) * 1e6) / count
}

/** Measures the cycle itself, in this thread, without waiting or messages. */
async function scanOverhead(): Promise<void> {
  const program = await readPackage(packageOf(empty))
  const runnable = await makeRunnable(program)
  const events = {
    state: () => undefined,
    diagnostic: () => undefined,
    look: () => undefined,
    alarms: () => undefined,
    network: () => undefined,
    timeZone: () => undefined,
  }
  const machine = new Machine(new ControlBlock(), testOptions(''), events, new SharedArrayBuffer(8))
  machine.load(runnable, [], 0)
  machine.run()
  const cycle = timeOf(() => {
    const { next } = machine
    machine.time.moveTo(next)
    machine.work(next)
  })
  const host = createHost(program.compiled.linked, { clock: machine.time, onFault: () => undefined })
  const run = timeOf(() => host.run('Main'))
  const instance = new WebAssembly.Instance(runnable.module, {
    host: new Proxy({ memory: runnable.memory }, { get: (all, name) => Reflect.get(all, name) ?? (() => undefined) }),
  } as never)
  const bare = timeOf(instance.exports['block main'] as () => void)
  report('empty OB 1: cycle, ns', cycle, '')
  report('empty OB 1: block with clock and globals, ns', run, '')
  report('empty OB 1: bare call of the exported function, ns', bare, '')
  report('empty OB 1: cycle / bare call', cycle / bare, '')
}

/** Reads `ranges` about this many times a second until the time is over; returns the number of reads. */
async function readFor(
  controllers: readonly Controller[],
  ranges: readonly MemoryRange[],
  perSecond: number,
  ms: number,
) {
  const begin = performance.now()
  let count = 0
  for (let elapsed = 0; elapsed < ms; elapsed = performance.now() - begin) {
    for (const controller of controllers)
      for (
        let due = Math.floor((elapsed * perSecond) / 1000) - Math.floor(count / controllers.length);
        due > 0;
        due--
      ) {
        await controller.read(ranges)
        count++
      }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return count
}

const counting = `DATA_BLOCK "Data"\nVAR\n  n : DInt; last : LTime; i : Int; x : DInt;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK
ORGANIZATION_BLOCK "Main"\nBEGIN\n"Data".n := "Data".n + 1;\nFOR "Data".i := 1 TO 1000 DO "Data".x := "Data".x * 3 + "Data".i; END_FOR;\nEND_ORGANIZATION_BLOCK\n`

/**
 * Measures how far cycle distances are from 10 ms, by a trace of virtual time, which follows the computer's clock here.
 */
async function jitter(readsPerSecond: number): Promise<void> {
  const controller = await running(counting, { time: { mode: 'real', factor: 1 }, minimumCycleTimeMs: 10 })
  const range = { address: controller.program?.compiled.linked.dataBlocks.get('data')?.address ?? 0, size: 16 }
  await controller.startTrace({ ranges: [], samples: 100_000, everyCycles: 1 })
  const reads = readsPerSecond > 0 ? await readFor([controller], [range], readsPerSecond, seconds * 1000) : 0
  if (readsPerSecond === 0) await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  const times = (await controller.trace()).map(({ time }) => time)
  const off = times.slice(1).map((time, i) => Math.abs(time - (times[i] ?? 0) - 10) * 1000)
  const name = `10 ms cycle, ${Math.round(reads / seconds)} reads/s`
  report(`${name}: jitter, median, µs`, median(off), '')
  report(`${name}: jitter, 99 %, µs`, percentile(off, 0.99), '')
  report(`${name}: jitter, largest, µs`, Math.max(...off), '')
  await controller.dispose()
}

/** Runs a program of a thousand lines in cycles of 1 ms: virtual seconds in one second. */
async function speed(): Promise<void> {
  const lines = Array.from({ length: 1000 }, (_one, i) =>
    i % 4 === 0
      ? `  #x${i} := #x${(i + 7) % 100} * 3 + ${i};`
      : i % 4 === 1
        ? `  IF #x${i % 100} > #x${(i + 1) % 100} THEN #b${i % 50} := NOT #b${i % 50}; END_IF;`
        : `  #x${i % 100} := #x${(i * 7) % 100} + #x${(i * 3) % 100};`,
  ).map((line) => line.replace(/#x(\d+) :=/, (_all, n: string) => `#x${Number(n) % 100} :=`))
  const members = [
    ...Array.from({ length: 100 }, (_one, i) => `  x${i} : DInt := ${i};`),
    ...Array.from({ length: 50 }, (_one, i) => `  b${i} : Bool;`),
  ]
  const source = `FUNCTION_BLOCK "Unit"\nVAR\n${members.join('\n')}\n  t : TON_TIME;\nEND_VAR\nBEGIN\n${lines.join('\n')}\n  #t(IN := #b1, PT := T#1s);\nEND_FUNCTION_BLOCK
DATA_BLOCK "Unit_DB"\n"Unit"\nBEGIN\nEND_DATA_BLOCK\nORGANIZATION_BLOCK "Main"\nBEGIN\n"Unit_DB"();\nEND_ORGANIZATION_BLOCK\n`
  const controller = await running(source, {})
  await controller.advance({ milliseconds: 10_000 })
  const begin = performance.now()
  await controller.advance({ milliseconds: 600_000 })
  const took = performance.now() - begin
  report('10 minutes of a 1000-line program at 1 ms, s', took / 1000, 'seconds')
  report('virtual time / real time', 600_000 / took, '')
  await controller.dispose()
}

/** Runs four controllers at 1 ms and reports the share of due cycles that ran, without and with reads. */
async function soak(readsPerSecond: number): Promise<void> {
  const options = { time: { mode: 'real', factor: 1 }, minimumCycleTimeMs: 1 } as const
  const controllers = await Promise.all(Array.from({ length: 4 }, () => running(counting, options)))
  const address = controllers[0]?.program?.compiled.linked.dataBlocks.get('data')?.address ?? 0
  const before = controllers.map(({ statistics, time }) => ({ cycles: statistics.cycles, time }))
  let reads = 0
  if (readsPerSecond === 0) await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  else reads = await readFor(controllers, [{ address, size: 16 }], readsPerSecond / 4, seconds * 1000)
  const shares = controllers.map(({ statistics, time }, i) => {
    const from = before[i] ?? { cycles: 0, time: 0 }
    return (statistics.cycles - from.cycles) / (time - from.time)
  })
  const longest = Math.max(...controllers.map(({ statistics }) => statistics.maximumMs))
  const name = `4 controllers at 1 ms, ${Math.round(reads / seconds)} reads/s`
  report(`${name}: cycles done / due, least`, Math.min(...shares), readsPerSecond > 0 ? 'as without reads' : '')
  report(`${name}: longest cycle, ms`, longest, '')
  await Promise.all(controllers.map((controller) => controller.dispose()))
}

try {
  await scanOverhead()
  await speed()
  await jitter(0)
  await jitter(1000)
  await soak(0)
  await soak(1000)
} finally {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
}
