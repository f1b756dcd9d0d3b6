import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actor, builtInPlugins, openTestGateway } from '../../test/harness.ts'

test('a feature is enabled exactly when its plugin is served', async (t) => {
  const enabled = async (pluginDirs: readonly string[]) => {
    const { gateway, call } = await openTestGateway(t, { pluginDirs })
    const answer = (await call('system.license-features', {}, actor)) as unknown
    const { features } = ((answer as { result?: unknown }).result ?? answer) as {
      features: { key: string; enabled: boolean }[]
    }
    assert.ok(gateway.registry.operation('system.license-features'))
    return features.filter((one) => one.enabled).map((one) => one.key)
  }
  assert.deepEqual(await enabled([builtInPlugins]), [
    ...['simulation', 'online', 'history', 'designSpec', 'hmi', 'libraries', 'hardware', 'security', 'cax'],
  ])
})
