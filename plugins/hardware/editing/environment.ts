/** What a station is changed in. */
import type { Device } from '../../devices/index.ts'
import { addressLimit, takenBy } from '../addresses/addresses.ts'
import { identifiersOf } from '../addresses/identifiers.ts'
import { familyOf } from '../modules/module-type.ts'
import { classNameOfDevice, spaceOf, stationOf } from '../stations.ts'
import type { Environment } from './edited.ts'

/** What a station lies in: the addresses of the others of its space, and all identifiers in it. */
export async function environmentOf(ctx: Parameters<typeof stationOf>[0], device: Device): Promise<Environment> {
  const { owner, members } = spaceOf(ctx, device)
  const others = await Promise.all(members.filter(({ id }) => id !== device.id).map((one) => stationOf(ctx, one)))
  return {
    className: classNameOfDevice(device),
    others: others.flatMap(takenBy),
    limit: addressLimit(familyOf(owner.family), owner.typeName),
    identifiers: identifiersOf(ctx, device).holders,
  }
}
