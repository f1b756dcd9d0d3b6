/**
 * Validates SimaticML against Siemens' XML schemas: `node --import tsx scripts/validate-exports.ts <schemas> <folder>
 * [--as-is]`.
 *
 * `<schemas>` contains one folder of .xsd files per version (`V16` … `V21`), as found in a TIA Portal installation
 * below PublicAPI; they may not be part of this repository. Every file of program objects below `<folder>` is imported
 * and exported for each version; blocks and types are also written again from their model. Every fragment that has a
 * schema is checked with xmllint. With `--as-is` SimaticML is checked as it is.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { importFile } from '../plc/formats/import.ts'
import { exportDocument } from '../plc/formats/simaticml/export-version.ts'
import { type TargetVersion, targetVersions } from '../plc/formats/simaticml/versions.ts'
import { writeSimaticMl } from '../plc/formats/simaticml/write.ts'
import { parseXml, type XmlElement } from '../plc/formats/simaticml/xml.ts'
import { decodeText } from '../plc/model/decode.ts'
import { FormatError } from '../plc/model/fault.ts'
import type { ImportedObject } from '../plc/model/object.ts'

/** Schema file by the part of the namespace before its version. `#` is replaced by the version. */
const schemaFiles: Readonly<Record<string, string>> = {
  Interface: 'SW.InterfaceSections_v#.xsd',
  'Interface/Snapshot': 'SW.Interface.Snapshot.xsd',
  'NetworkSource/FlgNet': 'SW.PlcBlocks.LADFBD_v#.xsd',
  'NetworkSource/StructuredText': 'SW.PlcBlocks.SCL_v#.xsd',
  'NetworkSource/StatementList': 'SW.PlcBlocks.STL_v#.xsd',
  'NetworkSource/Graph': 'SW.PlcBlocks.Graph_v#.xsd',
  BlockTypeSupervisions: 'SW.PlcBlocks.TypeSupervisions_v#.xsd',
}
const namespacePattern = /^http:\/\/www\.siemens\.com\/automation\/Openness\/SW\/(.+)\/v(\d+)$/

interface Fragment {
  readonly namespace: string
  readonly version: string
  readonly xml: string
  readonly from: string
}

/** Elements with a namespace of their own, outermost only. */
function fragmentsOf(element: XmlElement, text: string, version: string, from: string): Fragment[] {
  const namespace = element.attributes.xmlns
  if (namespace !== undefined && namespacePattern.test(namespace))
    return [{ namespace, version, xml: text.slice(element.start, element.end), from }]
  return element.children.flatMap((inner) => fragmentsOf(inner, text, version, from))
}

/**
 * Returns the schema of a namespace in a version's set; the public V20 set lacks the files of its own namespaces, V19
 * has them.
 */
function schemaOf(schemas: string, namespace: string, version: string): string | undefined {
  const [, name = '', number = ''] = namespacePattern.exec(namespace) ?? []
  const file = schemaFiles[name]?.replace('#', number)
  if (file === undefined) return undefined
  const folders = [version, 'V21', 'V19', 'V18', 'V17', 'V16', 'V15.1']
  return folders.map((folder) => join(schemas, folder, file)).find(existsSync)
}

/**
 * The schemas have no target namespace: they take that of the schema which includes them
 * (docs/formats.md#namespaces-and-versions).
 */
function wrapper(namespace: string, schema: string): string {
  const location = pathToFileURL(resolve(schema)).href
  return `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="${namespace}" xmlns="${namespace}" elementFormDefault="qualified"><xs:include schemaLocation="${location}"/></xs:schema>`
}

function textsOf(objects: readonly ImportedObject[], target: TargetVersion): { text: string; how: string }[] {
  const roots = objects.flatMap(({ xml }) => (xml === undefined ? [] : [xml]))
  const engineeringVersion = objects[0]?.engineeringVersion
  const texts: { text: string; how: string }[] = []
  if (roots.length > 0)
    texts.push({ text: exportDocument(roots, { engineeringVersion, target }).text, how: 'exported' })
  for (const { xml: _xml, ...object } of objects) {
    try {
      texts.push({ text: writeSimaticMl(object, { version: target }).text, how: 'written' })
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
    }
  }
  return texts
}

async function collect(folder: string, asIs: boolean): Promise<Fragment[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const fragments: Fragment[] = []
  let files = 0
  for (const entry of entries) {
    if (!(asIs ? /\.xml$/i : /\.(xml|scl|db|udt|awl|s7dcl)$/i).test(entry.name) || entry.isDirectory()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = await readFile(path)
    const { objects, faults, engineeringVersion = 'V21' } = await importFile(bytes)
    const [fault] = faults
    if (fault !== undefined) console.log(`not imported: ${path}: ${fault.line}:${fault.column}: ${fault.message}`)
    if (objects.length === 0) continue
    files++
    const { text } = decodeText(bytes)
    if (asIs) fragments.push(...fragmentsOf(parseXml(text), text, engineeringVersion, path))
    else
      for (const target of targetVersions)
        for (const { text: written, how } of textsOf(objects, target))
          fragments.push(...fragmentsOf(parseXml(written), written, target, `${path} ${how}`))
  }
  console.log(`${files} files, ${fragments.length} fragments`)
  return fragments
}

/** Writes equal fragments once and runs xmllint over them; returns its messages for each that fails. */
async function validate(fragments: readonly Fragment[], schema: string, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const [{ namespace } = { namespace: '' }] = fragments
  await writeFile(join(folder, 'schema.xsd'), wrapper(namespace, schema))
  const byText = new Map(fragments.map((fragment) => [fragment.xml, fragment]))
  const names: string[] = []
  const from = new Map<string, string>()
  for (const [xml, fragment] of byText) {
    const name = `${names.length}.xml`
    names.push(name)
    from.set(name, fragment.from)
    await writeFile(join(folder, name), xml)
  }
  const failures: string[] = []
  for (let at = 0; at < names.length; at += 500) {
    const args = ['--noout', '--schema', 'schema.xsd', ...names.slice(at, at + 500)]
    const { stderr, error } = spawnSync('xmllint', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 })
    if (error) throw new Error('xmllint is needed (package libxml2-utils)', { cause: error })
    for (const line of stderr.split('\n')) {
      const name = /^(\d+\.xml)(?::\d+: | fails)/.exec(line)?.[1]
      if (name !== undefined) failures.push(`${from.get(name)}: ${line}`)
      else if (line !== '' && !line.endsWith(' validates')) failures.push(line)
    }
  }
  return failures
}

const [schemas, folder] = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
if (schemas === undefined || folder === undefined) {
  console.error('usage: node --import tsx scripts/validate-exports.ts <schemas> <folder> [--as-is]')
  process.exit(2)
}
const fragments = await collect(folder, process.argv.includes('--as-is'))
const groups = new Map<string, Fragment[]>()
for (const fragment of fragments) {
  const key = `${fragment.version} ${fragment.namespace}`
  groups.set(key, [...(groups.get(key) ?? []), fragment])
}
const scratch = await mkdtemp(join(tmpdir(), 'gantry-schemas-'))
let failed = 0
for (const [index, [key, group]] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).entries()) {
  const [{ namespace, version } = { namespace: '', version: '' }] = group
  const schema = schemaOf(schemas, namespace, version)
  const failures = schema === undefined ? [] : await validate(group, schema, join(scratch, String(index)))
  const count = failures.filter((line) => line.endsWith('fails to validate')).length
  failed += failures.length
  console.log(`${key}: ${group.length} fragments, ${schema === undefined ? 'no schema' : `${count} fail`}`)
  for (const line of failures.slice(0, 20)) console.log(`  ${line}`)
}
await rm(scratch, { recursive: true })
process.exitCode = failed > 0 ? 1 : 0
