/** Manifests: texts come back from the bundle they were put into; what is no manifest is told, whatever it is. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { isGatewayError } from '../../core/index.ts'
import { type Manifest, manifestFormat, packSources, readManifest, sourceReader } from './manifest.ts'

const hashOf = (bytes: Uint8Array | string) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/** A manifest with an object of each category. */
function sample(): Manifest {
  const document = hashOf('x')
  const kept = { id: '1', folder: '', createdAt: 1, modifiedAt: 2 }
  const stored = { ...kept, document, size: 1, format: 'source' }
  const texts = { title: {}, comment: {}, author: '', family: '', headerName: '', version: '' }
  const header = { ...stored, ...texts, element: 'DATA_BLOCK', language: 'DB', isKnowHowProtected: false }
  const manifest: unknown = {
    format: manifestFormat,
    program: document,
    sources: document,
    compiledAt: '2026-01-01T00:00:00Z',
    project: { id: '', name: 'Line', version: 'V19' },
    device: {
      id: 'd',
      name: 'PLC_1',
      orderNumber: '6ES7 515-2AM02-0AB0',
      firmware: '',
      typeIdentifier: '',
      typeName: 'CPU 1515-2 PN',
      family: 'S7-1500',
      kind: 'PLC',
      network: { interfaces: [{ name: 'X1', ipAddress: '192.168.0.1' }] },
    },
    folders: { block: ['A'], type: [], 'tag-table': [], 'watch-table': [] },
    retentive: [{ dataBlock: 'Data', bytes: 4 }],
    documents: { [document]: [0, 1] },
    objects: [
      {
        category: 'block',
        kind: 'GlobalDB',
        name: 'Data',
        hash: document,
        record: { ...header, name: 'Data', kind: 'GlobalDB', number: 1, autoNumber: true },
      },
      { category: 'type', kind: 'UDT', name: 'T', hash: document, record: { ...header, name: 'T' } },
      {
        category: 'tag-table',
        kind: 'TagTable',
        name: 'Tags',
        hash: document,
        record: { ...kept, name: 'Tags', isDefault: true, tags: [], constants: [] },
      },
      {
        category: 'watch-table',
        kind: 'WatchTable',
        name: 'W',
        hash: document,
        record: { ...stored, name: 'W', kind: 'WatchTable', entries: [] },
      },
    ],
  }
  return manifest as Manifest
}

test('texts come back from the bundle by their hashes, whatever they are', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 }), (contents) => {
      const texts = new Map(contents.map((bytes) => [hashOf(bytes), bytes]))
      const { bytes, documents } = packSources(texts)
      const manifest = { ...sample(), sources: hashOf(bytes), documents }
      const read = sourceReader(manifest, { blobs: new Map([[manifest.sources, bytes]]) }, hashOf)
      for (const [hash, content] of texts) assert.deepEqual(new Uint8Array(read(hash)), content)
    }),
  )
})

test('a text that is missing, or is not what its hash says, is told', () => {
  const text = Buffer.from('x')
  const { bytes, documents } = packSources(new Map([[hashOf(text), text]]))
  const manifest = { ...sample(), sources: hashOf(bytes), documents }
  const expect = (blobs: ReadonlyMap<string, Uint8Array>, hash: string) =>
    assert.throws(() => sourceReader(manifest, { blobs }, hashOf)(hash), isGatewayError)
  expect(new Map([[manifest.sources, bytes]]), hashOf('other'))
  expect(new Map([[manifest.sources, Buffer.from('y')]]), hashOf(text))
  expect(new Map(), hashOf(text))
})

test('a manifest is read; one of which any part is gone or of another type is not', () => {
  assert.deepEqual(readManifest(JSON.stringify(sample())), sample())
  const wrong: unknown[] = [null, 7, 'x', [], {}, [7], true]
  // A text that is missing is told when it is read.
  const optional = new Set(['network', 'ipAddress', hashOf('x')])
  let tried = 0
  const visit = (value: unknown, replace: (by: unknown) => Manifest) => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, part] of Object.entries(value)) {
      const withPart = (by: unknown): Manifest =>
        replace(Array.isArray(value) ? value.map((one, i) => (String(i) === key ? by : one)) : { ...value, [key]: by })
      for (const by of [...wrong, ...(optional.has(key) ? [] : [undefined])]) {
        if (kindOf(by) === kindOf(part)) continue
        tried++
        const text = JSON.stringify(withPart(by))
        assert.equal(readManifest(text), undefined, `${key}: ${JSON.stringify(by)}`)
      }
      visit(part, withPart)
    }
  }
  visit(sample(), (by) => by as Manifest)
  assert(tried > 300)
})

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

test('any text is no manifest, and nothing is thrown', () => {
  fc.assert(fc.property(fc.string(), (text) => readManifest(text) === undefined))
  fc.assert(fc.property(fc.json(), (text) => readManifest(text) === undefined))
  assert.equal(readManifest(JSON.stringify({ program: hashOf('x') })), undefined)
})
