/** Registers a virtual controller. */
import type { CommandContext } from '../../../core/index.ts'
import { defined } from '../../../core/index.ts'
import { readCpuType } from './cpu-type.ts'
import { type Instance, instanceCreated, requireFreeInstanceName, requireFreePort, takenAddresses } from './instance.ts'
import { type ConfigInput, defaultConfig, readConfig } from './instance-config.ts'
import { type NetworkInput, readNetwork } from './network.ts'
import { readStorage } from './storage.ts'

/** The description of a new instance: from a request, an entry of a profile, or a PLCSIM configuration. */
export interface NewInstance {
  readonly name: string
  readonly cpuType?: string | undefined
  readonly orderNumber?: string | undefined
  readonly network?: readonly NetworkInput[] | undefined
  readonly config?: ConfigInput | undefined
  readonly storagePath?: string | undefined
  readonly communicationPort?: number | undefined
}

/**
 * Registers an instance in the state Off. Defaults: an unspecified S7-1500 without network, default settings, and its
 * own storage folder.
 *
 * @param path JSON pointer of the input, used in faults
 * @throws GatewayError `invalid_input`, `name_taken`, `not_found` (CPU type), `unacceptable_content` (hardware that
 *   cannot be simulated), `conflict` (address, port or storage of another instance), `path_outside_workspace`
 */
export async function createInstance(ctx: CommandContext, input: NewInstance, path = ''): Promise<Instance> {
  const name = requireFreeInstanceName(ctx, input.name, `${path}/name`)
  const cpu = await readCpuType(input)
  const network = readNetwork(input.network ?? [], takenAddresses(ctx), `${path}/network`)
  const config = readConfig(input.config ?? {}, defaultConfig, `${path}/config`)
  const { communicationPort } = input
  if (communicationPort !== undefined) requireFreePort(ctx, communicationPort, `${path}/communicationPort`, name)
  const place = await readStorage(ctx, name, input.storagePath)
  const instance: Instance = {
    name,
    ...cpu,
    ...place,
    config,
    network,
    ...defined({ communicationPort }),
    createdAt: ctx.now,
    modifiedAt: ctx.now,
  }
  ctx.emit(instanceCreated, instance, `instance/${name}`)
  return instance
}
