/** Virtual controllers: the simulation runtime, its instances, their tags, sessions and profiles. */
import { definePlugin, type Gateway } from '../../core/index.ts'
import { controlOperations } from './control-operations.ts'
import type { Controller } from './controller/contract.ts'
import { type Instance, instanceOfAddress, liveEvents, requireInstance, simulationSlice } from './instance.ts'
import { instanceOperations } from './instance-operations.ts'
import { lifecycleOperations } from './lifecycle-operations.ts'
import { simulationProblems } from './problems.ts'
import { profileEvents, profileOperations } from './profile-operations.ts'
import { type Access, runtimeOf, stopRuntime } from './runtime.ts'
import { runtimeOperations } from './runtime-operations.ts'
import { reportOperations } from './state-reports.ts'
import { tagOperations } from './tag-operations.ts'

export type {
  Controller,
  ControllerOptions,
  Force,
  LoadOptions,
  LoadPackage,
  LoadReport,
  Modification,
  OperatingState,
  Transition,
} from './controller/contract.ts'
export { findInstance, type Instance, instances, requireInstance } from './instance.ts'
export { changeState, type ProgramLoader, programLoader } from './lifecycle-operations.ts'
export { type ControllerFactory, controllerFactory } from './runtime.ts'

/** Running programs on controllers that are no instances: making one, values by name. Loaded on first use. */
export const controllerTools = () => import('./controller-tools.ts')

/** The instance that has an interface with this IPv4 address, with its controller; it may be Off. */
export async function findInstanceByAddress(
  ctx: Access,
  ipAddress: string,
): Promise<{ instance: Instance; controller: Controller } | undefined> {
  const instance = instanceOfAddress(ctx, ipAddress)
  return instance && { instance, controller: await runtimeOf(ctx.gateway).controllerOf(instance) }
}

/**
 * The controller of an instance; it may be Off.
 * @throws GatewayError `not_found`
 */
export async function controllerOf(ctx: Access, name: string): Promise<Controller> {
  return runtimeOf(ctx.gateway).controllerOf(requireInstance(ctx, name))
}

export default definePlugin({
  name: 'simulation',
  version: '1.0.0',
  description: 'Virtual controllers: runtime, instances, tags, forces, traces, sessions and profiles.',
  requires: ['projects', 'devices', 'blocks'],
  slice: simulationSlice,
  events: [...liveEvents, ...profileEvents],
  operations: [
    ...runtimeOperations,
    ...instanceOperations,
    ...lifecycleOperations,
    ...tagOperations,
    ...controlOperations,
    ...profileOperations,
    ...reportOperations,
  ],
  problems: simulationProblems,
  docs: [
    {
      name: 'simulation',
      title: 'Simulation',
      text: async () => (await import('./docs.ts')).simulationPage,
    },
  ],
  start(gateway: Gateway) {
    // A replay stands on past state and must not run anything.
    if (!gateway.options.blobSource) runtimeOf(gateway).startWithGateway({ gateway, read: gateway.state.read })
  },
  stop: stopRuntime,
})
