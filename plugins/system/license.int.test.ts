import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInPlugins, openTestGateway } from '../../test/harness.ts'

interface Features {
  readonly features: readonly { readonly key: string; readonly enabled: boolean }[]
}

test('a feature is enabled exactly when its plugin is served', async (t) => {
  const { call } = await openTestGateway(t, { pluginDirs: [builtInPlugins] })
  const answer: unknown = await call('system.license-features', {})
  const { features } = ((answer as { result?: unknown }).result ?? answer) as Features
  const disabled = features.filter((one) => !one.enabled).map((one) => one.key)
  assert.deepEqual(disabled, ['hasVcs'])
  assert.ok(features.some((one) => one.key === 'hmi') && features.some((one) => one.key === 'libraries'))
})
