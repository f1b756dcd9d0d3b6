/**
 * Block to specification to block: equal in meaning for the blocks and types of the corpus. What the specification
 * cannot express is named by the reason.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { publicDir } from '../../test/corpus.ts'
import { objectsIn, type RealObject } from '../../test/corpus-objects.ts'
import { compareObjects, type Difference } from '../edit/compare.ts'
import { comparedForm } from '../edit/compared-form.ts'
import { objectFromXml } from '../edit/edit.ts'
import { importFile } from '../formats/import.ts'
import { writeObject } from '../formats/simaticml/write.ts'
import type { DeclaredNames } from '../languages/ladder/declared-names.ts'
import { FormatError } from '../model/fault.ts'
import type { ImportedObject } from '../model/object.ts'
import { generateObject } from './object-of.ts'
import { specificationOf } from './specification-of.ts'

/** Sources as SimaticML, in which they are compared; `undefined` for a source that has no such form. */
function asXml(object: ImportedObject): ImportedObject | undefined {
  if (object.xml !== undefined) return object
  try {
    return objectFromXml(writeObject(object, { version: 'V21' }).xml, 'V21')
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

const kinds = ['OB', 'FB', 'FC', 'GlobalDB', 'InstanceDB', 'ArrayDB', 'UDT']

/** Objects of SimaticML, sources and SIMATIC SD below the corpus. */
async function corpusObjects(): Promise<RealObject[]> {
  const found = await objectsIn(publicDir)
  for (const file of readdirSync(publicDir, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!file.endsWith('.s7dcl')) continue
    const path = join(publicDir, file)
    const texts = path.replace(/\.s7dcl$/, '.s7res')
    const resources = existsSync(texts) ? { resources: new Uint8Array(readFileSync(texts)) } : {}
    const { objects } = await importFile(new Uint8Array(readFileSync(path)), { path: file, ...resources })
    for (const object of objects) found.push({ file, object })
  }
  return found.filter(({ object }) => kinds.includes(object.kind))
}

/** The programs: the objects of each repository know each other. */
function byRepository(found: readonly RealObject[]): RealObject[][] {
  const folders = new Map<string, RealObject[]>()
  for (const one of found) {
    const folder = one.file.split('/')[0] ?? ''
    const list = folders.get(folder)
    if (list) list.push(one)
    else folders.set(folder, [one])
  }
  return [...folders.values()]
}

test('blocks of the corpus come back equal in meaning from their specification', async (t) => {
  const counts = new Map<string, { equal: number; total: number }>()
  const failures: string[] = []
  const networks = { text: 0, graph: 0 }
  for (const list of byRepository(await corpusObjects())) {
    const declared: DeclaredNames = { objects: list.map(({ object }) => object), tags: [] }
    for (const { file, object } of list) {
      const before = asXml(object)
      if (before === undefined || before.isKnowHowProtected) continue
      const kind = before.language || before.kind
      const count = counts.get(kind) ?? { equal: 0, total: 0 }
      counts.set(kind, count)
      count.total++
      const found = differences(before, declared, networks)
      if (found.length === 0) count.equal++
      else failures.push(`${file} ${before.name}: ${found.slice(0, 3).map(shown).join('; ')}`)
    }
  }
  for (const failure of failures) t.diagnostic(failure)
  for (const [language, { equal, total }] of counts) t.diagnostic(`${language}: ${equal} of ${total}`)
  const sum = (field: 'equal' | 'total') => [...counts.values()].reduce((all, one) => all + one[field], 0)
  const share = sum('equal') / sum('total')
  t.diagnostic(`${sum('equal')} of ${sum('total')} objects are equal (${(100 * share).toFixed(1)} %)`)
  t.diagnostic(`LAD and FBD networks: ${networks.text} as text, ${networks.graph} as elements and wires`)
  assert.ok(share >= leastShare, `${share}`)
  assert.ok(networks.text > networks.graph)
})

/**
 * What is reached. The others: sources with faults in their statements, functions without a result section, a
 * technology object.
 */
const leastShare = 0.98

const shown = ({ path, left, right }: Pick<Difference, 'path' | 'left' | 'right'>) =>
  `${path}: ${left?.slice(0, 150)} -> ${right?.slice(0, 150)}`

/** The number 0 is none: the engineering tool chooses one. */
function numberless(object: ImportedObject): ImportedObject {
  const { attributes, ...rest } = comparedForm(object)
  return { ...rest, attributes: attributes.filter(({ name, value }) => name !== 'Number' || value !== '0') }
}

function differences(
  before: ImportedObject,
  declared: DeclaredNames,
  networks: { text: number; graph: number },
): Pick<Difference, 'path' | 'left' | 'right'>[] {
  try {
    // As JSON: what a client sends back is what it was given.
    const spec = JSON.parse(JSON.stringify(specificationOf(before, { declared })))
    const text = JSON.stringify(spec)
    networks.text += text.split('"expressions":').length - 1
    networks.graph += text.split('"graph":').length - 1
    const { object } = generateObject(spec, { version: 'V21', declared })
    return [...compareObjects(numberless(before), numberless(object)).differences]
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return [{ path: 'fault', left: error.faults.map(({ path, message }) => `${path} ${message}`).join(' | ') }]
  }
}
