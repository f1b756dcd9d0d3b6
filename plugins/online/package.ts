/** Makes the package of a download from the open project: the compiled program, the manifest, the texts. */

import type { CommandContext, Fault, GatewayError } from '../../core/index.ts'
import { blobHash, decodeProgram, OtherFormatError } from '../../plc/compiler/program-file.ts'
import { type MemoryUse, memoryUse } from '../../plc/program/memory-use.ts'
import { definitionsOf } from '../alarms/index.ts'
import { compileDevice, compiledDevices, leavesOf, programObjects, readStatuses, signatureOf } from '../blocks/index.ts'
import { type Device, hardwareFaults } from '../devices/index.ts'
import { ioDevicesOf, ioModulesOf, s7ConnectionsOf } from '../hardware/index.ts'
import { requireProject } from '../projects/index.ts'
import { protectionFor } from '../security/index.ts'
import { type LoadPackage, loadPackage } from '../simulation/index.ts'
import { type Manifest, type ManifestDevice, manifestFormat, packSources, readManifest } from './manifest.ts'
import { problem } from './problems.ts'
import { blobsOf, foldersOf, programItems } from './program-objects.ts'
import { supervisionsOf } from './supervisions.ts'

/** A problem lists at most this many faults. */
const mostFaults = 20

/** The compiler's messages, for the answer of a download. */
export interface Compiled {
  /** True when the download compiled it. */
  readonly now: boolean
  readonly warnings: number
  readonly program: string
  readonly compiledAt: number
}

/** Percent of a download that is done when the program is compiled. */
export const compiledPercent = 45

/**
 * The present compiled program of a device.
 *
 * @param compile compiles first, if needed
 * @throws GatewayError `program_not_compiled`; `program_has_errors` with the first messages of the compiler
 */
export async function requireCompiled(ctx: CommandContext, device: Device, compile: boolean): Promise<Compiled> {
  const isCurrent = (record: { readonly signature: string } | undefined) =>
    record?.signature === signatureOf(programObjects(ctx, device.id))
  let record = ctx.read(compiledDevices).get(device.id)
  const wasCurrent = isCurrent(record)
  const needed = !wasCurrent || record?.program === undefined
  // With errors it is compiled again only for their messages: the command fails, so no result is kept.
  if (needed && (compile || (wasCurrent && (record?.errors ?? 0) > 0))) {
    const { errorCount, messages } = await compileDevice(ctx, device, { scope: 'software', upTo: compiledPercent })
    if (errorCount > 0) throw hasErrors(device, errorCount, leavesOf(messages))
    record = ctx.read(compiledDevices).get(device.id)
  }
  if (!record || !isCurrent(record) || record.program === undefined)
    throw await notCompiled(ctx, device, record !== undefined)
  const { program, warnings, compiledAt } = record
  return { now: needed, warnings, program, compiledAt }
}

type Message = ReturnType<typeof leavesOf>[number]

function hasErrors({ name }: Device, count: number, messages: readonly Message[]): GatewayError {
  const errors = messages
    .filter(({ state }) => state === 'Error')
    .slice(0, mostFaults)
    .map(({ path, description, code, line, column, network, member }): Fault => {
      const places = { code, line, column, network, member }
      const known = Object.fromEntries(Object.entries(places).filter(([, value]) => value !== undefined))
      return { path, message: description, ...known }
    })
  const [first] = errors
  const at = first?.line === undefined ? '' : ` (line ${first.line}, column ${first.column})`
  const what = count === 1 ? 'an error' : `${count} errors`
  return problem(
    'program_has_errors',
    `The program of "${name}" has ${what}, so it cannot be downloaded: ${first?.path ?? ''}${at}: ${first?.message ?? ''}`,
    { errors, suggestion: `POST /api/devices/${encodeURIComponent(name)}/actions/compile-sync shows all messages.` },
  )
}

async function notCompiled(ctx: CommandContext, device: Device, wasCompiled: boolean): Promise<GatewayError> {
  const { name } = device
  const objects = programObjects(ctx, device.id)
  const statusOf = await readStatuses(
    ctx,
    device.id,
    objects.flatMap(({ stored }) => stored ?? []),
  )
  const changed = objects.flatMap((object): Fault[] => {
    if (object.stored === undefined) return []
    const { compileStatus, needsCompilation } = statusOf(object.stored)
    return needsCompilation
      ? [{ path: `${name}/${object.path}/${object.name}`, message: statusTexts[compileStatus] ?? compileStatus }]
      : []
  })
  const some = changed.slice(0, mostFaults)
  const what = wasCompiled ? 'has changed since it was compiled' : 'is not compiled'
  const which = some[0] ? ` (${some[0].path}${changed.length > 1 ? ` and ${changed.length - 1} more` : ''})` : ''
  return problem('program_not_compiled', `The program of "${name}" ${what}${which}.`, {
    errors: some,
    suggestion: `Send compile: true, or POST /api/devices/${encodeURIComponent(name)}/actions/compile-sync first.`,
  })
}

const statusTexts: Readonly<Record<string, string>> = {
  outdated: 'it, or something it uses, has changed since it was compiled',
  notCompiled: 'is not compiled',
  error: 'has errors',
}

/** The device in the form of the manifest. */
export function manifestDevice(device: Device): ManifestDevice {
  const { id, name, orderNumber, firmware, typeIdentifier, typeName, family, kind, network } = device
  return { id, name, orderNumber, firmware, typeIdentifier, typeName, family, kind, ...(network ? { network } : {}) }
}

/** The configured I/O modules, IO devices and S7 connections in the form of the manifest; nothing without any. */
export async function manifestHardware(
  ctx: Pick<CommandContext, 'read'>,
  device: Device,
): Promise<Pick<Manifest, 'hardware'>> {
  const modules = await ioModulesOf(ctx, device)
  const connections = await s7ConnectionsOf(ctx, device)
  const devices = modules.length > 0 ? await ioDevicesOf(ctx, device) : []
  if (modules.length + connections.length === 0) return {}
  const more = {
    ...(devices.length > 0 ? { devices } : {}),
    ...(connections.length > 0 ? { connections } : {}),
  }
  return { hardware: { modules, ...more } }
}

export interface DevicePackage {
  readonly load: LoadPackage
  readonly manifest: Manifest
  /** Of the CPU; the texts of the package are not in it, since a block's load memory has its source already. */
  readonly memory: MemoryUse
}

/**
 * The package of a device whose program is compiled.
 * @throws GatewayError `program_not_compiled` when another version of the gateway compiled it
 */
export async function packageOf(ctx: CommandContext, device: Device, compiled: Compiled): Promise<DevicePackage> {
  const blobs = new Map<string, Uint8Array>()
  const { symbols } = await decodeProgram(compiled.program, async (hash) => {
    const bytes = await ctx.blobs.get(hash)
    blobs.set(hash, bytes)
    return bytes
  }).catch((error: unknown) => {
    if (!(error instanceof OtherFormatError)) throw error
    throw problem('program_not_compiled', error.message, {
      suggestion: `POST /api/devices/${encodeURIComponent(device.name)}/actions/compile-sync { "rebuild": true }`,
      cause: error,
    })
  })
  const objects = programItems(ctx, device, blobHash)
  const texts = new Map<string, Uint8Array>()
  for (const hash of objects.flatMap(blobsOf)) {
    ctx.signal.throwIfAborted()
    if (!texts.has(hash)) texts.set(hash, await ctx.blobs.get(hash))
  }
  const { bytes, documents } = packSources(texts)
  const sources = blobHash(bytes)
  blobs.set(sources, bytes)
  const { id, name, version } = requireProject(ctx)
  const security = protectionFor(ctx, device)
  const hardware = await manifestHardware(ctx, device)
  const manifest: Manifest = {
    format: manifestFormat,
    program: compiled.program,
    project: { id, name, version },
    device: manifestDevice(device),
    ...(security ? { security } : {}),
    ...hardware,
    compiledAt: new Date(compiled.compiledAt).toISOString(),
    objects,
    folders: foldersOf(ctx, device),
    alarms: { ...definitionsOf(ctx, device), supervisions: supervisionsOf(objects, texts) },
    retentive: symbols.dataBlocks.flatMap(({ name: dataBlock, retentive }) => {
      const size = retentive.reduce((sum, [, length]) => sum + length, 0)
      return size === 0 ? [] : [{ dataBlock, bytes: size }]
    }),
    sources,
    documents,
  }
  const load = loadPackage(manifest, blobs, blobHash)
  // A package that cannot be read back must not be loaded.
  if (!readManifest(load.manifest)) throw new Error(`the manifest of "${device.name}" cannot be read back`)
  return { load, manifest, memory: memoryUse(symbols) }
}

/**
 * Checks the hardware configuration. Returns its warnings.
 * @throws GatewayError `unacceptable_content` when it has errors
 */
export async function requireHardware(ctx: CommandContext, device: Device): Promise<string[]> {
  const faults = await hardwareFaults(ctx, device)
  const errors = faults.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) {
    throw problem(
      'unacceptable_content',
      `The hardware configuration of "${device.name}" has errors: ${errors[0]?.message}`,
      {
        errors: errors
          .slice(0, mostFaults)
          .map(({ code, message }) => ({ path: `${device.name}/Hardware configuration`, code, message })),
        suggestion: 'Correct the configuration, or send hardware: false to load the program alone.',
      },
    )
  }
  return faults.map(({ message }) => message)
}
