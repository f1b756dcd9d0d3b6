/** Values of data blocks on the controller of a device. What the operation does is loaded on first use. */

import { command, type Operation, post, problem } from '../../core/index.ts'
import { requireBlockOf } from '../blocks/index.ts'
import { requirePlc } from '../devices/index.ts'
import { deviceName, objectName } from '../program-objects/index.ts'
import { reach } from './connection.ts'
import { addressAliases, cpuState, cpuStateOf, ipAddress, placeFields, startValuesLoaded } from './declarations.ts'

const loadStartValues = command({
  id: 'online.load-start-values',
  title: 'Load the start values of a data block as its actual values',
  description:
    'All values of the data block on the controller become its start values, retentive ones and those of timers and counters in it too, all at one cycle control point. The start values are those that were downloaded: a block that has changed since is a 409. The device must be reachable and have the program; it need not be online.',
  live: true,
  access: 'operator',
  input: (t) => t.Object({ deviceName: deviceName(t), blockName: objectName(t, 'block'), ipAddress: ipAddress(t) }),
  output: (t) =>
    t.Object({
      ...placeFields(t),
      blockName: t.String(),
      number: t.Integer(),
      size: t.Integer({ description: 'Of the values, in bytes.' }),
      operatingState: cpuState(t),
    }),
  http: [post('/api/devices/{deviceName}/blocks/{blockName}/actions/load-start-values')],
  mcp: { toolset: 'online', destructive: true },
  needsInstance: true,
  aliases: { ipAddress: addressAliases },
  example: { deviceName: 'PLC_1', blockName: 'Recipe_DB' },
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const block = requireBlockOf(ctx, device, input.blockName)
    const { name, kind } = block
    if (!kind.endsWith('DB')) {
      const article = kind === 'OB' || kind === 'FB' ? 'an' : 'a'
      throw problem(
        'conflict',
        `"${name}" is no data block but ${article} ${kind}: it has no actual values of its own.`,
      )
    }
    const { instance, controller, address } = await reach(ctx, device, input.ipAddress)
    const { startValuesOf } = await import('./start-values.ts')
    const { number, write } = startValuesOf(controller.program, block, instance.name)
    if (!ctx.dryRun) await controller.write([write])
    const place = { deviceName: device.name, instance: instance.name }
    ctx.emit(startValuesLoaded, { ...place, blockName: name }, `block/${device.name}/${name}`)
    return {
      ...place,
      ipAddress: address,
      blockName: name,
      number,
      size: write.bytes.length,
      operatingState: cpuStateOf(controller),
    }
  },
})

export const valueOperations: readonly Operation[] = [loadStartValues]
