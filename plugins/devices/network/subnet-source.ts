/** Where subnets come from that no interface names. */
import { extensionPoint, type SliceReader } from '../../../core/index.ts'

/** Gives the subnets that a plugin keeps. */
export type SubnetSource = (ctx: { read: SliceReader }) => Iterable<{ readonly name: string; readonly type: string }>

/** Subnets that another plugin keeps; those that no interface is in are known there alone. */
export const subnetSource = extensionPoint<SubnetSource>('devices.subnet-sources', {
  title: 'Sources of subnets',
  description: 'Subnets that another plugin keeps: those that no interface is in are known there alone.',
  constant: 'subnetSource',
  check: 'function',
  example: "(ctx) => [{ name: 'PN/IE_1', type: 'Ethernet' }]",
  formerly: 'devices.subnets',
})
