/** A check on the engine: it takes seconds, and other requests go on. */
import type { EngineTask } from '../../../core/index.ts'
import type { FolderContent } from '../folder/folder.ts'
import { loadedPlugins } from '../folder/folder-plugins.ts'
import { type CheckResult, checkContent, gatewayConfig } from './check.ts'

export interface CheckTask {
  readonly content: FolderContent
  /** Settings in the place of those of the folder. */
  readonly config?: string
  /** Folders of the plugins of the gateway that add rules or formats. */
  readonly plugins?: readonly string[]
}

/** The result, or what is wrong with the settings or the folder. */
export type CheckAnswer =
  | { readonly result: CheckResult }
  | { readonly configFaults: readonly { readonly line: number; readonly column: number; readonly message: string }[] }
  | { readonly nothing: string }

/** Checks the content of a folder. */
export async function checkFolder({ content, config, plugins: folders = [] }: CheckTask): Promise<CheckAnswer> {
  try {
    const plugins = await loadedPlugins(folders)
    return { result: await checkContent(content, gatewayConfig(config ?? content.config, plugins), { plugins }) }
  } catch (error) {
    const { name, message, faults = [] } = error as Error & { faults?: CheckFaults }
    if (name === 'ConfigError') return { configFaults: faults }
    if (name === 'FolderError') return { nothing: message }
    throw error
  }
}

type CheckFaults = Extract<CheckAnswer, { configFaults: unknown }>['configFaults']

/** The task. */
export function checkTask(input: CheckTask): EngineTask {
  return { module: import.meta.url, fn: 'checkFolder', input }
}
