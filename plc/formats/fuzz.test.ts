import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeText } from '../model/decode.ts'
import { FormatError } from '../model/fault.ts'
import { type ImportedObject, isProgramObjectKind } from '../model/object.ts'
import { importFile } from './import.ts'
import { exportDocument } from './simaticml/export-version.ts'
import { readSimaticMlText } from './simaticml/read.ts'
import { writeObject } from './simaticml/write.ts'
import { parseXml, type XmlElement } from './simaticml/xml.ts'
import { sourceTextOf } from './source/write.ts'

const fixtureFolder = new URL('../../test/fixtures/ikea-vyatka-sorting/', import.meta.url)
const realFiles = readdirSync(fixtureFolder)
  .filter((name) => /\.(xml|scl)$/.test(name))
  .map((name) => new Uint8Array(readFileSync(new URL(encodeURIComponent(name), fixtureFolder))))
  .filter((bytes) => bytes.length < 20_000)

/**
 * Checks that any input gives objects or at least one fault with a position, and that the texts of the objects cover
 * the source.
 */
async function check(bytes: Uint8Array): Promise<void> {
  const { format, objects, faults } = await importFile(bytes)
  assert.ok(objects.length > 0 || faults.length > 0)
  for (const { line, column, message } of faults) assert.ok(line >= 1 && column >= 1 && message.length > 0)
  for (const object of objects) {
    assert.equal(typeof object.name, 'string')
    sourceTextOf(object)
    if (object.xml !== undefined && isProgramObjectKind(object.kind)) checkXml(object, object.xml)
  }
  if (format === 'source' && objects.length > 0)
    assert.equal(objects.map(({ text }) => text).join(''), decodeText(bytes).text)
}

/**
 * An object that was read can be exported, and reading the export gives the same names; the model can be written or a
 * fault says why not.
 */
function checkXml(object: ImportedObject, xml: string): void {
  for (const target of ['V16', 'V21'] as const) {
    const { text } = exportDocument([xml], { engineeringVersion: object.engineeringVersion, target })
    assert.equal(readSimaticMlText(text).objects[0]?.name, object.name)
  }
  try {
    const { xml: _xml, ...model } = object
    readSimaticMlText(`<Document>${writeObject(model, { version: 'V19' }).xml}</Document>`)
  } catch (error) {
    assert.ok(error instanceof FormatError, String(error))
  }
}

test('arbitrary bytes give objects or faults, never an exception', async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), check), { numRuns: 500 })
})

test('arbitrary text behind a real beginning', async () => {
  const beginnings = fc.constantFrom(
    '<Document><SW.Blocks.FB ID="0"><AttributeList><Name>x</Name><Interface>',
    '<?xml version="1.0"?><Document>',
    'FUNCTION_BLOCK "x"\nVAR_INPUT\n',
    'DATA_BLOCK "x"\nVAR a : Int; END_VAR\nBEGIN\n',
    'TYPE "x" STRUCT a : ',
    'FUNCTION F : Void\nBEGIN\nNETWORK\nTITLE = ',
  )
  await fc.assert(
    fc.asyncProperty(beginnings, fc.string({ unit: 'grapheme' }), (beginning, rest) =>
      check(new TextEncoder().encode(beginning + rest)),
    ),
    { numRuns: 500 },
  )
})

test('real files with bytes changed, cut out, doubled', async () => {
  const mutation = fc.record({
    file: fc.nat({ max: realFiles.length - 1 }),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat({ max: 200 }),
    kind: fc.constantFrom('cut', 'double', 'set', 'end'),
    byte: fc.integer({ min: 0, max: 255 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => {
      let bytes = realFiles[mutations[0]?.file ?? 0] as Uint8Array
      for (const { at, length, kind, byte } of mutations) {
        const start = Math.floor(at * bytes.length)
        const end = Math.min(bytes.length, start + length)
        const parts =
          kind === 'cut'
            ? [bytes.subarray(0, start), bytes.subarray(end)]
            : kind === 'double'
              ? [bytes.subarray(0, end), bytes.subarray(start)]
              : kind === 'end'
                ? [bytes.subarray(0, start)]
                : [bytes.subarray(0, start), Uint8Array.of(byte), bytes.subarray(start + 1)]
        bytes = new Uint8Array(Buffer.concat(parts))
      }
      await check(bytes)
    }),
    { numRuns: 400 },
  )
})

/** Every element of a document, in order. */
function elementsOf(root: XmlElement): XmlElement[] {
  const found: XmlElement[] = []
  const pending = [root]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    found.push(at)
    pending.push(...at.children)
  }
  return found
}

test('well-formed files with elements taken out, doubled, exchanged, renamed', async () => {
  const documents = realFiles
    .map((bytes) => new TextDecoder().decode(bytes))
    .filter((text) => text.includes('<Document'))
    .map((text) => ({ text, elements: elementsOf(parseXml(text)) }))
  const mutation = fc.record({
    document: fc.nat({ max: documents.length - 1 }),
    at: fc.nat(),
    other: fc.nat(),
    kind: fc.constantFrom('out', 'double', 'exchange', 'value', 'name'),
    value: fc.constantFrom('', '0', '-1', '99999999999', 'x', 'Nowhere', '__proto__', '&quot;', '21'),
  })
  let imported = 0
  await fc.assert(
    fc.asyncProperty(mutation, async ({ document, at, other, kind, value }) => {
      const { text, elements } = documents[document] as (typeof documents)[number]
      const element = elements[at % elements.length] as XmlElement
      const second = elements[other % elements.length] as XmlElement
      const own = text.slice(element.start, element.end)
      const instead = {
        out: '',
        double: own + own,
        exchange: text.slice(second.start, second.end),
        value: own.replace(/="[^"]*"|>[^<>]*</, (found) => (found.startsWith('=') ? `="${value}"` : `>${value}<`)),
        name: own.replaceAll(element.name, second.name),
      }[kind]
      const bytes = new TextEncoder().encode(text.slice(0, element.start) + instead + text.slice(element.end))
      if ((await importFile(bytes)).objects.length > 0) imported++
      await check(bytes)
    }),
    { numRuns: 400 },
  )
  assert.ok(imported > 50, `${imported} of 400 could be read`)
})

function flgNet(parts: string): string {
  return `<Document><SW.Blocks.FC ID="0"><AttributeList><Name>F</Name></AttributeList><ObjectList><SW.Blocks.CompileUnit ID="1"><AttributeList><NetworkSource><FlgNet><Parts>${parts}</Parts></FlgNet></NetworkSource></AttributeList></SW.Blocks.CompileUnit></ObjectList></SW.Blocks.FC></Document>`
}

test('structure without end is bounded', async () => {
  const bombs = [
    `<Document>${'<a>'.repeat(100_000)}`,
    `TYPE "T" STRUCT ${'a : ARRAY[0..1] OF '.repeat(50_000)}`,
    `TYPE "T" STRUCT ${'a : STRUCT '.repeat(50_000)}`,
    `FUNCTION "F" : Void\nBEGIN\n${'#a['.repeat(100_000)}`,
    `<Document>${'<a>'.repeat(190)}${'</a>'.repeat(190)}${'<b x="1"/>'.repeat(50_000)}</Document>`,
    `<Document ${Array.from({ length: 20_000 }, (_, i) => `a${i}="1"`).join(' ')}/>`,
    `<!DOCTYPE a [${Array.from({ length: 30 }, (_, i) => `<!ENTITY e${i + 1} "&e${i};&e${i};">`).join('')}]><Document>&e30;</Document>`,
    `<Document>${'&#x41;'.repeat(100_000)}</Document>`,
    `<Document><SW.Blocks.FC ID="0"><AttributeList><Name>${'x'.repeat(1_000_000)}</Name>`,
    `<?xml version="1.0"?>${'<!-- -->'.repeat(50_000)}<Document/>`,
    flgNet('<Part Name="Coil" UId="21"/>'.repeat(20_000)),
    flgNet(`${'<Component Name="a"><Access Scope="LocalVariable"><Symbol>'.repeat(60)}`),
    'FUNCTION_BLOCK '.repeat(20_000),
    `FUNCTION_BLOCK "a"\n`.repeat(3_000),
  ]
  for (const bomb of bombs) await check(new TextEncoder().encode(bomb))
})
