/** How clients that watch a resource hear of its changes: the plugin that owns it says which record is one. */
import type { LogRecord } from '../../store/index.ts'
import type { SliceReader } from './collection.ts'
import { extensionPoint } from './extension-point.ts'

/**
 * Names the resource that a record has changed; undefined: none.
 * @param read the state after the record
 */
export type ResourceChange = (record: LogRecord, read: SliceReader) => string | undefined

/** Where plugins say which records change a resource of theirs. */
export const resourceChanges = extensionPoint<ResourceChange>('mcp.resource-changes', {
  title: 'Changes of MCP resources',
  description:
    'Names the resource that a record of the log has changed, so that MCP clients which watch it hear of that; undefined: none.',
  constant: 'resourceChanges',
  check: 'function',
  example: "(record) => (record.type === 'plant.renamed' ? 'gantry://plant' : undefined)",
})

/** The address of the resource with a block's text. */
export const blockUri = (device: string, block: string) =>
  `gantry://devices/${encodeURIComponent(device)}/blocks/${encodeURIComponent(block)}`
