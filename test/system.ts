/** A gateway with this plugin and the core's test plugin alone: the tests do not depend on the rest. */
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Stream, StreamEvent } from '../core/contract/operation.ts'
import { isGatewayError } from '../core/contract/problems.ts'
import type { GatewayOptions } from '../core/gateway.ts'
import { temporaryFolder } from './folder.ts'
import { actor, openTestGateway, type TestGateway } from './harness.ts'

const counter = fileURLToPath(new URL('../core/fixtures/plugins/counter', import.meta.url))
const system = fileURLToPath(new URL('../plugins/system', import.meta.url))

/** A directory with links to plugins; removed after the test. */
export async function pluginDirectory(t: TestContext, folders: readonly string[] = [counter, system]): Promise<string> {
  const dir = await temporaryFolder(t, 'gantry-plugins-')
  for (const folder of folders) {
    const plugin = join(dir, basename(folder))
    await symlink(folder, plugin, 'junction').catch(() => forward(folder, plugin))
  }
  return dir
}

/** A plugin that is another one, where the system makes no links (Wine, file systems of old). */
async function forward(folder: string, plugin: string): Promise<void> {
  const index = (await readdir(folder)).find((name) => /^index\.[jt]s$/.test(name))
  await mkdir(plugin)
  await writeFile(join(plugin, 'index.js'), `export { default } from '${pathToFileURL(join(folder, index!))}'\n`)
}

export async function openSystem(t: TestContext, options: Partial<GatewayOptions> = {}): Promise<TestGateway> {
  return openTestGateway(t, { pluginDirs: [await pluginDirectory(t)], ...options })
}

/** For `assert.rejects`: a problem with this code. */
export const problemOf = (code: string, detail?: RegExp) => (error: unknown) =>
  isGatewayError(error) && error.code === code && (detail?.test(error.message) ?? true)

/** Opens a stream; `signal` ends it. */
export async function openStream(
  { gateway }: TestGateway,
  id: string,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<AsyncIterator<StreamEvent>> {
  const operation = gateway.registry.operation(id) as unknown as Stream
  const events = await gateway.open(operation, input, { actor: actor(), signal })
  return events[Symbol.asyncIterator]()
}

/** The next events. */
export async function take(events: AsyncIterator<StreamEvent>, count: number): Promise<StreamEvent[]> {
  const taken: StreamEvent[] = []
  while (taken.length < count) {
    const { value, done } = await events.next()
    if (done) throw new Error(`the stream ended after ${taken.length} of ${count} events`)
    taken.push(value)
  }
  return taken
}

/** All events up to the end of the stream. */
export async function rest(events: AsyncIterator<StreamEvent>): Promise<StreamEvent[]> {
  const taken: StreamEvent[] = []
  for (let next = await events.next(); !next.done; next = await events.next()) taken.push(next.value)
  return taken
}
