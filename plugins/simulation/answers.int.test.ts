/** What the operations on virtual controllers answer, word by word (fixtures/). */
import { testAnswers } from '../../test/answers.ts'
import { openTestGateway } from '../../test/harness.ts'
import { address, plc, withProject } from '../../test/online.ts'

const file = (name: string) => new URL(`fixtures/${name}.yaml`, import.meta.url)

for (const name of ['instances', 'profiles'])
  testAnswers(`virtual controllers answer as recorded: ${name}`, file(name), openTestGateway)

/** A variable of every type, and a function block whose inputs make faults. */
const program = `
DATA_BLOCK "Values"
{ S7_Optimized_Access := 'FALSE' }
VERSION : 0.1
  STRUCT
    b : Bool; by : Byte; w : Word; dw : DWord; lw : LWord; si : SInt; i : Int; di : DInt; li : LInt;
    us : USInt; ui : UInt; ud : UDInt; ul : ULInt; r : Real; lr : LReal; c : Char; wc : WChar; s : String[5]; ws : WString[5];
    t : Time; lt : LTime; s5 : S5Time; d : Date; tod : Time_Of_Day; ltod : LTOD; dt : Date_And_Time; ldt : LDT; dtl : DTL;
    a : Array[-1..1, 2..3] of Int; m : Array[0..1] of "Motor";
  END_STRUCT;
BEGIN
END_DATA_BLOCK
FUNCTION_BLOCK "Fault"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR_INPUT
    divisor : Int := 1;
    index : Int := 1;
  END_VAR
  VAR
    list : Array[1..3] of Int;
    out : Int;
  END_VAR
BEGIN
  #out := 12 / #divisor;
  #list[#index] := #out;
END_FUNCTION_BLOCK
DATA_BLOCK "Fault_DB"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
"Fault"
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
BEGIN
  "Counter_DB"(step := 2);
  "Data".count := "Data".count + 1;
  "Lamp" := "Start" AND "Data".limit > 5;
  "Fault_DB"();
  "Flags" := SHL(IN := W#16#1, N := 3);
END_ORGANIZATION_BLOCK
`

for (const name of ['control', 'values'])
  testAnswers(`a controller in stepped time answers as recorded: ${name}`, file(name), async (t) => {
    const at = await withProject(t)
    const config = {
      time: { mode: 'stepped', cycleTimeMs: 10 },
      startTime: '2020-05-06T07:08:09Z',
      utcOffsetMinutes: 120,
      startup: 'Stop',
      retentiveFlags: 4,
      clockMemoryByte: 30,
      systemMemoryByte: 31,
    }
    await at.call('simulation.create-instance', { name: 'Sim', cpuType: 'CPU1515', ipAddress: address, config })
    await at.call('simulation.power-on', { name: 'Sim' })
    await at.call('blocks.import', { ...plc, content: program })
    await at.call('tags.add', { ...plc, name: 'Flags', dataType: 'Word', logicalAddress: '%MW10' })
    await at.call('tags.add', { ...plc, name: 'Level', dataType: 'Int', logicalAddress: '%IW64' })
    await at.call('online.download', { ...plc, compile: true })
    return at
  })
