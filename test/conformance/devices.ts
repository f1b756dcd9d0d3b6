/** Devices and hardware catalog. */
import { type Case, lacks, nowhere, plc } from './case.ts'
import { plcNumber } from './plant.ts'

const added = { orderNumber: plcNumber, name: 'PLC_2' }
const add = ['devices.add', added] as const
const parked = ['devices.add', { ...added, name: 'Parked', unplaced: true }] as const
const device = { deviceName: 'PLC_2' }
const aml = ['cax.export-hardware', { ...plc, exportPath: 'hw.aml', overwrite: true }] as const

export const devices: readonly Case[] = [
  {
    routes: ['GET /api/projects/devices', 'GET /api/projects/devices/async'],
    before: [add],
    answer: { devices: [{ name: 'PLC_1' }, { name: 'PLC_2', orderNumber: plcNumber }], total: 4 },
    shows: 'POST /api/projects/devices/actions/add-sync',
  },
  {
    routes: ['GET /api/projects/devices/parking-lot'],
    before: [parked],
    answer: { devices: [{ name: 'Parked', unplaced: true }], total: 1 },
    shows: 'POST /api/projects/devices/actions/add-sync',
  },
  {
    routes: ['POST /api/projects/devices/parking-lot/actions/clear'],
    before: [parked],
    answer: { removed: 1, devices: ['Parked'] },
    effect: ['GET /api/projects/devices/parking-lot', {}, { total: 0 }],
  },
  {
    routes: ['POST /api/projects/devices/actions/add-sync', 'POST /api/projects/devices/actions/add'],
    input: added,
    answer: { name: 'PLC_2', orderNumber: plcNumber },
    effect: ['GET /api/projects/devices', {}, { devices: [{ name: 'PLC_2' }] }],
    refused: ['name_taken', { ...added, name: 'plc_1' }],
  },
  {
    routes: ['DELETE /api/devices/{deviceName}', 'POST /api/devices/{deviceName}/actions/delete-async'],
    before: [add],
    input: device,
    answer: { name: 'PLC_2', deleted: true },
    effect: ['GET /api/projects/devices', {}, lacks('devices', { name: 'PLC_2' })],
    refused: ['not_found', nowhere],
  },
  {
    routes: ['POST /api/devices/actions/rename', 'POST /api/devices/actions/rename-async'],
    before: [add],
    input: { ...device, newName: 'Pumps' },
    answer: { oldName: 'PLC_2', name: 'Pumps' },
    effect: ['GET /api/devices/{deviceName}/hardware-details', { deviceName: 'Pumps' }, { deviceName: 'Pumps' }],
    refused: ['name_taken', { ...device, newName: 'PLC_1' }, [add]],
  },
  {
    routes: ['POST /api/devices/{deviceName}/actions/compile-sync', 'POST /api/devices/{deviceName}/actions/compile'],
    before: [['blocks.import', { ...plc, content: 'FUNCTION "Doubled" : Int\nBEGIN\n#Doubled := 2;\nEND_FUNCTION\n' }]],
    input: { ...plc, rebuild: true },
    answer: { state: /Success|Warning/, errorCount: 0 },
    effect: ['GET /api/devices/{deviceName}/blocks', plc, { blocks: [{ name: 'Doubled', isConsistent: true }] }],
    refused: ['not_found', nowhere],
    varies: ['compiledBlocks', 'unchangedBlocks'],
  },
  {
    routes: [
      'POST /api/devices/{deviceName}/actions/configure-network-sync',
      'POST /api/devices/{deviceName}/actions/configure-network',
    ],
    before: [add],
    input: { ...device, ipAddress: '10.0.0.5', subnetMask: '255.0.0.0' },
    answer: { ipAddress: '10.0.0.5', changed: true },
    effect: ['GET /api/projects/devices', {}, { devices: [{ name: 'PLC_2', ipAddress: '10.0.0.5' }] }],
    refused: ['invalid_input', { ...plc, ipAddress: '10.0.0' }],
  },
  {
    routes: [
      'POST /api/devices/{deviceName}/actions/export-hardware-async',
      'POST /api/devices/{deviceName}/actions/export-hardware',
    ],
    input: { ...plc, exportPath: 'hw.aml', overwrite: true },
    answer: { devices: ['PLC_1'], exportPath: /hw\.aml$/ },
    effect: [
      'POST /api/projects/devices/actions/import-hardware-sync',
      { filePath: 'hw.aml', importOption: 'RetainTiaDevice' },
      { devices: [{ name: 'PLC_1' }] },
    ],
    refused: ['not_found', nowhere],
    varies: ['size', 'content'],
  },
  {
    routes: [
      'POST /api/projects/devices/actions/import-hardware-sync',
      'POST /api/projects/devices/actions/import-hardware',
    ],
    before: [aml, ['devices.delete', plc]],
    input: { filePath: 'hw.aml' },
    answer: { created: 1, devices: [{ name: 'PLC_1' }] },
    effect: ['GET /api/projects/devices', {}, { devices: [{ name: 'PLC_1', orderNumber: plcNumber }] }],
    refused: ['unacceptable_content', { content: '<CAEXFile>' }],
  },
  {
    routes: ['GET /api/devices/compatible-slots'],
    before: [['hardware.plug-module', { ...plc, orderNumber: '6ES7 521-1BL00-0AB0' }]],
    input: { ...plc, orderNumber: '6ES7 522-1BL00-0AB0' },
    answer: (answer) => answer.slots.length > 5 && !answer.slots.some(({ slot }: { slot: number }) => slot === 2),
    shows: 'POST /api/devices/{deviceName}/modules',
    refused: ['not_found', { ...nowhere, orderNumber: '6ES7 522-1BL00-0AB0' }],
  },
  {
    routes: ['GET /api/devices/{deviceName}/hardware-details'],
    before: [['devices.configure-network', { ...plc, profinetName: 'line-plc' }]],
    input: plc,
    answer: (answer) => JSON.stringify(answer).includes('line-plc'),
    shows: 'POST /api/devices/{deviceName}/actions/configure-network-sync',
    refused: ['not_found', nowhere],
  },
  {
    routes: ['POST /api/catalog/actions/find-sync', 'POST /api/catalog/actions/find'],
    input: { orderNumber: plcNumber },
    answer: { orderNumber: plcNumber, isDevice: true },
    shows: 'the catalog',
    refused: ['not_found', { orderNumber: '6ES7 000-0AA00-0AA0' }],
  },
  {
    routes: ['POST /api/catalog/actions/search-sync', 'POST /api/catalog/actions/search'],
    input: { query: '1515-2', limit: 20 },
    answer: { entries: [{ orderNumber: plcNumber }] },
    shows: 'the catalog',
    refused: ['invalid_input', {}],
  },
  {
    routes: ['GET /api/catalog/cache/status'],
    answer: ({ state, entries }) => state === 'loaded' && entries > 100,
    before: [['devices.catalog-cache-load', {}]],
    shows: 'POST /api/catalog/cache/load',
  },
  {
    routes: ['POST /api/catalog/cache/load'],
    answer: { state: 'loaded' },
    shows: 'GET /api/catalog/cache/status',
  },
  {
    routes: ['POST /api/catalog/cache/build'],
    answer: { state: 'loaded', indexed: true },
    shows: 'GET /api/catalog/cache/status',
  },
  {
    routes: ['GET /api/catalog/images/{orderNumber}'],
    input: { orderNumber: plcNumber },
    answer: /<svg/,
    shows: 'the catalog',
    refused: ['not_found', { orderNumber: '6ES7 000-0AA00-0AA0' }],
  },
]
