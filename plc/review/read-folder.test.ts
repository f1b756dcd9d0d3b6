/** Files of a folder as the review reads them: what is noted of each, and where things are in them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFolder } from './read-folder.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

async function read(files: Readonly<Record<string, string | Uint8Array>>) {
  const { objects, notes } = await readFolder(
    Object.entries(files).map(([path, content]) => ({
      path,
      bytes: typeof content === 'string' ? bytes(content) : content,
    })),
    [],
    'en-US',
  )
  return {
    objects,
    notes: notes.map(
      ({ code, severity, file, line, column, message }) => `${severity} ${code} ${file}:${line}:${column} ${message}`,
    ),
  }
}

const fc = (name: string, body = '#n := 1;') =>
  `FUNCTION "${name}" : Void\nVAR_OUTPUT\n  n : Int;\nEND_VAR\nBEGIN\n  ${body}\nEND_FUNCTION\n`
const notText = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46)

test('what is no part of a program is noted, and the rest is read', async () => {
  const { objects, notes } = await read({
    'a.scl': fc('A'),
    'page.xml': '<html><body>text</body></html>',
    'broken.xml': '<Document><Engineering version="V20" />',
    'thumbs.db': notText,
    'bad.scl': 'FUNCTION "Bad" : Void\nVAR\n  x ;\nEND_VAR\nBEGIN\nEND_FUNCTION\n',
    'photo.scl': notText,
    'bad.s7dcl': notText,
    'script.xml':
      '<Document><Hmi.VBScript ID="0"><AttributeList><Name>Run</Name></AttributeList></Hmi.VBScript></Document>',
  })
  assert.deepEqual(
    objects.map(({ object, file, isText }) => [object.name, file, isText]),
    [
      ['A', 'a.scl', true],
      ['Bad', 'bad.scl', true],
    ],
  )
  assert.deepEqual(notes, [
    'information not-checked page.xml:1:1 the root element is <html>, SimaticML files begin with <Document>.',
    'error unreadable-file broken.xml:1:40 malformed XML: unclosed tag: Document.',
    'information not-checked thumbs.db:1:5 byte 4 is zero: this is a binary file and no text.',
    'error unreadable-file bad.scl:3:5 expected ":" and a data type for member "x", found ";".',
    'error unreadable-file photo.scl:1:5 byte 4 is zero: this is a binary file and no text.',
    'information not-checked script.xml:1:1 Hmi.VBScript is not part of a PLC program and not checked.',
    'error unreadable-file bad.s7dcl:1:5 byte 4 is zero: this is a binary file and no text.',
  ])
})

test('of objects with one name the first counts; another format or another comment is no difference', async () => {
  const { objects, notes } = await read({
    '1.scl': fc('Same') + fc('Other'),
    '2.scl': `${fc('OTHER').replace('#n := 1', '#n := 2')}`,
    '3.scl': fc('Same').replace('n : Int;', 'n : Int;  // a comment'),
    '4.scl': `\n  DATA_BLOCK "Same"\nSTRUCT\n  n : Int;\nEND_STRUCT;\nBEGIN\nEND_DATA_BLOCK\n`,
    '5.scl': 'FUNCTION "Same" : Void\nVAR_OUTPUT\n  m : Int;\nEND_VAR\nBEGIN\n  #n := 1;\nEND_FUNCTION\n',
  })
  assert.deepEqual(
    objects.map(({ object, file }) => [object.name, file]),
    [
      ['Same', '1.scl'],
      ['Other', '1.scl'],
    ],
  )
  assert.deepEqual(notes, [
    'warning duplicate-object 2.scl:1:10 "OTHER" is in 1.scl too, and they differ; the one in that file is checked.',
    'warning duplicate-object 4.scl:2:14 "Same" is in 1.scl too, and they differ; the one in that file is checked.',
    'warning duplicate-object 5.scl:1:10 "Same" is in 1.scl too, and they differ; the one in that file is checked.',
  ])
})

test('places: of the second block of a file, on its first line, and in a namespace', async () => {
  const { objects } = await read({
    'a.scl': `${fc('A').trimEnd()} ${fc('B')}`,
    'c.scl': `NAMESPACE Deep\n${fc('C')}${fc('D')}END_NAMESPACE\n`,
  })
  const places = objects.flatMap(({ object, file, placeOf }) =>
    [
      {},
      { member: 'n' },
      { network: 1, line: 1, column: 3 },
      { sourceLine: 2, sourceColumn: 4 },
      { sourceLine: 1, sourceColumn: 4 },
    ].map((place) => {
      const { line, column } = placeOf(place)
      return `${object.name} ${JSON.stringify(place)} ${file}:${line}:${column}`
    }),
  )
  assert.deepEqual(places, [
    'A {} a.scl:1:10',
    'A {"member":"n"} a.scl:3:3',
    'A {"network":1,"line":1,"column":3} a.scl:6:3',
    'A {"sourceLine":2,"sourceColumn":4} a.scl:2:4',
    'A {"sourceLine":1,"sourceColumn":4} a.scl:1:4',
    'B {} a.scl:7:23',
    'B {"member":"n"} a.scl:9:3',
    'B {"network":1,"line":1,"column":3} a.scl:12:3',
    'B {"sourceLine":2,"sourceColumn":4} a.scl:8:4',
    // Its text begins with the blank before its first word.
    'B {"sourceLine":1,"sourceColumn":4} a.scl:7:16',
    'C {} c.scl:2:10',
    'C {"member":"n"} c.scl:4:3',
    'C {"network":1,"line":1,"column":3} c.scl:7:3',
    'C {"sourceLine":2,"sourceColumn":4} c.scl:2:4',
    'C {"sourceLine":1,"sourceColumn":4} c.scl:1:4',
    'D {} c.scl:9:10',
    'D {"member":"n"} c.scl:11:3',
    'D {"network":1,"line":1,"column":3} c.scl:14:3',
    // The text of the second block of a namespace begins with the line NAMESPACE, which is elsewhere.
    'D {"sourceLine":2,"sourceColumn":4} c.scl:9:4',
    'D {"sourceLine":1,"sourceColumn":4} c.scl:8:4',
  ])
})
