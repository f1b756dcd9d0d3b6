import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInPlugins, openTestGateway } from '../../test/harness.ts'
import system from './index.ts'

interface Features {
  readonly features: readonly { readonly key: string; readonly enabled: boolean }[]
}

test('a feature is enabled exactly when its plugin is served', async (t) => {
  const enabled = async (options: Parameters<typeof openTestGateway>[1]) => {
    const { call } = await openTestGateway(t, options)
    const { features } = await call<Features>('system.license-features', {})
    return features.map((one) => [one.key, one.enabled] as const)
  }
  const whole = await enabled({ pluginDirs: [builtInPlugins] })
  assert.deepEqual(
    whole.filter(([, isEnabled]) => !isEnabled),
    [],
  )
  for (const key of ['ai', 'hasVcs', 'hasTestHarness'])
    assert.ok(
      whole.some(([one]) => one === key),
      key,
    )
  const alone = await enabled({ pluginDirs: [], corePlugins: [system] })
  assert.deepEqual(
    alone.filter(([, isEnabled]) => isEnabled),
    [],
  )
})
