/** What an edit of members changes in the text of a block, and what is refused (`fixtures/members-written.txt`). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../test/recorded.ts'
import { readSimaticMlText } from '../formats/simaticml/read.ts'
import { readSource } from '../formats/source/read.ts'
import { FormatError, UnknownNameError } from '../model/fault.ts'
import type { ImportedObject } from '../model/object.ts'
import { changedLines } from '../testing/outline.ts'
import type { MemberEdit, MemberFields } from './member-input.ts'
import { editMembers } from './members.ts'

const source = `FUNCTION_BLOCK "B"
VAR_INPUT
  go : Bool := TRUE;   // begins
  speed { ExternalWritable := 'False' } : Int;
END_VAR
VAR
  a, b : Int;
  point : Struct
    x : Int := 3;
    y : LReal;
  END_STRUCT;
  list : Array[0..2] of Int := [1, 2, 3];
END_VAR
VAR RETAIN
  kept : Real;
END_VAR
BEGIN
END_FUNCTION_BLOCK
`
const update = (name: string, fields: MemberFields, newName?: string): MemberEdit => ({
  kind: 'update',
  name,
  fields,
  ...(newName === undefined ? {} : { newName }),
})
const attributes = { ExternalWritable: false, SetPoint: true, Count: 5, Ratio: 2.5, Unit: 'mm' }
const members = [
  { name: 'n', dataType: 'Time', startValue: 'T#5s', comment: { 'en-US': 'time', 'de-DE': 'Zeit' } },
  { name: 'm', dataType: 'Struct', members: [{ name: 'in', dataType: 'Bool' }], position: 1 },
  { name: 'r', dataType: 'Int', remanence: 'Retain' as const, attributes },
]
const edits: readonly MemberEdit[] = [
  { kind: 'add', section: 'Input', members },
  { kind: 'add', section: 'Static', members },
  { kind: 'add', section: 'Temp', members: members.slice(0, 2) },
  ...['go', 'GO', 'point.x', 'rows.level', 'Static.go', ''].map((name): MemberEdit => {
    return { kind: 'add', section: 'Input', members: [{ name, dataType: 'Int' }] }
  }),
  ...['go', 'speed', 'b', 'point.x', 'list', 'kept', 'rows', 'rows.level', 'none'].flatMap((name): MemberEdit[] => [
    update(name, {}, name.split('.').at(-1)!.toUpperCase()),
    update(name, {}, 'Speed'),
    update(name, { attributes }),
    update(name, { comment: 'other', startValue: '' }),
    update(name, { dataType: 'DInt', startValue: '7', position: 1 }),
    update(name, { remanence: 'Retain' }),
    update(name, { position: 9 }),
    { kind: 'delete', name },
  ]),
]

const linesOf = ({ xml, text }: ImportedObject) => (xml ?? text ?? '').split('\n')

test('what edits of members change in the text', () => {
  const dense = fixtureText(import.meta.url, '../../formats/simaticml/fixtures/dense.xml')
  const told: string[] = []
  for (const object of [readSource(source).blocks[0]!.object, readSimaticMlText(dense).objects[0]!])
    for (const edit of edits) {
      told.push(`── ${object.name} ${JSON.stringify(edit)}`)
      try {
        const edited = editMembers(object, edit)
        const sections = edited.interface.map(
          (one) =>
            `${one.section} ${one.members.map(({ name, members: inner }) => [name, ...inner.map((m) => m.name)])}`,
        )
        told.push(`  ${sections.join('; ')}`)
        told.push(...changedLines(linesOf(object), linesOf(edited), 12).map((line) => `  ${line}`))
      } catch (error) {
        if (!(error instanceof FormatError) && !(error instanceof UnknownNameError)) throw error
        told.push(`  refused ${error.message}`)
      }
    }
  assertRecorded(import.meta.url, 'members-written.txt', `${told.join('\n')}\n`)
})

test('labels of a block are no members: those declared behind them are changed where they stand', () => {
  const text = `FUNCTION "F" : Void
VAR_INPUT a : Int; END_VAR
LABEL l1, l2; END_LABEL   // jumps
CONST c : Int := 3; END_CONST
VAR_TEMP
  t : Int;   // kept
  u : Int;
END_VAR
BEGIN
  GOTO l1;
END_FUNCTION
`
  const [block] = readSource(text).blocks
  const changed = (edit: MemberEdit) => editMembers(block!.object, edit).text
  assert.equal(changed(update('u', { dataType: 'DInt' })), text.replace('  u : Int;', '      u : DInt;'))
  assert.equal(changed({ kind: 'delete', name: 't' }), text.replace('  t : Int;   // kept\n', ''))
  assert.equal(changed(update('c', {}, 'most')), text.replace('c : Int', 'most : Int'))
  const added: MemberEdit = { kind: 'add', section: 'Temp', members: [{ name: 'v', dataType: 'Bool' }] }
  assert.equal(changed(added), text.replace('  u : Int;\n', '  u : Int;\n      v : Bool;\n'))
})

test('a constant that is declared by its value alone is edited like others, and may get a type', () => {
  const text = `FUNCTION_BLOCK "B"
VAR CONSTANT
  c := 3; // three
  d : Int := 4;
END_VAR
BEGIN
END_FUNCTION_BLOCK
`
  const object = readSource(text).blocks[0]!.object
  const written = (edit: MemberEdit) =>
    editMembers(object, edit)
      .text?.split('\n')
      .slice(2, -4)
      .map((line) => line.trim())
  assert.deepEqual(written(update('c', {}, 'count')), ['count := 3; // three', 'd : Int := 4;'])
  assert.deepEqual(written(update('c', { startValue: '7' })), ['c := 7;   // three', 'd : Int := 4;'])
  assert.deepEqual(written(update('c', { comment: 'trois' })), ['c := 3;   // trois', 'd : Int := 4;'])
  assert.deepEqual(written(update('c', { position: 2 })), ['d : Int := 4;', 'c := 3;   // three'])
  assert.deepEqual(written(update('c', { dataType: 'Real' })), ['c : Real := 3.0;   // three', 'd : Int := 4;'])
  assert.throws(() => written(update('d', { dataType: '' })), /"" is not a data type/)
})
