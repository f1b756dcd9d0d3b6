/** The orderly end by a call: the one way that every system has. A signal ends a process hard on Windows. */
import { command, noInput, type Operation, post, problem } from '../../core/index.ts'

/** What the answer, or the first look at the job, has before nothing listens any more, ms. */
const answerMs = 250

export const stopOperations: readonly Operation[] = [
  command({
    id: 'system.stop',
    title: 'Stop the gateway',
    description:
      'Answers, and then ends the process of the gateway in order, as SIGTERM does: no new requests, the running job ends within ten seconds or is cancelled, jobs that wait run at the next start, virtual controllers and the engineering instance end, a checkpoint is written. `gantry stop` calls it and waits until the process has gone.',
    asks: ['shut the gateway down', 'end the gateway'],
    live: true,
    lasting: 'The gateway ends; someone has to start it again.',
    besideLane: true,
    access: 'admin',
    input: noInput,
    output: (t) =>
      t.Object({
        stopping: t.Boolean({ description: 'False in a dry run.' }),
        pid: t.Integer({ description: 'Process id of the gateway, on its machine.' }),
      }),
    http: [post('/api/system/actions/stop')],
    // An assistant would end its own connection.
    mcp: false,
    run(_, { gateway, dryRun }) {
      const { endProcess } = gateway
      if (endProcess === undefined)
        throw problem('not_available', 'This gateway is part of another program, which alone can end it.')
      if (!dryRun) setTimeout(endProcess, answerMs)
      return { stopping: !dryRun, pid: process.pid }
    },
  }),
]
