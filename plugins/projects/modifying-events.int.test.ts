/** Which events of all plugins count as changes of the open project: after them it has to be saved. */
import { test } from 'node:test'
import { openTestGateway } from '../../test/harness.ts'
import { assertRecorded } from '../../test/recorded.ts'
import { projectSlice } from './project.ts'

/** The collection with the open project is the first of this plugin. */
const [openProject] = projectSlice.collections

/** Data of any shape: each field of it is such data again. */
const anything: unknown = new Proxy(() => anything, {
  get: (_target, key) =>
    key === Symbol.toPrimitive ? () => 'x' : key === Symbol.iterator ? () => [][Symbol.iterator]() : anything,
})

test('events that change the open project', async (t) => {
  const { gateway } = await openTestGateway(t)
  const found = new Map<string, boolean>()
  for (const { plugin } of gateway.plugins)
    for (const { event, reduce } of plugin.slice?.reductions ?? []) {
      let isChange = false
      const write = (of: unknown) =>
        new Proxy({} as Record<string, unknown>, {
          get: (_target, method) => () => {
            isChange ||= of === openProject && method === 'update'
            return anything
          },
        })
      try {
        reduce(write as never, anything as never, { time: 1 } as never)
      } catch {
        // It needs data of a certain shape; what notes the change is a reduction of its own.
      }
      found.set(event.type, (found.get(event.type) ?? false) || isChange)
    }
  const types = [...found].sort().map(([type, isChange]) => `${isChange ? 'changes ' : '-       '} ${type}\n`)
  assertRecorded(import.meta.url, 'modifying-events.txt', types.join(''))
})
