/** Online functions: going online, download, upload, compare, the state of CPUs. */
import { codeTables, definePlugin, extend } from '../../core/index.ts'
import { requirePlc } from '../devices/index.ts'
import { requireAccess } from '../security/index.ts'
import { type ProgramLoader, programLoader } from '../simulation/index.ts'
import { isOfAnother, requireOwnInstance } from './compatibility.ts'
import { endWithDevice, keepOnlineDevices, onlineSlice } from './connection.ts'
import { connectionOperations } from './connection-operations.ts'
import { transferEvents } from './declarations.ts'
import { diagnosticOperations } from './diagnostic-operations.ts'
import { logicOperations } from './logic-operations.ts'
import { readManifest } from './manifest.ts'
import { onlineProblems, transferCodes } from './problems.ts'
import { tableEvents } from './tables/declarations.ts'
import { forceOperations } from './tables/force-operations.ts'
import { watchOperations } from './tables/watch-operations.ts'
import { transferOperations } from './transfer-operations.ts'
import { valueOperations } from './value-operations.ts'

export { onlineTypes } from './diagnostic-operations.ts'

/** A simulation session loads the device it is started with, after compiling changes. */
const loader: ProgramLoader = {
  async load(ctx, deviceName, instance, controller) {
    const device = requirePlc(ctx, deviceName)
    requireAccess(ctx.actor, controller, 'simulation.start')
    requireOwnInstance(ctx, device, instance, controller)
    const { download } = await import('./download.ts')
    await download(ctx, device, { instance, controller }, { compile: true, stopModules: true, startAfter: false })
  },
  isOfAnother({ program }, device) {
    const manifest = program?.package && readManifest(program.package.manifest)
    return manifest !== undefined && isOfAnother(device, manifest)
  },
}

export default definePlugin({
  name: 'online',
  version: '1.0.0',
  description: 'Online functions: going online, download, upload, compare, the state of CPUs.',
  requires: ['projects', 'devices', 'blocks', 'types', 'tags', 'watch-tables', 'simulation', 'security', 'alarms'],
  slice: onlineSlice,
  events: [...transferEvents, ...tableEvents],
  operations: [
    ...connectionOperations,
    ...transferOperations,
    ...valueOperations,
    ...diagnosticOperations,
    ...logicOperations,
    ...watchOperations,
    ...forceOperations,
  ],
  hooks: [...keepOnlineDevices, endWithDevice],
  extensions: [extend(programLoader, loader), extend(codeTables, transferCodes)],
  problems: onlineProblems,
  docs: [
    { name: 'online', title: 'Online', text: async () => (await import('./docs.ts')).onlinePage },
    {
      name: 'live-tables',
      title: 'Watch and force tables online',
      text: async () => (await import('./tables/docs.ts')).liveTablesPage,
    },
  ],
})
