/**
 * Generates plants for benchmarks: PLC data types, functions with loops and calls, function blocks with their
 * instances, one organization block, and tag tables whose tags the blocks use.
 */

/** One object of a generated program, as external source. */
export interface GeneratedObject {
  readonly name: string
  readonly kind: string
  readonly number?: number
  readonly text: string
}

const typeText = (i: number) => `TYPE "Drive_${i}"
STRUCT
  run : Bool;
  speed : Real := 1.5;
  limit : Int := 100;
  history : Array[0..15] of Real;
END_STRUCT;
END_TYPE
`

const functionText = (i: number, types: number, calls: number) => `FUNCTION "Calc_${i}" : Real
VAR_INPUT
  raw : Int;
  offset : Real;
END_VAR
VAR_IN_OUT
  drive : "Drive_${i % types}";
END_VAR
VAR_TEMP
  sum : Real;
  i : Int;
END_VAR
BEGIN
  #sum := 0.0;
  FOR #i := 0 TO 15 DO
    #sum := #sum + #drive.history[#i] * 0.5;
  END_FOR;
  IF #drive.run AND #raw > #drive.limit THEN
    #drive.speed := #offset + INT_TO_REAL(#raw) / 27.648;
  ELSIF #raw < 0 THEN
    #drive.run := FALSE;
  ELSE
    #drive.speed := LIMIT(MN := 0.0, IN := #sum, MX := 1500.0);
  END_IF;
  CASE #raw OF
    0: #sum := 0.0;
    1..9: #sum := #sum + 1.0;
    10, 20, 30: #sum := #sum * 2.0;
  END_CASE;
${i > 0 ? `  #sum := #sum + "Calc_${Math.floor(i / calls)}"(raw := #raw, offset := #sum, drive := "Drives".d${Math.floor(i / calls) % types});\n` : ''}  #Calc_${i} := #sum;
END_FUNCTION
`

const blockText = (i: number, types: number, functions: number, tags: number) => `FUNCTION_BLOCK "Unit_${i}"
VAR_INPUT
  start : Bool;
  stop : Bool;
  setpoint : Int;
END_VAR
VAR_OUTPUT
  active : Bool;
  value : Real;
END_VAR
VAR
  drive : "Drive_${i % types}";
  step : Int;
  count : DInt;
END_VAR
BEGIN
  #active := (#start OR #active) AND NOT #stop;
  IF #active THEN
    #count := #count + 1;
${tags > 0 ? `    "Tag_${i % tags}" := #count > 100;\n` : ''}    #drive.history[#count MOD 16] := #drive.speed;
    #value := "Calc_${i % functions}"(raw := #setpoint, offset := #drive.speed, drive := #drive);
  END_IF;
  CASE #step OF
    0: IF #start THEN #step := 10; END_IF;
    10: #step := 20;
    20: IF #stop THEN #step := 0; END_IF;
    ELSE #step := 0;
  END_CASE;
END_FUNCTION_BLOCK
`

/**
 * Generates a program of this many blocks, with its types.
 * @param tags how many tags of {@link tagTables} the program may use
 */
export function program(blocks: number, tags = 0): GeneratedObject[] {
  const types = Math.ceil(blocks / 50)
  const units = Math.floor(blocks / 4)
  const functions = blocks - 2 * units - 2
  const list = (length: number, text: (i: number) => string) => Array.from({ length }, (_, i) => text(i)).join('')
  return [
    ...Array.from({ length: types }, (_, i) => ({ name: `Drive_${i}`, kind: 'UDT', text: typeText(i) })),
    ...Array.from({ length: functions }, (_, i) => ({
      name: `Calc_${i}`,
      kind: 'FC',
      number: i + 1,
      text: functionText(i, types, 3),
    })),
    ...Array.from({ length: units }, (_, i) => ({
      name: `Unit_${i}`,
      kind: 'FB',
      number: i + 1,
      text: blockText(i, types, functions, tags),
    })),
    ...Array.from({ length: units }, (_, i) => ({
      name: `Unit_${i}_DB`,
      kind: 'InstanceDB',
      number: i + 10,
      text: `DATA_BLOCK "Unit_${i}_DB"\n"Unit_${i}"\nBEGIN\nEND_DATA_BLOCK\n`,
    })),
    {
      name: 'Drives',
      kind: 'GlobalDB',
      number: 1,
      text: `DATA_BLOCK "Drives"\nVAR\n${list(types, (i) => `  d${i} : "Drive_${i}";\n`)}END_VAR\nBEGIN\nEND_DATA_BLOCK\n`,
    },
    {
      name: 'Main',
      kind: 'OB',
      number: 1,
      text: `ORGANIZATION_BLOCK "Main"\nBEGIN\n${list(units, (i) => `  "Unit_${i}_DB"(start := TRUE, setpoint := ${i % 90});\n`)}END_ORGANIZATION_BLOCK\n`,
    },
  ]
}

/** Tags of one table. */
const tagsPerTable = 500

/** Generates tables with the tags `Tag_0` to `Tag_<tags - 1>`, all of type Bool, as SimaticML files by table name. */
export function tagTables(tags: number): { readonly name: string; readonly xml: string }[] {
  return Array.from({ length: Math.ceil(tags / tagsPerTable) }, (_, table) => {
    const first = table * tagsPerTable
    const rows = Array.from({ length: Math.min(tagsPerTable, tags - first) }, (_, i) => tagXml(first + i))
    const name = `Tags_${table}`
    return { name, xml: tableXml(name, rows) }
  })
}

const tagXml = (i: number) => `      <SW.Tags.PlcTag ID="${(i + 1).toString(16).toUpperCase()}" CompositionName="Tags">
        <AttributeList>
          <DataTypeName>Bool</DataTypeName>
          <LogicalAddress>%M${i >> 3}.${i & 7}</LogicalAddress>
          <Name>Tag_${i}</Name>
        </AttributeList>
      </SW.Tags.PlcTag>
`

const tableXml = (name: string, rows: readonly string[]) => `<?xml version="1.0" encoding="utf-8"?>
<Document>
  <Engineering version="V19" />
  <SW.Tags.PlcTagTable ID="0">
    <AttributeList>
      <Name>${name}</Name>
    </AttributeList>
    <ObjectList>
${rows.join('')}    </ObjectList>
  </SW.Tags.PlcTagTable>
</Document>
`
