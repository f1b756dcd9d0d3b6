/** Blocks and external sources. */
import { fbSource } from '../plant.ts'
import { type Call, type Case, lacks, nowhere, plc } from './case.ts'
import { plcNumber } from './plant.ts'

const fb = (name: string): Call => ['blocks.import', { ...plc, content: fbSource(name) }]
const data = { ...plc, blockName: 'Data' }
const counter = { ...plc, blockName: 'Counter' }
const none = { ...plc, blockName: 'Nothing' }
const second: Call = ['devices.add', { orderNumber: plcNumber, name: 'PLC_2' }]
const list = 'GET /api/devices/{deviceName}/blocks'
const content = 'GET /api/devices/{deviceName}/blocks/{blockName}/content'
const sources = 'GET /api/devices/{deviceName}/external-sources'
const member = { name: 'extra', dataType: 'Int', comment: 'added' }
const hasMember =
  (name: string, there = true) =>
  (answer: object) =>
    JSON.stringify(answer).includes(`"name":"${name}"`) === there

export const blocks: readonly Case[] = [
  {
    routes: [list, 'GET /api/devices/{deviceName}/blocks/async'],
    before: [fb('Listed')],
    input: plc,
    answer: { blocks: [{ name: 'Listed', type: 'FB', programmingLanguage: 'SCL' }] },
    shows: 'POST /api/devices/{deviceName}/blocks/actions/import-sync',
    refused: ['not_found', nowhere],
  },
  {
    routes: ['GET /api/devices/{deviceName}/blocks/tree'],
    input: plc,
    answer: { children: [{ name: 'Empty', isFolder: true }, { name: 'Data' }] },
    shows: 'POST /api/devices/{deviceName}/blocks/folders',
    refused: ['not_found', nowhere],
  },
  {
    routes: [content],
    input: { ...counter, view: 'full' },
    answer: { name: 'Counter', type: 'FB', sourceText: /#total := #total \+ #step/ },
    shows: 'POST /api/devices/{deviceName}/blocks/actions/import-sync',
    refused: ['not_found', none],
  },
  {
    routes: ['PUT /api/devices/{deviceName}/blocks/{blockName}/content'],
    input: { ...counter, code: '#total := 42;' },
    answer: { name: 'Counter' },
    effect: [content, counter, { sourceText: /#total := 42;/ }],
    refused: ['unacceptable_content', { ...counter, sourceText: 'FUNCTION_BLOCK "Counter" nothing' }],
  },
  {
    routes: ['POST /api/devices/{deviceName}/blocks'],
    input: { ...plc, name: 'Made', type: 'FC', language: 'SCL' },
    answer: { name: 'Made', type: 'FC' },
    effect: [list, plc, { blocks: [{ name: 'Made', programmingLanguage: 'SCL' }] }],
    refused: ['name_taken', { ...plc, name: 'counter', type: 'FC', language: 'SCL' }],
  },
  {
    routes: ['DELETE /api/devices/{deviceName}/blocks/{blockName}'],
    before: [fb('Gone')],
    input: { ...plc, blockName: 'Gone' },
    answer: { name: 'Gone', deleted: true },
    effect: [list, plc, lacks('blocks', { name: 'Gone' })],
    refused: ['conflict', counter],
  },
  {
    routes: [
      'POST /api/devices/{deviceName}/blocks/actions/rename',
      'POST /api/devices/{deviceName}/blocks/actions/rename-async',
    ],
    input: { ...counter, newName: 'Tally' },
    answer: { oldName: 'Counter', name: 'Tally' },
    effect: [content, { ...plc, blockName: 'Counter_DB' }, { sourceText: /"Tally"/ }],
    refused: ['name_taken', { ...counter, newName: 'Data' }],
  },
  {
    routes: [
      'POST /api/devices/{deviceName}/blocks/actions/export-sync',
      'POST /api/devices/{deviceName}/blocks/actions/export',
    ],
    before: [second],
    input: { ...counter, exportPath: 'out/Counter.xml', overwrite: true },
    answer: { blockName: 'Counter', exportPath: /Counter\.xml$/ },
    effect: [
      'POST /api/devices/{deviceName}/blocks/actions/import-sync',
      { deviceName: 'PLC_2', filePath: 'out/Counter.xml' },
      { created: 1, objects: [{ name: 'Counter' }] },
    ],
    refused: ['path_outside_workspace', { ...counter, exportPath: '/etc/Counter.xml' }],
  },
  {
    routes: [
      'POST /api/devices/{deviceName}/blocks/actions/import-sync',
      'POST /api/devices/{deviceName}/blocks/actions/import',
    ],
    input: { ...plc, filePath: 'Added.scl' },
    answer: { imported: 1, created: 1, objects: [{ name: 'Added' }] },
    effect: [content, { ...plc, blockName: 'Added' }, { sourceText: /#out := #in;/ }],
    refused: ['not_found', { ...plc, filePath: 'Never.scl' }],
  },
  {
    routes: ['GET /api/devices/{deviceName}/blocks/{blockName}/export-xml'],
    input: counter,
    answer: /<SW\.Blocks\.FB[\s\S]*<Name>Counter<\/Name>/,
    shows: 'POST /api/devices/{deviceName}/blocks/actions/import-sync',
    refused: ['not_found', none],
  },
  {
    routes: ['POST /api/devices/{deviceName}/blocks/{blockName}/actions/export-source'],
    before: [second],
    input: { ...counter, exportPath: 'out/Counter.scl', overwrite: true },
    answer: { exportPath: /Counter\.scl$/ },
    effect: [
      'POST /api/devices/{deviceName}/blocks/actions/import-sync',
      { deviceName: 'PLC_2', filePath: 'out/Counter.scl' },
      { created: 1 },
    ],
    refused: ['not_found', none],
  },
  {
    routes: [
      'POST /api/devices/{deviceName}/blocks/{blockName}/actions/create-snapshot',
      'POST /api/history/blocks/{deviceName}/{blockName}/actions/snapshot',
    ],
    input: { ...data, label: 'before the change' },
    answer: { success: true, name: 'Data' },
    effect: ['GET /api/history/blocks/{deviceName}/{blockName}', data, { snapshots: [{ label: 'before the change' }] }],
    varies: ['createdBy'],
    refused: ['not_found', none],
  },
  {
    routes: ['POST /api/devices/{deviceName}/blocks/{blockName}/actions/load-snapshot'],
    before: [
      ['history.snapshot-block', counter],
      ['blocks.update-content', { ...counter, code: '#total := 1;' }],
    ],
    input: async (world) => {
      const { snapshots } = await world.call('history.list-block', { ...counter, kind: 'manual' })
      return { ...counter, snapshotId: snapshots[0].snapshotId }
    },
    answer: { success: true, name: 'Counter' },
    effect: [content, counter, { sourceText: /#total := #total \+ #step/ }],
    refused: ['not_found', { ...data, snapshotId: 'S0' }],
  },
  {
    routes: ['POST /api/devices/{deviceName}/blocks/{blockName}/actions/load-start-values'],
    before: [['simulation.write-tag', { name: 'Sim', tagName: 'Data.limit', value: 55 }]],
    input: data,
    answer: { blockName: 'Data' },
    effect: ['GET /api/simulation/tags/{tagName}', { name: 'Sim', tagName: 'Data.limit' }, { value: 10 }],
    refused: ['not_found', none],
  },
  {
    routes: ['POST /api/devices/{deviceName}/blocks/{blockName}/actions/export-diag'],
    before: [
      [
        'block-generation.generate-graph',
        {
          ...plc,
          specification: {
            name: 'Seq',
            steps: [{ name: 'Idle', initial: true, supervision: '#jam' }, { name: 'Work' }],
            transitions: [
              { name: 'T1', from: 'Idle', to: 'Work', condition: '#go' },
              { name: 'T2', from: 'Work', to: 'Idle', condition: 'NOT #go' },
            ],
            interface: [
              {
                section: 'Input',
                members: [
                  { name: 'jam', dataType: 'Bool' },
                  { name: 'go', dataType: 'Bool' },
                ],
              },
            ],
          },
        },
      ],
    ],
    input: { ...plc, blockName: 'Seq' },
    answer: ({ entries, content: text }) => entries > 0 && typeof text === 'string',
    effect: [content, { ...plc, blockName: 'Seq' }, { programmingLanguage: 'GRAPH' }],
    refused: ['not_found', none],
  },
  {
    routes: ['POST /api/devices/{deviceName}/blocks/{blockName}/networks'],
    before: [['blocks.create', { ...plc, name: 'Rungs', type: 'FC', language: 'LAD' }]],
    input: { ...plc, blockName: 'Rungs', expressions: '"Lamp" := "Start";', title: 'Light' },
    answer: { name: 'Rungs' },
    effect: [content, { ...plc, blockName: 'Rungs' }, { networks: [{ title: 'Light' }] }],
    refused: ['not_found', { ...none, expressions: '"Lamp" := "Start";' }],
  },
  {
    routes: ['POST /api/devices/{deviceName}/blocks/{blockName}/interface/members'],
    input: { ...counter, section: 'Static', ...member },
    answer: { name: 'Counter' },
    effect: [content, counter, hasMember('extra')],
    refused: ['unacceptable_content', { ...counter, section: 'Static', ...member, name: 'total' }],
  },
  {
    routes: ['PUT /api/devices/{deviceName}/blocks/{blockName}/interface/members/{memberName}'],
    input: { ...counter, memberName: 'step', dataType: 'DInt' },
    answer: { name: 'Counter' },
    effect: [content, counter, { sourceText: /step : DInt/ }],
    refused: ['not_found', { ...counter, memberName: 'stp', dataType: 'DInt' }],
  },
  {
    routes: ['DELETE /api/devices/{deviceName}/blocks/{blockName}/interface/members/{memberName}'],
    before: [['blocks.add-members', { ...counter, section: 'Static', ...member }]],
    input: { ...counter, memberName: 'extra' },
    answer: { name: 'Counter' },
    effect: [content, counter, hasMember('extra', false)],
    refused: ['conflict', { ...counter, memberName: 'total' }],
  },
  {
    routes: ['POST /api/devices/{deviceName}/blocks/folders'],
    input: { ...plc, path: 'Drives/Left' },
    answer: { path: 'Drives/Left', created: true },
    effect: ['GET /api/devices/{deviceName}/blocks/tree', plc, { children: [{ name: 'Drives', isFolder: true }] }],
    refused: ['invalid_input', { ...plc, path: '' }],
  },
  {
    routes: ['DELETE /api/devices/{deviceName}/blocks/folders'],
    input: { ...plc, path: 'Empty' },
    answer: { path: 'Empty', folders: ['Empty'] },
    effect: ['GET /api/devices/{deviceName}/blocks/tree', plc, lacks('children', { name: 'Empty' })],
    refused: ['not_found', { ...plc, path: 'Nothing' }],
  },
  {
    routes: ['GET /api/devices/{deviceName}/blocks/{blockName}/cross-references'],
    input: data,
    answer: { blockName: 'Data', sources: [{ referenceObjects: [{ name: 'Main' }] }] },
    shows: 'POST /api/devices/{deviceName}/blocks/actions/import-sync',
    refused: ['not_found', none],
  },
  {
    routes: [sources],
    input: plc,
    answer: { externalSources: [{ name: 'Kept.scl' }], folders: ['Empty'] },
    shows: 'POST /api/devices/{deviceName}/external-sources/from-text',
    refused: ['not_found', nowhere],
  },
  {
    routes: ['POST /api/devices/{deviceName}/external-sources/import-and-generate'],
    input: { ...plc, content: fbSource('Generated') },
    answer: { created: 1, objects: [{ name: 'Generated' }] },
    effect: [list, plc, { blocks: [{ name: 'Generated' }] }],
    refused: ['unacceptable_content', { ...plc, content: 'FUNCTION_BLOCK "Half"\nVAR' }],
  },
  {
    routes: ['POST /api/devices/{deviceName}/external-sources/from-file'],
    input: { ...plc, filePath: 'Added.scl' },
    answer: { name: 'Added.scl' },
    effect: [sources, plc, { externalSources: [{ name: 'Added.scl' }] }],
    refused: ['not_found', { ...plc, filePath: 'Never.scl' }],
  },
  {
    routes: ['POST /api/devices/{deviceName}/external-sources/from-text'],
    input: { ...plc, sourceName: 'Text.scl', content: fbSource('Text') },
    answer: { name: 'Text.scl' },
    effect: [sources, plc, { externalSources: [{ name: 'Text.scl' }] }],
    refused: ['name_taken', { ...plc, sourceName: 'Kept.scl', content: fbSource('Text') }],
  },
  {
    routes: ['DELETE /api/devices/{deviceName}/external-sources/{sourceName}'],
    input: { ...plc, sourceName: 'Kept.scl' },
    answer: { name: 'Kept.scl', deleted: true },
    effect: [sources, plc, { total: 0 }],
    refused: ['not_found', { ...plc, sourceName: 'Nothing.scl' }],
  },
  {
    routes: ['POST /api/devices/{deviceName}/external-sources/{sourceName}/generate'],
    input: { ...plc, sourceName: 'Kept.scl' },
    answer: { created: 1, objects: [{ name: 'Kept' }] },
    effect: [list, plc, { blocks: [{ name: 'Kept' }] }],
    refused: ['not_found', { ...plc, sourceName: 'Nothing.scl' }],
  },
  {
    routes: ['POST /api/devices/{deviceName}/external-sources/folders'],
    input: { ...plc, path: 'New' },
    answer: { path: 'New', created: true },
    effect: [sources, plc, { folders: ['New'] }],
    refused: ['invalid_input', { ...plc, path: '' }],
  },
  {
    routes: ['DELETE /api/devices/{deviceName}/external-sources/folders'],
    input: { ...plc, path: 'Empty' },
    answer: { path: 'Empty' },
    effect: [sources, plc, ({ folders }) => folders.length === 0],
    refused: ['not_found', { ...plc, path: 'Nothing' }],
  },
]
