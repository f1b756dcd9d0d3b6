/** History and snapshots; block generation. */
import { designExample } from '../../plugins/block-generation/design/schema.ts'
import { examples, graphExample } from '../../plugins/block-generation/schema.ts'
import { type Call, type Case, nowhere, plc, type World } from './case.ts'
import { snapshot, table } from './plant.ts'

const data = { ...plc, blockName: 'Data' }
const none = { snapshotId: 'S0' }
const taken = (world: World) => snapshot(world)
const ofData = 'GET /api/history/blocks/{deviceName}/{blockName}'
const details = 'GET /api/history/snapshots/{snapshotId}'
const newest = async ({ call }: World) => {
  const { snapshots } = await call('history.list-block', { ...data, kind: 'manual' })
  return { snapshotId: snapshots[0].snapshotId as string }
}
const one: Call = ['history.snapshot-block', data]

export const history: readonly Case[] = [
  {
    routes: ['GET /api/history/stats'],
    before: [one],
    answer: ({ totalSnapshots, blockSnapshots }) => totalSnapshots > 0 && blockSnapshots > 0,
    shows: 'POST /api/history/blocks/{deviceName}/{blockName}/actions/snapshot',
    varies: [
      'totalSnapshots',
      'manual',
      'automatic',
      'blockSnapshots',
      'tagTableSnapshots',
      'devices',
      'oldest',
      'newest',
      'blocks',
      'tagTables',
      'distinctContents',
    ],
  },
  {
    routes: [ofData],
    before: [['history.snapshot-block', { ...data, label: 'mine' }]],
    input: { ...data, kind: 'manual', limit: 1 },
    answer: { snapshots: [{ name: 'Data', label: 'mine' }] },
    shows: 'POST /api/history/blocks/{deviceName}/{blockName}/actions/snapshot',
    refused: ['not_found', { ...nowhere, blockName: 'Data' }],
    varies: ['total', 'nextCursor'],
  },
  {
    routes: ['GET /api/history/tags/{deviceName}/{tableName}'],
    before: [['history.snapshot-tags', { ...table, label: 'mine' }]],
    input: { ...table, kind: 'manual', limit: 1 },
    answer: { snapshots: [{ name: table.tableName, label: 'mine' }] },
    shows: 'POST /api/history/tags/{deviceName}/{tableName}/actions/snapshot',
    refused: ['not_found', { ...nowhere, tableName: table.tableName }],
    varies: ['total', 'nextCursor'],
  },
  {
    routes: ['POST /api/history/tags/{deviceName}/{tableName}/actions/snapshot'],
    input: { ...table, label: 'before the change' },
    answer: { success: true, type: 'tag-table' },
    varies: ['createdBy'],
    effect: ['GET /api/history/tags/{deviceName}/{tableName}', table, { snapshots: [{ label: 'before the change' }] }],
    refused: ['not_found', { ...plc, tableName: 'Nothing' }],
  },
  {
    routes: [details],
    input: taken,
    answer: { type: 'block', name: 'Data', kind: 'manual' },
    shows: 'POST /api/history/blocks/{deviceName}/{blockName}/actions/snapshot',
    refused: ['not_found', none],
  },
  {
    routes: ['GET /api/history/snapshots/{snapshotId}/content'],
    input: taken,
    answer: (answer) => JSON.stringify(answer).includes('DATA_BLOCK'),
    shows: 'POST /api/history/blocks/{deviceName}/{blockName}/actions/snapshot',
    refused: ['not_found', none],
  },
  {
    routes: ['DELETE /api/history/snapshots/{snapshotId}'],
    before: [['history.cleanup', { keepNewest: 0 }]],
    input: taken,
    answer: { success: true },
    effect: [ofData, data, { total: 0 }],
    refused: ['not_found', none],
  },
  {
    routes: ['POST /api/history/actions/cleanup'],
    before: [one],
    input: { keepNewest: 0, type: 'block' },
    answer: ({ success, deleted }) => success && deleted > 0,
    effect: [ofData, data, { total: 0 }],
    refused: ['invalid_input', { keepNewest: -1 }],
    varies: ['deleted', 'remaining', 'snapshotIds'],
  },
  {
    routes: ['POST /api/history/snapshots/{snapshotId}/actions/restore-sync'],
    before: [one, ['blocks.delete', { ...data, force: true }]],
    input: newest,
    answer: { success: true, name: 'Data', action: 'recreated' },
    effect: ['GET /api/devices/{deviceName}/blocks/{blockName}/content', data, { sourceText: /limit : Int := 10/ }],
    refused: ['not_found', none],
  },
]

const ladder = examples.ladder
const content = 'GET /api/devices/{deviceName}/blocks/{blockName}/content'
const importOnly = 'POST /api/blockgeneration/import-only'
const wrong = { ...ladder, networks: [{ expressions: '#run :=' }] }

export const blockGeneration: readonly Case[] = [
  {
    routes: ['POST /api/blockgeneration/generate-only'],
    input: { specification: ladder, exportPath: 'gen/Starter.xml', overwrite: true },
    answer: { name: ladder.name, kind: 'FB', exportPath: /Starter\.xml$/ },
    effect: [importOnly, { ...plc, filePath: 'gen/Starter.xml' }, { created: 1, objects: [{ name: ladder.name }] }],
    refused: ['unacceptable_content', { specification: wrong }],
  },
  {
    routes: ['POST /api/blockgeneration/generate-and-import'],
    input: { ...plc, specification: ladder },
    answer: { created: 1, compiled: true },
    effect: [content, { ...plc, blockName: ladder.name }, { networks: [{ number: 1 }] }],
    refused: ['unacceptable_content', { ...plc, specification: wrong }],
  },
  {
    routes: [importOnly],
    before: [
      ['block-generation.generate-only', { specification: ladder, exportPath: 'gen/Starter.xml', overwrite: true }],
    ],
    input: { ...plc, filePath: 'gen/Starter.xml' },
    answer: { created: 1 },
    effect: [content, { ...plc, blockName: ladder.name }, { name: ladder.name }],
    refused: ['not_found', { ...plc, filePath: 'gen/Never.xml' }],
  },
  {
    routes: ['POST /api/blockgeneration/generate-from-design'],
    input: { ...plc, design: designExample },
    answer: ({ created, compileStatus }) => created > 5 && compileStatus === 'success',
    effect: ['GET /api/devices/{deviceName}/blocks', plc, { blocks: [{ name: 'Unit_Tank' }] }],
    refused: ['not_found', { ...nowhere, design: designExample }],
  },
  {
    routes: ['POST /api/blockgeneration/generate-graph'],
    input: { ...plc, specification: graphExample },
    answer: { created: 1, language: 'GRAPH' },
    effect: [content, { ...plc, blockName: graphExample.name }, { programmingLanguage: 'GRAPH' }],
    refused: [
      'unacceptable_content',
      { ...plc, specification: { name: 'S', steps: [{ name: 'A', initial: true }, { name: 'A' }] } },
    ],
  },
  {
    routes: ['POST /api/blockgeneration/generate-graph-only'],
    input: { specification: graphExample, exportPath: 'gen/Graph.xml', overwrite: true },
    answer: { language: 'GRAPH', exportPath: /Graph\.xml$/ },
    effect: [importOnly, { ...plc, filePath: 'gen/Graph.xml' }, { created: 1, objects: [{ name: graphExample.name }] }],
    refused: ['path_outside_workspace', { specification: graphExample, exportPath: '/etc/Graph.xml' }],
  },
  {
    routes: ['GET /api/blockgeneration/templates'],
    answer: ({ templates, total }) => total > 10 && templates.length === total,
    shows: 'the templates of the gateway',
    refused: ['invalid_input', { limit: 0 }],
  },
  {
    routes: ['POST /api/blockgeneration/bulk-import'],
    before: [
      ['block-generation.generate-only', { specification: ladder, exportPath: 'gen/One.xml', overwrite: true }],
      [
        'block-generation.generate-graph-only',
        { specification: graphExample, exportPath: 'gen/Two.xml', overwrite: true },
      ],
    ],
    input: { ...plc, filePaths: ['gen/One.xml', 'gen/Two.xml'] },
    answer: { imported: 2, created: 2 },
    effect: [
      'GET /api/devices/{deviceName}/blocks',
      plc,
      { blocks: [{ name: ladder.name }, { name: graphExample.name }] },
    ],
    refused: ['unacceptable_content', { ...plc, filePaths: ['gen/Never.xml'] }],
  },
]
