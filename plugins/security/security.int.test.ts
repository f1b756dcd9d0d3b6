/**
 * Security settings and their effects: on going online, transfers, tables, S7 clients, files of projects; nothing
 * secret is kept.
 */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { replaySession } from '../../core/services.ts'
import { fails } from '../../test/fails.ts'
import { actor, builtInPlugins, openTestGateway, type TestGateway } from '../../test/harness.ts'
import { type Answer, plc, withController, withProject } from '../../test/online.ts'
import { hex, openPort, readyClient } from '../../test/s7.ts'
import type { CpuAccessLevel } from '../simulation/index.ts'
import { cpuAccessLevels } from '../simulation/index.ts'
import { allowedAt, cpuRights, matrixRows, matrixTable } from './access-matrix.ts'

const full = 'Valve-42'
const read = 'Reader-7'
/** Another API key: what one presents does not hold for the other. */
const other = { actor: actor('admin', 'other') }

const configure = (at: TestGateway, more: Answer) => at.call<Answer>('security.configure', { ...plc, ...more })
const download = (at: TestGateway, more: Answer = {}) =>
  at.call<Answer>('online.download', { ...plc, compile: true, ...more })

async function withProtected(t: TestContext, settings: Answer) {
  const at = await withProject(t)
  const controller = await withController(at)
  await configure(at, settings)
  await download(at)
  return { at, controller }
}

test('settings are planned without effect, changed at once, and shown without secrets', async (t) => {
  const at = await withProject(t)
  const change = {
    accessLevel: 'read',
    passwords: { full, read: null },
    putGetAccess: false,
    masterSecret: 'Plant-Secret-1',
  }
  const plan = await at.call<Answer>('security.configure', { ...plc, ...change }, { dryRun: true })
  const planned = plan.result.changes.map(({ setting }: Answer) => setting)
  assert.deepEqual(planned, ['accessLevel', 'passwords/full', 'masterSecret', 'putGetAccess'])
  assert.doesNotMatch(JSON.stringify(plan), /scrypt:|Valve/)
  assert.equal((await at.call<Answer>('security.summary', plc)).accessLevel, 'full')
  const done = await configure(at, change)
  assert.deepEqual(done.changes, plan.result.changes)
  const summary = await at.call<Answer>('security.summary', plc)
  assert.deepEqual(summary.activeMechanisms, ['AccessLevel', 'ConfidentialConfigurationData', 'PutGetAccessDenied'])
  assert.deepEqual(summary.controller, { instance: null, state: 'noController' })
  const level = await at.call<Answer>('security.get-protection-level', plc)
  assert.deepEqual([level.accessLevel, level.protectionLevel], ['read', 2])
  assert.deepEqual(
    level.levels.map(({ accessLevel, needsPassword, hasPassword }: Answer) => [
      accessLevel,
      needsPassword,
      hasPassword,
    ]),
    [
      ['full', true, true],
      ['read', false, false],
      ['hmi', false, false],
      ['none', false, false],
    ],
  )
  assert.equal((await configure(at, { putGetAccess: false })).changed, false)
})

test('passwords: rules, one for each level, and the last way in stays', async (t) => {
  const at = await withProject(t)
  const set = (accessLevel: string, password: string) =>
    at.call<Answer>('security.set-password', { ...plc, accessLevel, password })
  const short = await fails(set('full', 'abc'), 'unacceptable_content', /3 characters/)
  assert.deepEqual(
    short.details.errors?.map(({ path, code }) => [path, code]),
    [
      ['/password', 'password-policy'],
      ['/password', 'password-policy'],
    ],
  )
  await fails(set('none', full), 'invalid_input', /remains without a password/)
  await fails(set('everything', full), 'invalid_input', /full, read, hmi/)
  await fails(configure(at, { accessLevel: 'NoAccess' }), 'conflict', /nobody could load/)
  await fails(configure(at, { accessLevel: 'everything' }), 'invalid_input', /full, read, hmi, none/)
  await set('FullAccess', full)
  await fails(set('read', full), 'unacceptable_content', /level full/)
  const warned = await set('read', read)
  assert.match(warned.warnings[0], /no effect/)
  assert.equal((await configure(at, { accessLevel: 'HMIAccess' })).accessLevel, 'hmi')
  const remove = (accessLevel: string) => at.call<Answer>('security.delete-password', { ...plc, accessLevel })
  await fails(remove('full'), 'conflict', /nobody could load/)
  assert.deepEqual((await remove('read')).changes, [{ setting: 'passwords/read', before: 'set', after: 'not set' }])
  await fails(remove('read'), 'not_found', /With one: full/)
  await fails(
    at.call('security.set-display-password', { ...plc, password: 'lower' }),
    'unacceptable_content',
    /upper case/,
  )
  await at.call('security.set-display-password', { ...plc, password: 'PANEL7' })
  assert.equal((await at.call<Answer>('security.summary', plc)).hasDisplayPassword, true)
  await at.call('devices.add', { orderNumber: '6ES7 214-1AG40-0XB0', name: 'Small' })
  const small = { deviceName: 'Small', password: 'PANEL7' }
  const { warnings } = await at.call<{ warnings: string[] }>('security.set-display-password', small)
  assert.match(warnings.join(), /"Small" \(CPU 1214C .*has no display: the display password has no effect/)
  await fails(at.call('security.summary', { deviceName: 'PLC_9' }), 'not_found')
})

test('the matrix: each operation at each level is allowed or refused as the table says', async (t) => {
  const at = await withProject(t)
  await withController(at)
  const own = at.gateway.registry.operations.filter(
    ({ id }) =>
      id.startsWith('online.') &&
      !['online.list-types', 'online.list-snapshot-values', 'online.apply-snapshot'].includes(id),
  )
  assert.deepEqual([...own.map(({ id }) => id), 'simulation.start'].sort(), Object.keys(cpuRights).sort())
  await configure(at, { passwords: { full, read } })
  await download(at)
  const inputs: Readonly<Record<string, Answer>> = {
    'simulation.start': { instanceName: 'Sim', ...plc },
    'online.network-values': { ...plc, blockName: 'Main', network: 1 },
    'online.follow-networks': { ...plc, blockName: 'Main' },
    'online.explain-value': { ...plc, name: 'Lamp' },
  }
  for (const accessLevel of cpuAccessLevels) {
    await configure(at, { accessLevel })
    await download(at, { password: full, stopModules: true })
    // The device is online, so that only the level decides.
    await at.call('online.connect', { ...plc, password: full })
    for (const row of matrixRows.filter(({ kind }) => kind === 'operation')) {
      const operation = at.gateway.registry.operation(row.what)
      const tableName = row.what.includes('watch') || row.what.includes('modifying') ? { tableName: 'Watch' } : {}
      const blockName = row.what.includes('start-values') ? { blockName: 'Data' } : {}
      const input = inputs[row.what] ?? { ...plc, ...tableName, ...blockName }
      const code = await refusalOf(at, operation!, input)
      const isAllowed = (allowedAt(row) as readonly CpuAccessLevel[]).includes(accessLevel)
      assert.equal(code === 'cpu_access_denied', !isAllowed, `${row.what} at ${accessLevel}: ${code}`)
    }
  }
  assert.match(matrixTable(), /\| `online.upload` \| yes \| yes \| password \| password \|/)
  const answer = await at.call<Answer>('security.list-access-matrix')
  assert.equal(answer.total, matrixRows.length)
})

/** The code with which a call of another key is refused; it has no effect otherwise. */
async function refusalOf(
  at: TestGateway,
  operation: NonNullable<ReturnType<TestGateway['gateway']['registry']['operation']>>,
  input: Answer,
) {
  try {
    if (operation.kind === 'stream') {
      const events = await at.gateway.open(operation, input, other)
      await events[Symbol.asyncIterator]().return?.()
    } else {
      // Going offline would end the connection for the others.
      if (operation.id === 'online.disconnect') return undefined
      // A dry run of a session does not load.
      const dryRun = operation.kind === 'command' && operation.id !== 'simulation.start'
      await at.gateway.invoke(operation, input, { ...other, dryRun })
    }
    return undefined
  } catch (error) {
    return (error as { code?: string }).code
  }
}

test('a right password holds for its key until the device goes offline; a wrong one is noted everywhere', async (t) => {
  const { at, controller } = await withProtected(t, { accessLevel: 'none', passwords: { full, read } })
  await fails(at.call('online.connect', plc), 'cpu_access_denied', /HMI access/)
  const wrong = await fails(at.call('online.connect', { ...plc, password: 'Wrong-pass-1' }), 'wrong_cpu_password')
  assert.doesNotMatch(JSON.stringify(wrong.details), /Wrong-pass/)
  assert.equal(controller.diagnostics[0]?.code, 'password-wrong')
  assert.match(controller.diagnostics[0]?.message ?? '', /key "test"/)
  await at.call('online.connect', { ...plc, password: read })
  assert.equal((await at.call<Answer>('online.compare', plc)).identical, true)
  await fails(at.call('online.compare', plc, other), 'cpu_access_denied')
  const denied = await fails(at.call('online.stop-cpu', plc), 'cpu_access_denied')
  const { needed, granted, passwords } = denied.details.extra ?? {}
  assert.deepEqual([needed, granted, passwords], ['full', 'read', ['full', 'read']])
  await at.call('online.start-cpu', { ...plc, password: full })
  assert.equal(controller.state, 'Run')
  await at.call('online.disconnect', plc)
  await fails(at.call('online.connect', plc), 'cpu_access_denied')
  const audit = JSON.stringify(await at.call('audit.list', { limit: 500 }))
  assert.match(audit, /wrong_cpu_password/)
  assert.match(audit, /simulation.password-refused/)
  // Another password with the next download: what was presented before is over.
  await at.call('online.connect', { ...plc, password: full })
  await at.call('security.set-password', { ...plc, accessLevel: 'full', password: 'Other-pass-2' })
  await download(at, { stopModules: true })
  await fails(at.call('online.compare', plc), 'cpu_access_denied')
})

test('settings go with the project: saved, opened and downloaded they have the same effect', async (t) => {
  const { at } = await withProtected(t, { accessLevel: 'read', passwords: { full }, secureCommunication: true })
  await at.call('security.create-user', { name: 'anna', password: 'Anna-pass-1', roles: ['engineering standard'] })
  await at.call('security.save-role', { name: 'Crew', rights: ['read-project'] })
  await at.call('security.set-password-policy', { minimumLength: 10, characterClasses: 3, history: 2 })
  await at.call('projects.save')
  const { path } = (await at.call<Answer>('projects.list')).projects[0]
  const file = JSON.parse(await readFile(join(path, 'devices/PLC_1/security.json'), 'utf8'))
  assert.deepEqual(Object.keys(file), ['accessLevel', 'passwords', 'putGetAccess', 'secureCommunication'])
  assert.match(file.passwords.full, /^scrypt:/)
  await at.call('projects.close')
  await fails(at.call('security.list-users'), 'no_project')
  await at.call('projects.open', { path })
  const summary = await at.call<Answer>('security.summary', plc)
  assert.deepEqual([summary.accessLevel, summary.secureCommunication], ['read', true])
  const users = (await at.call<Answer>('security.list-users')).users
  assert.deepEqual(
    users.map(({ name, roles }: Answer) => [name, roles]),
    [['anna', ['Engineering Standard']]],
  )
  assert.equal((await at.call<Answer>('security.get-password-policy')).minimumLength, 10)
  assert.equal((await at.call<Answer>('security.list-roles', { q: 'crew' })).total, 1)
  await fails(download(at, { all: true }), 'cpu_access_denied')
  await download(at, { all: true, password: full })
  assert.equal((await at.call<Answer>('security.summary', plc)).controller.state, 'loaded')
  // The controller knows the user whose role has a right to CPUs.
  await fails(at.call('online.start-cpu', plc, other), 'cpu_access_denied')
  await at.call('online.start-cpu', { ...plc, password: 'Anna-pass-1', userName: 'anna' }, other)
  await fails(
    at.call('online.start-cpu', { ...plc, password: full, userName: 'anna' }, { actor: actor('admin', 'third') }),
    'wrong_cpu_password',
  )
  await fails(at.call('online.connect', { ...plc, userName: 'anna' }), 'invalid_input', /password/)
})

test('a faulty file of settings is refused with its place', async (t) => {
  const at = await withProject(t)
  await configure(at, { passwords: { full } })
  await at.call('projects.save')
  const { path } = (await at.call<Answer>('projects.list')).projects[0]
  await at.call('projects.close')
  const { writeFile } = await import('node:fs/promises')
  await writeFile(
    join(path, 'devices/PLC_1/security.json'),
    '{"accessLevel":"full","passwords":{"full":"plain"},"putGetAccess":true,"secureCommunication":false}',
  )
  await writeFile(join(path, 'security.json'), '{"users":[{"name":"x"}],"roles":[]}')
  const error = await fails(at.call('projects.open', { path }), 'unacceptable_content')
  const places = error.details.errors?.map(({ path: place }) => place)
  assert.deepEqual(places, ['devices/PLC_1/security.json', 'security.json#/users/0'])
})

test('another master secret refuses a download until that of the controller is presented', async (t) => {
  const { at } = await withProtected(t, { masterSecret: 'Plant-Secret-1' })
  await download(at, { all: true })
  await at.call('security.set-master-secret', { ...plc, masterSecret: 'Plant-Secret-2' })
  await fails(download(at), 'master_secret_mismatch', /another one/)
  await fails(download(at, { masterSecret: 'Plant-Secret-9' }), 'wrong_cpu_password', /master secret/)
  const fresh = { deviceName: 'PLC_2', ipAddress: '192.168.0.1' }
  const uploaded = await at.call<Answer>('online.upload', fresh)
  assert.match(uploaded.warnings.join(), /were not uploaded/)
  assert.equal((await at.call<Answer>('security.summary', { deviceName: 'PLC_2' })).hasMasterSecret, false)
  await download(at, { masterSecret: 'Plant-Secret-1' })
  await at.call('security.set-master-secret', { ...plc, masterSecret: null })
  await fails(download(at), 'master_secret_mismatch', /has none/)
})

test('S7 clients get what the level and their session password allow', async (t) => {
  const { at, controller } = await withProtected(t, { accessLevel: 'none', passwords: { full, hmi: 'Panel-12' } })
  await at.call('online.start-cpu', { ...plc, password: full })
  const port = await openPort(controller)
  t.after(() => port.close())
  const client = await readyClient(port.port)
  t.after(async () => client.close())
  const flag = Buffer.concat([hex('04 01'), hex('12 0a 10 02 0001 0000 83 000000')])
  const stop = Buffer.concat([hex('29000000000009'), Buffer.from('P_PROGRAM')])
  const scrambled = (password: string) => {
    const bytes = Buffer.alloc(8, ' ')
    bytes.write(password, 'latin1')
    for (let i = 0; i < 8; i++) bytes[i] = bytes[i]! ^ 0x55 ^ (i < 2 ? 0 : bytes[i - 2]!)
    return bytes
  }
  const present = async (password: string) => (await client.userData(5, 1, scrambled(password))).error
  assert.equal((await client.statusList(0x0011)).error, 0)
  assert.equal((await client.statusList(0x00a0)).error, 0xd241)
  assert.equal((await client.job(flag)).error, 0x8104)
  assert.equal((await client.userData(5, 2)).error, 0xd604)
  assert.equal(await present('Nothing1'), 0xd602)
  assert.match(controller.diagnostics[0]?.message ?? '', /S7 client/)
  assert.equal(await present('Panel-12'), 0)
  assert.equal((await client.job(flag)).error, 0)
  assert.equal((await client.userData(3, 1)).error, 0xd241)
  assert.equal((await client.job(stop)).error, 0xd241)
  assert.equal(await present(full), 0)
  assert.equal((await client.userData(3, 1)).error, 0)
  assert.equal((await client.userData(5, 2)).error, 0)
  assert.equal((await client.job(stop)).error, 0xd241)
  assert.equal(await present(full), 0)
  assert.equal((await client.job(stop)).error, 0)
  assert.equal(controller.state, 'Stop')
  // PUT/GET is refused whatever the password, when it is not permitted.
  await configure(at, { accessLevel: 'full', putGetAccess: false })
  await download(at)
  assert.equal((await client.job(flag)).error, 0x8104)
  // Only secure communication: the open connection of a programming device ends, a new one is refused.
  await configure(at, { putGetAccess: true, secureCommunication: true })
  await download(at)
  await assert.rejects(client.job(flag))
  await assert.rejects(readyClient(port.port))
})

test('a UMAC user may call with a key what the roles allow, while the setting is on', async (t) => {
  const at = await withProject(t)
  const key = 'anna-key-0123456789'
  const apiKeyOf = async () => (await at.gateway.keyring.actorOf(key)) ?? null
  const created = await at.call<Answer>('security.create-user', {
    name: 'Anna',
    password: 'Anna-pass-1',
    roles: ['Engineering Standard'],
    apiKey: key,
  })
  assert.deepEqual(
    [created.access, created.cpuAccess, created.hasApiKey, created.apiKeyWorks],
    ['operator', 'full', true, false],
  )
  assert.equal(await apiKeyOf(), null)
  await at.call('settings.change', { security: { umac: true } })
  assert.deepEqual(await apiKeyOf(), { name: 'umac:Anna', access: 'operator' })
  const change = (more: Answer) => at.call<Answer>('security.change-user', { userName: 'anna', ...more })
  await change({ roles: ['HMI Monitor'] })
  assert.equal((await apiKeyOf())?.access, 'viewer')
  const anna = { actor: (await apiKeyOf())! }
  await fails(at.call('blocks.create-folder', { ...plc, path: 'X' }, anna), 'forbidden')
  assert.equal((await at.call<Answer>('devices.list', {}, anna)).total, 1)
  // Never more than when it was given.
  await change({ roles: ['Engineering Administrator'] })
  assert.equal((await apiKeyOf())?.access, 'operator')
  await at.call('settings.change', { security: { umac: false } })
  assert.equal(await apiKeyOf(), null)
  await at.call('settings.change', { security: { umac: true } })
  await at.call('projects.save')
  const { path } = (await at.call<Answer>('projects.list')).projects[0]
  await at.call('projects.close')
  assert.equal(await apiKeyOf(), null)
  await at.call('projects.open', { path })
  assert.equal((await apiKeyOf())?.access, 'operator')
  const again = await at.restart()
  assert.equal((await again.gateway.keyring.actorOf(key))?.access, 'operator')
  await again.call('security.delete-user', { userName: 'Anna' })
  assert.equal((await again.gateway.keyring.actorOf(key)) ?? null, null)
})

test('users: rules for passwords, their history, roles, and what is in the way', async (t) => {
  const at = await withProject(t)
  const create = (more: Answer) =>
    at.call<Answer>('security.create-user', { name: 'ben', password: 'Ben-pass-1', ...more })
  await fails(create({ password: 'short' }), 'unacceptable_content', /5 characters/)
  await fails(create({ roles: ['Engineerin Standard'] }), 'invalid_input', /did you mean "Engineering Standard"/)
  await fails(create({ apiKey: 'ben-key-0123456789' }), 'conflict', /no access/)
  await create({})
  await fails(create({ name: 'BEN' }), 'name_taken')
  const change = (password: string) => at.call('security.change-user', { userName: 'ben', password })
  await fails(change('Ben-pass-1'), 'unacceptable_content', /used before/)
  await change('Ben-pass-2')
  await change('Ben-pass-3')
  await fails(change('Ben-pass-1'), 'unacceptable_content', /latest 3/)
  await change('Ben-pass-4')
  await change('Ben-pass-1')
  await at.call('security.save-role', { name: 'Crew', rights: ['operate-controllers'] })
  await fails(at.call('security.save-role', { name: 'hmi monitor', rights: [] }), 'conflict', /built in/)
  await at.call('security.change-user', { userName: 'ben', roles: ['crew'] })
  await fails(at.call('security.delete-role', { roleName: 'Crew' }), 'conflict', /"ben"/)
  const role = (await at.call<Answer>('security.list-roles', { q: 'Crew' })).roles[0]
  assert.deepEqual([role.access, role.users, role.isBuiltIn], ['operator', 1, false])
  await fails(
    at.call('security.create-user', { name: 'c', password: 'Cc-pass-12' }, { actor: actor('operator') }),
    'forbidden',
  )
})

test('a session with passwords replays without a difference', async (t) => {
  const { at } = await withProtected(t, { accessLevel: 'read', passwords: { full, read } })
  await at.call('security.delete-password', { ...plc, accessLevel: 'read' })
  await at.call('security.create-user', {
    name: 'anna',
    password: 'Anna-pass-1',
    apiKey: 'anna-key-0123456789',
    roles: ['hmi monitor'],
  })
  await at.call('security.change-user', { userName: 'anna', password: 'Anna-pass-2' })
  await fails(at.call('online.connect', { ...plc, password: 'Wrong-pass-1' }), 'wrong_cpu_password')
  await download(at, { password: full, all: true })
  const session = at.gateway.sessionSeq
  const options = { dataDir: join(at.dir, 'data'), pluginDirs: [builtInPlugins], version: '0.0.0-test' }
  await at.gateway.close(2000)
  assert.deepEqual((await replaySession(options, session)).differences, [])
})

/** Bytes of a file, and what is in it when it is compressed. */
function contentsOf(bytes: Buffer): Buffer[] {
  const unpacked = [inflateSync, inflateRawSync, gunzipSync, brotliDecompressSync].flatMap((unpack) => {
    try {
      return [unpack(bytes)]
    } catch {
      return []
    }
  })
  return [bytes, ...unpacked]
}

test('no secret is in any byte of the data directory, the saved project, an answer or a log line', async (t) => {
  const lines: string[] = []
  const write = (fields: object, message: string) => void lines.push(JSON.stringify(fields), message)
  const at = await openTestGateway(t, { log: { debug: write, info: write, warn: write, error: write } })
  await withProject(t, at)
  await withController(at)
  const secrets = [
    'Plant3d-full',
    'Plant3d-read',
    'PLANT3DX',
    'Plant3d-master',
    'Plant3d-user',
    'Plant3d-wrong',
    'plant3d-api-key-0123',
  ]
  const [password, reader, display, masterSecret, user, wrong, apiKey] = secrets as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const answers: unknown[] = []
  const call = async (id: string, input: Answer, more = {}) =>
    answers.push(await at.call(id, input, more).catch((error) => [error.message, error.details, error.code]))
  await call('security.configure', { ...plc, accessLevel: 'read', passwords: { full: password } }, { dryRun: true })
  await call('security.configure', { ...plc, accessLevel: 'read', passwords: { full: password }, masterSecret })
  await call('security.set-password', { ...plc, accessLevel: 'read', password: reader })
  await call('security.set-display-password', { ...plc, password: display })
  await call('security.create-user', { name: 'eve', password: user, roles: ['Engineering Standard'], apiKey })
  await call('security.create-user', { name: 'eve!', password: user })
  await call('security.set-password', { ...plc, accessLevel: 'full', password: [wrong] })
  await call('security.set-password', { ...plc, accessLevel: 'full', password: wrong.repeat(30) })
  await call('online.download', { ...plc, compile: true })
  await call('online.connect', { ...plc, password: wrong })
  await call('online.connect', { ...plc, password })
  await call('online.download', { ...plc, password, masterSecret, all: true }, { mode: 'async' })
  await call('jobs.execute-sync', { command: 'online.connect', input: { ...plc, password: wrong } })
  await call('online.compare', { ...plc, password })
  for (const id of ['security.summary', 'security.get-protection-level', 'online.compare']) await call(id, plc)
  for (const id of ['security.list-users', 'security.list-roles', 'settings.get', 'jobs.list']) await call(id, {})
  await call('audit.list', { limit: 1000 })
  await call('projects.save', {})
  const last = (await at.call<Answer>('jobs.list', { limit: 100 })).jobs
  for (const { jobId } of last) await call('jobs.get', { jobId, wait: 5 })
  assert.doesNotMatch(JSON.stringify(answers), /scrypt:[\w-]{22}|hmac:[\w-]{43}/)
  // Contents are packed in the database, so they are read through it.
  const contents: Buffer[] = []
  const named = JSON.stringify(answers).match(/sha256:[0-9a-f]{64}/g) ?? []
  for (const hash of new Set(named))
    if (await at.gateway.blobReader.has(hash)) contents.push(await at.gateway.blobReader.get(hash))
  assert.ok(contents.length > 10, `${contents.length} contents`)
  await at.gateway.close(2000)
  const found = (bytes: Buffer | string) => secrets.filter((secret) => bytes.includes(secret))
  assert.deepEqual(found(JSON.stringify(answers)), [])
  assert.deepEqual(found(lines.join('')), [])
  assert.deepEqual(found(Buffer.concat(contents)), [])
  let files = 0
  let hashes = 0
  for (const entry of await readdir(at.dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    files++
    for (const bytes of contentsOf(await readFile(join(entry.parentPath, entry.name)))) {
      assert.deepEqual(found(bytes), [], entry.name)
      if (bytes.includes('scrypt:')) hashes++
    }
  }
  // The search would find something: the hashes are there.
  assert.ok(files > 10 && hashes > 1, `${files} files, ${hashes} with hashes`)
})
