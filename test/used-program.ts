/** A small program in which everything is used in several ways. */
import type { TestContext } from 'node:test'
import type { TestGateway } from './harness.ts'
import { openPlant } from './plant.ts'

const program = `TYPE "UDT_motor"
STRUCT
  speed : Real;
  run : Bool;
END_STRUCT;
END_TYPE
FUNCTION_BLOCK "FB_motor"
VAR_INPUT
  start : Bool;
END_VAR
VAR_IN_OUT
  data : "UDT_motor";
END_VAR
BEGIN
  #data.run := #start AND "Enable";
END_FUNCTION_BLOCK
FUNCTION_BLOCK "FB_line"
VAR
  left : "FB_motor";
END_VAR
BEGIN
  #left(start := "Start", data := "Data".motors[1]);
END_FUNCTION_BLOCK
FUNCTION "FC_scale" : Real
VAR_INPUT
  value : Real;
END_VAR
BEGIN
  "FC_scale" := #value * 2.0;
END_FUNCTION
DATA_BLOCK "Data"
VAR
  motors : Array[1..3] of "UDT_motor";
  total : Real;
END_VAR
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Motor_DB"
"FB_motor"
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  "Motor_DB"(start := "Start", data := "Data".motors[2]);
  "Data".total := "FC_scale"(value := "Data".motors[2].speed);
  %M10.3 := FALSE;
END_ORGANIZATION_BLOCK
`

/** A gateway with the program on `PLC_1`, and tags for it. */
export async function openProgram(t: TestContext): Promise<TestGateway> {
  const gateway = await openPlant(t)
  const { call } = gateway
  await call('blocks.import', { deviceName: 'PLC_1', content: program })
  for (const [name, dataType, logicalAddress] of [
    ['Start', 'Bool', '%I0.0'],
    ['Enable', 'Bool', '%I0.1'],
    ['Flags', 'Word', '%MW10'],
    ['Motor', '"UDT_motor"', '%I100.0'],
  ])
    await call('tags.add', { deviceName: 'PLC_1', name, dataType, logicalAddress })
  return gateway
}
