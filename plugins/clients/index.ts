/** Typed clients in other languages, written from the OpenAPI document of a running gateway (`gantry client`). */
import { definePlugin } from '../../core/index.ts'

export default definePlugin({
  name: 'clients',
  version: '1.0.0',
  description: 'Typed clients for TypeScript and Python, written from the OpenAPI document of a running gateway.',
  docs: [{ name: 'clients', title: 'Generated clients', text: async () => (await import('./docs.ts')).clientsPage }],
})
