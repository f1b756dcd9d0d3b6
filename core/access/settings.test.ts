/** The settings of a gateway that nobody has set, and of one whose settings an older version has saved. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings, type Settings } from './settings.ts'

const defaults: Settings = {
  limits: { bodyBytes: 52_428_800, uploadBytes: 209_715_200, requestsPerSecond: 1000, pendingJobs: 10_000 },
  security: {
    ...{ allowedHosts: [], allowedOrigins: [], apiKeys: [], whitelist: [] },
    ...{ enforceWhitelist: false, publicDocs: false, umac: false },
  },
  engineering: { defaultVersion: 'V19', launchInstance: true, gsdFolder: 'gsd', memoryLimitBytes: 4_294_967_296 },
  mcp: { confirmDestructive: true, authorizationServers: [], publicUrl: '' },
  compatibility: { envelope: false, envelopeClients: [] },
  log: { archiveAfterDays: 0, archiveAboveBytes: 536_870_912 },
}

test('what nobody has set has its default, each field by itself', () => {
  assert.deepEqual(readSettings(undefined), defaults)
  assert.deepEqual(readSettings({}), defaults)
  for (const [group, fields] of Object.entries(defaults))
    for (const field of Object.keys(fields)) {
      const saved = { [group]: { [field]: 'saved' } } as unknown as Partial<Settings>
      assert.deepEqual(readSettings(saved), { ...defaults, [group]: { ...fields, [field]: 'saved' } }, field)
    }
})
