/** Every call of the corpus stays the call that it was through SIMATIC SD, and from there through a source. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corpusBytes, corpusFiles } from '../../test/corpus.ts'
import { FormatError } from '../model/fault.ts'
import type { ImportedObject } from '../model/object.ts'
import { importFile } from './import.ts'
import { importSd, type KnownProgram, programOf } from './simatic-sd/import.ts'
import { writeResources } from './simatic-sd/resources.ts'
import { writeSd } from './simatic-sd/write.ts'
import type { CalleeLookup } from './simaticml/callee.ts'
import { writeSimaticMl } from './simaticml/write.ts'
import { readSource } from './source/read.ts'
import { writeSource } from './source/write-source.ts'

const culture = 'en-US'

interface Call {
  readonly name: string
  readonly kind: 'FB' | 'FC'
  /** `Motor_DB`, or what of the block it is: `#motor`. */
  readonly instance?: string
}

/** Elements `CallInfo` with their content. */
const callInfo = /<CallInfo ([^>]*?)(?:\/>|>([\s\S]*?)<\/CallInfo>)/g

/** The calls of the XML of a block, in their order, those in parameters of others too. */
function callsOf(xml: string): Call[] {
  const opening = /<CallInfo ([^>]*?)\/?>(?:\s*<Instance [^>]*Scope="(\w+)"[^>]*>([\s\S]*?)<\/Instance>)?/g
  return [...xml.matchAll(opening)].map(([, attributes = '', scope, path]) => {
    const name = /\bName="([^"]*)"/.exec(attributes)?.[1] ?? ''
    const kind = /BlockType="FB"/.test(attributes) ? 'FB' : 'FC'
    if (path === undefined) return { name, kind }
    const names = [...path.matchAll(/<Component Name="([^"]*)"/g)].map(([, one]) => one).join('.')
    return { name, kind, instance: scope === 'GlobalVariable' ? names : `#${names}` }
  })
}

/** What is called, as the rest of the program has it: its parameters are those of all calls. */
function around(xml: string): KnownProgram {
  const members = new Map<string, Map<string, Map<string, string>>>()
  for (const [, attributes = '', content = ''] of xml.matchAll(callInfo)) {
    const name = /\bName="([^"]*)"/.exec(attributes)?.[1] ?? ''
    const sections = members.get(name) ?? new Map<string, Map<string, string>>()
    members.set(name, sections)
    for (const [, parameter = '', section = 'Input', type = 'Bool'] of content.matchAll(
      /<Parameter Name="([^"]*)"(?: Section="(\w+)")?(?: Type="([^"]*)")?/g,
    ))
      sections.set(section, (sections.get(section) ?? new Map()).set(parameter, type.replace(/&quot;/g, '"')))
  }
  const calls = callsOf(xml)
  const objects = calls.map(({ name, kind }) => ({
    name,
    kind,
    interface: [...(members.get(name) ?? [])].map(([section, list]) => ({
      section: section as 'Input',
      members: [...list].map(([member, dataType]) => ({
        name: member,
        dataType,
        comment: {},
        members: [],
        attributes: [],
        subelements: [],
      })),
    })),
  }))
  const data = calls.filter(({ kind, instance }) => kind === 'FB' && instance !== undefined && !/[#.]/.test(instance))
  return { objects, instances: Object.fromEntries(data.map(({ name, instance }) => [instance!.toUpperCase(), name])) }
}

async function throughSd(object: ImportedObject, known: KnownProgram): Promise<ImportedObject | undefined> {
  try {
    const { content, resources } = writeSd(object, { program: programOf([], known) })
    const texts = new TextEncoder().encode(writeResources(resources))
    const read = await importSd(content, { culture, resources: texts, program: programOf([content], known) })
    assert.deepEqual(read.faults, [], content)
    return read.objects[0]
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

/** XML of the block after it was a source; undefined for languages that have none. */
function throughSource(object: ImportedObject, calls: readonly Call[]): string | undefined {
  const written = writeSource(object, culture)
  if (written === undefined) return undefined
  const callee: CalleeLookup = (called) => {
    const found = calls.find(({ name, kind, instance }) => called === (kind === 'FB' ? instance : name))
    return found?.kind === 'FB' ? { kind: 'FB', name: found.name } : found && { kind: 'FC' }
  }
  const [block] = readSource(written.text, { culture }).blocks
  return writeSimaticMl(block!.object, { version: 'V19', culture, callee }).text
}

/** What the corpus has few of: calls of every kind in SCL. */
const statements = `FUNCTION_BLOCK "Caller"
VAR_INPUT
  on : Bool;
END_VAR
VAR
  motor : "Motor";
  drives : Array[1..3] of "Motor";
END_VAR
VAR_TEMP
  i : Int;
END_VAR
BEGIN
  "Motor_DB"(on := #on);
  #motor(on := #on);
  #drives[2](on := #on);
  "Scale"(in := 1, out => #i);
  #i := "Twice"(2) + "Twice"(x := 3);
  "Motor_DB"(on := "Above"(#i));
  "Plain"();
END_FUNCTION_BLOCK
`

function callerXml(): Uint8Array {
  const callee: CalleeLookup = (name) => (/^Motor/.test(name) ? { kind: 'FB', name: 'Motor' } : { kind: 'FC' })
  const [block] = readSource(statements, { culture }).blocks
  return new TextEncoder().encode(writeSimaticMl(block!.object, { version: 'V19', culture, callee }).text)
}

test('calls through SIMATIC SD and sources call what they called, with their instance', async (t) => {
  const counts = { sd: 0, source: 0 }
  const files = corpusFiles().filter(({ kind, grade }) => kind === 'sml-block' && grade.startsWith('A'))
  const all = [{ file: 'Caller', bytes: callerXml() }, ...files.map((one) => ({ ...one, bytes: corpusBytes(one) }))]
  for (const { file, bytes } of all)
    for (const object of (await importFile(bytes, { path: file })).objects) {
      // A call that TIA Portal could not resolve has no name, and nothing to be found by.
      const calls = callsOf(object.xml ?? '')
      if (calls.length === 0 || calls.some(({ name }) => name === '')) continue
      const sd = await throughSd(object, around(object.xml ?? ''))
      if (sd === undefined) continue
      counts.sd += calls.length
      assert.deepEqual(callsOf(sd.xml ?? ''), calls, `${file} through SIMATIC SD`)
      const source = throughSource(sd, calls)
      if (source === undefined) continue
      counts.source += calls.length
      assert.deepEqual(callsOf(source), calls, `${file} through SIMATIC SD and a source`)
    }
  t.diagnostic(`${counts.sd} calls through SIMATIC SD, ${counts.source} of them through a source too`)
  assert.ok(counts.sd > 50 && counts.source > 5)
})
