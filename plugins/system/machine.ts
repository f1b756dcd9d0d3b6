/** Measurements of the machine and of this process, loaded when diagnostics are requested. */
import { readdir, stat, statfs } from 'node:fs/promises'
import { arch, cpus, freemem, hostname, loadavg, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** Measurements of the machine; sizes are in bytes. */
export async function machineInfo(dataDir: string) {
  const [processors, { bsize, blocks, bavail }] = [cpus(), await statfs(dataDir)]
  return {
    hostname: hostname(),
    platform: platform(),
    release: release(),
    architecture: arch(),
    cpus: processors.length,
    cpuModel: processors[0]?.model.trim() ?? '',
    loadAverage: loadavg(),
    memoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    disk: { path: dataDir, totalBytes: bsize * blocks, freeBytes: bsize * bavail },
  }
}

const lagTimerMs = 10

/** Measurements of this process. */
export async function processInfo() {
  const before = performance.now()
  await sleep(lagTimerMs)
  const lag = Math.max(0, performance.now() - before - lagTimerMs)
  const { rss, heapUsed } = process.memoryUsage()
  return {
    pid: process.pid,
    node: process.version,
    memoryBytes: rss,
    heapUsedBytes: heapUsed,
    eventLoopLagMs: Math.round(lag * 10) / 10,
    eventLoopUtilization: Math.round(performance.eventLoopUtilization().utilization * 1000) / 1000,
  }
}

/** Size of the store's files in bytes. Files that LevelDB deletes during the count are ignored. */
export async function storeBytes(dataDir: string): Promise<number> {
  const entries = await readdir(join(dataDir, 'store'), { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/**
 * Versions of TIA Portal that are on this computer, e.g. `V19`: its setup puts each into a folder of its own (Windows
 * only).
 */
export async function tiaPortals(programs = process.env.ProgramFiles): Promise<ReadonlySet<string>> {
  if (programs === undefined) return new Set()
  const folders = await readdir(join(programs, 'Siemens', 'Automation')).catch(() => [])
  return new Set(folders.flatMap((name) => /^Portal (V\d+)$/.exec(name)?.[1] ?? []))
}
