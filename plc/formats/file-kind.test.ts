import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindOfFile } from './file-kind.ts'

test('the kind of a file is known by how it begins, in any encoding', () => {
  const kinds: Record<string, string | undefined> = {}
  const zipped = (entry: string) => `PK\u0003\u0004..${entry}..`
  for (const text of [
    '<?xml version="1.0"?>\n<Document><SW.Blocks.FB ID="0"/></Document>',
    '<Document><Hmi.Screen.Screen ID="0"/></Document>',
    'FUNCTION "F" : Void\nBEGIN\nEND_FUNCTION\n',
    '{ S7_Version := "0.1" }\nFUNCTION F : Void\nEND_FUNCTION\n',
    '<!-- a > b -->\n<CAEXFile FileName="a.aml"/>',
    '<ISO15745Profile xmlns="http://www.profibus.com/GSDML/2003/11/DeviceProfile"/>',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'Name;Path;Data Type;Logical Address',
    '"Start","%I0.0","Bool","True","True","False","größer","","True"',
    "<?xml version='1.0'?>\n<Tagtable name='T'/>",
    ' {"tags": []}',
    '126,Start                   E       0.1 BOOL      start button',
    '[CmTypes]\nCmType;Variable',
    zipped('System/PEData.plf'),
    zipped('xl/workbook.xml'),
    zipped('a.scl'),
    '<html/>',
    'anything',
    '',
  ]) {
    kinds[text] = kindOfFile(Buffer.from(text))
    assert.equal(kindOfFile(Buffer.from(text, 'latin1')), kinds[text], text)
    if (!text.startsWith('PK')) assert.equal(kindOfFile(Buffer.from(`\ufeff${text}`, 'utf16le')), kinds[text], text)
  }
  assert.deepEqual(Object.values(kinds), [
    'program',
    'hmi',
    'program',
    'program',
    'hardware',
    'gsd',
    'picture',
    'tag-list',
    'tag-list',
    'tag-list',
    'json',
    'tag-list',
    'design-spec',
    'project',
    'workbook',
    'zip',
    undefined,
    undefined,
    undefined,
  ])
  const marks = ['89504e470d0a1a0a', 'ffd8ffe0', '474946383961', 'd0cf11e0a1b11ae1', '00010203']
  assert.deepEqual(
    marks.map((hex) => kindOfFile(Buffer.from(hex, 'hex'))),
    ['picture', 'picture', 'picture', 'old-workbook', undefined],
  )
})
