/** Security settings in the files of a project: written and read back whole, and each field that is wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fault } from '../../core/index.ts'
import { damagedJson } from '../../test/damaged-json.ts'
import { assertRecorded } from '../../test/recorded.ts'
import { devices } from '../devices/index.ts'
import { securityPart } from './files.ts'
import { deviceSecurity, securityConfigured } from './security.ts'
import { passwordPolicies, policySaved, roleSaved, userRoles, userSaved, users } from './umac.ts'

const hash = (letter: string) => `scrypt:${letter.repeat(22)}:${letter.repeat(43)}`
const settings = {
  ...{ accessLevel: 'read', passwords: { full: hash('a'), hmi: hash('b') }, displayPassword: hash('c') },
  ...{ masterSecret: hash('d'), putGetAccess: false, secureCommunication: true },
}
const role = { name: 'Night', comment: 'at night', rights: ['read-project', 'cpu-hmi-access'] }
const user = {
  ...{ name: 'anna', comment: '', roles: ['Night'], password: hash('e'), formerPasswords: [hash('f')] },
  createdAt: 1_700_000_000_000,
}
const policy = { minimumLength: 120, characterClasses: 4, history: 24 }
const plc = { id: 'd1', name: 'PLC_1' }

type Texts = Readonly<Record<string, string>>
type Lists = readonly (readonly [object, readonly (readonly [string, object])[]])[]

const reading = (lists: Lists) => (wanted: object) => new Map(lists.find(([one]) => one === wanted)?.[1] ?? [])
const names = new Map<object, string>([
  [securityConfigured, 'settings'],
  [roleSaved, 'role'],
  [userSaved, 'user'],
  [policySaved, 'policy'],
])

/** What reading emits, or its faults as lines. */
async function read(texts: Texts): Promise<unknown[]> {
  const emitted: unknown[] = []
  const ctx = {
    read: reading([[devices, [['d1', plc]]]]),
    emit: (event: object, data: object) => emitted.push([names.get(event), data]),
  }
  const files = {
    list: (under: string) => Object.keys(texts).filter((path) => path.startsWith(under)),
    has: (path: string) => path in texts,
    read: async (path: string) => Buffer.from(texts[path]!),
  }
  try {
    await securityPart.load(ctx as never, {} as never, files as never, () => undefined)
    return emitted
  } catch (error) {
    return (error as { details: { errors: Fault[] } }).details.errors.map(({ path, message }) => `  ${path} ${message}`)
  }
}

async function written(lists: Lists): Promise<Texts> {
  const files = await securityPart.save({ read: reading([[devices, [['d1', plc]]], ...lists]) } as never, {} as never)
  return Object.fromEntries(files.map((file) => [file.path, 'content' in file ? String(file.content) : '']))
}

const all: Lists = [
  [deviceSecurity, [['d1', { ...settings, deviceId: 'd1' }]]],
  [users, [['anna', user]]],
  [userRoles, [['night', role]]],
  [passwordPolicies, [['policy', policy]]],
]

test('settings, roles, users and the rules for passwords are read as they were written; without any there is no file', async () => {
  const texts = await written(all)
  assert.deepEqual(Object.keys(texts), ['devices/PLC_1/security.json', 'security.json'])
  const whole = await read(texts)
  assert.deepEqual(whole.slice(0, 3), [
    ['settings', { ...settings, deviceId: 'd1', deviceName: 'PLC_1' }],
    ['role', role],
    ['user', user],
  ])
  assert.deepEqual(await written([]), {})
  for (const list of [1, 2, 3])
    assert.deepEqual(Object.keys(await written(all.slice(list, list + 1))), ['security.json'])
  const other = { 'devices/Other/security.json': texts['devices/PLC_1/security.json']! }
  assert.deepEqual(await read(other), [
    '  devices/Other/security.json belongs to no device: there is no device.json beside it that names one',
  ])
  assert.deepEqual(await read({ 'devices/PLC_1/a/security.json': '{' }), [])
})

test('each field that is missing, of another kind, or wrong', async () => {
  const told: string[] = []
  const tell = async (what: string, path: string, text: string) => {
    const result = await read({ [path]: text })
    told.push(what, ...(typeof result[0] === 'string' ? (result as string[]) : ['  is read']))
  }
  const own = 'devices/PLC_1/security.json'
  const umac = { users: [user], roles: [role], policy }
  for (const [what, text] of damagedJson(settings)) await tell(what, own, text)
  for (const [what, text] of damagedJson(umac)) await tell(what, 'security.json', text)
  for (const more of [{ accessLevel: 'Read' }, { passwords: { none: hash('a') } }, { passwords: { full: 'plain' } }])
    await tell(JSON.stringify(more), own, JSON.stringify({ ...settings, ...more }))
  const changes: readonly [object, object?, object?][] = [
    [{ name: ' anna' }],
    [{ name: 'a/b' }],
    [{ name: 'a'.repeat(64) }],
    [{ name: 'a'.repeat(65) }],
    [{ password: 'plain' }],
    [{ createdAt: 1.5 }],
    [{}, { name: 'net diagnose' }],
    [{}, { rights: ['fly'] }],
    [{}, {}, { minimumLength: 121 }],
    [{}, {}, { characterClasses: 5 }],
    [{}, {}, { history: 25 }],
    [{}, {}, { history: -1, minimumLength: 0, characterClasses: 0 }],
    [{}, {}, { history: 0, minimumLength: 0, characterClasses: 0 }],
  ]
  for (const [ofUser, ofRole = {}, ofPolicy = {}] of changes) {
    const changed = {
      users: [user, { ...user, ...ofUser }],
      roles: [{ ...role, ...ofRole }],
      policy: { ...policy, ...ofPolicy },
    }
    await tell(JSON.stringify([ofUser, ofRole, ofPolicy]), 'security.json', JSON.stringify(changed))
  }
  for (const text of ['', '[]', '{}']) {
    await tell(`settings ${JSON.stringify(text)}`, own, text)
    await tell(`users ${JSON.stringify(text)}`, 'security.json', text)
  }
  assertRecorded(import.meta.url, 'files.txt', `${told.join('\n')}\n`)
})
