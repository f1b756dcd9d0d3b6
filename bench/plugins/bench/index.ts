/** The plugin that the HTTP benchmark calls: a command that appends one event, and a query of a job. */
import { collection, command, definePlugin, domainEvent, get, notFound, on, post, query } from '../../../core/index.ts'

interface Counter {
  readonly name: string
  readonly value: number
}
const counters = collection<Counter>('bench.counters')
const raised = domainEvent<{ name: string; by: number }>('bench.raised', 'A counter was raised')

export default definePlugin({
  name: 'bench',
  version: '1.0.0',
  slice: {
    version: 1,
    collections: [counters],
    reductions: [
      on(raised, (write, { name, by }) => {
        const all = write(counters)
        all.set(name, { name, value: (all.get(name)?.value ?? 0) + by })
      }),
    ],
  },
  operations: [
    command({
      id: 'bench.raise',
      title: 'Raise a counter',
      input: (t) => t.Object({ name: t.String({ minLength: 1 }), by: t.Integer() }),
      output: (t) => t.Object({ name: t.String(), value: t.Integer() }),
      http: [post('/api/bench/counters')],
      mcp: false,
      run({ name, by }, ctx) {
        ctx.emit(raised, { name, by }, `counter/${name}`)
        return { name, value: ctx.read(counters).get(name)!.value }
      },
    }),
    command({
      id: 'bench.raise-many',
      title: 'Raise many counters, one event each',
      input: (t) => t.Object({ count: t.Integer() }),
      output: (t) => t.Object({ count: t.Integer() }),
      http: [],
      mcp: false,
      run({ count }, ctx) {
        for (let i = 0; i < count; i++) ctx.emit(raised, { name: `counter-${i}`, by: 1 }, `counter/${i}`)
        return { count }
      },
    }),
    query({
      id: 'bench.get-job',
      title: 'Read a job',
      input: (t) => t.Object({ jobId: t.String() }),
      output: (t) => t.Unknown(),
      http: [get('/api/bench/jobs/{jobId}')],
      mcp: false,
      live: true,
      async run({ jobId }, { gateway }) {
        const job = await gateway.jobs.find(jobId)
        if (!job) throw notFound('job', jobId)
        return job
      },
    }),
  ],
})
