/** Security and UMAC; async jobs. */
import { type Call, type Case, nowhere, plc } from './case.ts'

const summary = 'GET /api/devices/{deviceName}/security/summary'
const level = 'GET /api/devices/{deviceName}/security/protection-level'
const password = 'Pump-17-close'
/** What is secret is not taken back by an undo. */
const open: Call = [
  'security.configure',
  {
    ...plc,
    accessLevel: 'full',
    passwords: { full: null, read: null, hmi: null },
    displayPassword: null,
    masterSecret: null,
  },
]
const full: Call = ['security.set-password', { ...plc, accessLevel: 'full', password }]

export const security: readonly Case[] = [
  {
    routes: [summary],
    before: [full],
    after: [open],
    input: plc,
    answer: {
      passwords: [
        { accessLevel: 'full', isSet: true },
        { accessLevel: 'read', isSet: false },
      ],
    },
    shows: 'POST /api/devices/{deviceName}/security/password',
    refused: ['not_found', nowhere],
  },
  {
    routes: [level],
    before: [full, ['security.configure', { ...plc, accessLevel: 'read' }]],
    after: [open],
    input: plc,
    answer: { accessLevel: 'read', levels: [{ accessLevel: 'full', hasPassword: true }] },
    shows: 'POST /api/devices/{deviceName}/security/configure',
    refused: ['not_found', nowhere],
  },
  {
    routes: ['POST /api/devices/{deviceName}/security/password'],
    input: { ...plc, accessLevel: 'read', password },
    answer: { changed: true },
    after: [open],
    effect: [summary, plc, { passwords: [{ accessLevel: 'read', isSet: true }] }],
    refused: ['invalid_input', { ...plc, accessLevel: 'most', password }],
  },
  {
    routes: ['DELETE /api/devices/{deviceName}/security/password/{accessLevel}'],
    before: [full],
    after: [open],
    input: { ...plc, accessLevel: 'full' },
    answer: { changed: true },
    effect: [summary, plc, { passwords: [{ accessLevel: 'full', isSet: false }] }],
    refused: ['not_found', { ...plc, accessLevel: 'hmi' }],
  },
  {
    routes: ['POST /api/devices/{deviceName}/security/display-password'],
    after: [open],
    input: { ...plc, password: 'AB12' },
    answer: { changed: true },
    effect: [summary, plc, { hasDisplayPassword: true }],
    refused: ['not_found', { ...nowhere, password }],
  },
  {
    routes: ['POST /api/devices/{deviceName}/security/master-secret/actions'],
    after: [open],
    input: { ...plc, masterSecret: password },
    answer: { changed: true },
    effect: [summary, plc, { hasMasterSecret: true }],
    refused: ['not_found', { ...nowhere, masterSecret: password }],
  },
  {
    routes: ['POST /api/devices/{deviceName}/security/configure'],
    before: [full],
    after: [open],
    input: { ...plc, accessLevel: 'read' },
    answer: { accessLevel: 'read', changed: true },
    effect: [level, plc, { accessLevel: 'read' }],
    refused: ['invalid_input', { ...plc, accessLevel: 'some' }],
  },
  {
    routes: ['POST /api/security/users'],
    input: { name: 'berta', password, comment: 'shift 2' },
    after: [['security.delete-user', { userName: 'berta' }]],
    answer: { name: 'berta', hasApiKey: false },
    effect: ['GET /api/security/users', {}, { users: [{ name: 'berta', comment: 'shift 2' }] }],
    refused: ['name_taken', { name: 'Anna', password }],
  },
  {
    routes: ['GET /api/security/users'],
    answer: { users: [{ name: 'anna' }], total: 1 },
    shows: 'POST /api/security/users',
  },
  {
    routes: ['GET /api/security/roles'],
    answer: { roles: [{ isBuiltIn: true }] },
    shows: 'the roles of the gateway',
  },
]

export const jobs: readonly Case[] = [
  {
    routes: ['GET /api/jobs/{jobId}'],
    before: [['tags.create-table', { ...plc, name: 'ByJob' }]],
    input: async ({ call }) => {
      const list = await call('jobs.list', { limit: 1, command: 'tags.create-table' })
      return { jobId: list.jobs[0].jobId }
    },
    answer: { command: 'tags.create-table', status: 'Completed', progress: 100, result: { name: 'ByJob' } },
    shows: 'POST /api/devices/{deviceName}/tag-tables/actions/create',
    refused: ['not_found', { jobId: 'J0' }],
  },
  {
    routes: ['POST /api/jobs/execute-sync'],
    input: { command: 'tags.create-table', input: { ...plc, name: 'ByJob' } },
    answer: { status: 'Completed', result: { name: 'ByJob' } },
    effect: ['GET /api/devices/{deviceName}/tag-tables', plc, { tagTables: [{ name: 'ByJob' }] }],
    refused: ['not_found', { command: 'tags.nothing', input: {} }],
  },
]
