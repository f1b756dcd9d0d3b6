/** Checks uses in real objects: all are found, and exactly these are renamed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publicDir } from '../../test/corpus.ts'
import { fixtureObjects, objectsIn, type RealObject } from '../../test/corpus-objects.ts'
import { objectFromXml } from '../edit/edit.ts'
import { readSource } from '../formats/source/read.ts'
import type { ImportedObject } from '../model/object.ts'
import { renameInSource } from './rename-source.ts'
import { renameInXml } from './rename-xml.ts'
import { usesOf } from './uses-of.ts'

/** The number of names of one object that are renamed: enough to cover every form. */
const mostNames = 8
const newName = 'Nächster Name/1'

function renamed(object: ImportedObject, from: string, to: string): string {
  return object.xml === undefined ? renameInSource(object.text ?? '', from, to) : renameInXml(object.xml, from, to)
}

function reread(object: ImportedObject, text: string): ImportedObject {
  if (object.xml !== undefined) return objectFromXml(text, object.engineeringVersion)
  return readSource(text).blocks[0]!.object
}

/** Every use, with `from` under its new name; columns shift with the length of names. */
function shown(object: ImportedObject, from?: string): string[] {
  return usesOf(object).uses.map(({ name, path, access, place: { column: _column, ...place } }) => {
    const isRenamed = from !== undefined && name.toLowerCase() === from.toLowerCase()
    return `${access} ${[isRenamed ? newName : name, ...path].join('.')} ${JSON.stringify(place)}`
  })
}

function checkRenaming({ file, object }: RealObject): number {
  const names = new Set(usesOf(object).uses.flatMap(({ name, isBare }) => (name === '' || isBare ? [] : [name])))
  names.delete(object.name)
  const chosen = [...names].slice(0, mostNames)
  for (const name of chosen) {
    const where = `${file}: ${object.name}: ${name}`
    const text = renamed(object, name, newName)
    const after = reread(object, text)
    assert.deepEqual(shown(after), shown(object, name), where)
    // When the name has only one spelling, renaming it back restores the text exactly.
    const before = object.xml ?? object.text ?? ''
    const again = renamed(after, newName, name)
    if (!hasOtherSpelling(before, name)) assert.equal(again, before, where)
  }
  return chosen.length
}

/** Whether the name occurs in another case, or without quotes in a source. */
function hasOtherSpelling(text: string, name: string): boolean {
  const lower = text.toLowerCase().split(name.toLowerCase()).length
  if (lower !== text.split(name).length) return true
  return !text.startsWith('<') && lower !== text.split(`"${name}"`).length
}

/** Names that SimaticML marks as those of the whole program. */
function markedNames(xml: string): Set<string> {
  const names = new Set<string>()
  const patterns = [
    /Scope="GlobalVariable"[^>]*>\s*(?:<Symbol[^>]*>\s*)?<Component[^>]*? Name="([^"&]*)"/g,
    /<CallInfo[^>]*? Name="([^"&]*)"/g,
    /Scope="GlobalConstant"[^>]*>\s*<Constant[^>]*? Name="([^"&]*)"/g,
  ]
  for (const pattern of patterns) for (const [, name] of xml.matchAll(pattern)) if (name) names.add(name.toLowerCase())
  return names
}

function checkCompleteness({ file, object }: RealObject): void {
  if (object.xml === undefined) return
  const found = new Set(usesOf(object).uses.map(({ name }) => name.toLowerCase()))
  for (const name of markedNames(object.xml))
    assert.ok(found.has(name), `${file}: ${object.name}: ${name} is not found`)
}

test('every name of the sample project is found, and replaced without touching anything else', async () => {
  let names = 0
  for (const real of await fixtureObjects()) {
    checkCompleteness(real)
    names += checkRenaming(real)
  }
  assert.ok(names >= 20, `${names} names`)
})

test('the same for the corpus', async (t) => {
  let names = 0
  const objects = await objectsIn(publicDir)
  for (const real of objects) {
    checkCompleteness(real)
    names += checkRenaming(real)
  }
  t.diagnostic(`${objects.length} objects, ${names} renamings`)
})
