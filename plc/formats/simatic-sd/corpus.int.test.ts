/**
 * Real files of SIMATIC SD, and every block of the corpus through this format.
 */

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { publicDir } from '../../../test/corpus.ts'
import { canonicalNetwork } from '../../languages/ladder/canonical.ts'
import { decodeText } from '../../model/decode.ts'
import { FormatError } from '../../model/fault.ts'
import type { MultilingualText } from '../../model/multilingual-text.ts'
import type { ImportedObject, InterfaceMember } from '../../model/object.ts'
import { importFile } from '../import.ts'
import { isSameLogic } from './compare.ts'
import { importSd, programOf } from './import.ts'
import type { Exposure } from './members.ts'
import type { ProgramAround } from './program.ts'
import { readSd } from './read.ts'
import { readResources, writeResources } from './resources.ts'
import { writeSd } from './write.ts'

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name)
    return entry.isDirectory() ? filesOf(full) : [full]
  })
}

const all = filesOf(publicDir)
const codeFiles = all.filter((file) => file.endsWith('.s7dcl'))
const textOf = (file: string): string => decodeText(new Uint8Array(readFileSync(file))).text
const textsFile = (file: string): string => file.replace(/s7dcl$/, 's7res')
const around: ProgramAround = programOf(codeFiles.map(textOf))

async function resourcesOf(file: string) {
  const beside = textsFile(file)
  return existsSync(beside) ? readResources(textOf(beside)) : new Map<string, MultilingualText>()
}

/** The same block in SimaticML: the fixtures mirror each other, other files are beside it. */
function twinOf(file: string): string | undefined {
  const twin = file.replace('SimaticSD', 'SimaticML').replace(/s7dcl$/, 'xml')
  return existsSync(twin) ? twin : undefined
}

const filled = (text: MultilingualText): MultilingualText =>
  Object.fromEntries(
    Object.entries(text)
      .filter(([, value]) => value !== '')
      .sort(),
  )

/**
 * A member without what SIMATIC SD cannot express: attributes other than external access and set points, empty values,
 * whether external access is its own or that of the structure around it.
 */
function comparable(member: InterfaceMember, outer: Exposure = { isReadOnly: false, isHidden: false }): unknown {
  const has = (name: string, value: string) =>
    member.attributes.some((attribute) => attribute.name === name && attribute.value === value)
  const isClosed = has('ExternalAccessible', 'false')
  const exposure = {
    isReadOnly: outer.isReadOnly || isClosed || has('ExternalWritable', 'false'),
    isHidden: outer.isHidden || isClosed || has('ExternalVisible', 'false'),
  }
  return {
    name: member.name,
    dataType: member.dataType,
    startValue: member.startValue === '' ? undefined : member.startValue,
    startValueConstant: member.startValueConstant,
    comment: filled(member.comment),
    remanence: member.remanence === 'NonRetain' ? undefined : member.remanence,
    exposure,
    setPoint: has('SetPoint', 'true'),
    overlays: member.attributes.find(({ name }) => name === 'At')?.value,
    members: member.members.map((inner) => comparable(inner, exposure)),
    elements: member.subelements?.map((element) => ({
      ...element,
      comment: element.comment === undefined ? undefined : filled(element.comment),
    })),
  }
}

/** A block without what SIMATIC SD cannot express; `differences` names further differences of a pair. */
function projection(object: ImportedObject) {
  const { kind } = object
  const isCode = kind === 'OB' || kind === 'FB' || kind === 'FC'
  const isFixed = object.attributes.some(({ name, value }) => name === 'AutoNumber' && value === 'false')
  return {
    kind,
    name: object.name,
    // Numbers that TIA Portal chose are not written.
    number: isFixed ? object.number : undefined,
    language: object.language,
    title: filled(object.title),
    comment: filled(object.comment),
    author: object.author,
    family: object.family,
    // 0.1 is the default that exports of SimaticML leave out; types have no version.
    version: kind === 'UDT' ? '' : object.version || '0.1',
    memoryLayout: kind === 'UDT' || kind === 'InstanceDB' ? undefined : object.memoryLayout,
    instanceOf: object.instanceOf,
    // SimaticML copies the members of the type into instance data, and describes the event of an OB as members.
    sections:
      kind === 'InstanceDB'
        ? []
        : object.interface
            .map(({ section, members }) => ({
              section,
              members: members.filter(({ informative }) => informative !== true).map((member) => comparable(member)),
            }))
            .filter(({ members }) => members.length > 0),
    networks: (isCode ? object.networks : []).map((network) => ({
      number: network.number,
      title: filled(network.title),
      comment: filled(network.comment),
      language: network.language,
      text: network.text === '' ? undefined : network.text,
    })),
  }
}

test('every file is read without a fault and stored', async (t) => {
  for (const file of codeFiles) {
    const bytes = new Uint8Array(readFileSync(file))
    const beside = textsFile(file)
    const resources = existsSync(beside) ? { resources: new Uint8Array(readFileSync(beside)) } : {}
    const { format, objects, faults } = await importFile(bytes, { path: file, program: around, ...resources })
    assert.deepEqual([format, faults, objects.length], ['s7dcl', [], 1], file)
    assert.ok(objects[0]?.xml?.startsWith('<SW.'), file)
  }
  t.diagnostic(`${codeFiles.length} files`)
})

test('both spellings of a block give the same document', async (t) => {
  /** Differences of pairs although both come from TIA Portal, by block. */
  const known: Readonly<
    Record<string, (sd: ReturnType<typeof projection>, xml: ReturnType<typeof projection>) => void>
  > = {
    // TIA Portal gives the first organization block its title; it is not a text of the project.
    Main: (sd, xml) => Object.assign(sd, { title: xml.title }),
    // Functions with a type are written with it (SCALE_X_REAL), and instances in a block of SCL are no set points
    // without S7_Setpoint.
    AnalogInput: (sd) => {
      for (const network of sd.networks)
        Object.assign(network, { text: network.text?.replace(/\b(SCALE_X|LIMIT)_REAL\b/g, '$1') })
      const section = sd.sections.find((one) => one.section === 'Static')
      for (const member of section?.members ?? []) Object.assign(member as object, { setPoint: false })
    },
  }
  let pairs = 0
  let networks = 0
  for (const file of codeFiles) {
    const twin = twinOf(file)
    if (twin === undefined) continue
    pairs++
    const { blocks, faults } = readSd(textOf(file), { resources: await resourcesOf(file), program: around })
    assert.deepEqual(faults, [], file)
    const imported = await importSd(textOf(file), {
      program: around,
      ...(existsSync(textsFile(file)) ? { resources: new Uint8Array(readFileSync(textsFile(file))) } : {}),
    })
    const xml = (await importFile(new Uint8Array(readFileSync(twin)))).objects[0] as ImportedObject
    for (const [what, object] of [
      ['read', { ...(blocks[0]?.object as ImportedObject), attributes: imported.objects[0]?.attributes ?? [] }],
      ['stored', imported.objects[0] as ImportedObject],
    ] as const) {
      const [sd, ml] = [projection(object), projection(xml)]
      known[object.name]?.(sd, ml)
      assert.deepEqual(sd, ml, `${what}: ${file}`)
      for (const [i, { graph }] of object.networks.entries()) {
        const other = xml.networks[i]?.graph
        if (graph === undefined) assert.equal(other, undefined)
        // Types of literals and of parameters too: they follow from the program around.
        else
          assert.deepEqual(
            canonicalNetwork(graph),
            canonicalNetwork(other as typeof graph),
            `${what}: ${file} network ${i + 1}`,
          )
        if (graph !== undefined) networks++
      }
    }
  }
  t.diagnostic(`${pairs} pairs, ${networks / 2} networks`)
  assert.ok(pairs > 25)
})

test('files that TIA Portal wrote come back to the letter', async (t) => {
  // Edited by hand: blank lines and comments in networks, the older spelling of templates.
  const edited = new Set(['MCPVerify_FC_LAD.s7dcl', 'MCPVerify_Mixed_LADSCL.s7dcl'])
  let same = 0
  for (const file of codeFiles) {
    const resources = await resourcesOf(file)
    const [block] = readSd(textOf(file), { resources, program: around }).blocks
    assert.ok(block)
    const { content } = writeSd(block.object, { textIds: block.textIds, program: around })
    if (!edited.has(path.basename(file))) assert.equal(content.trimEnd(), textOf(file).trimEnd(), file)
    const again = readSd(content, { resources, program: around })
    assert.deepEqual(again.blocks[0]?.object, block.object, file)
    if (!edited.has(path.basename(file))) same++
  }
  const texts = all.filter((file) => file.endsWith('.s7res'))
  for (const file of texts)
    assert.equal(writeResources(await readResources(textOf(file))).trimEnd(), textOf(file).trimEnd(), file)
  t.diagnostic(`${same} of ${codeFiles.length} files of code, ${texts.length} of texts`)
})

test('every block, data block and type of the corpus survives this format, or is refused by name', async (t) => {
  const kinds = new Set(['OB', 'FB', 'FC', 'GlobalDB', 'InstanceDB', 'ArrayDB', 'UDT'])
  const tally = new Map<string, number>()
  const count = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1)
  for (const file of all) {
    if (!/\.(xml|scl|db|udt)$/i.test(file)) continue
    for (const object of (await importFile(new Uint8Array(readFileSync(file)))).objects) {
      if (!kinds.has(object.kind)) continue
      const row = `${object.kind} ${object.language} ${object.format}`
      const program = programAround(object)
      let content: string
      let resources: ReadonlyMap<string, MultilingualText>
      try {
        ;({ content, resources } = writeSd(object, { program }))
      } catch (error) {
        assert.ok(error instanceof FormatError, String(error))
        assert.match(error.faults[0]?.message ?? '', /in (GRAPH|STL)/, file)
        count(`${row}: refused`)
        continue
      }
      const texts = await readResources(writeResources(resources))
      const { blocks, faults } = readSd(content, { resources: texts, program })
      assert.deepEqual(faults, [], file)
      const again = blocks[0]?.object as ImportedObject
      assert.deepEqual(withoutNumber(again), withoutNumber(object), file)
      for (const [i, { graph }] of object.networks.entries())
        assert.ok(isSameLogic(graph, again.networks[i]?.graph), `${file} network ${i + 1}`)
      count(`${row}: equal`)
    }
  }
  for (const [row, number] of [...tally].sort(([a], [b]) => (a < b ? -1 : 1))) t.diagnostic(`${row} ${number}`)
})

/**
 * The engineering tool chooses the numbers of sources without one; functions of hand-made files may lack their result.
 */
function withoutNumber(object: ImportedObject): unknown {
  const { number: _number, sections, memoryLayout: _layout, ...rest } = projection(object)
  const isVoid = (section: { section: string; members: unknown[] }) =>
    section.section === 'Return' && (section.members[0] as { dataType: string }).dataType === 'Void'
  return { ...rest, sections: sections.filter((section) => !isVoid(section)).map(withListedValues) }
}

/** Sources keep a list of values as one text, SimaticML as one value for each element. */
function withListedValues(section: { section: string; members: unknown[] }): unknown {
  return JSON.parse(
    JSON.stringify(section, (key, value) =>
      key === 'elements' || (key === 'startValue' && String(value).startsWith('[')) ? undefined : value,
    ),
  )
}

/** The data blocks that a block calls as instances, as the program around would provide them. */
function programAround(object: ImportedObject): ProgramAround {
  const instances = new Map<string, string>()
  for (const { graph } of object.networks)
    for (const node of graph?.nodes ?? [])
      if (node.kind === 'call' && node.instance?.scope === 'GlobalVariable' && node.instance.path[0] !== undefined)
        instances.set(node.instance.path[0].name, node.name)
  return { instanceOf: (name) => instances.get(name) }
}
