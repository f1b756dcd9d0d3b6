/** Which instance a request is about that names none, or one that is not there. */
import type { CommandContext } from '../../../core/index.ts'
import type { Device } from '../../devices/index.ts'
import { type Instance, instances, makesInstance, requireInstance } from '../instances/instance.ts'
import { problem } from '../problems.ts'
import { programLoader } from './program-loader.ts'
import { instanceFor, noInstance, plcsOf, stepsWithoutInstance } from './readiness.ts'
import { runtimeOf } from './runtime.ts'

/** The PLC that a request without a device is about: one of that name, or the only one. */
function plcMeant(ctx: CommandContext, name: string | undefined): Device | undefined {
  const all = plcsOf(ctx)
  const named = all.find((one) => one.name.toLowerCase() === name?.toLowerCase())
  return named ?? (all.length === 1 ? all[0] : undefined)
}

/**
 * The instance for a request without a name: that of the device, else the only one, or the only one that is powered on.
 * @throws GatewayError `invalid_input` with the possible names, or with all that is missing
 */
export async function chosenInstance(
  ctx: CommandContext,
  name: string | undefined,
  device?: Device,
): Promise<Instance> {
  if (name !== undefined) {
    const plc = device ?? plcMeant(ctx, name)
    const isFirst = plc !== undefined && ctx.read(instances).size === 0
    if (isFirst) throw noInstance(`there is no instance "${name}"`, stepsWithoutInstance(ctx, plc, name))
    return requireInstance(ctx, name)
  }
  if (device !== undefined) {
    const found = instanceFor(ctx, device, await othersOf(ctx, device))
    if (found) return found
    const message = `is missing, and no instance is made for device "${device.name}"`
    throw noInstance(message, stepsWithoutInstance(ctx, device))
  }
  const all = [...ctx.read(instances).values()]
  const on = all.filter((each) => runtimeOf(ctx.gateway).stateOf(each) !== 'Off')
  const only = all.length === 1 ? all[0] : on.length === 1 ? on[0] : undefined
  if (only) return only
  const names = all.map((each) => `"${each.name}"`).join(', ')
  const message = `is missing${names ? `; there are ${names}` : '; there is no instance yet'}`
  const plc = plcMeant(ctx, undefined)
  if (plc !== undefined && all.length === 0) throw noInstance(message, stepsWithoutInstance(ctx, plc))
  throw problem('invalid_input', `/name: ${message}`, {
    errors: [{ path: '/name', message }],
    ...(all.length === 0 ? { suggestion: makesInstance('PLC_1') } : {}),
  })
}

/** Tells of instances whether they have the program of another device. */
async function othersOf(ctx: CommandContext, device: Device): Promise<(instance: Instance) => boolean> {
  const loader = ctx.extensions(programLoader).at(-1)
  const runtime = runtimeOf(ctx.gateway)
  const others = new Set<Instance>()
  for (const instance of ctx.read(instances).values()) {
    if (loader?.isOfAnother(await runtime.controllerOf(instance), device)) others.add(instance)
  }
  return (instance) => others.has(instance)
}
