/** Files that are made to harm: each ends in a problem that names what is wrong, in bounded time and memory. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { libraryArchive, projectFileOf, smallArchive, withChanges } from '../../../test/tia-files.ts'
import { FormatError } from '../../model/fault.ts'
import { readBlob } from './blob.ts'
import { Cursor } from './cursor.ts'
import { projectFiles } from './files.ts'
import { parsePayload } from './payload.ts'
import { TiaProjectError } from './problem.ts'
import { readTiaProject } from './project.ts'
import { readRecords, StoreRecord, systemType } from './records.ts'
import { TiaStore } from './store.ts'
import { TypeModel } from './type-model.ts'

const small = await projectFileOf(smallArchive)
const library = await projectFileOf(libraryArchive)

const place = { offset: 0, id: 1 }
const u16 = (value: number) => Buffer.from([value & 255, value >> 8])
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const u64 = (value: number) => Buffer.concat([u32(value % 2 ** 32), u32(Math.floor(value / 2 ** 32))])

/** A value in pages: its kind, its length, and what its pages hold. */
const blob = (kind: number, total: number, pages: readonly Buffer[], pageCount = pages.length) =>
  Buffer.concat([
    Buffer.from([kind]),
    u64(total),
    u32(0),
    u16(4096),
    u32(pageCount),
    Buffer.from([1]),
    u32(2 ** pages.length - 1),
    ...pages,
  ])

/**
 * A record of a type with content behind its fixed part, as it is in a file: with its hash, and behind a good header.
 */
function fileWith(type: number, content: Buffer): Buffer {
  const record = Buffer.concat([Buffer.alloc(44), content])
  record.writeUInt32LE(record.length, 0)
  record.writeUInt32LE(type, 4)
  const hash = createHash('sha256').update(record).digest()
  return Buffer.concat([small.subarray(0, 98), record, hash])
}

const none = () => undefined

test('a page that unpacks to more than a page is damage', () => {
  const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024))
  assert.ok(bomb.length < 128 * 1024)
  const length = Buffer.from([0x80 | (bomb.length & 127), 0x80 | ((bomb.length >> 7) & 127), bomb.length >> 14])
  const bytes = blob(1, 4096, [Buffer.concat([length, bomb])])
  assert.throws(() => readBlob(new Cursor(bytes, place), none), { fault: 'damaged', message: /cannot be unpacked/ })
})

test('a value that says it is huge is refused before memory is taken for it', () => {
  const bytes = blob(0, 2 ** 40, [], 2 ** 28)
  assert.throws(() => readBlob(new Cursor(bytes, place), none), { fault: 'limit', message: /1099511627776 bytes/ })
  assert.throws(() => readBlob(new Cursor(blob(0, 5000, [Buffer.alloc(4096)]), place), none), /cannot hold 5000/)
})

test('moved pages that lead to each other are damage', () => {
  const inner = blob(4, 4096, [Buffer.concat([u32(systemType.page), u64(7)])])
  const file = fileWith(systemType.page, Buffer.concat([u32(inner.length), inner]))
  const [record] = readRecords(file)
  assert.ok(record instanceof StoreRecord)
  assert.throws(() => readBlob(new Cursor(inner, place), () => record), {
    fault: 'damaged',
    message: /lead to each other/,
  })
})

test('a type model that unpacks to too much, has a DTD, or is no model, is damage', () => {
  const modelOf = (packed: Buffer) => {
    const [record] = readRecords(fileWith(systemType.typeModel, Buffer.concat([u32(packed.length), packed])))
    const model = new TypeModel()
    model.add(record!)
    return model
  }
  const damaged = { name: 'TiaProjectError', fault: 'damaged' }
  assert.throws(() => modelOf(deflateSync(Buffer.alloc(80 * 1024 * 1024, 32))), { ...damaged, message: /unpacked/ })
  const entities = '<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><m>&b;</m>'
  assert.throws(() => modelOf(deflateSync(Buffer.from(entities))), { ...damaged, message: /more than elements/ })
  assert.throws(() => modelOf(Buffer.from('no zlib')), damaged)
  assert.throws(() => modelOf(deflateSync(Buffer.from('<Namespace name="n"><ObjectType name="T" id="5">'))), damaged)
  assert.ok(modelOf(deflateSync(Buffer.from('<m/>'))).isEmpty)
})

test("types that are each other's base are damage", () => {
  const text = `<M><Namespace name="n"><ObjectType name="A" id="1"><Base ref="B"/></ObjectType>
    <ObjectType name="B" id="2"><Base ref="A"/></ObjectType></Namespace></M>`
  const packed = deflateSync(Buffer.from(text))
  const [record] = readRecords(fileWith(systemType.typeModel, Buffer.concat([u32(packed.length), packed])))
  const model = new TypeModel()
  model.add(record!)
  assert.throws(() => model.layout(1), { fault: 'damaged', message: /its own base/ })
})

test('a DTD and too deep elements in a value are faults of the format', () => {
  const dtd = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
  assert.throws(() => parsePayload(Buffer.from(dtd)), FormatError)
  assert.throws(() => parsePayload(Buffer.from(`${'<a>'.repeat(1000)}${'</a>'.repeat(1000)}`)), FormatError)
})

test('a file of a header alone, and one of a record without a type model, are named', () => {
  assert.throws(() => readTiaProject(small.subarray(0, 98)), TiaProjectError)
  assert.throws(() => readTiaProject(fileWith(0x1234, Buffer.alloc(8))), { message: /no type model/ })
})

test('a global library with changed records, numbers and references ends in a problem or is read as far as it goes', () => {
  const objects = new TiaStore(library).objects.filter(({ type }) =>
    /ByCopyVersionObject|MasterCopy|Library|CodeBlock|UserType|Interface|Version|Folder/.test(type),
  )
  const targets = objects.map(({ record: { type, id } }) => Buffer.concat([u32(type), u64(id)]))
  const value = fc.oneof(
    fc.nat(255).map((byte) => Buffer.from([byte])),
    fc.constantFrom(0, 1, 100_000, 0x7fffffff, 0x80000000, 0xffffffff).map(u32),
    fc.constantFrom(...targets),
  )
  const change = fc.record({
    record: fc.constantFrom(...objects.map(({ record }) => record)),
    at: fc.nat(),
    bytes: value,
  })
  // Where references to objects stand: another object takes their place.
  const reference = fc.constantFrom(...objects).chain(({ record }) => {
    const places = targets.flatMap((target) => {
      const at = record.bytes.indexOf(target, 44)
      return at < 0 ? [] : [at - 4]
    })
    return places.length === 0
      ? change
      : fc.record({ record: fc.constant(record), at: fc.constantFrom(...places), bytes: fc.constantFrom(...targets) })
  })
  let read = 0
  fc.assert(
    fc.property(fc.array(fc.oneof(change, reference), { minLength: 1, maxLength: 12 }), (changes) => {
      try {
        const { library: files } = projectFiles(
          readTiaProject(withChanges(library, changes), { skipDamaged: true }),
          'V19',
        )
        assert.ok(files.types.every(({ versions }) => versions.length > 0))
        assert.ok(files.copies.every((copy) => copy.files.length > 0))
        read++
      } catch (error) {
        if (!(error instanceof TiaProjectError || error instanceof FormatError)) throw error
      }
    }),
    { numRuns: 25 },
  )
  assert.ok(read > 0, 'some changes leave a library that is read')
})

test('saves say who saved, where the file says it; one without a user has none', () => {
  const [save] = readTiaProject(small).saves
  assert.equal(save?.by, 'z003sr5a')
  const records = [...readRecords(small)]
  const model = records.find(({ type }) => type === systemType.typeModel)!
  const end = records.find(({ type }) => type === systemType.commit)!
  const raw = ({ offset, size }: StoreRecord) => small.subarray(offset, offset + size + 32)
  const content = readTiaProject(Buffer.concat([small.subarray(0, 98), raw(model), raw(end)]))
  assert.deepEqual([content.saves.length, content.saves[0]?.by, content.name], [1, undefined, ''])
})
