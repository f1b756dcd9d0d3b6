/** Tags, tag tables and constants. */
import { type Call, type Case, lacks, nowhere, plc } from './case.ts'
import { table } from './plant.ts'

const noTable = { ...plc, tableName: 'Nothing' }
const spare = { ...plc, tableName: 'Spare' }
const all = 'GET /api/devices/{deviceName}/tags/all'
const tables = 'GET /api/devices/{deviceName}/tag-tables'
const constants = 'GET /api/devices/{deviceName}/tag-tables/{tableName}/constants'
const csv = 'Name,Path,Data Type,Logical Address,Comment\nSensor,Spare,Bool,%I5.0,limit switch\n'
const sensor: Call = ['tags.add', { ...spare, name: 'Sensor', dataType: 'Bool', logicalAddress: '%I5.0' }]
const none = { ...spare, tagName: 'Nothing' }
const xlsx: Call = ['tags.export-xlsx', { ...spare, exportPath: 'spare.xlsx', overwrite: true }]
const emptied: Call = ['tags.delete', { ...spare, tagName: 'Sensor' }]

const inSpare = { tags: [{ name: 'Sensor', tableName: 'Spare', dataType: 'Bool' }] }

export const tags: readonly Case[] = [
  {
    routes: [all],
    before: [sensor],
    input: plc,
    answer: {
      tags: [
        { name: 'Sensor', tableName: 'Spare' },
        { name: 'Start', logicalAddress: '%I0.0' },
      ],
    },
    shows: 'POST /api/devices/{deviceName}/tags',
    refused: ['not_found', nowhere],
  },
  {
    routes: ['POST /api/devices/{deviceName}/tags'],
    input: { ...spare, name: 'Sensor', dataType: 'Bool', logicalAddress: '%I5.0', comment: 'limit switch' },
    answer: { name: 'Sensor', tableName: 'Spare' },
    effect: [all, plc, { tags: [{ name: 'Sensor', comment: 'limit switch' }] }],
    refused: ['name_taken', { ...plc, name: 'start', dataType: 'Bool' }],
  },
  {
    routes: ['PUT /api/devices/{deviceName}/tag-tables/{tableName}/tags/{tagName}'],
    input: { ...table, tagName: 'Start', newName: 'Go', comment: 'green button' },
    answer: { oldName: 'Start', name: 'Go' },
    effect: [all, plc, { tags: [{ name: 'Go', comment: 'green button', logicalAddress: '%I0.0' }] }],
    refused: ['not_found', { ...none, comment: 'x' }],
  },
  {
    routes: ['DELETE /api/devices/{deviceName}/tag-tables/{tableName}/tags/{tagName}'],
    before: [sensor],
    input: { ...spare, tagName: 'Sensor' },
    answer: { name: 'Sensor', deleted: true },
    effect: [all, plc, lacks('tags', { name: 'Sensor' })],
    refused: ['conflict', { ...table, tagName: 'Lamp' }],
  },
  {
    routes: [
      'GET /api/devices/{deviceName}/tag-tables/{tableName}/tags',
      'GET /api/devices/{deviceName}/tag-tables/{tableName}/tags/async',
    ],
    input: table,
    answer: { tags: [{ name: 'Start' }, { name: 'Lamp' }], total: 2 },
    shows: 'POST /api/devices/{deviceName}/tags',
    refused: ['not_found', noTable],
  },
  {
    routes: [
      'POST /api/devices/{deviceName}/tags/actions/import-sync',
      'POST /api/devices/{deviceName}/tags/actions/import',
    ],
    input: { ...spare, tags: [{ name: 'Sensor', dataType: 'Bool', logicalAddress: '%I5.0' }] },
    answer: { imported: 1, created: 1 },
    effect: [all, plc, inSpare],
    refused: ['unacceptable_content', { ...spare, tags: [{ name: 'Sensor', dataType: 'Bol' }] }],
  },
  {
    routes: [
      'POST /api/devices/{deviceName}/tag-tables/{tableName}/actions/import-csv-sync',
      'POST /api/devices/{deviceName}/tag-tables/{tableName}/actions/import-csv',
    ],
    input: { ...spare, content: csv },
    answer: { created: 1 },
    effect: [all, plc, inSpare],
    refused: ['unacceptable_content', { ...spare, content: 'Name,Data Type\nX,Bol\n' }],
  },
  {
    routes: [
      'POST /api/devices/{deviceName}/tag-tables/{tableName}/actions/import-xlsx-sync',
      'POST /api/devices/{deviceName}/tag-tables/{tableName}/actions/import-xlsx',
    ],
    before: [sensor, xlsx, emptied],
    input: { ...spare, filePath: 'spare.xlsx' },
    answer: { created: 1 },
    effect: [all, plc, inSpare],
    refused: ['unacceptable_content', { ...spare, contentBase64: 'AAAA' }],
  },
  {
    routes: [
      'POST /api/devices/{deviceName}/tag-tables/{tableName}/actions/export-excel-sync',
      'POST /api/devices/{deviceName}/tag-tables/{tableName}/actions/export-excel',
    ],
    before: [sensor],
    input: { ...spare, exportPath: 'sheet.xlsx', overwrite: true },
    answer: { tags: 1, exportPath: /sheet\.xlsx$/ },
    effect: [
      'POST /api/devices/{deviceName}/tag-tables/{tableName}/actions/import-xlsx-sync',
      { ...spare, filePath: 'sheet.xlsx' },
      { unchanged: 1 },
    ],
    refused: ['not_found', noTable],
    varies: ['size'],
  },
  {
    routes: [
      'POST /api/devices/{deviceName}/tag-tables/{tableName}/actions/export-csv-sync',
      'POST /api/devices/{deviceName}/tag-tables/{tableName}/actions/export-csv',
    ],
    before: [sensor],
    input: { ...spare, exportPath: 'sheet.csv', overwrite: true },
    answer: { tags: 1, exportPath: /sheet\.csv$/ },
    effect: [
      'POST /api/devices/{deviceName}/tag-tables/{tableName}/actions/import-csv-sync',
      { ...spare, filePath: 'sheet.csv' },
      { unchanged: 1 },
    ],
    refused: ['path_outside_workspace', { ...spare, exportPath: '../../x.csv' }],
  },
  {
    routes: ['GET /api/devices/{deviceName}/tag-tables/{tableName}/export-xml'],
    input: table,
    answer: /<SW\.Tags\.PlcTagTable[\s\S]*<Name>Start<\/Name>/,
    shows: 'POST /api/devices/{deviceName}/tags',
    refused: ['not_found', noTable],
  },
  {
    routes: [tables, 'GET /api/devices/{deviceName}/tag-tables/async'],
    input: plc,
    answer: { tagTables: [{ name: 'Spare' }, { name: table.tableName, tagCount: 2, isDefault: true }] },
    shows: 'POST /api/devices/{deviceName}/tag-tables/actions/create-sync',
    refused: ['not_found', nowhere],
  },
  {
    routes: ['GET /api/devices/{deviceName}/tag-tables/tree'],
    input: plc,
    answer: { children: [{ name: 'Empty', isFolder: true }, { name: 'Spare' }] },
    shows: 'POST /api/devices/{deviceName}/tag-tables/folders',
    refused: ['not_found', nowhere],
  },
  {
    routes: [
      'POST /api/devices/{deviceName}/tag-tables/actions/create-sync',
      'POST /api/devices/{deviceName}/tag-tables/actions/create',
    ],
    input: { ...plc, name: 'Motors', folder: 'Empty' },
    answer: { name: 'Motors', folder: 'Empty' },
    effect: [tables, plc, { tagTables: [{ name: 'Motors', folder: 'Empty' }] }],
    refused: ['name_taken', { ...plc, name: 'spare' }],
  },
  {
    routes: [
      'PUT /api/devices/{deviceName}/tag-tables/{tableName}/actions/update-sync',
      'PUT /api/devices/{deviceName}/tag-tables/{tableName}/actions/update',
    ],
    input: { ...spare, newName: 'Renamed' },
    answer: { oldName: 'Spare', name: 'Renamed' },
    effect: [tables, plc, { tagTables: [{ name: 'Renamed' }] }],
    refused: ['not_found', { ...noTable, newName: 'X' }],
  },
  {
    routes: [
      'DELETE /api/devices/{deviceName}/tag-tables/{tableName}/actions/delete-sync',
      'DELETE /api/devices/{deviceName}/tag-tables/{tableName}/actions/delete',
    ],
    input: spare,
    answer: { name: 'Spare', deleted: true },
    effect: [tables, plc, lacks('tagTables', { name: 'Spare' })],
    refused: ['not_found', noTable],
  },
  {
    routes: [constants],
    input: table,
    answer: { constants: [{ name: 'Most', value: '100', kind: 'user' }] },
    shows: 'POST /api/devices/{deviceName}/tag-tables/{tableName}/constants',
    refused: ['not_found', noTable],
  },
  {
    routes: ['GET /api/devices/{deviceName}/tag-tables/{tableName}/constants/system'],
    input: table,
    answer: (answer) => answer.total > 0 && lacks('constants', { name: 'Most' })(answer),
    shows: 'POST /api/projects/devices/actions/add-sync',
    refused: ['not_found', noTable],
  },
  {
    routes: ['GET /api/devices/{deviceName}/tag-tables/{tableName}/constants/user'],
    input: table,
    answer: { constants: [{ name: 'Most' }], total: 1 },
    shows: 'POST /api/devices/{deviceName}/tag-tables/{tableName}/constants',
    refused: ['not_found', noTable],
  },
  {
    routes: ['POST /api/devices/{deviceName}/tag-tables/{tableName}/constants'],
    input: { ...table, name: 'Least', dataType: 'Int', value: '3' },
    answer: { name: 'Least', value: '3' },
    effect: [constants, table, { constants: [{ name: 'Least', value: '3' }] }],
    refused: ['name_taken', { ...table, name: 'most', dataType: 'Int', value: '3' }],
  },
  {
    routes: ['PUT /api/devices/{deviceName}/tag-tables/{tableName}/constants/{constantName}'],
    input: { ...table, constantName: 'Most', value: '200' },
    answer: { name: 'Most', value: '200' },
    effect: [constants, table, { constants: [{ name: 'Most', value: '200' }] }],
    refused: ['not_found', { ...table, constantName: 'Nothing', value: '200' }],
  },
  {
    routes: ['DELETE /api/devices/{deviceName}/tag-tables/{tableName}/constants/{constantName}'],
    input: { ...table, constantName: 'Most' },
    answer: { name: 'Most', deleted: true },
    effect: [constants, table, lacks('constants', { name: 'Most' })],
    refused: ['not_found', { ...table, constantName: 'Nothing' }],
  },
  {
    routes: ['POST /api/devices/{deviceName}/tag-tables/folders'],
    input: { ...plc, path: 'Drives' },
    answer: { path: 'Drives', created: true },
    effect: ['GET /api/devices/{deviceName}/tag-tables/tree', plc, { children: [{ name: 'Drives' }] }],
    refused: ['invalid_input', { ...plc, path: '' }],
  },
  {
    routes: ['DELETE /api/devices/{deviceName}/tag-tables/folders'],
    input: { ...plc, path: 'Empty' },
    answer: { path: 'Empty' },
    effect: ['GET /api/devices/{deviceName}/tag-tables/tree', plc, lacks('children', { name: 'Empty' })],
    refused: ['not_found', { ...plc, path: 'Nothing' }],
  },
]
