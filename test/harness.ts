/** An in-process gateway on a temporary data directory: what plugin and core tests run on. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Call } from '../core/dispatcher.ts'
import { Gateway, type GatewayOptions } from '../core/gateway.ts'
import type { Access } from '../core/operation.ts'

/** The built-in plugins. */
export const builtInPlugins = fileURLToPath(new URL('../plugins', import.meta.url))

export interface TestGateway {
  readonly gateway: Gateway
  readonly dir: string
  /** Runs an operation and returns its result; throws its GatewayError. */
  call<T = Record<string, unknown>>(
    operationId: string,
    input?: Record<string, unknown>,
    call?: Partial<Call>,
  ): Promise<T>
  /** Closes the gateway and opens another one on the same data directory. */
  restart(options?: Partial<GatewayOptions>): Promise<TestGateway>
}

/**
 * Opens a gateway that checks every result against its output schema; closed and removed after the test.
 * Heavy work runs in this process (`withoutEngine`) unless the options say otherwise.
 */
export async function openTestGateway(t: TestContext, options: Partial<GatewayOptions> = {}): Promise<TestGateway> {
  const dir = await mkdtemp(join(tmpdir(), 'gantry-test-'))
  const opened: Gateway[] = []
  // What still runs (controllers) writes into the folder until its gateway is closed.
  t.after(async () => {
    for (const gateway of opened) await gateway.close(2000)
    await rm(dir, { recursive: true, force: true })
  })
  return openOn(opened, dir, options)
}

async function openOn(opened: Gateway[], dir: string, options: Partial<GatewayOptions>): Promise<TestGateway> {
  const gateway = await Gateway.open({
    dataDir: join(dir, 'data'),
    workspace: [join(dir, 'workspace')],
    version: '0.0.0-test',
    pluginDirs: [builtInPlugins],
    withoutEngine: true,
    checkOutputs: true,
    ...options,
  })
  opened.push(gateway)
  return {
    gateway,
    dir,
    async call<T>(operationId: string, input: Record<string, unknown> = {}, call: Partial<Call> = {}): Promise<T> {
      const operation = gateway.registry.operation(operationId)
      if (!operation) throw new Error(`no operation "${operationId}"; faults: ${JSON.stringify(gateway.pluginFaults)}`)
      const reply = await gateway.invoke(operation, input, { actor: actor(), ...call })
      return (reply.kind === 'job' ? { jobId: reply.jobId } : reply.value) as T
    },
    async restart(changed = {}) {
      await gateway.close(2000)
      return openOn(opened, dir, { ...options, ...changed })
    },
  }
}

/** A caller for tests. */
export function actor(access: Access = 'admin', name = 'test') {
  return { name, access }
}
