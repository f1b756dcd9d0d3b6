/** CAx data exchange: hardware as AML, both ways. */
import { definePlugin, extend, type QueryContext } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import { projectSection, requireProject, type TiaContent } from '../projects/index.ts'
import { keptSection, keptSlice } from './kept.ts'
import { caxOperations } from './operations.ts'

/** The hardware of devices of the open project as the text of an AML file. @throws GatewayError `no_project` */
export async function amlOfDevices(
  ctx: Pick<QueryContext, 'read' | 'extensions' | 'files' | 'gateway' | 'engine' | 'blobs' | 'progress'>,
  devices: readonly Device[],
): Promise<string> {
  const { amlOfDevices: write, versionOf } = await import('./export.ts')
  const { name, version } = requireProject(ctx)
  return (await write(ctx, devices, { name, version: versionOf(version) })).text
}

/** The hardware of a project of TIA Portal that was read (`readTiaFile`), as the text of an AML file. */
export async function amlOfTia(
  ctx: Pick<QueryContext, 'engine'>,
  { name, version, stations }: Pick<TiaContent, 'name' | 'version' | 'stations'>,
): Promise<string> {
  const [{ hardwareOfGiven }, { writeTask }, { versionOf }] = await Promise.all([
    import('./given-to-aml.ts'),
    import('./aml.task.ts'),
    import('./export.ts'),
  ])
  // The file has no time of the change of its hardware.
  const options = { version: versionOf(version), fileName: `${name}.aml`, writtenAt: new Date(0).toISOString() }
  const input = { hardware: hardwareOfGiven(name, stations), options, stations: [], isPart: false }
  return (await ctx.engine.run<{ text: string }>(writeTask(input))).text
}

export default definePlugin({
  name: 'cax',
  version: '1.0.0',
  description: 'CAx data exchange: the hardware of devices as AML files, both ways.',
  requires: ['projects', 'devices', 'hardware', 'tags'],
  slice: keptSlice,
  operations: caxOperations,
  docs: [{ name: 'cax', title: 'Hardware as AML', text: async () => (await import('./docs.ts')).caxPage }],
  extensions: [extend(projectSection, keptSection)],
})
