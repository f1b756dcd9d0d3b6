/** The language service for editors: the server `gantry lsp` for folders, operations for the open project. */
import { definePlugin } from '../../core/index.ts'
import { languageOperations } from './operations.ts'

export default definePlugin({
  name: 'language-server',
  version: '1.0.0',
  description: 'Language service for editors: gantry lsp, and operations on the open project.',
  requires: ['devices', 'program-objects', 'blocks', 'tags', 'types'],
  operations: languageOperations,
  docs: [{ name: 'editors', title: 'Editors', text: async () => (await import('./docs.ts')).editorsPage }],
})
