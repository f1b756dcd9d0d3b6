/** The gateway for tests of plugins and of core; closed and removed after the test. */
import type { TestContext } from 'node:test'
import type { Access } from '../core/contract/access.ts'
import type { GatewayOptions } from '../core/gateway.ts'
import { openTestGateway as openGateway, type TestGateway } from '../core/testing/index.ts'

export { builtInPlugins } from '../core/boot/running-code.ts'
export { Gateway } from '../core/gateway.ts'
export type { TestGateway } from '../core/testing/index.ts'

/** Opens a gateway on a temporary data directory; closed and removed after the test. */
export async function openTestGateway(t: TestContext, options: Partial<GatewayOptions> = {}): Promise<TestGateway> {
  const opened = await openGateway(options)
  t.after(() => opened.close())
  return opened
}

/** A caller for tests. */
export function actor(access: Access = 'admin', name = 'test') {
  return { name, access }
}
