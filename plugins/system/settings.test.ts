import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { settingsSaved } from '../../core/services.ts'
import { actor, openTestGateway } from '../../test/harness.ts'
import { openSystem, problemOf } from '../../test/system.ts'

interface SettingsObject {
  limits: Record<string, number>
  security: {
    allowedHosts: string[]
    allowedOrigins: string[]
    apiKeys: { name: string; access: string; key?: string }[]
    whitelist: string[]
    enforceWhitelist?: boolean
  }
  engineering: { defaultVersion: string; launchInstance: boolean }
}
const secret = 'a secret of 16+ characters'

test('what is read can be sent back, and changes count at once and after a restart', async (t) => {
  const first = await openSystem(t)
  const settings = await first.call<SettingsObject>('settings.get')
  assert.deepEqual(await first.call('settings.save', { ...settings }), settings)
  settings.limits.pendingJobs = 17
  settings.security.allowedOrigins = ['https://hmi.example:8443', 'https://hmi.example:8443']
  settings.engineering.defaultVersion = 'V20'
  await first.call('settings.save', { ...settings })
  assert.equal(first.gateway.settings.limits.pendingJobs, 17)
  const second = await first.restart()
  const read = await second.call<SettingsObject>('settings.get')
  assert.deepEqual(read.security.allowedOrigins, ['https://hmi.example:8443'])
  assert.deepEqual([read.limits.pendingJobs, read.engineering.defaultVersion], [17, 'V20'])
})

test('a key works from the moment it is saved, keeps its secret, and ends when it is left out', async (t) => {
  const first = await openSystem(t)
  const settings = await first.call<SettingsObject>('settings.get')
  settings.security.apiKeys = [{ name: 'ci', access: 'engineer', key: secret }]
  const saved = await first.call<SettingsObject>('settings.save', { ...settings })
  assert.deepEqual(saved.security.apiKeys, [{ name: 'ci', access: 'engineer' }])
  assert.deepEqual(await first.gateway.keyring.actorOf(secret), { name: 'ci', access: 'engineer' })
  assert.equal(await first.gateway.keyring.actorOf(`${secret}!`), undefined)

  saved.security.apiKeys = [{ name: 'CI', access: 'viewer' }]
  await first.call('settings.save', { ...saved })
  assert.deepEqual(await first.gateway.keyring.actorOf(secret), { name: 'CI', access: 'viewer' })
  const second = await first.restart()
  assert.deepEqual(await second.gateway.keyring.actorOf(secret), { name: 'CI', access: 'viewer' })

  await second.call('settings.save', { ...saved, security: { ...saved.security, apiKeys: [] } })
  assert.equal(await second.gateway.keyring.actorOf(secret), undefined)
  const own = (await readFile(join(second.dir, 'data/api-key'), 'utf8')).trim()
  assert.equal((await second.gateway.keyring.actorOf(own))!.access, 'admin')
})

test('no secret is in the answer, the job, the audit or the log', async (t) => {
  const { call, gateway } = await openSystem(t)
  const settings = await call<SettingsObject>('settings.get')
  settings.security.apiKeys = [{ name: 'ci', access: 'viewer', key: secret }]
  await call('settings.save', { ...settings })
  const { jobs } = await call<{ jobs: { jobId: string }[] }>('jobs.list')
  const told = JSON.stringify([
    await call('settings.get'),
    await call('jobs.get', { jobId: jobs[0]!.jobId }),
    await call('audit.list'),
    await call('audit.state', { seq: gateway.store.log.durableSeq, collection: 'core.settings' }),
  ])
  assert.doesNotMatch(told, /16\+|scrypt:/)
  for await (const records of gateway.store.log.read()) assert.doesNotMatch(JSON.stringify(records), /16\+/)
})

test('settings that are incomplete, unknown or wrong are refused by name', async (t) => {
  const { call } = await openSystem(t)
  const settings = await call<SettingsObject>('settings.get')
  const save = (changed: object) => call('settings.save', { ...settings, ...changed })
  const { engineering: _, ...incomplete } = settings
  await assert.rejects(call('settings.save', incomplete), problemOf('invalid_input', /\/engineering/))
  await assert.rejects(save({ colour: 'red' }), problemOf('invalid_input', /colour/))
  await assert.rejects(save({ limits: { ...settings.limits, bodyBytes: 10 } }), problemOf('invalid_input', /bodyBytes/))
  await assert.rejects(save({ limits: { ...settings.limits, pendingJobs: 0 } }), problemOf('invalid_input'))
  await assert.rejects(
    save({ engineering: { defaultVersion: 'V12', launchInstance: true } }),
    problemOf('invalid_input', /V16/),
  )
  const security = (changed: object) => save({ security: { ...settings.security, ...changed } })
  await assert.rejects(security({ allowedOrigins: ['hmi.example'] }), problemOf('invalid_input', /allowedOrigins\/0/))
  await assert.rejects(security({ allowedHosts: ['http://x'] }), problemOf('invalid_input', /allowedHosts\/0/))
  const keys = (...apiKeys: object[]) => security({ apiKeys })
  await assert.rejects(keys({ name: 'ci', access: 'viewer' }), problemOf('invalid_input', /no key "ci" yet/))
  await assert.rejects(keys({ name: 'ci', access: 'viewer', key: 'short' }), problemOf('invalid_input', /key/))
  await assert.rejects(keys({ name: 'ci', access: 'root', key: secret }), problemOf('invalid_input', /viewer/))
  await assert.rejects(keys({ name: 'Admin', access: 'viewer', key: secret }), problemOf('invalid_input', /reserved/))
  await assert.rejects(
    keys({ name: 'ci', access: 'viewer', key: secret }, { name: 'CI', access: 'viewer', key: secret }),
    problemOf('invalid_input', /apiKeys\/1\/name: is given twice/),
  )
  assert.deepEqual(await call('settings.get'), settings)
  await assert.rejects(call('settings.save', { ...settings }, { actor: actor('operator') }), problemOf('forbidden'))
  await assert.rejects(call('settings.get', {}, { actor: actor('viewer') }), problemOf('forbidden'))
})

test('the calling application is put on the whitelist once', async (t) => {
  const { call, gateway } = await openSystem(t)
  const client = { actor: actor('engineer', 'anna/LineBuilder/2.1') }
  assert.deepEqual(await call('settings.whitelist-application', {}, client), {
    application: 'LineBuilder',
    added: true,
    whitelist: ['LineBuilder'],
  })
  assert.equal((await call('settings.whitelist-application', {}, client)).added, false)
  assert.deepEqual((await call('settings.whitelist-application', { ApplicationName: 'Portal Tool' })).whitelist, [
    'LineBuilder',
    'Portal Tool',
  ])
  await assert.rejects(call('settings.whitelist-application', {}), problemOf('invalid_input', /X-Client-Id/))
  let saved = 0
  for await (const records of gateway.store.log.read())
    saved += records.filter(({ type }) => type === settingsSaved.type).length
  assert.equal(saved, 2)
  const diagnostics = await call<{ scriptingInterface: object }>('health.diagnostics', {}, client)
  assert.deepEqual(diagnostics.scriptingInterface, {
    available: false,
    whitelist: ['LineBuilder', 'Portal Tool'],
    enforced: false,
    application: 'LineBuilder',
    whitelisted: true,
  })
})

test('the whitelist, when it is enforced, keeps other applications from the engineering instance', async (t) => {
  const { call } = await openTestGateway(t)
  const by = (client: string, access: 'engineer' | 'admin' = 'engineer') => ({ actor: actor(access, client) })
  const settings = await call<SettingsObject>('settings.get')
  assert.equal(settings.security.enforceWhitelist, false)
  await call('projects.create', { name: 'P' }, by('anna/LineBuilder/2.1'))
  settings.security.enforceWhitelist = true
  await call('settings.save', { ...settings })
  // A client that does not know the switch leaves it as it is.
  const { enforceWhitelist: _, ...known } = settings.security
  await call('settings.save', { ...settings, security: known })

  const refused = problemOf('forbidden', /"LineBuilder" is not on the whitelist/)
  await assert.rejects(call('projects.save', {}, by('anna/LineBuilder/2.1')), refused)
  await assert.rejects(call('projects.save', {}, by('anna')), problemOf('forbidden', /X-Client-Id/))
  // Nobody lets himself in; what needs no instance is open.
  await assert.rejects(
    call('settings.whitelist-application', {}, by('anna/LineBuilder/2.1')),
    problemOf('forbidden', /admin/),
  )
  assert.equal((await call('projects.list', {}, by('anna'))).total, 1)
  await call('settings.whitelist-application', { application: 'LineBuilder' }, by('root', 'admin'))
  await call('projects.save', {}, by('anna/LineBuilder/2.2'))
  await assert.rejects(call('projects.save', {}, by('anna/Other')), problemOf('forbidden', /"Other"/))
})

test('the folder of GSD files lies in the workspace', async (t) => {
  const { call, gateway } = await openSystem(t)
  const settings = await call<SettingsObject>('settings.get')
  for (const gsdFolder of ['../out', '/'])
    for (const [id, body] of [
      ['settings.change', { engineering: { gsdFolder } }],
      ['settings.save', { ...settings, engineering: { ...settings.engineering, gsdFolder } }],
    ] as const)
      await assert.rejects(call(id, body), problemOf('path_outside_workspace', /outside the workspace/))
  await call('settings.change', { engineering: { gsdFolder: 'devices/gsd' } })
  assert.equal(gateway.settings.engineering.gsdFolder, 'devices/gsd')
})
