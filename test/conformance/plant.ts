/** The plant that the tables of this folder work on: something of every kind. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestGateway } from '../harness.ts'
import { panels } from '../hmi.ts'
import { newProject, plc, sampleProgram } from '../online.ts'
import { fbSource } from '../plant.ts'
import type { World } from './case.ts'

export const hmi = { deviceName: 'Panel' }
export const unified = { deviceName: 'Unified' }
/** The table of the tags Start and Lamp. */
export const table = { ...plc, tableName: 'Default tag table' }
export const plcNumber = '6ES7 515-2AM02-0AB0'

const files = {
  'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>',
  'Added.scl': fbSource('Added'),
  'plants/Extra.csv': 'Name,Path,Data Type,Logical Address,Comment\nSensor,Line,Bool,%I5.0,limit switch\n',
  'Old.json': JSON.stringify([{ InstanceName: 'PLC_3' }]),
  'broken.zap19': 'no archive',
  'TypeFile.udt': 'TYPE "TypeFile"\nSTRUCT\n  x : Int;\nEND_STRUCT;\nEND_TYPE\n',
}

/** Files, an open project with a PLC and two panels, a controller with the program, a library, snapshots, a design. */
export async function buildPlant(at: TestGateway, spec: string): Promise<void> {
  const workspace = join(at.dir, 'workspace')
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(workspace, path, '..'), { recursive: true })
    await writeFile(join(workspace, path), content)
  }
  await newProject(at, 'Line')
  const { call } = at
  await call('tags.add', { ...plc, name: 'Start', dataType: 'Bool', logicalAddress: '%I0.0', comment: 'button' })
  await call('tags.add', { ...plc, name: 'Lamp', dataType: 'Bool', logicalAddress: '%Q0.0' })
  await call('tags.create-constant', { ...table, name: 'Most', dataType: 'Int', value: '100' })
  await call('tags.create-table', { ...plc, name: 'Spare' })
  await call('blocks.import', { ...plc, content: sampleProgram })
  await call('types.create', { ...plc, name: 'Unused', members: [{ name: 'x', dataType: 'Int' }] })
  await call('watch-tables.create', { ...plc, name: 'Watch' })
  await call('watch-tables.add-entries', { ...plc, tableName: 'Watch', name: 'Start' })
  await call('watch-tables.create-force', { ...plc, name: 'Force' })
  for (const kind of ['blocks', 'tags', 'types', 'watch-tables'])
    await call(`${kind}.create-folder`, { ...plc, path: 'Empty' })
  await call('blocks.create-source-folder', { ...plc, path: 'Empty' })
  await call('blocks.add-source-from-text', { ...plc, sourceName: 'Kept.scl', content: fbSource('Kept') })
  await buildPanels(at)
  await buildLibraries(at)
  await call('security.create-user', { name: 'anna', password: 'Valve-42-open' })
  await call('design-spec.load', { file: { fileName: 'mixer.csv', content: spec } })
  await call('simulation.create-instance', { name: 'Spare', ipAddress: '192.168.0.9' })
  await call('simulation.create-profile', { name: 'Profile', instances: [{ name: 'Later' }] })
  const config = { time: { mode: 'stepped', cycleTimeMs: 1 }, startup: 'Stop' }
  await call('simulation.create-instance', { name: 'Sim', cpuType: 'CPU1515', ipAddress: '192.168.0.1', config })
  await call('simulation.power-on', { name: 'Sim' })
  await call('online.download', { ...plc, compile: true })
  await call('projects.index', {})
  await call('projects.save', {})
  await call('projects.archive', { archivePath: 'Line.zap19' })
}

async function buildPanels({ call }: TestGateway): Promise<void> {
  await call('devices.add', { orderNumber: panels.classic, name: hmi.deviceName })
  await call('devices.add', { orderNumber: panels.unified, name: unified.deviceName })
  await call('hmi.create-screen', { ...hmi, name: 'Home', width: 800, height: 480 })
  await call('hmi.create-tag-table', { ...hmi, name: 'Inner' })
  await call('hmi.add-tag', { ...hmi, tableName: 'Inner', name: 'Level', dataType: 'Real' })
  await call('hmi.create-tag-table', { ...unified, name: 'Inner' })
  await call('hmi.add-tag', { ...unified, tableName: 'Inner', name: 'Flow', dataType: 'Real' })
  for (const kind of ['script', 'text-list', 'graphic-list', 'project-graphic', 'library-type'])
    if (kind !== 'project-graphic') await call(`hmi.create-${kind}`, { ...hmi, name: 'One' })
}

async function buildLibraries({ call }: TestGateway): Promise<void> {
  await call('libraries.create-global', { name: 'Shared' })
  await call('libraries.create-master-copy', { ...plc, objectName: 'Data' })
  await call('libraries.create-global-master-copy', { ...plc, objectName: 'Data' })
  for (const more of [{}, { library: 'Shared' }])
    await call('libraries.store-type-version', { ...plc, objectName: 'Unused', ...more })
  await call('libraries.save-global', {})
}

/** The newest snapshot, taken now. */
export async function snapshot(at: Pick<World, 'call'>, what = 'block') {
  const made =
    what === 'block'
      ? await at.call('history.snapshot-block', { ...plc, blockName: 'Data' })
      : await at.call('history.snapshot-tags', table)
  return { snapshotId: made.snapshotId as string }
}
