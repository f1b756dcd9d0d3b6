/** Compiles devices and blocks of the open project. */

import type { CommandContext } from '../../../core/index.ts'
import { defined } from '../../../core/index.ts'
import { compareTexts } from '../../../lib/compare-texts.ts'
import { type Device, hardwareFaults } from '../../devices/index.ts'
import type { ProgramObject } from '../../program-objects/index.ts'
import { requireBlockOf } from '../block.ts'
import { blockView } from '../views.ts'
import type { ObjectOutcome } from './compile.task.ts'
import { type MemoryView, memoryMessages, memoryView } from './memory.ts'
import { type CompileCounts, type CompileMessage, countsOf, group, leavesOf, messagesOf } from './messages.ts'
import { type PlacedDiagnostic, type PlacedResult, placed } from './places.ts'
import {
  blocksCompiled,
  type CompiledDevice,
  type CompileRecord,
  compiledDevices,
  compileRecords,
  recordKey,
} from './records.ts'
import { type Finished, runTask } from './run-task.ts'
import { programObjects, signatureOf, statusOf } from './status.ts'

export interface CompileRequest {
  /** Default: all. */
  readonly scope?: 'all' | 'hardware' | 'software' | undefined
  /** Names of blocks, compiled with everything they use. Default: the whole software. */
  readonly blocks?: readonly string[] | undefined
  /** Compiles everything again, valid results included. */
  readonly rebuild?: boolean | undefined
  /** Percent of the job that is done when it has compiled; default: 100. */
  readonly upTo?: number | undefined
}

export interface CompileResult extends CompileCounts {
  readonly messages: readonly CompileMessage[]
  readonly compiledBlocks: number
  readonly unchangedBlocks: number
  readonly programHash?: string
  /** Memory of the CPU that the program needs, and how much there is. */
  readonly memory?: MemoryView
}

type DeviceOutcome = Omit<CompiledDevice, 'deviceId' | 'compiledAt'>

/** Compiles a device, or some of its blocks. Faults of the program are in the result. */
export async function compileDevice(
  ctx: CommandContext,
  device: Device,
  { scope = 'all', blocks, rebuild, upTo }: CompileRequest,
): Promise<CompileResult> {
  const areas: CompileMessage[] = []
  if (scope !== 'software' && blocks === undefined) areas.push(await hardware(ctx, device))
  const isProgrammed = device.kind === 'PLC' && scope !== 'hardware'
  const software = isProgrammed ? await compileSoftware(ctx, device, { blocks, rebuild, upTo }) : undefined
  if (software) areas.push(...software.areas)
  const memory = software?.memory && memoryView(software.memory, device.orderNumber)
  if (software?.memory) areas.push(...memoryMessages(device, software.memory))
  const whole = group(device.name, summaryOf(device, areas), areas)
  const { state, errorCount, warningCount } = whole
  return {
    state,
    errorCount,
    warningCount,
    messages: [whole],
    compiledBlocks: software?.compiled ?? 0,
    unchangedBlocks: software?.unchanged ?? 0,
    ...(software?.program === undefined ? {} : { programHash: software.program }),
    ...defined({ memory }),
  }
}

/** The part of a compilation's result that other operations report when they compile too. */
export interface CompileSummary {
  /** True when there are no errors. */
  readonly compiled: boolean
  readonly compileStatus: 'success' | 'warning' | 'error'
  /** The messages as a flat list. */
  readonly compileMessages: readonly CompileMessage[]
}

/** Compiles blocks and what they use, directly after an import. */
export async function compileBlocks(
  ctx: CommandContext,
  device: Device,
  blocks: readonly string[],
): Promise<CompileSummary> {
  const { state, messages } = await compileDevice(ctx, device, { scope: 'software', blocks })
  const statuses = { Success: 'success', Warning: 'warning', Error: 'error' } as const
  return { compiled: state !== 'Error', compileStatus: statuses[state], compileMessages: leavesOf(messages) }
}

/** The result of an import; with the result of compiling it, if requested. */
export async function compileImported<T extends { readonly objects: readonly { readonly name: string }[] }>(
  ctx: CommandContext,
  device: Device,
  result: T,
  isAsked: boolean,
): Promise<T> {
  if (!isAsked || result.objects.length === 0) return result
  const names = result.objects.map(({ name }) => name)
  return { ...result, ...(await compileBlocks(ctx, device, names)) }
}

/** The view of a block that was written; compiled, with the result of that, if requested. */
export async function compileWritten<T extends { readonly name: string }>(
  ctx: CommandContext,
  device: Device,
  view: T,
  isAsked = false,
): Promise<T & Partial<CompileSummary>> {
  if (!isAsked) return view
  const summary = await compileBlocks(ctx, device, [view.name])
  const block = requireBlockOf(ctx, device, view.name)
  return { ...view, ...blockView(block, await statusOf(ctx, block)), ...summary }
}

function summaryOf(device: Device, areas: readonly CompileMessage[]): string {
  const { errorCount, warningCount } = countsOf(areas)
  return `${device.typeName}: compiling finished (errors: ${errorCount}; warnings: ${warningCount})`
}

async function hardware(ctx: CommandContext, device: Device): Promise<CompileMessage> {
  const path = `${device.name}/Hardware configuration`
  const found = await hardwareFaults(ctx, device)
  const messages = messagesOf(
    found.map((fault) => ({ ...fault, device: device.name })),
    path,
  )
  return group(path, 'Hardware configuration', messages)
}

async function compileSoftware(
  ctx: CommandContext,
  device: Device,
  { blocks, rebuild, upTo }: Pick<CompileRequest, 'blocks' | 'rebuild' | 'upTo'>,
) {
  // Sorted: the same objects give the same program and hash in whatever order they were imported.
  const objects = programObjects(ctx, device.id)
    .map((object) => ({ object, key: object.name.toLowerCase() }))
    .sort((a, b) => compareTexts(a.key, b.key))
    .map(({ object }) => object)
  const result = await runTask(ctx, device, objects, { only: blocks, rebuild, upTo })
  const { program } = result
  const contents = [...result.units, ...(program?.blobs ?? []).flatMap(({ bytes }) => bytes ?? [])]
  await Promise.all(contents.map((content) => ctx.blobs.put(content)))
  const isWhole = blocks === undefined
  const diagnostics = [...result.others, ...result.objects.flatMap((object) => object.diagnostics)]
  const now: DeviceOutcome = {
    ...numberOf(diagnostics),
    signature: signatureOf(objects),
    ...(program ? { program: program.hash } : {}),
  }
  keepResults(ctx, device, result, isWhole ? now : undefined)
  return {
    areas: areasOf(device, objects, await placed(ctx, objects, result)),
    compiled: result.objects.filter(({ unit, isUnchanged }) => unit !== undefined && !isUnchanged).length,
    unchanged: result.unchanged,
    program: isWhole ? program?.hash : undefined,
    memory: isWhole ? result.memory : undefined,
  }
}

/** Emits the events of changed results. */
function keepResults(
  ctx: CommandContext,
  device: Device,
  { objects, program }: Finished,
  whole: DeviceOutcome | undefined,
): void {
  const known = ctx.read(compileRecords)
  const records = objects.flatMap((object) => {
    const before = known.get(recordKey(device.id, object.name))
    const record = recordOf(object, before)
    return before !== undefined && isSameRecord(before, record) ? [] : [record]
  })
  const before = ctx.read(compiledDevices).get(device.id)
  const isSame =
    whole !== undefined &&
    before?.signature === whole.signature &&
    before.program === whole.program &&
    before.errors === whole.errors &&
    before.warnings === whole.warnings
  const blobs = (program?.blobs ?? []).map(({ hash }) => hash)
  if (records.length === 0 && (whole === undefined || isSame)) return
  ctx.emit(
    blocksCompiled,
    { deviceId: device.id, records, ...(whole ? { device: whole } : {}), blobs },
    `device/${device.name}`,
  )
}

/** True when names and hashes are equal. */
function isSameRecord(a: CompileRecord, b: Omit<CompileRecord, 'deviceId'>): boolean {
  return (
    a.name === b.name &&
    a.document === b.document &&
    a.interface === b.interface &&
    a.interfaces === b.interfaces &&
    a.errors === b.errors &&
    a.warnings === b.warnings &&
    a.unit === b.unit
  )
}

function numberOf(diagnostics: readonly Pick<PlacedDiagnostic, 'severity'>[]) {
  const count = (wanted: string) => diagnostics.filter(({ severity }) => severity === wanted).length
  return { errors: count('error'), warnings: count('warning') }
}

function recordOf(
  { name, document, interface: own, uses, interfaces, diagnostics, unit }: ObjectOutcome,
  before: CompileRecord | undefined,
) {
  const record: Omit<CompileRecord, 'deviceId'> = {
    name,
    document,
    interface: own,
    uses: uses ?? before?.uses ?? [],
    interfaces,
    ...numberOf(diagnostics),
    ...defined({ unit }),
  }
  return record
}

const areaNames: Readonly<Record<string, string>> = {
  block: 'Program blocks',
  type: 'PLC data types',
  'tag-table': 'PLC tags',
}

/** Messages by area and object. Objects whose last result is still valid appear when they have messages. */
function areasOf(device: Device, objects: readonly ProgramObject[], result: PlacedResult): CompileMessage[] {
  const byName = new Map(objects.map((object) => [object.name.toLowerCase(), object]))
  const areas = new Map<string, CompileMessage[]>()
  const add = (area: string, message: CompileMessage) => {
    const list = areas.get(area)
    if (list) list.push(message)
    else areas.set(area, [message])
  }
  const show = (name: string, diagnostics: readonly PlacedDiagnostic[]) => {
    const object = byName.get(name.toLowerCase())
    const area = areaNames[object?.category ?? ''] ?? 'PLC tags'
    const path = `${device.name}/${object === undefined ? area : object.category === 'tag-table' ? object.path : `${object.path}/${object.name}`}`
    const messages = messagesOf(diagnostics, path)
    const text = object === undefined ? name : `${object.typeName} "${object.name}"`
    const title = diagnostics.length === 0 ? `${text}: compiled successfully` : text
    add(area, group(path, title, messages))
  }
  for (const { name, diagnostics, isUnchanged, unit } of result.objects)
    if (diagnostics.length > 0 || (unit !== undefined && !isUnchanged)) show(name, diagnostics)
  const others = new Map<string, PlacedDiagnostic[]>()
  for (const diagnostic of result.others) {
    const list = others.get(diagnostic.object)
    if (list) list.push(diagnostic)
    else others.set(diagnostic.object, [diagnostic])
  }
  for (const [name, diagnostics] of others) show(name, diagnostics)
  return Object.values(areaNames).flatMap((area) => {
    const messages = areas.get(area)
    return messages === undefined ? [] : [group(`${device.name}/${area}`, area, messages)]
  })
}
