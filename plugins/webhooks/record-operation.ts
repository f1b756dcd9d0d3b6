/** Notes what became of messages. */
import { command } from '../../core/index.ts'
import { type DeliveryNote, deliveriesNoted } from './state.ts'

/** Invoked only by the gateway itself; HTTP, MCP and CLI do not offer it. */
export const recordDeliveries = command({
  id: 'webhooks.record-deliveries',
  title: 'Note what became of messages of webhooks',
  description: 'The gateway does this when it has told receivers.',
  live: true,
  lasting: false,
  access: 'admin',
  input: (t) => t.Object({ notes: t.Array(t.Any(), { maxItems: 1000 }) }),
  output: (t) => t.Object({ noted: t.Integer() }),
  http: [],
  mcp: false,
  run({ notes }, ctx) {
    ctx.emit(deliveriesNoted, { notes: notes as DeliveryNote[] })
    return { noted: notes.length }
  },
})
