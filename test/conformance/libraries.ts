/** Libraries. */
import { type Call, type Case, lacks, nowhere, plc } from './case.ts'
import { plcNumber } from './plant.ts'

const second: Call = ['devices.add', { orderNumber: plcNumber, name: 'PLC_2' }]
const device = { deviceName: 'PLC_2' }
const copies = 'GET /api/project/library/master-copies'
const types = 'GET /api/project/library/types'
const globalCopies = 'GET /api/libraries/global/master-copies'
const globalTypes = 'GET /api/libraries/global/types'
const blocksOf = 'GET /api/devices/{deviceName}/blocks'
const typesOf = 'GET /api/devices/{deviceName}/udts'
const unused = { typeName: 'Unused' }
const version: Call = [
  'libraries.store-type-version',
  { ...plc, objectName: 'Unused', version: '2.0.0', setDefault: false },
]
const changed: Call = ['types.update', { ...plc, udtName: 'Unused', members: [{ name: 'y', dataType: 'Real' }] }]
const reopened: Call = ['libraries.open-global', ({ dir }) => ({ path: `${dir}/workspace/Shared` })]
const closed: Call = ['libraries.close-global', { force: true }]

const project: readonly Case[] = [
  {
    routes: ['GET /api/project/library'],
    answer: { scope: 'project', masterCopyCount: 1, typeCount: 1 },
    shows: 'POST /api/project/library/master-copies',
  },
  {
    routes: ['GET /api/project/library/tree'],
    answer: (answer) => /"name":"Data"/.test(JSON.stringify(answer)) && /"name":"Unused"/.test(JSON.stringify(answer)),
    shows: 'POST /api/project/library/master-copies',
  },
  {
    routes: [copies],
    answer: { masterCopies: [{ name: 'Data' }], total: 1 },
    shows: 'POST /api/project/library/master-copies',
  },
  {
    routes: ['POST /api/project/library/master-copies'],
    input: { ...plc, objectName: 'Counter' },
    answer: { name: 'Counter', action: 'created' },
    varies: ['author'],
    effect: [copies, {}, { masterCopies: [{ name: 'Counter' }] }],
    refused: ['not_found', { ...plc, objectName: 'Nothing' }],
  },
  {
    routes: ['DELETE /api/project/library/master-copies/{name}', 'DELETE /api/project/library/master-copies/{mcPath}'],
    input: { name: 'Data' },
    answer: { name: 'Data', deleted: true },
    effect: [copies, {}, { total: 0 }],
    refused: ['not_found', { name: 'Nothing' }],
  },
  {
    routes: ['POST /api/project/library/master-copies/actions/instantiate'],
    before: [second],
    input: { name: 'Data', ...device, withDependencies: true },
    answer: { deviceName: 'PLC_2', objects: [{ name: 'Data', action: 'created' }] },
    effect: [blocksOf, device, { blocks: [{ name: 'Data' }] }],
    refused: ['not_found', { name: 'Nothing', ...device }, [second]],
  },
  {
    routes: ['POST /api/project/library/master-copies/folders'],
    input: { path: 'Drives' },
    answer: { path: 'Drives', created: true },
    effect: ['GET /api/project/library/tree', {}, (answer) => JSON.stringify(answer).includes('"Drives"')],
    refused: ['invalid_input', { path: '' }],
  },
  {
    routes: [types],
    answer: { types: [{ name: 'Unused', versions: [{ isDefault: true }] }], total: 1 },
    shows: 'POST /api/project/library/types/versions',
  },
  {
    routes: ['POST /api/project/library/types/actions/instantiate'],
    before: [second],
    input: { ...unused, ...device },
    answer: { deviceName: 'PLC_2', typeName: 'Unused' },
    effect: [typesOf, device, { udts: [{ name: 'Unused' }] }],
    refused: ['not_found', { typeName: 'Nothing', ...plc }],
  },
  {
    routes: ['DELETE /api/project/library/types/{typeName}'],
    input: { ...unused, force: true },
    answer: { name: 'Unused', deleted: true },
    effect: [types, {}, { total: 0 }],
    refused: ['not_found', { typeName: 'Nothing' }],
  },
  {
    routes: ['POST /api/project/library/types/versions'],
    before: [changed],
    input: { ...plc, objectName: 'Unused', version: '2.0.0' },
    answer: { name: 'Unused', versions: [{ version: '2.0.0' }] },
    varies: ['author'],
    effect: [types, {}, { types: [{ name: 'Unused', versions: [{ version: '2.0.0' }] }] }],
    refused: ['not_found', { ...plc, objectName: 'Nothing' }],
  },
  {
    routes: ['POST /api/project/library/types/{typeName}/actions/set-default'],
    before: [changed, version],
    input: { ...unused, version: '2.0.0' },
    answer: { defaultVersion: '2.0.0' },
    effect: [types, {}, { types: [{ name: 'Unused', defaultVersion: '2.0.0' }] }],
    refused: ['not_found', { ...unused, version: '9.0.0' }],
  },
  {
    routes: ['POST /api/project/library/types/actions/compare'],
    before: [changed, version],
    input: { ...unused, otherVersion: '2.0.0' },
    answer: ({ identical, differences }) => !identical && differences.length > 0,
    shows: 'POST /api/project/library/types/versions',
    refused: ['not_found', { ...unused, otherVersion: '9.0.0' }],
  },
]

const global: readonly Case[] = [
  {
    routes: ['GET /api/libraries/global'],
    answer: { libraries: [{ name: 'Shared' }], total: 1 },
    shows: 'POST /api/libraries/global',
  },
  {
    routes: ['POST /api/libraries/global'],
    before: [closed],
    input: (() => {
      let n = 0
      return () => ({ name: `Company_${++n}` })
    })(),
    answer: { name: /^Company_/, scope: 'global' },
    effect: ['GET /api/libraries/global', {}, { libraries: [{ name: /^Company_/ }] }],
    after: [closed, reopened],
    refused: ['invalid_input', { name: '' }],
    varies: ['name', 'path', 'author'],
  },
  {
    routes: ['POST /api/libraries/global/actions/open'],
    before: [closed],
    input: ({ dir }) => ({ path: `${dir}/workspace/Shared` }),
    answer: { name: 'Shared' },
    effect: ['GET /api/libraries/global', {}, { libraries: [{ name: 'Shared' }] }],
    refused: ['not_found', { path: 'Nothing' }],
  },
  {
    routes: ['POST /api/libraries/global/actions/close'],
    answer: { name: 'Shared', closed: true },
    effect: ['GET /api/libraries/global', {}, { total: 0 }],
    after: [reopened],
    refused: ['not_found', { library: 'Nothing' }],
  },
  {
    routes: ['POST /api/libraries/global/actions/save'],
    before: [['libraries.create-global-folder', { path: 'Saved' }]],
    answer: { name: 'Shared' },
    effect: ['GET /api/libraries/global', {}, { libraries: [{ name: 'Shared', isModified: false }] }],
    refused: ['not_found', { library: 'Nothing' }],
    varies: ['written', 'removed', 'unchanged', 'files'],
  },
  {
    routes: ['POST /api/libraries/global/actions/archive'],
    input: { archivePath: 'Shared.zal19', overwrite: true, save: true },
    answer: { name: 'Shared', archivePath: /Shared\.zal19$/ },
    effect: [
      'POST /api/libraries/global/actions/open',
      async ({ call }) => {
        await call('libraries.close-global', { force: true })
        return { path: 'Shared.zal19', targetDirectory: `unpacked_${++unpacked}` }
      },
      { name: 'Shared' },
    ],
    after: [closed, reopened],
    refused: ['path_outside_workspace', { archivePath: '/etc/Shared.zal19', save: true }],
    varies: ['size'],
  },
  {
    routes: ['GET /api/libraries/global/tree'],
    answer: (answer) => /"name":"Data"/.test(JSON.stringify(answer)) && /"name":"Unused"/.test(JSON.stringify(answer)),
    shows: 'POST /api/libraries/global/master-copies',
    refused: ['not_found', { library: 'Nothing' }],
  },
  {
    routes: [globalCopies],
    answer: { library: 'Shared', masterCopies: [{ name: 'Data' }], total: 1 },
    shows: 'POST /api/libraries/global/master-copies',
    refused: ['not_found', { library: 'Nothing' }],
  },
  {
    routes: ['POST /api/libraries/global/master-copies'],
    input: { ...plc, objectName: 'Counter' },
    answer: { library: 'Shared', name: 'Counter' },
    varies: ['author'],
    effect: [globalCopies, {}, { masterCopies: [{ name: 'Counter' }] }],
    refused: ['not_found', { ...plc, objectName: 'Nothing' }],
  },
  {
    routes: ['DELETE /api/libraries/global/master-copies'],
    input: { name: 'Data' },
    answer: { name: 'Data', deleted: true },
    effect: [globalCopies, {}, lacks('masterCopies', { name: 'Data' })],
    refused: ['not_found', { name: 'Nothing' }],
  },
  {
    routes: ['POST /api/libraries/global/master-copies/actions/instantiate'],
    before: [second],
    input: { name: 'Data', ...device },
    answer: { library: 'Shared', objects: [{ name: 'Data' }] },
    effect: [blocksOf, device, { blocks: [{ name: 'Data' }] }],
    refused: ['not_found', { name: 'Nothing', ...plc }],
  },
  {
    routes: ['POST /api/libraries/global/master-copies/folders'],
    input: { path: 'Drives' },
    answer: { path: 'Drives', created: true },
    effect: ['GET /api/libraries/global/tree', {}, (answer) => JSON.stringify(answer).includes('"Drives"')],
    refused: ['invalid_input', { path: '' }],
  },
  {
    routes: [globalTypes],
    answer: { library: 'Shared', types: [{ name: 'Unused' }], total: 1 },
    shows: 'POST /api/project/library/types/versions',
    refused: ['not_found', { library: 'Nothing' }],
  },
  {
    routes: ['POST /api/libraries/global/types/actions/instantiate'],
    before: [second, ['libraries.delete-type', { ...unused, force: true }]],
    input: { ...unused, ...device },
    answer: { library: 'Shared', typeName: 'Unused' },
    effect: [typesOf, device, { udts: [{ name: 'Unused' }] }],
    refused: ['not_found', { ...unused, ...nowhere }],
  },
  {
    routes: ['DELETE /api/libraries/global/types/{typeName}'],
    input: { ...unused, force: true },
    answer: { name: 'Unused', deleted: true },
    effect: [globalTypes, {}, lacks('types', { name: 'Unused' })],
    refused: ['not_found', { typeName: 'Nothing' }],
  },
]

/** Each call unpacks into a folder of its own. */
let unpacked = 0

export const libraries: readonly Case[] = [...project, ...global]
