/** PLC data types; watch and force tables. */
import { type Case, lacks, nowhere, plc } from './case.ts'

const list = 'GET /api/devices/{deviceName}/udts'
const one = 'GET /api/devices/{deviceName}/udts/{udtName}'
const motor = { ...plc, udtName: 'Motor' }
const unused = { ...plc, udtName: 'Unused' }
const none = { ...plc, udtName: 'Nothing' }
const members = [{ name: 'level', dataType: 'Real', comment: 'in %' }]
const tree = 'GET /api/devices/{deviceName}/udts/tree'

export const types: readonly Case[] = [
  {
    routes: [list],
    input: plc,
    answer: { udts: [{ name: 'Motor' }, { name: 'Unused' }], total: 2 },
    shows: 'POST /api/devices/{deviceName}/udts',
    refused: ['not_found', nowhere],
  },
  {
    routes: ['POST /api/devices/{deviceName}/udts', 'POST /api/devices/{deviceName}/udts/async'],
    input: { ...plc, name: 'Tank', members },
    answer: { name: 'Tank' },
    effect: [one, { ...plc, udtName: 'Tank' }, { members: [{ name: 'level', dataType: 'Real' }] }],
    refused: ['name_taken', { ...plc, name: 'motor', members }],
  },
  {
    routes: [one],
    input: motor,
    answer: { name: 'Motor', members: [{ name: 'run' }, { name: 'speed', dataType: 'Int' }] },
    shows: 'POST /api/devices/{deviceName}/udts',
    refused: ['not_found', none],
  },
  {
    routes: ['PUT /api/devices/{deviceName}/udts/{udtName}', 'PUT /api/devices/{deviceName}/udts/{udtName}/async'],
    input: { ...unused, members },
    answer: { name: 'Unused' },
    effect: [one, unused, { members: [{ name: 'level' }] }],
    refused: ['not_found', { ...none, members }],
  },
  {
    routes: ['DELETE /api/devices/{deviceName}/udts/{udtName}'],
    input: { ...unused, force: true },
    answer: { name: 'Unused', deleted: true },
    effect: [list, plc, lacks('udts', { name: 'Unused' })],
    refused: ['conflict', motor],
  },
  {
    routes: [tree],
    input: plc,
    answer: { children: [{ name: 'Empty', isFolder: true }, { name: 'Motor' }] },
    shows: 'POST /api/devices/{deviceName}/udts/folders',
    refused: ['not_found', nowhere],
  },
  {
    routes: [
      'POST /api/devices/{deviceName}/udts/actions/export',
      'POST /api/devices/{deviceName}/udts/{udtName}/actions/export',
    ],
    input: { ...motor, exportPath: 'out/Motor.xml', overwrite: true },
    answer: { name: 'Motor', exportPath: /Motor\.xml$/ },
    effect: [
      'POST /api/devices/{deviceName}/udts/actions/import',
      { ...plc, filePath: 'out/Motor.xml' },
      { objects: [{ name: 'Motor' }] },
    ],
    refused: ['not_found', none],
  },
  {
    routes: [
      'POST /api/devices/{deviceName}/udts/actions/import',
      'POST /api/devices/{deviceName}/udts/actions/import/async',
    ],
    input: { ...plc, filePath: 'TypeFile.udt' },
    answer: { created: 1, objects: [{ name: 'TypeFile' }] },
    effect: [one, { ...plc, udtName: 'TypeFile' }, { members: [{ name: 'x' }] }],
    refused: ['unacceptable_content', { ...plc, content: 'TYPE "Half"\nSTRUCT' }],
  },
  {
    routes: ['POST /api/devices/{deviceName}/udts/folders'],
    input: { ...plc, path: 'Drives' },
    answer: { path: 'Drives', created: true },
    effect: [tree, plc, { children: [{ name: 'Drives' }] }],
    refused: ['invalid_input', { ...plc, path: '' }],
  },
  {
    routes: ['DELETE /api/devices/{deviceName}/udts/folders/{folderPath}'],
    input: { ...plc, folderPath: 'Empty' },
    answer: { path: 'Empty' },
    effect: [tree, plc, lacks('children', { name: 'Empty' })],
    refused: ['not_found', { ...plc, folderPath: 'Nothing/Here' }],
  },
]

const watch = { ...plc, tableName: 'Watch' }
const force = { ...plc, tableName: 'Force' }
const noTable = { ...plc, tableName: 'Nothing' }
const watchList = 'GET /api/devices/{deviceName}/watch-tables'
const watchTable = 'GET /api/devices/{deviceName}/watch-tables/{tableName}'
const forceList = 'GET /api/devices/{deviceName}/force-tables'
const importRoute = 'POST /api/devices/{deviceName}/watch-force-tables/actions/import'

export const watchTables: readonly Case[] = [
  {
    routes: [watchList],
    input: plc,
    answer: { watchTables: [{ name: 'Watch', entryCount: 1 }], total: 1 },
    shows: 'POST /api/devices/{deviceName}/watch-tables',
    refused: ['not_found', nowhere],
  },
  {
    routes: ['POST /api/devices/{deviceName}/watch-tables'],
    input: { ...plc, name: 'Second' },
    answer: { name: 'Second', entryCount: 0 },
    effect: [watchList, plc, { watchTables: [{ name: 'Second' }] }],
    refused: ['name_taken', { ...plc, name: 'watch' }],
  },
  {
    routes: [watchTable],
    input: watch,
    answer: { entries: [{ name: /Start/, address: '%I0.0' }] },
    shows: 'POST /api/devices/{deviceName}/watch-tables/{tableName}/entries',
    refused: ['not_found', noTable],
  },
  {
    routes: ['DELETE /api/devices/{deviceName}/watch-tables/{tableName}'],
    input: watch,
    answer: { name: 'Watch', deleted: true },
    effect: [watchList, plc, { total: 0 }],
    refused: ['not_found', noTable],
  },
  {
    routes: ['POST /api/devices/{deviceName}/watch-tables/{tableName}/entries'],
    input: { ...watch, address: '%MW4', comment: 'word' },
    answer: { entryCount: 2 },
    effect: [watchTable, watch, { entries: [{ address: '%MW4' }] }],
    refused: ['not_found', { ...noTable, address: '%MW4' }],
  },
  {
    routes: ['POST /api/devices/{deviceName}/watch-tables/{tableName}/entries/actions/remove'],
    input: { ...watch, name: 'Start' },
    answer: { entryCount: 0 },
    effect: [watchTable, watch, { entryCount: 0 }],
    refused: ['not_found', { ...watch, name: 'Nothing' }],
  },
  {
    routes: ['POST /api/devices/{deviceName}/watch-tables/{tableName}/entries/actions/clear'],
    input: watch,
    answer: { entryCount: 0 },
    effect: [watchTable, watch, { entryCount: 0 }],
    refused: ['not_found', noTable],
  },
  {
    routes: ['POST /api/devices/{deviceName}/watch-tables/{tableName}/actions/export'],
    input: { ...watch, exportPath: 'out/Watch.xml', overwrite: true },
    answer: { name: 'Watch', exportPath: /Watch\.xml$/ },
    effect: [importRoute, { ...plc, filePath: 'out/Watch.xml', overwrite: true }, { objects: [{ name: 'Watch' }] }],
    refused: ['not_found', noTable],
  },
  {
    routes: [forceList],
    input: plc,
    answer: { forceTables: [{ name: 'Force' }], total: 1 },
    shows: 'POST /api/devices/{deviceName}/force-tables',
    refused: ['not_found', nowhere],
  },
  {
    routes: ['POST /api/devices/{deviceName}/force-tables'],
    before: [['watch-tables.delete-force', force]],
    input: { ...plc, name: 'Forced' },
    answer: { name: 'Forced' },
    effect: [forceList, plc, { forceTables: [{ name: 'Forced' }] }],
    refused: ['conflict', { ...plc, name: 'Forced' }],
  },
  {
    routes: ['GET /api/devices/{deviceName}/force-tables/{tableName}'],
    input: force,
    answer: { name: 'Force', entries: [] },
    shows: 'POST /api/devices/{deviceName}/force-tables',
    refused: ['not_found', noTable],
  },
  {
    routes: ['DELETE /api/devices/{deviceName}/force-tables/{tableName}'],
    input: force,
    answer: { name: 'Force', deleted: true },
    effect: [forceList, plc, { total: 0 }],
    refused: ['not_found', noTable],
  },
  {
    routes: ['POST /api/devices/{deviceName}/force-tables/{tableName}/actions/export'],
    input: { ...force, exportPath: 'out/Force.xml', overwrite: true },
    answer: { name: 'Force', exportPath: /Force\.xml$/ },
    effect: [importRoute, { ...plc, filePath: 'out/Force.xml', overwrite: true }, { objects: [{ name: 'Force' }] }],
    refused: ['not_found', noTable],
  },
  {
    routes: [importRoute],
    before: [
      ['watch-tables.export', { ...watch, exportPath: 'out/Watch.xml', overwrite: true }],
      ['watch-tables.delete', watch],
    ],
    input: { ...plc, filePath: 'out/Watch.xml' },
    answer: { created: 1 },
    effect: [watchTable, watch, { entries: [{ address: '%I0.0' }] }],
    refused: ['unacceptable_content', { ...plc, content: '<Document>' }],
  },
  {
    routes: ['POST /api/devices/{deviceName}/watch-force-tables/folders'],
    input: { ...plc, path: 'Drives' },
    answer: { path: 'Drives', created: true },
    effect: [
      'DELETE /api/devices/{deviceName}/watch-force-tables/folders',
      { ...plc, path: 'Drives' },
      { folders: ['Drives'] },
    ],
    refused: ['invalid_input', { ...plc, path: '' }],
  },
  {
    routes: ['DELETE /api/devices/{deviceName}/watch-force-tables/folders'],
    before: [['watch-tables.create', { ...plc, name: 'Inner', folder: 'Empty' }]],
    input: { ...plc, path: 'Empty', force: true },
    answer: { path: 'Empty', watchTables: ['Inner'] },
    effect: [watchList, plc, lacks('watchTables', { name: 'Inner' })],
    refused: ['not_found', { ...plc, path: 'Nothing' }],
  },
]
