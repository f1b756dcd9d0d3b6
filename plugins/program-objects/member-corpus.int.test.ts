/** Members of real blocks renamed and renamed back: no use keeps the old name, and the text comes back as it was. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { objectOf, type StoredDocument } from '../../plc/edit/stored-document.ts'
import { lex } from '../../plc/languages/scl/lexer.ts'
import { nameOf } from '../../plc/languages/scl/syntax.ts'
import { TokenKind } from '../../plc/languages/scl/tokens.ts'
import { FormatError } from '../../plc/model/fault.ts'
import type { ImportedObject } from '../../plc/model/object.ts'
import type { Operand } from '../../plc/model/operand.ts'
import { publicDir } from '../../test/corpus.ts'
import { fixtureObjects, objectsIn, type RealObject } from '../../test/corpus-objects.ts'
import { changeMembers, renameMember } from './documents/edit.task.ts'

const NEW_NAME = 'Neuer_Name_1'
/** Members of one block that are renamed, those that are used first; `GANTRY_RUNS=1000` renames all. */
const mostMembers = Number(process.env.GANTRY_RUNS ?? 3)

function documentOf(object: ImportedObject, text = object.xml ?? object.text ?? ''): StoredDocument {
  const { format, kind, name, engineeringVersion } = object
  return { text, format, kind, name, engineeringVersion, culture: 'en-US' }
}

/** First names behind `#` in the networks, in lower case; read from the model, not from the text. */
function localNames(object: ImportedObject): Map<string, number> {
  const names = new Map<string, number>()
  const add = (name: string | undefined) => {
    const key = (name ?? '').toLowerCase()
    names.set(key, (names.get(key) ?? 0) + 1)
  }
  const operand = (value: Operand | undefined): void => {
    if (value?.kind !== 'symbol') return
    if (value.scope === 'LocalVariable') add(value.path[0]?.name)
    for (const { indices } of value.path) for (const index of indices ?? []) operand(index)
  }
  for (const { graph, statements, text, language } of object.networks) {
    for (const node of graph?.nodes ?? []) {
      if (node.kind === 'operand') operand(node.operand)
      else if (node.instance?.scope === 'LocalVariable') add(node.instance.path[0]?.name)
    }
    for (const { operand: value, call } of statements ?? []) {
      operand(value)
      for (const { value: argument } of call?.parameters ?? []) operand(argument)
    }
    if (text === undefined || language !== 'SCL') continue
    const tokens = lex(text)
    for (let i = 0; i < tokens.count - 1; i++) if (tokens.kind[i] === TokenKind.LocalName) add(nameOf(tokens, i))
  }
  return names
}

function check({ file, object }: RealObject): number {
  const declared = [{ kind: object.kind, name: object.name, interface: object.interface }]
  const members = object.interface
    .filter(({ section }) => section !== 'Return' && section !== 'Base')
    .flatMap((section) => section.members)
  const used = localNames(object)
  const chosen = [
    ...members.filter(({ name }) => used.has(name.toLowerCase())),
    ...members.filter(({ name }) => !used.has(name.toLowerCase())),
  ].slice(0, mostMembers)
  for (const { name } of chosen) {
    const where = `${file}: ${object.name}: ${name}`
    const shown = name.includes('.') ? `"${name}"` : name
    const query = { target: { owner: object.name, path: [name] }, objects: declared, numbers: {} }
    const edit = { kind: 'update' as const, name: shown, newName: NEW_NAME, fields: {} }
    const { object: after, sites } = renameMember({ document: documentOf(object), edit, query, newName: NEW_NAME })
    const names = localNames(after)
    assert.equal(names.get(name.toLowerCase()), undefined, where)
    assert.equal(names.get(NEW_NAME.toLowerCase()), used.get(name.toLowerCase()), where)
    assert.ok(sites.length >= (used.get(name.toLowerCase()) ?? 0), where)
    const again = renameMember({
      document: documentOf(after),
      edit: { kind: 'update', name: NEW_NAME, newName: name, fields: {} },
      query: {
        target: { owner: object.name, path: [NEW_NAME] },
        objects: [{ ...declared[0]!, interface: after.interface }],
        numbers: {},
      },
      newName: name,
    })
    const text = object.xml ?? object.text ?? ''
    // Another spelling, and quotes that a plain name does not need, are not brought back.
    if (text.split(name).length === text.toLowerCase().split(name.toLowerCase()).length)
      assert.equal(again.object.xml ?? again.object.text, text, where)
  }
  return chosen.length
}

/** Deleting leaves a block that can be read. */
function checkDeleting({ file, object }: RealObject): void {
  for (const { section, members } of object.interface) {
    const [member] = members
    if (member === undefined || section === 'Return' || section === 'Base') continue
    const name = member.name.includes('.') ? `"${member.name}"` : member.name
    const after = changeMembers({ document: documentOf(object), edit: { kind: 'delete', name } })
    const left = after.interface.find((other) => other.section === section)?.members ?? []
    assert.equal(left.length, members.length - 1, `${file}: ${object.name}: ${name}`)
  }
}

/** Files with faults give objects that would not be stored. */
function isStorable(object: ImportedObject): boolean {
  try {
    objectOf(documentOf(object))
    return true
  } catch (error) {
    if (error instanceof FormatError) return false
    throw error
  }
}

const KINDS = new Set(['FB', 'FC', 'OB', 'GlobalDB'])

function checkAll(objects: readonly RealObject[]): number {
  let count = 0
  for (const real of objects) {
    if (!KINDS.has(real.object.kind) || real.object.isKnowHowProtected || !isStorable(real.object)) continue
    count += check(real)
    checkDeleting(real)
  }
  return count
}

test('members of the real blocks of the repository', async () => {
  const count = checkAll(await fixtureObjects())
  assert.ok(count > 10, `${count} members`)
})

test('members of the blocks of the corpus', async (t) => {
  const count = checkAll(await objectsIn(publicDir))
  t.diagnostic(`${count} members renamed and renamed back`)
  assert.ok(count > 200)
})
