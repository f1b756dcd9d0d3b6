/** What clients read of instances, and the fields that several operations share. */
import type { FileReader, QueryContext, SchemaBuilder } from '../../core/index.ts'
import { allowedIn } from './controller/states.ts'
import { findInstance, type Instance, interfaceLimit } from './instance.ts'
import { configFields } from './instance-config.ts'
import { type Access, runtimeOf } from './runtime.ts'

export const instanceName = (t: SchemaBuilder) =>
  t.String({ minLength: 1, description: 'Name of the instance, e.g. PLC_1.' })
export const instanceAliases = ['instanceName', 'plcName', 'instance'] as const

export const networkFields = (t: SchemaBuilder) => ({
  interface: t.String({ description: 'X1, X2 …' }),
  ipAddress: t.String(),
  subnetMask: t.String(),
  gateway: t.Optional(t.String()),
})

/** State of an instance; `operatingState` is PLCSIM Advanced's name of it. */
export const stateFields = (t: SchemaBuilder) => ({
  name: t.String(),
  state: t.String({ description: 'Off, Booting, Stop, Startup, Run, Freeze or ShuttingDown.' }),
  operatingState: t.String({ description: 'The same, by the name that PLCSIM Advanced gives it.' }),
  allowed: t.Array(t.String(), { description: 'Transitions that are possible now, e.g. powerOn.' }),
  isConnected: t.Boolean({ description: 'It is the instance that tags are read from and written to.' }),
})

export function stateView(access: Access, instance: Instance) {
  const runtime = runtimeOf(access.gateway)
  const state = runtime.stateOf(instance)
  const isConnected = runtime.connected === instance.name.toLowerCase()
  return { name: instance.name, state, operatingState: state, allowed: [...allowedIn(state)], isConnected }
}

export const instanceFields = (t: SchemaBuilder) => ({
  ...stateFields(t),
  cpuType: t.String({ description: 'e.g. CPU 1515-2 PN.' }),
  orderNumber: t.String({ description: 'Empty: unspecified.' }),
  firmware: t.String(),
  family: t.String(),
  network: t.Array(t.Object(networkFields(t))),
  ipAddresses: t.Array(t.String()),
  storagePath: t.String({ description: 'Folder of its memory card.' }),
  communicationPort: t.Optional(t.Integer({ description: 'TCP port on which it alone speaks S7.' })),
  createdAt: t.DateTime(),
  modifiedAt: t.DateTime(),
})

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
    ...(communicationPort === undefined ? {} : { communicationPort }),
    createdAt: new Date(createdAt).toISOString(),
    modifiedAt: new Date(modifiedAt).toISOString(),
  }
}

/** The name of the connected instance as it is registered, or null. */
export function connectedName(ctx: Pick<QueryContext, 'gateway' | 'read'>): string | null {
  const { connected } = runtimeOf(ctx.gateway)
  return connected === undefined ? null : (findInstance(ctx, connected)?.name ?? null)
}

/** Definitions in one profile; more than can be powered on, because not all need to be on at once. */
export const definitionLimit = 100

/** An instance as a profile has it. */
export const definitionSchema = (t: SchemaBuilder) =>
  t.Object({
    name: t.String({ minLength: 1, maxLength: 200 }),
    cpuType: t.Optional(t.String({ maxLength: 200 })),
    orderNumber: t.Optional(t.String({ maxLength: 200 })),
    network: t.Optional(
      t.Array(
        t.Object({
          interface: t.Optional(t.String({ minLength: 1, maxLength: 20 })),
          ipAddress: t.String(),
          subnetMask: t.Optional(t.String()),
          gateway: t.Optional(t.Union([t.String(), t.Null()])),
        }),
        { maxItems: interfaceLimit },
      ),
    ),
    config: t.Optional(t.Object(configFields(t))),
    storagePath: t.Optional(t.String({ minLength: 1 })),
    communicationPort: t.Optional(t.Integer({ minimum: 1, maximum: 65_535 })),
  })
