/** Exports hardware as an AML file. */
import { type CommandContext, problem, type QueryContext } from '../../core/index.ts'
import { type AmlVersion, amlVersions } from '../../plc/formats/aml/describe.ts'
import { type Device, devices, requireDevice } from '../devices/index.ts'
import { writeExport } from '../program-objects/index.ts'
import { fileNameOf, requireProject } from '../projects/index.ts'
import { writeTask } from './aml.task.ts'
import { frameKey, keptFrame, keptStations } from './kept.ts'
import { hardwareOf } from './to-aml.ts'

/** What is exported, and where to. */
export interface ExportRequest {
  readonly deviceName: string
  readonly scope?: 'device' | 'project' | undefined
  readonly exportPath?: string | undefined
  readonly overwrite?: boolean | undefined
  readonly engineeringVersion?: string | undefined
}

/**
 * Exports a device, or with `scope: 'project'` all devices that are not parked.
 * @throws GatewayError `no_project`, `not_found`, `conflict` (a parked device, a file that is there)
 */
export async function exportHardware(ctx: CommandContext, request: ExportRequest) {
  const device = requireDevice(ctx, request.deviceName)
  const open = requireProject(ctx)
  if (device.unplaced)
    throw problem('conflict', `"${device.name}" is in the parking lot: only devices of the project can be exported.`)
  const isWhole = request.scope === 'project'
  const placed = [...ctx.read(devices).values()].filter(({ unplaced }) => !unplaced)
  const chosen = isWhole ? placed : [device]
  ctx.progress(0, 'Collecting the hardware')
  const version = versionOf(request.engineeringVersion ?? open.version)
  const name = isWhole ? open.name : device.name
  const { text, warnings } = await amlOfDevices(ctx, chosen, { name, version })
  const file =
    request.exportPath === undefined
      ? undefined
      : await writeExport(
          ctx,
          name,
          { content: text, extension: '.aml' },
          request.exportPath,
          request.overwrite ?? false,
        )
  ctx.progress(100, `Wrote ${chosen.map((one) => one.name).join(', ')}`.slice(0, 200))
  return {
    name,
    format: 'aml',
    engineeringVersion: version as string,
    devices: chosen.map((one) => one.name),
    size: file?.size ?? Buffer.byteLength(text) + 3,
    ...(file ? { exportPath: file.path } : { content: text }),
    warnings: [...warnings, ...panelWarnings(chosen)],
  }
}

/**
 * The hardware of devices as the text of an AML file.
 * @param name of the file, without ending
 */
export async function amlOfDevices(
  ctx: Pick<QueryContext, 'read' | 'extensions' | 'files' | 'gateway' | 'engine' | 'blobs' | 'progress'>,
  chosen: readonly Device[],
  { name, version }: { readonly name: string; readonly version: AmlVersion },
): Promise<{ readonly text: string; readonly warnings: readonly string[] }> {
  const placed = [...ctx.read(devices).values()].filter(({ unplaced }) => !unplaced)
  const { hardware, warnings } = await hardwareOf(ctx, chosen)
  const kept = ctx.read(keptStations)
  const documents = chosen.flatMap(({ id }) => kept.get(id)?.document ?? [])
  const frame = ctx.read(keptFrame).get(frameKey)
  const changedAt = Math.max(0, ...chosen.map(({ id, createdAt }) => kept.get(id)?.changedAt ?? createdAt))
  ctx.progress(20, 'Writing the file')
  const written = await ctx.engine.run<{ text: string; warnings: readonly string[] }>(
    writeTask({
      hardware,
      options: { version, fileName: `${fileNameOf(name)}.aml`, writtenAt: new Date(changedAt).toISOString() },
      ...(frame ? { frame: await ctx.blobs.text(frame.document) } : {}),
      stations: await Promise.all(documents.map((hash) => ctx.blobs.text(hash))),
      isPart: chosen.length < placed.length,
    }),
  )
  return { text: written.text, warnings: [...warnings, ...written.warnings] }
}

/** The version that files for a version of TIA Portal are written in. */
export function versionOf(text: string): AmlVersion {
  return amlVersions.find((one) => one === text.toUpperCase()) ?? (`V${text.replace(/^v/i, '')}` as AmlVersion)
}

/** TIA Portal takes no HMI devices from CAx files (Openness manual, CAx). */
function panelWarnings(chosen: readonly Device[]): string[] {
  return chosen
    .filter(({ kind }) => kind === 'HMI')
    .map(({ name }) => `"${name}" is an HMI device: Gantry takes it from the file, TIA Portal does not`)
}
