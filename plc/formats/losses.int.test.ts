/**
 * Writes every object of the corpus to every format and back, and finds each value that came back different: every one
 * must be told in `warnings`. The comparison walks the whole model and knows no format, so that it shares nothing with
 * what the writers look for.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corpusBytes, corpusFiles } from '../../test/corpus.ts'
import { canonicalNetwork } from '../languages/ladder/canonical.ts'
import { decodeText } from '../model/decode.ts'
import { FormatError } from '../model/fault.ts'
import type { LogicNetwork } from '../model/logic-network.ts'
import type { ImportedObject, InterfaceMember } from '../model/object.ts'
import { hardObjects } from '../testing/hard-objects.ts'
import { importFile } from './import.ts'
import { importSd, type KnownProgram, programOf } from './simatic-sd/import.ts'
import { writeResources } from './simatic-sd/resources.ts'
import { writeSd } from './simatic-sd/write.ts'
import { readSimaticMlText } from './simaticml/read.ts'
import { writeSimaticMl } from './simaticml/write.ts'
import { readSource } from './source/read.ts'
import { writeSource } from './source/write-source.ts'

const culture = 'en-US'
const kinds = new Set(['OB', 'FB', 'FC', 'GlobalDB', 'InstanceDB', 'ArrayDB', 'UDT'])

/** What a way through a format gives: the object in the form it had, and everything that was told on the way. */
interface Returned {
  readonly object: ImportedObject
  readonly warnings: readonly string[]
}

function asXml(object: ImportedObject): Returned {
  const { text, warnings } = writeSimaticMl(object, { version: 'V21', culture })
  return { object: readSimaticMlText(text).objects[0] as ImportedObject, warnings }
}

function asSource(object: ImportedObject): Returned | undefined {
  const written = writeSource(object, culture)
  if (written === undefined) return undefined
  const { blocks, faults } = readSource(written.text, { culture })
  assert.deepEqual(faults, [], written.text)
  return { object: blocks[0]?.object as ImportedObject, warnings: written.warnings }
}

/** Through SIMATIC SD: its import gives SimaticML. What the format has no form for is refused by name. */
async function asSd(object: ImportedObject, around: KnownProgram): Promise<Returned | undefined> {
  try {
    const program = programOf([], around)
    const { content, resources, warnings } = writeSd(object, { program })
    const texts = new TextEncoder().encode(writeResources(resources))
    const read = await importSd(content, { culture, resources: texts, program: programOf([content], around) })
    assert.deepEqual(read.faults, [], content)
    return { object: read.objects[0] as ImportedObject, warnings: [...warnings, ...read.warnings] }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    assert.ok(error.faults.every(({ message }) => message !== ''))
    return undefined
  }
}

/** All ways from an object through another format and back to its own. */
async function ways(object: ImportedObject, around: KnownProgram): Promise<Record<string, Returned>> {
  const found: Record<string, Returned> = {}
  const add = (name: string, ...steps: (Returned | undefined)[]): void => {
    const last = steps.at(-1)
    if (last !== undefined)
      found[name] = { object: last.object, warnings: steps.flatMap((step) => step?.warnings ?? []) }
  }
  const source = asSource(object)
  const sd = await asSd(object, around)
  if (object.format === 'source') {
    const xml = asXml(object)
    add('SimaticML', xml, asSource(xml.object))
    if (sd !== undefined) add('SIMATIC SD', sd, asSource(sd.object))
  } else {
    if (source !== undefined) add('source', source, asXml(source.object))
    add('SIMATIC SD', sd)
  }
  return found
}

// ── The comparison ──────────────────────────────────────────────────────────────────────────────────────────────────

/** The values that every object has when nothing is said, by the end of their path. */
const usual: readonly (readonly [path: RegExp, value: string])[] = [
  [/^attributes\.SetENOAutomatically$|^attributes\.(Is|UDAEnable)\w+$/, 'false'],
  [/^attributes\.DBAccessibleFrom\w+$/, 'true'],
  [/^attributes\.MemoryReserve$/, '100'],
  [/^attributes\.InstanceOfType$/, 'FB'],
  [/^(attributes\.Header)?[vV]ersion$/, '0.1'],
  [/(^|\.)memoryLayout$|^attributes\.MemoryLayout$/, 'Optimized'],
  [/\.remanence$/, 'NonRetain'],
  [/\.accessibility$/, 'Public'],
  [/\.attributes\.(External|User)\w+$/, 'true'],
  [/\.attributes\.SetPoint$/, 'false'],
  [/^(secondaryType|attributes\.SecondaryType)$/, 'ProgramCycle'],
  [/^attributes\.(AutoNumber)$/, 'true'],
  [/^attributes\.(Number)$/, '0'],
  [/^attributes\.S7_Optimized_Access$/, 'TRUE'],
  [/^attributes\.NON_RETAIN$/, 'TRUE'],
  [/^interface\.Return\.members\.Ret_Val/, 'Void'],
  [/isKnowHowProtected$/, 'false'],
]

/**
 * Not content: the file's text, numbers of elements in it, what is derived from others, what is only for information.
 */
const notCompared = new Set(
  'xml text engineeringVersion parts uId number format systemDefined element type section'.split(' '),
)

/** All values of an object by their path; members, attributes and networks are named, not counted. */
function valuesOf(given: ImportedObject): Map<string, string> {
  const object = given.kind === 'ArrayDB' ? withArrayName(given) : given
  const values = new Map<string, string>()
  const put = (path: string, value: unknown): void => {
    const text = typeof value === 'string' ? withoutRepetition(value) : JSON.stringify(value)
    if (
      // It is `instanceOf` too.
      path === 'attributes.InstanceOfName' ||
      isCopied(object, path) ||
      text === '' ||
      text === undefined ||
      usual.some(([end, usually]) => end.test(path) && text === usually)
    )
      return
    values.set(path, text)
  }
  const walk = (path: string, value: unknown): void => {
    if (value === undefined || value === null) return
    if (typeof value !== 'object' || /([kK]ept|statements)$/.test(path)) put(path, value)
    else if (path.endsWith('.graph')) put(path, canonicalNetwork(value as LogicNetwork))
    else if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) {
        if (isForInformation(item)) continue
        walk(`${path}.${nameOf(item) ?? i}`, isAttribute(item) ? item.value : item)
      }
    } else
      for (const [name, inner] of Object.entries(withoutInformation(value)))
        if (!notCompared.has(name) && name !== 'name') walk(path === '' ? name : `${path}.${name}`, inner)
  }
  put('number', object.number)
  put('name', object.name)
  put('element', object.element.startsWith('SW.TechnologicalObjects') ? object.element : '')
  walk('', object)
  for (const { number, text } of object.networks) put(`networks.${number}.text`, text ?? '')
  return values
}

function withArrayName(object: ImportedObject): ImportedObject {
  const rename = (member: InterfaceMember): InterfaceMember => ({ ...member, name: 'Array' })
  const sections = object.interface.map((section) => ({ ...section, members: section.members.map(rename) }))
  return { ...object, interface: sections }
}

/** `[0, 2(3)]` is `[0, 3, 3]`. */
function withoutRepetition(value: string): string {
  if (!value.startsWith('[')) return value
  return value.replace(/(\d+)\(([^()]*)\)/g, (_, count, one) => Array(Number(count)).fill(one).join(', '))
}

/** Instance data and members of a named type repeat the members of the type, for information; values are their own. */
function isCopied({ kind }: ImportedObject, path: string): boolean {
  if (!(kind === 'InstanceDB' && path.startsWith('interface.')) && !path.includes('.sections.')) return false
  return !/\.(startValue|startValueConstant)$|\.(comment|subelements)\./.test(path)
}

/** A value or comment of the type is repeated for information; a constant is named by itself, or as the value. */
function withoutInformation(value: object): object {
  const { startValueIsInformative, commentIsInformative, ...given } = value as Partial<InterfaceMember>
  const rest: { startValue?: string; startValueConstant?: string; comment?: unknown } = given
  if (startValueIsInformative === true) delete rest.startValue
  if (commentIsInformative === true) delete rest.comment
  const plain = rest.startValue?.replace(/^#|"/g, '') ?? ''
  const constant = rest.startValueConstant ?? (/^(?!true$|false$|null$)[a-z_]\w*$/i.test(plain) ? plain : undefined)
  if (constant === undefined || constant !== plain) return rest
  const { startValue: _, ...others } = rest
  return { ...others, startValueConstant: constant }
}

function isForInformation(item: unknown): boolean {
  const { informative, readOnly, name } = item as { informative?: boolean; readOnly?: boolean; name?: string }
  return informative === true || readOnly === true || name === 'PaddedSize' || name === 'Offset'
}

function isAttribute(item: unknown): item is { value: string } {
  const keys = Object.keys(item as object)
  return keys.includes('value') && !keys.includes('members')
}

function nameOf(item: unknown): string | undefined {
  const { name, section, path, number } = item as Record<string, unknown>
  const found = name ?? section ?? (path === undefined ? undefined : `[${path}]`) ?? number
  return found === undefined ? undefined : String(found)
}

/** Whether a warning says that the value at a path was lost or changed. */
function isTold(path: string, lost: string | undefined, warnings: readonly string[]): boolean {
  const about = warnings.filter((warning) => aspectOf(path, lost).test(warning))
  const member = memberOf(path)
  if (member === undefined) return about.length > 0
  return about.some((warning) => {
    const plain = warning.replaceAll('"', '').replace(/\[[^\]]*\]/g, '')
    return (
      / and \d+ more$/.test(warning) ||
      plain.includes(member) ||
      [...parentsOf(member)].some((parent) => plain.includes(`${parent}:`) || plain.includes(` ${parent}`))
    )
  })
}

/** A warning about a structure is about its members too when the whole member is missing. */
function* parentsOf(member: string): Iterable<string> {
  for (let at = member.lastIndexOf('.'); at > 0; at = member.lastIndexOf('.', at - 1)) yield member.slice(0, at)
}

function memberOf(path: string): string | undefined {
  const steps = path.split('.')
  if (steps[0] !== 'interface') return undefined
  const words = new Set([
    'members',
    'sections',
    'attributes',
    'comment',
    'subelements',
    'dataType',
    'startValue',
    'version',
    'remanence',
    'accessibility',
    'kept',
    'startValueConstant',
    'assignedProDiagFB',
  ])
  const names: string[] = []
  for (let i = 3; i < steps.length; i++) {
    const step = steps[i] as string
    if (step === 'members') names.push(steps[++i] as string)
    else if (step === 'sections') i++
    else if (words.has(step)) break
  }
  // The one member of an array data block has a name in SimaticML only.
  return steps[1] === 'None' && steps[3] === 'Array' ? undefined : [steps[3], ...names].join('.')
}

/** A text is new in a culture when it lost its own. */
const textAdded = /(comment|title) in \S+ (keeps its text|is added)/

/** What a warning about the value at a path has in it. */
function aspectOf(path: string, lost: string | undefined): RegExp {
  const steps = path.split('.')
  const last = steps.at(-1) as string
  if (/^interface\./.test(path)) {
    const inText = /\.comment\.([^.]+)$/.exec(path)?.[1]
    if (inText !== undefined) return lost === undefined ? textAdded : new RegExp(`comment in ${inText}`)
    if (/\.startValue(Constant|IsBulk|IsInformative)?$/.test(path)) return /start value/
    if (/\.subelements\.\[/.test(path)) return /start value|comment/
    const attribute = /\.attributes\.([^.]+)$/.exec(path)?.[1]
    if (attribute !== undefined) return new RegExp(`attribute ${attribute}\\b|attribute S7_\\w+`)
    const words: Record<string, RegExp> = {
      dataType: /member of type/,
      version: /version/,
      remanence: /remanence|retentive/,
      accessibility: /accessibility/,
      assignedProDiagFB: /ProDiag/,
      kept: /not interpreted/,
    }
    return words[last] ?? new RegExp(`(${last})`)
  }
  const text = /^(networks\.\d+\.)?(title|comment)\.([^.]+)$/.exec(path)
  if (text !== null) return lost === undefined ? textAdded : new RegExp(`${text[2]} in ${text[3]}`)
  const network = /^networks\.(\d+)\.graph$/.exec(path)?.[1]
  // The interface of a block that is called and that nobody has is not that of its call.
  if (network !== undefined)
    return lost?.includes('"kind":"call"') === true
      ? new RegExp(`^network ${network}:|is not at hand`)
      : new RegExp(`^network ${network}:`)
  if (/^networks\.\d+\.(text|statements)$/.test(path)) return /the text/
  if (/^networks\.\d+\.language$/.test(path)) return /the language/
  if (/kept$/i.test(path)) return /not interpreted|the attribute/
  const words: Record<string, RegExp> = {
    author: /the author/,
    HeaderAuthor: /the author/,
    family: /the family/,
    HeaderFamily: /the family/,
    headerName: /the header's name/,
    HeaderName: /the header's name/,
    version: /the version/,
    HeaderVersion: /the version/,
    number: /the number/,
    Number: /the number/,
    AutoNumber: /the number is fixed/,
    language: /the language/,
    ProgrammingLanguage: /the language/,
    memoryLayout: /the access/,
    MemoryLayout: /the access/,
    S7_Optimized_Access: /the access/,
    secondaryType: /the event class/,
    SecondaryType: /the event class/,
    isKnowHowProtected: /know-how/,
    kind: /the kind/,
    element: /technology object/,
    RETAIN: /retentive|remanence/,
    UNLINKED: /IsOnlyStoredInLoadMemory/,
    READ_ONLY: /IsWriteProtectedInAS/,
    DB_Accessible_From_OPC_UA: /DBAccessibleFromOPCUA/,
    DB_Accessible_From_Webserver: /DBAccessibleFromWebserver/,
    instanceOf: /the type/,
    InstanceOfName: /the type/,
  }
  return words[last] ?? new RegExp(`attribute ${last}\\b`)
}

/** Differences that no warning tells. */
function untold(before: ImportedObject, { object: after, warnings }: Returned): string[] {
  const was = valuesOf(before)
  const is = valuesOf(after)
  const found: string[] = []
  for (const path of new Set([...was.keys(), ...is.keys()]))
    if (was.get(path) !== is.get(path) && !isTold(path, was.get(path), warnings))
      found.push(`${path}: ${was.get(path)?.slice(0, 60)} → ${is.get(path)?.slice(0, 60)}`)
  return found
}

test('every value of every object survives each format and the way back, or is told to be lost', async (t) => {
  const objects: { file: string; object: ImportedObject }[] = hardObjects().map((object) => ({
    file: 'fixture',
    object,
  }))
  const files = corpusFiles().filter(({ kind }) => /^(sml-block|sml-udt|scl|db|udt|s7dcl)$/.test(kind))
  const program = programOf(
    files.filter(({ kind }) => kind === 's7dcl').map((file) => decodeText(corpusBytes(file)).text),
  )
  for (const entry of files) {
    const { objects: own, faults } = await importFile(corpusBytes(entry), { path: entry.file, culture, program })
    if (faults.length > 0) continue
    for (const object of own) if (kinds.has(object.kind)) objects.push({ file: entry.file, object })
  }
  const around = { objects: objects.map(({ object }) => object) }
  const silent: string[] = []
  let count = 0
  for (const { file, object } of objects)
    for (const [way, returned] of Object.entries(await ways(object, around))) {
      count++
      for (const loss of untold(object, returned))
        silent.push(`${file} "${object.name}" ${object.format} → ${way}: ${loss}`)
    }
  t.diagnostic(`${objects.length} objects, ${count} ways`)
  if (process.env.LOSSES) console.log(silent.join('\n'))
  assert.deepEqual(silent.slice(0, 20), [], `${silent.length} values were lost without a word`)
})
