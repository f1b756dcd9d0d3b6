/**
 * Measures compiling a program of 1 000 blocks as a ratio to parsing it, and compiling it again after the body or the
 * interface of one block changed. The program is generated (`plant.ts`).
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
  forget,
  type ObjectOutcome,
} from '../plugins/blocks/compile/compile.task.ts'
import { type DocumentHeader, headersToSend, type ToldHeaders } from '../plugins/blocks/compile/headers.ts'
import { type GeneratedObject, program } from './plant.ts'
import { report } from './report.ts'

const rounds = 15
const count = Number(process.argv[2] ?? 1000)

interface Document extends GeneratedObject {
  /** Hash of the text, as in the gateway. */
  readonly document: string
}

type Finished = Extract<CompileTaskResult, { readonly state: string }>

/** Texts by hash, as in the gateway's blob store. */
const texts = new Map<string, string>()
let told: ToldHeaders | undefined

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
    const task: CompileTask = { device: 'PLC_1', documents: headersToSend(headers, told), tables: [], texts: sent }
    serialize(task)
    const result = compile(task, api)
    serialize(result)
    if ('state' in result) {
      told = { state: result.state, headers }
      return result
    }
    if ('needsAllHeaders' in result) told = undefined
    else for (const hash of result.missing) sent.set(hash, texts.get(hash) ?? '')
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

function hashed(one: GeneratedObject): Document {
  const document = blobHash(one.text)
  texts.set(document, one.text)
  return { ...one, document }
}
const documents = program(count).map(hashed)
const changed = (name: string, from: string, to: string) =>
  documents.map((one) => (one.name === name ? hashed({ ...one, text: one.text.replace(from, to) }) : one))
let compiled = { body: 0, interface: 0 }
let size = 0
for (let round = 0; round <= rounds; round++) {
  forget()
  globalThis.gc?.()
  const lists = round === 0 ? { parse: [], cold: [], body: [], interface: [] } : times
  timed(lists.parse, () => parse(documents))
  const first = timed(lists.cold, () => run(documents, new Map()))
  const faults = first.objects.flatMap(({ diagnostics }) => diagnostics)
  if (faults[0] !== undefined || first.program === undefined)
    throw new Error(`${faults[0]?.object}: ${faults[0]?.message ?? 'no program'}`)
  size = first.program.blobs.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0)
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
report('program, kB', size / 1000, '')
report('cold compile / parsing', of(times.cold) / of(times.parse), '<= 15')
report(`one changed body (${compiled.body} compiled) / cold compile`, of(times.body) / of(times.cold), '<= 0.02')
report(
  `one changed interface (${compiled.interface} compiled) / cold compile`,
  of(times.interface) / of(times.cold),
  '',
)
