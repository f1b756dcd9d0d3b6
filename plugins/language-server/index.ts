/** The language server `gantry lsp`: editors work with the texts of a program. */
import { definePlugin } from '../../core/index.ts'

export default definePlugin({
  name: 'language-server',
  version: '1.0.0',
  description: 'Language server for editors: gantry lsp.',
  docs: [{ name: 'editors', title: 'Editors', text: async () => (await import('./docs.ts')).editorsPage }],
})
