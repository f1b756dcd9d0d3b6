/** Projects. */
import { writeFile } from 'node:fs/promises'
import { type Case, type Input, lacks, plc, type World } from './case.ts'

const reopened = ({ dir }: World): Input => ({ path: `${dir}/workspace/Line` })
const closed = ['projects.close', { save: true }] as const
const open = ['projects.open', reopened] as const
/** A project of its own takes the place of the plant. */
const instead = [closed]
const back = [['projects.close', { force: true }], open] as const
let made = 0
/** A name that was not used yet. */
const fresh = () => ({ name: `Fresh_${++made}` })

export const projects: readonly Case[] = [
  {
    routes: ['GET /api/projects'],
    answer: { projects: [{ name: 'Line' }] },
    shows: 'POST /api/projects/actions/create-sync',
  },
  {
    routes: ['GET /api/projects/overview'],
    answer: {
      projectName: 'Line',
      devices: [{ name: 'PLC_1', blocks: [{ name: 'Data' }], udts: [{ name: 'Motor' }] }],
    },
    shows: 'POST /api/devices/{deviceName}/blocks/actions/import-sync',
    refused: ['no_project', {}, instead, [open]],
  },
  {
    routes: ['GET /api/projects/history'],
    answer: { history: [{ name: 'Line' }] },
    shows: 'POST /api/projects/actions/open',
    varies: ['lastAccess'],
  },
  {
    routes: ['DELETE /api/projects/history'],
    before: [closed, ['projects.open', reopened]],
    input: ({ dir }) => ({ path: `${dir}/workspace/Line` }),
    answer: { removed: 1 },
    effect: ['GET /api/projects/history', {}, lacks('history', { name: 'Line' })],
    refused: ['not_found', { path: 'Never' }],
  },
  {
    routes: ['GET /api/projects/infrastructure'],
    before: [['hardware.create-subnet', { name: 'Ring' }]],
    answer: { subnets: [{ name: 'Ring' }] },
    shows: 'POST /api/projects/subnets',
    refused: ['no_project', {}, instead, [open]],
  },
  {
    routes: ['POST /api/projects/actions/create-sync', 'POST /api/projects/actions/create'],
    before: instead,
    input: fresh,
    answer: { isModified: false, version: 'V19' },
    effect: ['GET /api/projects', {}, { projects: [{ name: /^Fresh_/ }] }],
    after: back,
    refused: ['invalid_input', { name: '' }],
    varies: ['name', 'path'],
  },
  {
    routes: ['POST /api/projects/actions/open'],
    before: instead,
    input: reopened,
    answer: { name: 'Line', how: 'opened' },
    effect: ['GET /api/projects/devices', {}, { devices: [{ name: 'PLC_1' }] }],
    refused: ['not_found', { path: 'Nowhere' }, instead, [open]],
  },
  {
    routes: ['POST /api/projects/actions/close-sync', 'POST /api/projects/actions/close'],
    input: { save: true },
    answer: { name: 'Line', closed: true },
    effect: ['GET /api/projects', {}, { total: 0 }],
    after: [open],
    refused: ['no_project', {}, instead, [open]],
    varies: ['saved'],
  },
  {
    routes: ['POST /api/projects/actions/save-sync', 'POST /api/projects/actions/save'],
    before: [['tags.create-table', { ...plc, name: 'ToSave' }]],
    varies: ['written', 'unchanged'],
    answer: { name: 'Line' },
    effect: ['GET /api/projects', {}, { projects: [{ name: 'Line', isModified: false }] }],
    refused: ['no_project', {}, instead, [open]],
  },
  {
    routes: ['POST /api/projects/actions/archive'],
    input: { archivePath: 'kept.zap19', overwrite: true, save: true },
    answer: { projectName: 'Line', archivePath: /kept\.zap19$/ },
    effect: [
      'POST /api/projects/actions/create-from-archive-sync',
      async (world) => {
        await world.call('projects.close', { save: true })
        return { archivePath: 'kept.zap19', targetDirectory: `restored_${++made}` }
      },
      { name: 'Line', how: 'restored' },
    ],
    after: back,
    refused: ['path_outside_workspace', { archivePath: '/etc/kept.zap19', save: true }],
    varies: ['size'],
  },
  {
    routes: ['POST /api/projects/actions/create-from-archive-sync', 'POST /api/projects/actions/create-from-archive'],
    before: instead,
    input: () => ({ archivePath: 'Line.zap19', targetDirectory: `from_archive_${++made}` }),
    answer: { name: 'Line', how: 'restored' },
    effect: ['GET /api/projects/devices', {}, { devices: [{ name: 'PLC_1' }] }],
    after: back,
    refused: [
      'unacceptable_content',
      async ({ dir }) => {
        await writeFile(`${dir}/workspace/broken.zap19`, 'no archive')
        return { archivePath: 'broken.zap19', targetDirectory: 'broken' }
      },
      instead,
      [open],
    ],
    varies: ['path'],
  },
  {
    routes: ['POST /api/projects/actions/simulation-support'],
    input: { enabled: false },
    answer: { simulationSupport: false, changed: true },
    effect: ['GET /api/projects', {}, { projects: [{ simulationSupport: false }] }],
    refused: ['no_project', {}, instead, [open]],
  },
  {
    routes: ['POST /api/projects/actions/index'],
    answer: ({ entries }) => entries > 5,
    effect: ['GET /api/projects/search', { q: 'Lamp' }, (answer) => JSON.stringify(answer).includes('"Lamp"')],
    refused: ['no_project', {}, instead, [open]],
  },
]
