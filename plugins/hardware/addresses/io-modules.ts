/** The I/O modules of a controller as they go into what a download loads. */
import type { QueryContext } from '../../../core/index.ts'
import type { Device } from '../../devices/index.ts'
import type { IoType } from '../model.ts'
import { placeText } from '../modules/slots.ts'
import { stations } from '../station.ts'
import { spaceOf } from '../stations.ts'
import { modulesOf } from '../views.ts'
import { bytesOf, itemsBelow } from './addresses.ts'
import { identifiersOf } from './identifiers.ts'

/** A module with its bytes. */
export interface ConfiguredModule {
  readonly name: string
  /** The PLC, or the IO device it is plugged into. */
  readonly device: string
  readonly position: string
  readonly hardwareIdentifier: number
  readonly inputs: readonly { readonly firstByte: number; readonly bytes: number }[]
  readonly outputs: readonly { readonly firstByte: number; readonly bytes: number }[]
}

/**
 * The modules with addresses of a PLC and of its IO devices. None when no I/O module was plugged: then nothing is said
 * about what I/O there is, and programs reach every address.
 */
export function ioModulesOf(ctx: Pick<QueryContext, 'read'>, device: Device): ConfiguredModule[] {
  const { owner, members } = spaceOf(ctx, device)
  if (owner.id !== device.id) return []
  const identifiers = identifiersOf(ctx, device)
  const found = members.flatMap((member) => {
    const station = ctx.read(stations).get(member.id)
    if (!station) return []
    return modulesOf(station).flatMap(({ item, place }): ConfiguredModule[] => {
      // A board in a CPU is a module of its own.
      const parts = [item, ...item.items.filter(({ builtIn }) => builtIn).flatMap((one) => [...itemsBelow(one)])]
      const addresses = parts.flatMap((one) => one.addresses ?? [])
      const hardwareIdentifier = parts.map((one) => identifiers.of(member, one)).find((one) => one !== undefined)
      if (addresses.length === 0) return []
      const ranges = (ioType: IoType) =>
        addresses.filter((one) => one.ioType === ioType).map((one) => ({ firstByte: one.start, bytes: bytesOf(one) }))
      return [
        {
          name: item.role === undefined ? item.name : member.name,
          device: member.name,
          position: placeText(place),
          hardwareIdentifier: hardwareIdentifier ?? 0,
          inputs: ranges('Input'),
          outputs: ranges('Output'),
        },
      ]
    })
  })
  // The I/O of a compact CPU alone is no configuration of modules.
  const isConfigured = found.some((one) => one.name !== one.device)
  return isConfigured ? found : []
}
