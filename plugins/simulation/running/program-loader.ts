/** How other plugins load the programs of devices into controllers. */
import { type CommandContext, extensionPoint } from '../../../core/index.ts'
import type { Device } from '../../devices/index.ts'
import type { Controller } from '../controller/contract.ts'
import type { Instance } from '../instances/instance.ts'

/** Loads a device's compiled program into a controller. The plugin that downloads (online) contributes it. */
export interface ProgramLoader {
  /**
   * Loads the program.
   * @throws GatewayError when the device does not exist, or when its program does not compile or fit
   */
  load(ctx: CommandContext, deviceName: string, instance: Instance, controller: Controller): Promise<void>
  /** Whether a controller has the program of another device than this one; false without a program. */
  isOfAnother(controller: Controller, device: Pick<Device, 'id' | 'name'>): boolean
}
/** The extension point of the plugin that downloads. */
export const programLoader = extensionPoint<ProgramLoader>('simulation.program-loaders', {
  title: 'Loaders of programs',
  description: "Loads a device's compiled program into a simulated controller. The plugin online contributes one.",
  constant: 'programLoader',
  check: {
    load: 'function',
    isOfAnother: 'function',
  },
  example: '{ load: async () => {}, isOfAnother: () => false }',
  formerly: 'simulation.program-loader',
})
