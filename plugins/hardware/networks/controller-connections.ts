/** The configured S7 connections of a PLC as they go into what a download loads. */
import type { QueryContext } from '../../../core/index.ts'
import { type Device, devices } from '../../devices/index.ts'
import type { ConnectionEnd } from '../model.ts'
import { connections } from '../station.ts'

/** A connection as the program of one end knows it. */
export interface LoadedConnection {
  /** 256 for W#16#100. */
  readonly id: number
  readonly kind: 's7'
  readonly partnerAddress: string
}

/** The S7 connections of which the device is an end, when the address of the other end is known. */
export function s7ConnectionsOf(ctx: Pick<QueryContext, 'read'>, device: Device): LoadedConnection[] {
  const addressOf = ({ deviceId, interface: name }: ConnectionEnd) =>
    ctx
      .read(devices)
      .get(deviceId)
      ?.network?.interfaces.find((one) => one.name === name)?.ipAddress
  return [...ctx.read(connections).values()].flatMap(
    ({ type, local, localId, partner, partnerId, partnerAddress }): LoadedConnection[] => {
      if (type !== 'S7') return []
      const [id, address] =
        local.deviceId === device.id
          ? [localId, partner ? addressOf(partner) : partnerAddress]
          : partner?.deviceId === device.id
            ? [partnerId, addressOf(local)]
            : []
      return id === undefined || address === undefined ? [] : [{ id, kind: 's7', partnerAddress: address }]
    },
  )
}
