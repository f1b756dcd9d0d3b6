import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeText } from '../model/decode.ts'
import { encodeText } from '../model/encode.ts'
import { FormatError } from '../model/fault.ts'
import { detectFile } from './detect.ts'
import { importFile } from './import.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

test('a source that is no UTF-8 is ANSI, as classic ones are; anything else is a fault', async () => {
  const source = 'FUNCTION "Größe" : Void\nBEGIN\n // 5 µm\n\t;\nEND_FUNCTION\n'
  const ansi = Uint8Array.from(source, (letter) => letter.charCodeAt(0))
  assert.deepEqual(decodeText(ansi), { text: source, encoding: 'windows-1252', hasBom: false })
  const read = await importFile(ansi)
  assert.equal(read.objects[0]?.name, 'Größe')
  assert.deepEqual(read.warnings, [
    'the file is not UTF-8: it is read as Windows-1252 (ANSI of western Europe); letters of other languages come out wrong',
  ])
  assert.deepEqual((await importFile(utf8(source))).warnings, [])
  const xml = Uint8Array.from('<Document><!-- TYPE Größe --></Document>', (letter) => letter.charCodeAt(0))
  assert.equal((await importFile(xml)).faults[0]?.code, 'encoding')
  assert.equal((await importFile(Uint8Array.from([...ansi, 0]))).faults[0]?.code, 'encoding')
})

test('XML that is no UTF-8 is in the encoding that it declares', async () => {
  const xml = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><Document><SW.Blocks.FC ID="0"><AttributeList><Name>Größe</Name></AttributeList></SW.Blocks.FC></Document>`
  const latin1 = Buffer.from(xml('ISO-8859-1'), 'latin1')
  assert.deepEqual(decodeText(latin1), { text: xml('ISO-8859-1'), encoding: 'windows-1252', hasBom: false })
  const { objects, faults, warnings = [] } = await importFile(latin1)
  assert.deepEqual([objects[0]?.name, faults, warnings], ['Größe', [], []])
  // What is UTF-8 is read as such, whatever it declares: programs that write XML often have the wrong word there.
  assert.deepEqual(decodeText(utf8(xml('windows-1252'))).encoding, 'utf-8')
  const chinese = Buffer.concat([
    Buffer.from('<?xml version="1.0" encoding="gb2312"?><a>'),
    Buffer.from([0xd6, 0xd0, 0xce, 0xc4]),
    Buffer.from('</a>'),
  ])
  const text = '<?xml version="1.0" encoding="gb2312"?><a>中文</a>'
  assert.deepEqual(decodeText(chinese), { text, encoding: 'declared', hasBom: false })
  assert.throws(() => encodeText('x', { encoding: 'declared', hasBom: false }), /in an encoding that is only read/)
  for (const encoding of ['utf-8', 'UTF-16', 'nonsense'])
    assert.equal((await importFile(Buffer.from(xml(encoding), 'latin1'))).faults[0]?.code, 'encoding', encoding)
})

test('byte order marks decide the encoding and are not part of the text', () => {
  const text = '<Document>Ж</Document>'
  const le = Buffer.from(`\ufeff${text}`, 'utf16le')
  const be = Buffer.from(le).swap16()
  assert.deepEqual(decodeText(utf8(`\ufeff${text}`)), { text, encoding: 'utf-8', hasBom: true })
  assert.deepEqual(decodeText(utf8(text)), { text, encoding: 'utf-8', hasBom: false })
  assert.deepEqual(decodeText(le), { text, encoding: 'utf-16le', hasBom: true })
  assert.deepEqual(decodeText(be), { text, encoding: 'utf-16be', hasBom: true })
})

test('bytes that are no text are named with their offset', () => {
  const fault = (bytes: Uint8Array) => {
    try {
      decodeText(bytes)
    } catch (error) {
      assert.ok(error instanceof FormatError)
      return error.faults[0]
    }
    return assert.fail('decoded')
  }
  const ansi = Uint8Array.from([...utf8('a\nb'), 0xe4, 0x62])
  assert.deepEqual({ ...fault(ansi), message: '' }, { code: 'encoding', message: '', offset: 3, line: 2, column: 2 })
  assert.match(fault(ansi)?.message ?? '', /^byte 3 \(E4 62\) is not valid UTF-8/)
  const database = Uint8Array.from([...utf8('SQLite format 3'), 0, 0x10, 0xf9, 0x88])
  assert.match(fault(database)?.message ?? '', /^byte 15 is zero: this is a binary file/)
  // Overlong forms and surrogates are not valid UTF-8.
  assert.equal(fault(Uint8Array.from([0x61, 0xc0, 0x80]))?.offset, 1)
  assert.equal(fault(Uint8Array.from([0x61, 0x62, 0xed, 0xa0, 0x80]))?.offset, 2)
  assert.equal(fault(Uint8Array.from([0xff, 0xfe, 0x61, 0x00, 0x00, 0xd8, 0x61, 0x00]))?.offset, 4)
})

test('the format is told from the content', () => {
  const format = (text: string): string => detectFile(utf8(text)).format
  assert.equal(format('<?xml version="1.0"?>\n<!-- x -->\n<Document><SW.Blocks.FB ID="0"/></Document>'), 'simaticml')
  assert.equal(format('<html/>'), 'xml')
  assert.equal(format('// note\n(* more *)\nfunction_block "A"'), 'source')
  assert.equal(format('{ S7_BlockNumber := "101"; S7_Optimized := "TRUE" }\nDATA_BLOCK D\nEND_DATA_BLOCK'), 's7dcl')
  assert.equal(format('MultiLingualTexts:\n  - id: MLC_4En\n'), 's7res')
  assert.equal(format('Name;Address\nx;%I0.0\n'), 'unknown')
  assert.equal(format(' \n'), 'unknown')
  const two =
    '<Document><SW.Blocks.FB ID="0"><SW.Blocks.CompileUnit ID="1" CompositionName="CompileUnits"/></SW.Blocks.FB><SW.Types.PlcStruct ID="2"/></Document>'
  assert.deepEqual(detectFile(utf8(two)).roots, ['SW.Blocks.FB', 'SW.Types.PlcStruct'])
})

test('importing never throws for what a file holds', async () => {
  assert.equal((await importFile(Uint8Array.from([0xff]))).faults[0]?.code, 'encoding')
  assert.equal((await importFile(utf8('<Document>'))).faults[0]?.code, 'xml-syntax')
  assert.equal((await importFile(utf8('hello'))).faults[0]?.code, 'unsupported')
  const source = await importFile(utf8('TYPE "T" STRUCT a : Int; END_STRUCT; END_TYPE'), { culture: 'de-DE' })
  assert.deepEqual([source.format, source.objects[0]?.kind, source.faults], ['source', 'UDT', []])
})
