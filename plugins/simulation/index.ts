/** Virtual controllers: the simulation runtime, its instances, their tags, sessions and profiles. */
import { codeTables, definePlugin, extend, type Gateway, mcpPrompts } from '../../core/index.ts'
import { controlOperations } from './control/control-operations.ts'
import { eventOperations } from './control/event-operations.ts'
import { moduleOperations } from './control/module-operations.ts'
import { tagOperations } from './control/tag-operations.ts'
import type { Controller, ControllerOptions } from './controller/contract.ts'
import { controllerDriver, virtualDriver } from './drivers/driver-point.ts'
import {
  type Instance,
  instanceOfAddress,
  instances,
  liveEvents,
  requireInstance,
  runtimeConfigOf,
  simulationSlice,
} from './instances/instance.ts'
import { simulationProblems } from './problems.ts'
import { profileEvents, profileOperations } from './profiles/profile-operations.ts'
import { findOutput } from './prompts.ts'
import { alarmReportOperations } from './reports/alarm-reports.ts'
import { diagnosticsBufferCodes } from './reports/diagnostic-codes.ts'
import { passwordReportOperations } from './reports/password-reports.ts'
import { reportOperations } from './reports/state-reports.ts'
import { instanceOperations } from './running/instance-operations.ts'
import { lifecycleOperations } from './running/lifecycle-operations.ts'
import { lockStepOperations } from './running/lock-step-operations.ts'
import { programLoader } from './running/program-loader.ts'
import { type Access, runtimeOf, stopRuntime } from './running/runtime.ts'
import { runtimeOperations } from './running/runtime-operations.ts'

export {
  type AlarmClass,
  type AlarmDefinition,
  type AlarmDefinitions,
  type AlarmTextList,
  type AlarmTexts,
  type DefinedSupervision,
  instanceKey,
  standardClasses,
  supervisionKey,
} from './controller/alarm-definitions.ts'
export type { AlarmEntry } from './controller/alarm-log.ts'
export type { AlarmSelection, PendingAlarm } from './controller/alarm-messages.ts'
export type { KnownAlarm } from './controller/alarm-sources.ts'
export type {
  Controller,
  CycleCounts,
  Force,
  LoadedProgram,
  LoadPackage,
  LoadReport,
  LostValue,
  MemoryWrite,
  Modification,
  OperatingState,
  Transition,
} from './controller/contract.ts'
export type { ManifestHardware } from './controller/io-modules.ts'
export { loadPackage } from './controller/load-package.ts'
export { checkPassword, checkSecret, isStillValid, type Legitimation } from './controller/password-check.ts'
export {
  type ControllerProtection,
  type CpuAccessLevel,
  type CpuUser,
  cpuAccessLevels,
  includesLevel,
  isProtection,
  type PasswordLevel,
  passwordLevels,
  protectionOf,
} from './controller/protection.ts'
export { instanceAliases, instanceName } from './declarations.ts'
export { type ControllerDriver, controllerDriver, type DeviceLink, type DriverProgram } from './drivers/driver-point.ts'
export { alarmsReported, type Instance, instances, requireInstance } from './instances/instance.ts'
export { simulationProblems } from './problems.ts'
export { type AlarmValueView, alarmValueView } from './reports/alarm-values.ts'
export { knownAlarms } from './reports/known-alarms.ts'
export { changeState } from './running/lifecycle-operations.ts'
export { type ProgramLoader, programLoader } from './running/program-loader.ts'
export { addressesOf, startsFor, stepsWithoutInstance, supportStep, tellSteps } from './running/readiness.ts'
export { s7Rights } from './s7/rights.ts'
export {
  activeForces,
  type BlockValue,
  blockValues,
  ForcedBits,
  forceFault,
  forcesOf,
  formatValue,
  type JsonValue,
  parseModifyValue,
  planOf,
  planWrites,
  type ResolvedTag,
  readPlanned,
  readTags,
  readValue,
  requireProgram,
  resolveTag,
  scalarValue,
  type TagChange,
  type TraceColumn,
  traceColumns,
  traceValues,
  watchTags,
  writeTags,
  writeValue,
} from './tags/index.ts'

/** Creates a controller that is not an instance, in the state Off. Loads the modules that run programs. */
export async function createController(options: ControllerOptions): Promise<Controller> {
  return (await import('./controller/controller.ts')).createController(options)
}

/** Finds the instance that has an interface with this IPv4 address, with its controller, which may be Off. */
export async function findInstanceByAddress(
  ctx: Access,
  ipAddress: string,
): Promise<{ instance: Instance; controller: Controller } | undefined> {
  const instance = instanceOfAddress(ctx, ipAddress)
  return instance && { instance, controller: await controllerOf(ctx, instance.name) }
}

/**
 * Returns the controller of an instance; it may be Off.
 * @throws GatewayError `not_found`
 */
export async function controllerOf(ctx: Access, name: string): Promise<Controller> {
  const instance = requireInstance(ctx, name)
  return runtimeOf(ctx.gateway).controllerOf(instance)
}

/** What a running or ended trace of an instance recorded. @throws GatewayError when there is none */
export async function recordedTrace(ctx: Access, name: string) {
  return (await import('./control/recorded-trace.ts')).recordedTrace(ctx, name)
}

/**
 * Returns a signal that is aborted when the instance is deleted or the gateway stops.
 * @throws GatewayError `not_found`
 */
export async function instanceEnd(ctx: Access, name: string): Promise<AbortSignal> {
  return (await runtimeOf(ctx.gateway).entryOf(requireInstance(ctx, name))).ended.signal
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
    ...eventOperations,
    ...moduleOperations,
    ...lockStepOperations,
    ...profileOperations,
    ...reportOperations,
    ...alarmReportOperations,
    ...passwordReportOperations,
  ],
  problems: simulationProblems,
  extensionPoints: [controllerDriver, programLoader],
  extensions: [
    extend(controllerDriver, virtualDriver),
    extend(codeTables, diagnosticsBufferCodes),
    extend(mcpPrompts, findOutput),
  ],
  docs: [
    {
      name: 'simulation',
      title: 'Simulation',
      text: async () => (await import('./docs.ts')).simulationPage,
    },
  ],
  async start(gateway: Gateway) {
    // A replay uses a past state and must not start controllers.
    if (gateway.options.blobSource) return
    const access = { gateway, read: gateway.state.read }
    const own = [...access.read(instances).values()].filter(({ config }) => config.autoStart)
    if (own.length === 0 && !runtimeConfigOf(access).autoStart) return
    runtimeOf(gateway).startWithGateway(access, own)
  },
  async stop(gateway: Gateway) {
    await stopRuntime(gateway)
  },
})
