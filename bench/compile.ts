/**
 * Measures compiling a program of 1 000 blocks as a ratio to parsing it, and compiling it again after the body or the
 * interface of one block changed. The program is generated: PLC data types, functions with loops and calls, function
 * blocks with their instances, one organization block.
 *
 *   node --import tsx bench/compile.ts [blocks]
 */
import { serialize } from 'node:v8'
import { blobHash } from '../plc/compiler/program-file.ts'
import { objectOf } from '../plc/edit/stored-document.ts'
import { parseScl } from '../plc/languages/scl/parser.ts'
import {
  type CompileTask,
  type CompileTaskResult,
  compile,
  type DocumentHeader,
  forget,
  type ObjectOutcome,
} from '../plugins/blocks/compile/compile.task.ts'
import { report } from './report.ts'

const rounds = 15
const count = Number(process.argv[2] ?? 1000)

interface Document {
  readonly name: string
  readonly kind: string
  readonly number?: number
  readonly text: string
  /** Hash of the text, as in the gateway. */
  readonly document: string
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

const blockText = (i: number, types: number, functions: number) => `FUNCTION_BLOCK "Unit_${i}"
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
    #drive.history[#count MOD 16] := #drive.speed;
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

/** Generates a program of this many blocks, with its types. */
function program(blocks: number): Omit<Document, 'document'>[] {
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
      text: blockText(i, types, functions),
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

type Finished = Exclude<CompileTaskResult, { readonly missing: readonly string[] }>

/** Texts by hash, as in the gateway's blob store. */
const texts = new Map<string, string>()

/**
 * Compiles like the gateway: requests, sends the missing texts, stores the units. The sizes are the bytes sent to the
 * engine and back.
 */
function run(documents: readonly Document[], before: ReadonlyMap<string, ObjectOutcome>): Finished {
  const headers: DocumentHeader[] = []
  const sent = new Map<string, string>()
  for (const { name, kind, number, document } of documents) {
    const known = before.get(name)
    const interfaces = known?.document === document ? known.interfaces : undefined
    const isClean = known !== undefined
    headers.push({
      document,
      format: 'source',
      kind,
      name,
      number,
      culture: 'en-US',
      unit: known?.unit,
      interfaces,
      isClean,
    })
    if (interfaces === undefined) sent.set(document, texts.get(document) ?? '')
  }
  const api = { progress() {}, signal: new AbortController().signal }
  for (;;) {
    const task: CompileTask = { device: 'PLC_1', documents: headers, tables: [], texts: sent }
    serialize(task)
    const result = compile(task, api)
    serialize(result)
    if (!('missing' in result)) return result
    for (const hash of result.missing) sent.set(hash, texts.get(hash) ?? '')
  }
}

function parse(documents: readonly Document[]): void {
  for (const { name, kind, number, text } of documents)
    for (const network of objectOf({ text, format: 'source', kind, name, number, culture: 'en-US' }).networks)
      if (network.text !== undefined) parseScl(network.text)
}

const times = { parse: [] as number[], cold: [] as number[], body: [] as number[], interface: [] as number[] }
function timed<T>(list: number[], work: () => T): T {
  const begin = performance.now()
  const result = work()
  list.push(performance.now() - begin)
  return result
}

function hashed(one: Omit<Document, 'document'>): Document {
  const document = blobHash(one.text)
  texts.set(document, one.text)
  return { ...one, document }
}
const documents = program(count).map(hashed)
const changed = (name: string, from: string, to: string) =>
  documents.map((one) => (one.name === name ? hashed({ ...one, text: one.text.replace(from, to) }) : one))
let compiled = { body: 0, interface: 0 }
let wasm = 0
for (let round = 0; round <= rounds; round++) {
  forget()
  globalThis.gc?.()
  const lists = round === 0 ? { parse: [], cold: [], body: [], interface: [] } : times
  timed(lists.parse, () => parse(documents))
  const first = timed(lists.cold, () => run(documents, new Map()))
  const faults = first.objects.flatMap(({ diagnostics }) => diagnostics)
  if (faults[0] !== undefined || first.program === undefined)
    throw new Error(`${faults[0]?.object}: ${faults[0]?.message ?? 'no program'}`)
  wasm = first.program.blobs[0]?.bytes.length ?? 0
  const known = new Map(first.objects.map((object) => [object.name, object]))
  const otherBody = changed('Calc_7', '* 0.5', `* 0.${round + 6}`)
  const body = timed(lists.body, () => run(otherBody, known))
  const otherFace = changed('Unit_7', 'stop : Bool;', `stop : Bool;\n  more_${round} : Int;`)
  const face = timed(lists.interface, () => run(otherFace, known))
  compiled = { body: body.units.length, interface: face.units.length }
}
// The fastest round is the least disturbed by other work on the machine.
const of = (list: readonly number[]) => Math.min(...list)
report(`${count} blocks: parsing, ms`, of(times.parse), '')
report('cold compile, ms', of(times.cold), '')
report('module, kB', wasm / 1000, '')
report('cold compile / parsing', of(times.cold) / of(times.parse), '<= 15')
report(`one changed body (${compiled.body} compiled) / cold compile`, of(times.body) / of(times.cold), '<= 0.02')
report(
  `one changed interface (${compiled.interface} compiled) / cold compile`,
  of(times.interface) / of(times.cold),
  '',
)
