/** Instances as shown to clients. */
import type { FileReader, QueryContext } from '../../../core/index.ts'
import { defined } from '../../../core/index.ts'
import { allowedIn } from '../controller/states.ts'
import { findInstance, type Instance } from '../instances/instance.ts'
import { type Access, runtimeOf } from './runtime.ts'

/**
 * The state of an instance.
 * @param state default: the present one; in a dry run the one that would be
 */
export function stateView(access: Access, instance: Instance, state = runtimeOf(access.gateway).stateOf(instance)) {
  const runtime = runtimeOf(access.gateway)
  const isConnected = runtime.connected === instance.name.toLowerCase()
  return { name: instance.name, state, operatingState: state, allowed: [...allowedIn(state)], isConnected }
}

/** An instance with its state. */
export async function instanceView(access: Access & { readonly files: FileReader }, instance: Instance) {
  const { cpuType, orderNumber, firmware, family, network, communicationPort, storage, createdAt, modifiedAt } =
    instance
  return {
    ...stateView(access, instance),
    cpuType,
    orderNumber,
    firmware,
    family,
    network: network.map((each) => ({ ...each })),
    ipAddresses: network.map(({ ipAddress }) => ipAddress),
    storagePath: await access.files.resolve(storage),
    ...defined({ communicationPort }),
    createdAt: new Date(createdAt).toISOString(),
    modifiedAt: new Date(modifiedAt).toISOString(),
  }
}

/** Returns the registered name of the connected instance, or null. */
export function connectedName(ctx: Pick<QueryContext, 'gateway' | 'read'>): string | null {
  const { connected } = runtimeOf(ctx.gateway)
  return connected === undefined ? null : (findInstance(ctx, connected)?.name ?? null)
}
