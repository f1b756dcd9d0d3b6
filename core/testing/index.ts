/**
 * For tests of plugins (`gantry/testing`): a whole gateway in this process, on a temporary data directory.
 *
 *     const gantry = await openTestGateway({ plugins: [new URL('../my-plugin', import.meta.url)] })
 *     t.after(() => gantry.close())
 *     assert.deepEqual(await gantry.call('my-plugin.list'), { total: 0 })
 */
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtInPlugins } from '../boot/running-code.ts'
import { Gateway, type GatewayOptions } from '../gateway.ts'
import type { Call } from '../jobs/dispatcher.ts'

/** Options of the gateway itself, and: */
export interface TestGatewayOptions extends Partial<GatewayOptions> {
  /**
   * Folders of plugins, each with its `index.ts` or `index.js`; loaded in addition to the built-in ones, as from
   * `--plugins-dir`.
   */
  readonly plugins?: readonly (URL | string)[]
}

export interface TestGateway {
  readonly gateway: Gateway
  /** Contains `data/` and `workspace/`; removed by `close`. */
  readonly dir: string
  /** Runs an operation as an administrator, unless `call` names another actor. @throws GatewayError of the operation */
  call<T = Record<string, unknown>>(
    operation: string,
    input?: Record<string, unknown>,
    call?: Partial<Call>,
  ): Promise<T>
  /** Closes the gateway and opens another one on the same data directory. */
  restart(options?: Partial<GatewayOptions>): Promise<TestGateway>
  /** Closes every gateway opened on the directory, and removes it. */
  close(): Promise<void>
}

/**
 * Opens a gateway that checks every result against its output schema. Heavy work runs in this process (`withoutEngine`)
 * and what is written is not synced to the disk (`durability: 'os'`), unless the options say otherwise.
 *
 * @throws Error with the reason when one of `plugins` is not loaded
 */
export async function openTestGateway({ plugins = [], ...options }: TestGatewayOptions = {}): Promise<TestGateway> {
  const dir = await mkdtemp(join(tmpdir(), 'gantry-test-'))
  const pluginsDir = join(dir, 'plugins')
  await mkdir(pluginsDir)
  for (const plugin of plugins) {
    const folder = typeof plugin === 'string' ? plugin : fileURLToPath(plugin)
    await symlink(folder, join(pluginsDir, basename(folder)), 'junction')
  }
  const opened: Gateway[] = []
  const close = async () => {
    // Running controllers write into the folder until their gateway is closed.
    for (const gateway of opened) await gateway.close(2000)
    await rm(dir, { recursive: true, force: true })
  }
  const open = async (changed: Partial<GatewayOptions>): Promise<TestGateway> => {
    const gateway = await Gateway.open({
      dataDir: join(dir, 'data'),
      workspace: [join(dir, 'workspace')],
      version: '0.0.0-test',
      // The directory does not outlive the test: no power failure matters to it.
      durability: 'os',
      withoutEngine: true,
      checkOutputs: true,
      ...changed,
      pluginDirs: [...(changed.pluginDirs ?? [builtInPlugins]), pluginsDir],
    })
    opened.push(gateway)
    const fault = gateway.pluginFaults.find(({ folder }) => folder.startsWith(pluginsDir))
    if (fault) throw new Error(`plugin "${fault.name}" is not loaded: ${fault.reason}`)
    return {
      gateway,
      dir,
      close,
      async call<T>(id: string, input: Record<string, unknown> = {}, call: Partial<Call> = {}): Promise<T> {
        const operation = gateway.registry.operation(id)
        if (!operation) throw new Error(`no operation "${id}"; faults: ${JSON.stringify(gateway.pluginFaults)}`)
        const reply = await gateway.invoke(operation, input, { actor: { name: 'test', access: 'admin' }, ...call })
        return (reply.kind === 'job' ? { jobId: reply.jobId } : reply.value) as T
      },
      async restart(more = {}) {
        await gateway.close(2000)
        return open({ ...changed, ...more })
      },
    }
  }
  return open(options).catch(async (error) => {
    await close()
    throw error
  })
}
