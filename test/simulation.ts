/** Instances in tests: a gateway with controllers that run SCL. */
import type { TestContext } from 'node:test'
import type { Controller } from '../plugins/simulation/controller/contract.ts'
import { controllerOf } from '../plugins/simulation/index.ts'
import { packageOf, type TestTags } from './controller.ts'
import { openTestGateway, type TestGateway } from './harness.ts'

/** The result of an operation of the plugin; tests check single fields. */
// biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it reads
export type Answer = Record<string, any>

/** A program with an input, an output, flags, a standard and an optimized data block, and a counter. */
export const sampleProgram = `
DATA_BLOCK "Data"
{ S7_Optimized_Access := 'TRUE' }
VAR
  count : DInt;
  speed : Real := 1.5;
  text : String[10] := 'abc';
  list : Array[1..3] of Int;
  motor : Struct
    run : Bool;
    level : Int := 7;
  END_STRUCT;
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "OB1"
BEGIN
  "Data".count := "Data".count + 1;
  "Lamp" := "Start";
END_ORGANIZATION_BLOCK
`
export const sampleTags: TestTags = {
  Start: 'Bool at %I0.0',
  Lamp: 'Bool at %Q0.0',
  Setpoint: 'Int at %MW10',
}

/** Loads a program into an instance that is in STOP. */
export async function loadProgram(
  { gateway }: TestGateway,
  name: string,
  source = sampleProgram,
  tags = sampleTags,
): Promise<Controller> {
  const controller = await controllerOf({ gateway, read: gateway.state.read }, name)
  await controller.load(packageOf(source, tags), { inRun: false, reinitialize: false })
  return controller
}

/** Opens a gateway with the instance PLC_1 in stepped time, powered on with the sample program, in STOP. */
export async function openWithProgram(
  t: TestContext,
  options: Parameters<typeof openTestGateway>[1] = {},
): Promise<{ opened: TestGateway; controller: Controller }> {
  const opened = await openTestGateway(t, options)
  await opened.call('simulation.create-instance', {
    name: 'PLC_1',
    cpuType: 'CPU1515',
    ipAddress: '192.168.0.1',
    config: { time: { mode: 'stepped', cycleTimeMs: 1 }, startup: 'Stop', maximumCycleTimeMs: 6000 },
  })
  await opened.call('simulation.power-on', { name: 'PLC_1' })
  return { opened, controller: await loadProgram(opened, 'PLC_1') }
}
