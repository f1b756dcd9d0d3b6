/**
 * Random edits of the recorded programs: what is compiled from what was compiled before is what is compiled at once.
 * Beside `incremental.test.ts`, whose program is small, these use everything that blocks can use of each other.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Random, randomFrom } from '../../test/random.ts'
import { readSource } from '../formats/source/read.ts'
import { compileAgain, documentOf } from '../testing/compile-again.ts'
import { recordedSources, recordedTags } from '../testing/recorded-programs.ts'
import type { CompileState } from './compile-program.ts'
import type { ProgramDocument } from './program-document.ts'

/** Names of types that look like words of the language, constants in types and start values, and what uses them. */
const names = `TYPE "Time"
STRUCT
  a : Int;
END_STRUCT;
END_TYPE
TYPE "Any"
STRUCT
  t : "Time";
  list : Array["LAST".."TOP"] of Int;
  text : String["TOP"];
END_STRUCT;
END_TYPE
FUNCTION_BLOCK "Inner"
VAR_INPUT
  in : Int := "LAST";
END_VAR
VAR
  own : "Any";
  count : Int;
END_VAR
BEGIN
  #count := #count + #own.t.a;
END_FUNCTION_BLOCK
FUNCTION_BLOCK "Outer"
VAR
  inner : Array[0..1] of "Inner";
  one : "Inner";
END_VAR
BEGIN
  #inner[0](in := 3);
  #one();
  #one.count := 5;
END_FUNCTION_BLOCK
DATA_BLOCK "Outer_DB"
"Outer"
BEGIN
  one.count := 7;
END_DATA_BLOCK
DATA_BLOCK "Array_DB"
ARRAY[0..3] OF "Time"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Of_Type"
"Any"
BEGIN
  t.a := 4;
END_DATA_BLOCK
FUNCTION "Reads" : DInt
VAR_INPUT
  any : Variant;
END_VAR
VAR_IN_OUT
  whole : "Any";
END_VAR
BEGIN
  #Reads := "Of_Type".t.a + #whole.list["LAST"] + "Array_DB"."THIS"[1].a;
END_FUNCTION
ORGANIZATION_BLOCK "Main"
BEGIN
  "Outer_DB"();
  "Of_Type".list[8] := DINT_TO_INT("Reads"(any := "Of_Type".t, whole := "Of_Type"));
END_ORGANIZATION_BLOCK
`

const tables = [
  { ...recordedTags, constants: [...recordedTags.constants, { name: 'TOP', dataType: 'Int', value: '9' }] },
]

/** One edit: a number, a type of a member, a member left out, or a whole block. */
function edited(texts: readonly string[], random: Random): string[] {
  const at = Math.floor(random() * texts.length)
  const text = texts[at] as string
  const kind = Math.floor(random() * 4)
  if (kind === 0 && texts.length > 1) return texts.filter((_, i) => i !== at)
  const pattern = [/\b\d\b/g, /: *(Int|Bool|DInt|Word|Real|Time)(?=;| :=)/g, /^ *\w+ *: *[^;\n]*;\n/gm][
    kind - 1
  ] as RegExp
  const places = [...text.matchAll(pattern)]
  const place = places[Math.floor(random() * places.length)]
  if (place === undefined) return [...texts]
  const by = ['6', ': LReal', ''][Math.max(kind - 1, 0)] as string
  return texts.with(at, text.slice(0, place.index) + by + text.slice(place.index + place[0].length))
}

/** The documents of texts, one for each block; undefined: one cannot be read. */
function documentsOf(texts: readonly string[]): ProgramDocument[] | undefined {
  const found: ProgramDocument[] = []
  for (const text of texts) {
    const { blocks, faults } = readSource(text)
    if (faults.length > 0) return undefined
    found.push(...blocks.map(({ object }) => documentOf(object)))
  }
  return found
}

function compiled(documents: ProgramDocument[], kept: Map<string, string>, before?: CompileState) {
  return compileAgain({ documents, tables }, kept, before)
}

const sources = [
  { file: 'names', text: names },
  ...['behaviour', 'lower', 'codegen', 'program'].flatMap((folder) =>
    recordedSources(folder)
      .filter(({ file }) => file.endsWith('.scl') || file.endsWith('.awl'))
      .map(({ file, bytes }) => ({ file, text: bytes.toString() })),
  ),
]

for (const { file, text } of sources)
  test(`${file}: edits one after the other`, () => {
    const random = randomFrom(5)
    const first = readSource(text).blocks.map(({ object }) => object.text ?? '')
    let texts = first
    let documents = documentsOf(texts)
    assert.ok(documents)
    const kept = new Map<string, string>()
    const start = compiled(documents, kept)
    if (file === 'names') assert.ok(start.shown.hash, JSON.stringify(start.shown.objects))
    let { state } = start
    const rounds = file === 'names' ? 60 : 4
    for (let round = 0; round < rounds; round++) {
      // Now and then it is as it was, with what was compiled since.
      const next = round % 6 === 5 ? first : edited(texts, random)
      documents = documentsOf(next)
      if (documents === undefined) continue
      texts = [...next]
      const after = compiled(documents, kept, random() < 0.7 ? state : undefined)
      state = after.state
      assert.deepEqual(after.shown, compiled(documents, new Map()).shown, texts.join('\n'))
    }
  })
