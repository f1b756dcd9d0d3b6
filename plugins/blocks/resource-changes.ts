/** Which records change the text of a block, for clients that watch it. */
import { blockUri, type ResourceChange } from '../../core/index.ts'
import { devices } from '../devices/index.ts'
import { type Block, blockChanged, blockCreated, blockDeleted, blockRenamed } from './block.ts'

const types = new Set([blockCreated, blockChanged, blockRenamed, blockDeleted].map(({ type }) => type))

/** The block of a record, by the name that clients watch: the old one of a renamed block. */
export const blockChange: ResourceChange = ({ type, data }, read) => {
  if (!types.has(type)) return undefined
  const { block, oldName } = data as { block: Block; oldName?: string }
  const device = read(devices).get(block.deviceId)
  return device && blockUri(device.name, oldName ?? block.name)
}
