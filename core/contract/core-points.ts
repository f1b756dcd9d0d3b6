/** The extension points of the core: those of every gateway, whichever plugins are loaded. */
import { codeTables } from './code-tables.ts'
import type { ExtensionPoint } from './extension-point.ts'
import { mcpPrompts } from './prompt.ts'
import { resourceChanges } from './resource-change.ts'
import { undoCheck } from './undo-check.ts'
import { webFolders, webPages } from './web-pages.ts'

export const corePoints: readonly ExtensionPoint<unknown>[] = [
  codeTables,
  mcpPrompts,
  resourceChanges,
  undoCheck,
  webFolders,
  webPages,
]
