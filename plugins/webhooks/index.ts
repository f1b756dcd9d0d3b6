/** Webhooks: signed messages for ends of jobs, records of the audit and alarms. */
import { definePlugin, type Gateway } from '../../core/index.ts'
import type { Deliveries } from './deliver.ts'
import { webhookOperations } from './operations.ts'
import { webhookSlice } from './state.ts'

const running = new WeakMap<Gateway, Deliveries>()

export default definePlugin({
  name: 'webhooks',
  version: '1.0.0',
  description: 'Signed messages to other programs for ends of jobs, records of the audit and alarms.',
  requires: ['system', 'simulation'],
  slice: webhookSlice,
  operations: webhookOperations,
  docs: [{ name: 'webhooks', title: 'Webhooks', text: async () => (await import('./docs.ts')).webhooksPage }],
  async start(gateway: Gateway) {
    // A replay tells nobody.
    if (gateway.options.blobSource) return
    const { Deliveries } = await import('./deliver.ts')
    running.set(gateway, new Deliveries(gateway))
  },
  async stop(gateway: Gateway) {
    await running.get(gateway)?.stop()
    running.delete(gateway)
  },
})
