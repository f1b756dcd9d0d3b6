/** The operations of a gateway that is not opened: to read its log by their schemas. */
import { docsPlugin } from '../docs/operations.ts'
import { mcpPlugin } from '../mcp/operations.ts'
import { loadPlugins } from '../plugins/plugin-loader.ts'
import { Registry } from '../plugins/registry.ts'
import { State } from '../state/state.ts'
import { type RawOptions, readGatewayRun } from './options.ts'

/** Loads the plugins that a gateway with these options has. Nothing of them is started. */
export async function loadOperations(raw: RawOptions): Promise<Registry> {
  const registry = new Registry()
  for (const plugin of [docsPlugin, mcpPlugin]) registry.add(plugin)
  await loadPlugins(readGatewayRun(raw).pluginDirs, registry, new State())
  return registry
}
