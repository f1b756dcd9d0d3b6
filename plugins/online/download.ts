/** Downloads the program of a device into a controller. */

import { type CommandContext, defined, type GatewayError } from '../../core/index.ts'
import { blobHash } from '../../plc/compiler/program-file.ts'
import type { Device } from '../devices/index.ts'
import { requireProject } from '../projects/index.ts'
import { knowsMasterSecret, protectionFor } from '../security/index.ts'
import {
  type Controller,
  changeState,
  knownAlarms,
  type LoadPackage,
  type LoadReport,
  type LostValue,
  loadPackage,
  protectionOf,
} from '../simulation/index.ts'
import {
  protectedConflicts,
  requireMemory,
  requireNoConflicts,
  requireOwnProgram,
  requireSameFamily,
} from './compatibility.ts'
import type { Reached } from './connection.ts'
import { type Category, type CpuState, cpuStateOf, downloaded, isRunning } from './declarations.ts'
import { type Manifest, readManifest, requireManifest } from './manifest.ts'
import {
  compiledPercent,
  manifestDevice,
  manifestHardware,
  packageOf,
  requireCompiled,
  requireHardware,
} from './package.ts'
import { problem } from './problems.ts'
import { isSameItem, keyOf, type ProgramItem } from './program-objects.ts'

export interface DownloadRequest {
  /** Load even if the controller has the same program. Default: nothing is loaded when nothing differs. */
  readonly all?: boolean | undefined
  /** The program. Default: true. */
  readonly software?: boolean | undefined
  /** The hardware configuration: it is checked, and the description of the device is loaded. Default: true. */
  readonly hardware?: boolean | undefined
  /** Compile first, if needed. */
  readonly compile?: boolean | undefined
  /** Load while the CPU runs. */
  readonly inRun?: boolean | undefined
  /** All data blocks get their start values. */
  readonly reinitialize?: boolean | undefined
  /** In RUN: values that cannot be kept get their start values, all others stay. */
  readonly reinitializeChanged?: boolean | undefined
  /** Switch a running CPU to STOP. */
  readonly stopModules?: boolean | undefined
  /** Switch to RUN at the end. Default: if the CPU was stopped for the download. */
  readonly startAfter?: boolean | undefined
  /** Replace differing protected blocks and the program of another device too. */
  readonly force?: boolean | undefined
}

/** The differences between the program of a controller and the new one. */
export interface LoadChange {
  readonly category: Category
  readonly kind: string
  readonly name: string
  readonly change: 'added' | 'changed' | 'removed'
}

/** Supervisions that cannot be watched, of which the warnings name so many. */
const mostUnwatched = 20

export interface DownloadResult {
  readonly downloaded: boolean
  /** The controller has the same program; nothing was done. */
  readonly upToDate: boolean
  readonly programHash: string
  readonly packageHash: string
  readonly compiled: boolean
  readonly report: LoadReport
  readonly changes: readonly LoadChange[]
  readonly cpu: {
    readonly before: CpuState
    readonly after: CpuState
    readonly stopped: boolean
    readonly started: boolean
  }
  readonly steps: readonly string[]
  readonly warnings: readonly string[]
}

type Progress = (percent: number, message: string) => void

/**
 * Downloads, or reports in a dry run what a download would do.
 *
 * @param target a controller that is powered on
 * @throws GatewayError `simulation_support_off`, `incompatible_cpu`, `memory_exceeded`, `program_not_compiled`,
 * `program_has_errors`, `unacceptable_content` (hardware configuration), `conflict` (protected blocks, program of
 * another device), `invalid_operating_state` (not in STOP), `values_would_be_lost` (in RUN)
 */
export async function download(
  ctx: CommandContext,
  device: Device,
  target: Pick<Reached, 'instance' | 'controller'>,
  request: DownloadRequest,
  progress: Progress = () => {},
): Promise<DownloadResult> {
  const { software = true, hardware = true, all = false, reinitialize = false, inRun = false, force } = request
  const { instance, controller } = target
  const steps: string[] = []
  const step = (percent: number, name: string, message: string) => {
    ctx.signal.throwIfAborted()
    steps.push(name)
    progress(percent, message)
  }
  if (!software && !hardware) {
    const message = 'nothing is left to download: software and hardware are both false'
    throw problem('invalid_input', `/software: ${message}.`, { errors: [{ path: '/software', message }] })
  }

  step(2, 'check', `Checking ${device.name} and ${instance.name}`)
  requireSimulationSupport(ctx)
  const warnings = requireSameFamily(device, instance)
  if (hardware) warnings.push(...(await requireHardware(ctx, device)))
  const loaded = controller.program?.package
  const before = loaded && readManifest(loaded.manifest)
  if (force !== true) requireOwnProgram(device, before, instance.name)
  if (loaded && !before)
    warnings.push(
      `Instance "${instance.name}" has a program that no download loaded; what differs from it is not known.`,
    )

  let next: { readonly load: LoadPackage; readonly manifest: Manifest }
  let compiled = false
  if (software) {
    step(5, 'compile', request.compile ? `Compiling ${device.name}` : 'Checking what is compiled')
    const current = await requireCompiled(ctx, device, request.compile === true)
    compiled = current.now
    if (current.warnings > 0)
      warnings.push(`The compiler has ${current.warnings} ${current.warnings === 1 ? 'warning' : 'warnings'}.`)
    progress(compiledPercent, 'Putting the program together')
    const made = await packageOf(ctx, device, current)
    requireMemory(device, instance, made)
    next = made
    if (!next.manifest.objects.some(({ kind }) => kind === 'OB'))
      warnings.push('The program has no organization block: nothing of it runs.')
    // The parts that are not loaded stay on the controller, if it is the same device.
    if (!hardware && before?.device.id === device.id) next = withDevice(next, before)
  } else next = await hardwareOnly(ctx, device, controller, instance.name)
  requireMasterSecret(ctx, device, target, next.manifest)

  step(55, 'plan', 'Comparing with the controller')
  const changes = changesBetween(before?.objects ?? [], next.manifest.objects)
  if (force !== true)
    requireNoConflicts(protectedConflicts(before?.objects ?? [], next.manifest.objects, true), `"${instance.name}"`)
  const cpuBefore = cpuStateOf(controller)
  const isRunningNow = isRunning(controller)
  const result = {
    programHash: next.manifest.program,
    packageHash: next.load.hash,
    compiled,
    changes,
    warnings,
  }
  if (!all && !reinitialize && before && isSameLoad(before, next.manifest)) {
    const names = controller.program?.symbols.dataBlocks.map(({ name }) => name) ?? []
    const report = { added: [], removed: [], kept: names, reinitialized: [] }
    const started = request.startAfter === true && !isRunningNow
    if (started) await start(ctx, target)
    const after = ctx.dryRun && started ? 'RUN' : cpuStateOf(controller)
    const cpu = { before: cpuBefore, after, stopped: false, started }
    return {
      ...result,
      packageHash: loaded?.hash ?? result.packageHash,
      downloaded: false,
      upToDate: true,
      report,
      cpu,
      steps,
    }
  }
  const stops = isRunningNow && !inRun
  if (stops && request.stopModules !== true) throw notInStop(device, target)
  // The plan is the same in STOP and RUN; a running controller only makes plans for a load in RUN.
  const report = await controller.planLoad(next.load, { inRun: isRunningNow, reinitialize })
  const { lost = [] } = report
  if (lost.length > 0 && isRunningNow && inRun && request.reinitializeChanged !== true)
    throw valuesWouldBeLost(device, lost)
  if (lost.length > 0) warnings.push(`${lostText(lost)} cannot be kept: start values take their place.`)
  const starts = request.startAfter ?? stops
  if (ctx.dryRun) {
    const after = starts ? 'RUN' : stops ? 'STOP' : cpuBefore
    const cpu = { before: cpuBefore, after, stopped: stops, started: starts && (stops || !isRunningNow) } as const
    return { ...result, downloaded: false, upToDate: false, report, cpu, steps }
  }
  const done = await transfer(ctx, target, next.load, { inRun, reinitialize, stops, starts }, step, progress)
  ctx.emit(
    downloaded,
    {
      deviceName: device.name,
      instance: instance.name,
      program: next.load.program,
      package: next.load.hash,
      report: done.report,
      inRun: isRunningNow && inRun,
      reinitialized: reinitialize,
    },
    `device/${device.name}`,
  )
  if (done.started) steps.push('start')
  if (done.warning) warnings.push(done.warning)
  warnings.push(...knownAlarms(controller).unwatched.slice(0, mostUnwatched))
  const cpu = { before: cpuBefore, after: cpuStateOf(controller), stopped: stops, started: done.started }
  return { ...result, downloaded: true, upToDate: false, report: done.report, cpu, steps }
}

/** Stops, loads, starts. When the load fails, a CPU that was stopped for it runs its program again. */
async function transfer(
  ctx: CommandContext,
  target: Pick<Reached, 'instance' | 'controller'>,
  next: LoadPackage,
  { inRun, reinitialize, stops, starts }: { inRun: boolean; reinitialize: boolean; stops: boolean; starts: boolean },
  step: (percent: number, name: string, message: string) => void,
  progress: Progress,
): Promise<{ report: LoadReport; started: boolean; warning?: string }> {
  const { instance, controller } = target
  if (stops) {
    step(62, 'stop', `Switching ${instance.name} to STOP`)
    // The program can have stopped the CPU since.
    if (isRunning(controller)) await changeState(ctx, instance, 'stop')
  }
  let report: LoadReport
  try {
    step(70, 'load', `Loading into ${instance.name}`)
    report = await controller.load(next, { inRun, reinitialize })
  } catch (error) {
    if (stops && controller.state === 'Stop') await changeState(ctx, instance, 'run').catch(() => undefined)
    throw error
  }
  if (!starts || controller.state !== 'Stop') return { report, started: false }
  // The program is loaded: from here on the command has had an effect.
  progress(92, `Switching ${instance.name} to RUN`)
  const reason = await start(ctx, target).then(
    () => 'it went back to STOP; its diagnostics say why',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  if (isRunning(controller)) return { report, started: true }
  return { report, started: false, warning: `The program is loaded, but the CPU is not in RUN: ${reason}.` }
}

async function start(ctx: CommandContext, { instance }: Pick<Reached, 'instance'>): Promise<void> {
  await changeState(ctx, instance, 'run')
}

function requireSimulationSupport(ctx: CommandContext): void {
  const project = requireProject(ctx)
  if (project.simulationSupport) return
  throw problem(
    'simulation_support_off',
    `Project "${project.name}" does not support simulation, so it cannot be loaded into a virtual controller.`,
    { suggestion: 'POST /api/projects/actions/simulation-support { "enabled": true }' },
  )
}

function notInStop(device: Device, { instance, controller }: Pick<Reached, 'instance' | 'controller'>): GatewayError {
  return problem(
    'invalid_operating_state',
    `The CPU of "${device.name}" (instance "${instance.name}") is in ${cpuStateOf(controller)}: a download needs STOP, or inRun: true.`,
    {
      suggestion:
        'Send stopModules: true to stop it for the download (it is started again), or inRun: true to load while it runs.',
      extra: { state: controller.state, allowed: controller.allowed },
    },
  )
}

/** Maximum number of values in a text, and in the list of an error. */
const most = { named: 3, listed: 50 }

/** `"Data".limit, "Data".motor.speed and 2 more values`. */
function lostText(lost: readonly LostValue[]): string {
  const names = lost.slice(0, most.named).map(lostName).join(', ')
  const more = lost.length - most.named
  return more > 0 ? `${names} and ${more} more ${more === 1 ? 'value' : 'values'}` : names
}

function lostName({ dataBlock, path }: LostValue): string {
  return `"${dataBlock}"${path}`
}

function valuesWouldBeLost(device: Device, lost: readonly LostValue[]): GatewayError {
  const omitted = lost.length - most.listed
  return problem(
    'values_would_be_lost',
    `The download would re-initialise values of "${device.name}" while it runs: ${lostText(lost)}.`,
    {
      errors: lost.slice(0, most.listed).map((one) => ({ path: lostName(one), message: one.reason })),
      suggestion:
        'Send reinitializeChanged: true to let these take start values and keep all others, or reinitialize: true to let all data blocks take start values.',
      ...(omitted > 0 ? { extra: { omittedErrors: omitted } } : {}),
    },
  )
}

/**
 * A controller keeps its confidential data under the master secret that it was loaded with.
 * @throws GatewayError `master_secret_mismatch`
 */
function requireMasterSecret(
  ctx: CommandContext,
  device: Device,
  { instance, controller }: Pick<Reached, 'instance' | 'controller'>,
  { security }: Manifest,
): void {
  const own = protectionOf(controller)?.masterSecret
  if (own === undefined || own === security?.masterSecret || knowsMasterSecret(ctx.actor, controller)) return
  const has = security?.masterSecret === undefined ? 'has none' : 'has another one'
  throw problem(
    'master_secret_mismatch',
    `Instance "${instance.name}" was loaded with a master secret; device "${device.name}" ${has}.`,
    { suggestion: 'Send masterSecret: that of the controller.' },
  )
}

/** The same package for another description of the device: with its security settings and its modules. */
function withDevice(
  next: { load: LoadPackage; manifest: Manifest },
  { device, security, hardware }: Pick<Manifest, 'device' | 'security' | 'hardware'>,
) {
  const { security: _security, hardware: _hardware, ...rest } = next.manifest
  const manifest: Manifest = { ...rest, device, ...defined({ security, hardware }) }
  return { manifest, load: loadPackage(manifest, next.load.blobs, blobHash) }
}

/** The package on the memory card, with the present description of the device. */
async function hardwareOnly(ctx: CommandContext, device: Device, controller: Controller, instance: string) {
  const card = await controller.memoryCard()
  const manifest = requireManifest(card, `Instance "${instance}"`)
  const facts = {
    device: manifestDevice(device),
    ...defined({ security: protectionFor(ctx, device) }),
    ...(await manifestHardware(ctx, device)),
  }
  return withDevice({ load: card!, manifest }, facts)
}

/** Objects that a load adds, changes and removes. */
function changesBetween(before: readonly ProgramItem[], next: readonly ProgramItem[]): LoadChange[] {
  const old = new Map(before.map((item) => [keyOf(item), item]))
  const changes: LoadChange[] = []
  for (const item of next) {
    const { category, kind, name } = item
    const same = old.get(keyOf(item))
    old.delete(keyOf(item))
    if (!same) changes.push({ category, kind, name, change: 'added' })
    else if (!isSameItem(same, item)) changes.push({ category, kind, name, change: 'changed' })
  }
  for (const { category, kind, name } of old.values()) changes.push({ category, kind, name, change: 'removed' })
  return changes
}

/** True when the load would change nothing. Times and the id in the project do not count. */
function isSameLoad(before: Manifest, next: Manifest): boolean {
  const facts = ({ program, device: { id: _, ...device }, folders, security, hardware, alarms }: Manifest) =>
    JSON.stringify([program, device, folders, security, hardware, alarms])
  return facts(before) === facts(next) && changesBetween(before.objects, next.objects).length === 0
}
