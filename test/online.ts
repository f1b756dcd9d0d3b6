/** Devices with controllers in tests. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Controller, controllerOf } from '../plugins/simulation/index.ts'
import { openTestGateway, type TestGateway } from './harness.ts'

/** What an operation answers; tests look at single fields. */
// biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it reads
export type Answer = Record<string, any>

export const plc = { deviceName: 'PLC_1' }
export const address = '192.168.0.1'

/** A program with a counter in a data block, a function block with its instance, and a type. */
export const sampleProgram = `
TYPE "Motor"
VERSION : 0.1
  STRUCT
    run : Bool;
    speed : Int := 3;
  END_STRUCT;
END_TYPE

FUNCTION_BLOCK "Counter"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR_INPUT
    step : Int := 1;   // how far
  END_VAR
  VAR
    total : DInt;
  END_VAR
BEGIN
  #total := #total + #step; // counts
END_FUNCTION_BLOCK

DATA_BLOCK "Data"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR
    count : DInt;
    limit : Int := 10;
    motor : "Motor";
  END_VAR
BEGIN
END_DATA_BLOCK

DATA_BLOCK "Counter_DB"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
"Counter"
BEGIN
END_DATA_BLOCK

ORGANIZATION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
BEGIN
  "Counter_DB"(step := 2);
  "Data".count := "Data".count + 1;
  "Lamp" := "Start";
END_ORGANIZATION_BLOCK
`

/** A project with PLC_1 at 192.168.0.1, simulation support, the sample program, two tags, a watch table and folders. */
export async function withProject(t: TestContext, opened?: TestGateway): Promise<TestGateway> {
  const at = opened ?? (await openTestGateway(t))
  await newProject(at, 'Line')
  await at.call('tags.add', { ...plc, name: 'Start', dataType: 'Bool', logicalAddress: '%I0.0', comment: 'button' })
  await at.call('tags.add', { ...plc, name: 'Lamp', dataType: 'Bool', logicalAddress: '%Q0.0' })
  await at.call('tags.create-constant', {
    ...plc,
    tableName: 'Default tag table',
    name: 'Most',
    dataType: 'Int',
    value: '100',
  })
  await at.call('blocks.import', { ...plc, content: sampleProgram })
  await at.call('watch-tables.create', { ...plc, name: 'Watch' })
  await at.call('blocks.create-folder', { ...plc, path: 'Empty/Inner' })
  return at
}

/**
 * An open, saved project with PLC_1, which has the address that a first device gets; `ipAddress`: another, `''`: none.
 */
export async function newProject(at: TestGateway, name: string, ipAddress = address): Promise<void> {
  const { path } = await at.call<{ path: string }>('projects.create', { name, path: `${at.dir}/workspace` })
  await at.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
  if (ipAddress !== address && ipAddress !== '') await at.call('devices.configure-network', { ...plc, ipAddress })
  await at.call('projects.simulation-support', {})
  await at.call('projects.save', {})
  if (ipAddress !== '') return
  await at.call('projects.close', {})
  await removeNetwork(path)
  await at.call('projects.open', { path })
}

/** Takes the interfaces of PLC_1 out of the files of a project, as in projects of older versions. */
async function removeNetwork(projectPath: string): Promise<void> {
  const file = join(projectPath, 'devices/PLC_1/device.json')
  const { network: _network, ...device } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  await writeFile(file, JSON.stringify(device))
}

/** Creates an instance and powers it on. In stepped time, so that nothing runs by itself. */
export async function withController(
  at: TestGateway,
  { name = 'Sim', ipAddress = address, cpuType = 'CPU1515' } = {},
): Promise<Controller> {
  const config = { time: { mode: 'stepped', cycleTimeMs: 1 }, startup: 'Stop' }
  await at.call('simulation.create-instance', { name, cpuType, ipAddress, config })
  await at.call('simulation.power-on', { name })
  return controllerOf({ gateway: at.gateway, read: at.gateway.state.read }, name)
}

/** Project, controller, and the program in it, in STOP. */
export async function withDownload(t: TestContext): Promise<{ at: TestGateway; controller: Controller }> {
  const at = await withProject(t)
  const controller = await withController(at)
  await at.call('online.download', { ...plc, compile: true })
  return { at, controller }
}

/** Files of the device in the saved project, by path; ids and times of the index are left out. */
export async function savedFiles(at: TestGateway, device = 'PLC_1'): Promise<Record<string, string>> {
  await at.call('projects.save', {})
  const { path } = await at.call<Answer>('projects.list', {}).then((list) => list.projects[0])
  const base = join(path, 'devices', device)
  const files: Record<string, string> = {}
  for (const entry of await readdir(base, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const text = (await readFile(file)).toString('latin1')
    const own = /"(id|createdAt)": "[^"]*",?/g
    files[file.slice(base.length + 1)] = file.endsWith('.json') ? text.replace(own, '') : text
  }
  return files
}
