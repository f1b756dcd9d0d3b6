/** What an agent inside of the gateway works with: the same tools as MCP clients have, and the searches behind them. */

export { isReadOnly } from './contract/operation.ts'
export { type Hit, searchManual } from './docs/search.ts'
export { type Catalogue, type ToolDescription, toolsetOf } from './mcp/catalogue.ts'
export { searchOperations } from './mcp/operation-search.ts'
export type { ToolOutcome } from './mcp/results.ts'
export type { ToolCaller } from './mcp/tool-caller.ts'
export { gatewayTools, type Tools } from './mcp/tools.ts'
