/** Where subnets come from that no interface names. */
import { extensionPoint, type SliceReader } from '../../core/index.ts'

/** Subnets that another plugin keeps; those that no interface is in are known there alone. */
export const subnetSource =
  extensionPoint<(ctx: { read: SliceReader }) => Iterable<{ readonly name: string; readonly type: string }>>(
    'devices.subnets',
  )
