/** What the plugins of a folder or gateway add to a check. */
import type { ContributedFormat } from '../../../plc/formats/file-format.ts'
import type { ConfigFault } from '../../../plc/review/config.ts'
import type { Rule } from '../../../plc/review/rule.ts'

/** What plugins add. */
export interface AddedByPlugins {
  readonly rules: readonly Rule[]
  readonly formats: readonly ContributedFormat[]
  /** Why plugins that the settings name cannot be used, with the place there. */
  readonly faults: readonly ConfigFault[]
  /** Names of the folders of plugins that are loaded. */
  readonly loaded: readonly string[]
}

export const noPlugins: AddedByPlugins = { rules: [], formats: [], faults: [], loaded: [] }
