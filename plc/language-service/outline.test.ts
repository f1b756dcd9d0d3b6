/** The declarations that an editor sees, beside those that the reader of sources finds. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { publicDir } from '../../test/corpus.ts'
import { readSource } from '../formats/source/read.ts'
import { decodeText } from '../model/decode.ts'
import { FormatError } from '../model/fault.ts'
import type { InterfaceMember, InterfaceSection } from '../model/object.ts'
import type { Declared } from './declared.ts'
import { outlineOf } from './outline.ts'

interface Shown {
  readonly name: string
  readonly type: string
  readonly value: string
  readonly section: string
  readonly members: readonly Shown[]
}
/** Types without blanks and quotes; the reader has the long names of these two. */
const plainType = (text: string) =>
  text
    .replace(/[\s"]/g, '')
    .toUpperCase()
    .replace(/\bTOD\b/, 'TIME_OF_DAY')
    .replace(/\bDT\b/, 'DATE_AND_TIME')
const ofOutline = ({ name, dataType, value, section, members }: Declared): Shown => ({
  name,
  type: plainType(dataType),
  value: value ?? '',
  section: section ?? '',
  members: members.map(ofOutline),
})
const ofReader = (member: InterfaceMember, section: string): Shown => ({
  name: member.name,
  type: plainType(member.dataType),
  value: member.startValue ?? '',
  section,
  members: member.members.map((inner) => ofReader(inner, section)),
})
const ofSections = (sections: readonly InterfaceSection[]) =>
  sections.flatMap(({ section, members }) => (section === 'Return' ? [] : members.map((one) => ofReader(one, section))))
const sorted = (members: readonly Shown[]) =>
  [...members].sort((a, b) => (a.section + a.name < b.section + b.name ? -1 : 1))

const withoutValue = (one: Shown): Shown => ({ ...one, value: '', members: one.members.map(withoutValue) })

const sources = readdirSync(publicDir, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(scl|udt|db)$/i.test(path))
  .map((path) => join(publicDir, path))

test('the outline of every source of the corpus has the members that the reader finds', () => {
  let compared = 0
  for (const path of sources) {
    const { text } = decodeText(readFileSync(path))
    let blocks: ReturnType<typeof readSource>['blocks']
    try {
      blocks = readSource(text).blocks
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      continue
    }
    const { parts } = outlineOf(text, path)
    assert.deepEqual(
      parts.map(({ object }) => object.name),
      blocks.map(({ object }) => object.name),
      path,
    )
    for (const [index, { object }] of blocks.entries()) {
      const part = parts[index]!.object
      // Start values of a data block are behind BEGIN too, where the outline has none.
      const isData = object.kind === 'GlobalDB'
      const listed = (members: readonly Shown[]) => sorted(isData ? members.map(withoutValue) : members)
      assert.deepEqual(
        listed(part.members.map(ofOutline)),
        listed(ofSections(object.interface)),
        `${path} ${object.name}`,
      )
      checkPlaces(part, text)
      compared++
    }
  }
  assert.ok(compared > 150, `${compared} objects`)
})

/** A declaration is where it says, and what is in it lies in it. */
function checkPlaces(declared: Declared, text: string): void {
  const { name, at, range, members, kind } = declared
  if (at) assert.equal(text.slice(...at).replaceAll('"', ''), name)
  assert.ok(range && at ? range[0] <= at[0] && at[1] <= range[1] : true, name)
  if (range && kind === 'Member') assert.match(text.slice(...range), /;$/, name)
  for (const member of members) {
    if (range && member.range) assert.ok(range[0] <= member.range[0] && member.range[1] <= range[1], member.name)
    checkPlaces(member, text)
  }
}

const outline = (text: string, file = 'a.scl') => outlineOf(text, file)
/** `name : type` of the members, with the section where it is not static. */
const members = (text: string, file?: string) =>
  outline(text, file).parts.flatMap(({ object }) =>
    object.members.map(
      ({ name, dataType, section, value }) =>
        `${section === 'Static' ? '' : `${section} `}${name} : ${dataType}${value === undefined ? '' : ` := ${value}`}`,
    ),
  )

test('half-typed declarations are kept as far as they can be recognised', () => {
  const block = (inside: string) => `FUNCTION_BLOCK "A"\n${inside}\nBEGIN\n  x := 1;\nEND_FUNCTION_BLOCK\n`
  const cases: readonly (readonly [inside: string, found: readonly string[]])[] = [
    ['VAR\n a : Int;\n b :\n c : Bool;\nEND_VAR', ['a : Int', 'b : ', 'c : Bool']],
    ['VAR\n a : Int\n b : Bool;\nEND_VAR', ['a : Int', 'b : Bool']],
    ['VAR\n a\n b : Bool;\nEND_VAR', ['b : Bool']],
    ['VAR\n a : Int := \n b : Bool;\nEND_VAR', ['a : Int := ', 'b : Bool']],
    ['VAR\n a, b, : Int := 5;\nEND_VAR', ['a : Int := 5', 'b : Int := 5']],
    ['VAR\n a : Array[0..5] of\n b : Bool;\nEND_VAR', ['a : Array[0..5] of', 'b : Bool']],
    ['VAR\n a : Array[0..\nEND_VAR', ['a : Array[0..']],
    ['VAR RETAIN\n a : Int;\nVAR_TEMP\n t : Int;\nEND_VAR', ['a : Int', 'Temp t : Int']],
    ['VAR CONSTANT\n c : Int := 1;\nEND_VAR', ['Constant c : Int := 1']],
    ['CONST\n c := 1;\n d : Int := 2;\nEND_CONST', ['Constant d : Int := 2']],
    [
      'VAR\n v AT w : Array[0..1] of Byte;\n u AT "w" : Word;\n s AT #w : Word;\nEND_VAR',
      ['v : Array[0..1] of Byte', 'u : Word', 's : Word'],
    ],
    [
      'VAR\n r : REF_TO Int;\n n : A.B.C;\n s : String[5] := \'x\';\n q : Array[*] of Array[1..2] of "U";\nEND_VAR',
      ['r : REF_TO Int', 'n : A.B.C', "s : String[5] := 'x'", 'q : Array[*] of Array[1..2] of "U"'],
    ],
    ["VAR\n type : Int;\n x { S7_SetPoint := 'True' } : Int;\nEND_VAR", ['type : Int', 'x : Int']],
  ]
  for (const [inside, found] of cases) assert.deepEqual(members(block(inside)), found, inside)
})

test('objects have their kind, name, type and body; a word of an object in code begins none', () => {
  const text = `FUNCTION "F" : Array[0..1] of Int
VAR_INPUT
  a : Int;
END_VAR
BEGIN
  IF x THEN type := 1; function := 2; END_IF;
END_FUNCTION
FUNCTION FC 5
BEGIN
END_FUNCTION
DATA_BLOCK "D"
{ S7_Optimized_Access := 'TRUE' }
TITLE = x
AUTHOR : me
VERSION : 0.1
NON_RETAIN
"Motor"
BEGIN
  a := 5;
END_DATA_BLOCK
DATA_BLOCK "E"
 Array[0..3] of Int
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
`
  const { parts, significant, tokens, declarations } = outline(text)
  assert.deepEqual(
    parts.map(({ object: { kind, name, dataType, members: inner }, isStatementList }) => [
      kind,
      name,
      dataType,
      inner.map((one) => `${one.name} ${one.dataType}`),
      isStatementList,
    ]),
    [
      ['FC', 'F', 'Array[0..1] of Int', ['a Int'], false],
      ['FC', 'FC5', 'Void', [], false],
      ['DB', 'D', '"Motor"', [], false],
      ['DB', 'E', '', ['THIS Array[0..3] of Int'], false],
      ['OB', 'Main', '', [], false],
    ],
  )
  assert.deepEqual(
    [...declarations.values()].map(({ name }) => name),
    ['a', 'F', 'FC5', 'D', 'E', 'Main'],
  )
  const bodies = parts.map(({ body, to }) =>
    significant
      .slice(body, to)
      .map((token) => tokens.text.slice(tokens.start[token], tokens.start[token + 1]))
      .join(' '),
  )
  assert.deepEqual(bodies, ['IF x THEN type := 1 ; function := 2 ; END_IF ;', '', 'a := 5 ;', '', ''])
  const [first, , , , last] = parts.map(({ object }) => text.slice(...object.range!))
  assert.match(first!, /^FUNCTION "F"[\s\S]*END_FUNCTION$/)
  assert.equal(last, 'ORGANIZATION_BLOCK "Main"')
})

test('statement lists are those of sources with networks, and of AWL files', () => {
  const of = (text: string, file?: string) => outline(text, file).parts[0]?.isStatementList
  const block = (body: string) => `FUNCTION "F" : Void\nVAR_TEMP\n t : Int;\nEND_VAR\n${body}\nEND_FUNCTION\n`
  assert.equal(of(block('BEGIN\nNETWORK\n A x;')), true)
  assert.equal(of(block('BEGIN\n x := 1;')), false)
  assert.equal(of(block('BEGIN\n A x;'), 'a.AWL'), true)
  assert.equal(of('DATA_BLOCK "D"\nBEGIN\nEND_DATA_BLOCK', 'a.awl'), false)
  assert.equal(of('TYPE "U"\nSTRUCT\n a : Int;\nEND_STRUCT\nEND_TYPE', 'a.awl'), false)
  assert.equal(of(block('NETWORK\n RUNG wire#powerrail'), 'a.s7dcl'), false)
})

test('the comment of a declaration is the one in its line', () => {
  const text = `TYPE "U"
  STRUCT
    a : Int; // first
    b : Int; (* no *) // second
    c : Int;
    // of nobody
    d : Struct // inside
      e : Int := 5;   //   with blanks
    END_STRUCT; // behind
  END_STRUCT;
END_TYPE
`
  const [object] = outline(text).parts.map((part) => part.object)
  const comments = (list: readonly Declared[]): string[] =>
    list.flatMap(({ name, comment, members: inner }) => [`${name}: ${comment}`, ...comments(inner)])
  assert.deepEqual(comments(object!.members), ['a: first', 'b: ', 'c: ', 'd: behind', 'e: with blanks'])
})
