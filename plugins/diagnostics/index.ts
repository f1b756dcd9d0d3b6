/** Diagnostics of the gateway itself: what it is made of, read from its registries. */
import { definePlugin } from '../../core/index.ts'
import { diagnosticsOperations } from './operations.ts'

export default definePlugin({
  name: 'diagnostics',
  version: '1.0.0',
  description: 'What the gateway is made of: namespaces, types, enums, providers, services of a PLC.',
  requires: ['devices', 'blocks', 'online'],
  operations: diagnosticsOperations,
  docs: [
    {
      name: 'diagnostics',
      title: 'Types of the gateway',
      text: async () => (await import('./docs.ts')).diagnosticsPage,
    },
  ],
})
