/** Files made byte by byte: every kind of value, relations, saves, and what is wrong with records. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  blobValue,
  bytesOf,
  commitOf,
  dictionaryOf,
  modelOf,
  namedSet,
  numberedSet,
  objectOf,
  projectFile,
  recordOf,
  relationsOf,
  sized,
  slotOf,
  textsValue,
  u8,
  u16,
  u32,
  u64,
  varint,
} from '../../../test/tia-bytes.ts'
import { readBlob } from './blob.ts'
import { Cursor } from './cursor.ts'
import { expandoType } from './expando.ts'
import type { StoredObject } from './object.ts'
import { readRecords, systemType } from './records.ts'
import { TiaStore, timeOfTicks } from './store.ts'

const place = { offset: 98, id: 7 }

/** `All` has the sets A, B, ICore and X, in this order; its base brings ICore. */
const model = `<m:Model><Namespace name="n.own">
  <Enumeration name="Kind" base="xs:byte"><Constant name="One" value="1"/><Constant name="Two" value="0x2"/>
    <Constant name="None"/><Constant name="Empty" value=""/></Enumeration>
  <Enumeration name="Wide"><Constant name="Many" value="70000"/></Enumeration>
  <Enumeration name="Odd" base="xs:text"><Constant name="Low" value="-1"/></Enumeration>
  <Structure name="Version"><Element name="Build" type="xs:short"/><Element name="Major" type="xs:int"/></Structure>
  <Structure name="Mixed"><Element name="a" type="xs:int"/><Element name="b" type="xs:string"/></Structure>
  <AttributeSet name="A"><Attribute name="bool" type="xs:boolean"/><Attribute name="i8" type="xs:byte"/>
    <Attribute name="u8" type="xs:unsignedByte"/><Attribute name="i16" type="xs:short"/>
    <Attribute name="u16" type="xs:unsignedShort"/><Attribute name="char" type="pe:CharT"/>
    <Attribute name="i32" type="xs:int"/><Attribute name="u32" type="pe:uint"/><Attribute name="f32" type="xs:float"/>
    <Attribute name="i64" type="xs:long"/><Attribute name="u64" type="xs:unsignedLong"/>
    <Attribute name="f64" type="xs:double"/><Attribute name="time" type="xs:dateTime"/>
    <Attribute name="guid" type="pe:GuidT"/><Attribute name="kind" type="Kind"/><Attribute name="wide" type="n.own.Wide"/>
    <Attribute name="odd" type="Odd"/><Attribute name="fixed" type="xs:int" constant="true"/>
    <Attribute name="own" type="xs:int" constant="true"/><Attribute name="hidden" type="xs:int" intrinsic="true"/>
    <Attribute name="link" type="All"/><Attribute name="last" type="xs:int"/></AttributeSet>
  <AttributeSet name="B"><Attribute name="text" type="xs:string"/><Attribute name="texts" type="pe:CoreTextAttributeT"/>
    <Attribute name="blob" type="pe:BlobT"/><Attribute name="xml" type="pe:XmlT"/><Attribute name="map" type="pe:MapT"/>
    <Attribute name="Version" type="Version"/><Attribute name="Mixed" type="Mixed"/>
    <Attribute name="PasswordHash" type="xs:string"/><Attribute name="other" type="pe:GraphT"/></AttributeSet>
  <AttributeSet name="ICoreAttributes"><Attribute name="Name" type="xs:string"/>
    <Attribute name="LastModifiedBy" type="xs:string"/></AttributeSet>
  <AttributeSet name="X" expando="true"><Attribute name="never" type="xs:int"/></AttributeSet>
  <AttributeSet name="Z"><Attribute name="never" type="xs:int"/></AttributeSet>
  <ObjectType name="Base" id="0x10"><Implements ref="n.own.ICoreAttributes"/><Implements ref="A">
    <Attribute name="own" constant="true"/><Attribute name="last" constant="false"/></Implements></ObjectType>
  <ObjectType name="All" id="17"><Base ref="Base"/><Base ref="Lost"/><Implements ref="X"/><Implements ref="B"/>
    <Implements ref="A"><Attribute name="own" constant="false"/></Implements><Implements ref="Lost"/></ObjectType>
  <ObjectType name="ProjectData" id="18"><Base ref="Base"/></ObjectType>
  <ObjectType name="Bare" id="19"/>
  <Relation id="100" name="Target"><Inverse id="101" name="Sources"/></Relation><Relation id="102" name="Environment"/>
  <Relation id="103" name="TRefParent"/><Relation id="104" name="Target"/><Relation id="105"/><Relation name="Nothing"/>
</Namespace></m:Model>`

const core = (name: string, by?: string) =>
  slotOf({ at: sized(name) }, { at: by === undefined ? undefined : sized(by) })
/** A project; the set A comes before that of its name. */
const project = (id: number, name: string, by?: string) => objectOf(18, id, [undefined, core(name, by)])

const storeOf = (...records: readonly Buffer[]) => new TiaStore(projectFile(modelOf(model), ...records))
const only = (...records: readonly Buffer[]): StoredObject => storeOf(...records).ofType('All')[0]!

const text = 'Grüße aus der Halle '.repeat(10)
const numbers = slotOf(
  ...[u8(1), u8(-2), u8(254), u16(-3), u16(65_533), u16(0x41), u32(-4), u32(4_294_967_292)],
  ...[Buffer.from(new Float32Array([1.5]).buffer), u64(-5), u64(2 ** 40)],
  ...[Buffer.from(new Float64Array([-0.25]).buffer), u64(6), Buffer.alloc(16, 1)],
  ...[u8(2), u32(70_000), u32(-1), u32(77), u32(88)],
)

test('numbers of every type, and names of enumerations; constants and links have no place in a record', () => {
  const object = only(objectOf(17, 1, [numbers]))
  const names = 'bool i8 u8 i16 u16 char i32 u32 f32 i64 u64 f64 time guid kind wide odd own last'.split(' ')
  assert.deepEqual(
    names.map((name) => object.value('A', name)),
    [1, -2, 254, -3, 65533, 65, -4, 4294967292, 1.5, -5, 2 ** 40, -0.25, 6, 0x01010101, 'Two', 'Many', 'Low', 77, 88],
  )
  for (const name of ['fixed', 'hidden', 'link', 'none']) assert.equal(object.value('A', name), undefined, name)
  assert.deepEqual(
    [object.flag('A', 'bool'), object.flag('A', 'i8'), object.flag('A', 'none')],
    [true, false, undefined],
  )
  assert.deepEqual(
    ['A', 'B', 'X', 'Z', 'ICoreAttributes'].map((set) => object.has(set)),
    [true, false, false, false, false],
  )
  // A value that the enumeration does not have is its number; a number is no text, and no structure.
  const unknown = Buffer.from(numbers)
  unknown[numbers.length - 4 * 4 - 1] = 9
  assert.equal(only(objectOf(17, 1, [unknown])).value('A', 'kind'), 9)
  assert.deepEqual(
    [object.text('A', 'i32'), object.blob('A', 'i32'), object.structure('A', 'i32'), object.texts('A', 'i32')],
    [undefined, undefined, undefined, undefined],
  )
})

test('values of any length: strings, texts, pages, structures; secrets and what is not there have none', () => {
  const languages = textsValue([
    [1033, 'Start'],
    [1031, 'Größe'],
  ])
  const plain = sized(blobValue(0, 3, 8, [Buffer.from('abc')]))
  const packed = sized(blobValue(1, 11, 8, [Buffer.from('<a>12345'), Buffer.from('6</')]))
  const version = bytesOf(u32(10), u16(-7), u32(19))
  const set = slotOf(
    ...[{ at: sized(text) }, { at: languages }, { at: plain }, { at: packed }, { at: undefined }],
    ...[{ at: version }, { at: u32(8) }, { at: sized('secret') }, { at: sized('x') }],
  )
  const object = only(objectOf(17, 1, [undefined, set, core('Own', 'me')]))
  assert.equal(object.text('B', 'text'), text)
  assert.deepEqual(
    [...object.texts('B', 'texts')!],
    [
      [1033, 'Start'],
      [1031, 'Größe'],
    ],
  )
  assert.equal(String(object.blob('B', 'blob')), 'abc')
  assert.equal(String(object.blob('B', 'xml')), '<a>123456</')
  assert.equal(object.blob('B', 'map'), undefined)
  assert.deepEqual(
    [...object.structure('B', 'Version')!],
    [
      ['Build', -7],
      ['Major', 19],
    ],
  )
  assert.deepEqual([object.structure('B', 'Mixed'), object.structure('A', 'i8')], [undefined, undefined])
  assert.deepEqual([object.text('B', 'PasswordHash'), object.text('B', 'other')], [undefined, undefined])
  // Each kind of value is asked for by its own question.
  assert.deepEqual(
    [object.text('B', 'texts'), object.texts('B', 'text'), object.blob('B', 'text'), object.value('B', 'text')],
    [undefined, undefined, undefined, undefined],
  )
  assert.deepEqual(
    [object.name, object.type, object.place],
    ['Own', 'All', { offset: object.record.offset, type: 'All', id: 1 }],
  )
  assert.equal(only(objectOf(17, 1, [numbers])).name, '')
  const none = only(objectOf(17, 1, [undefined, slotOf({ at: sized('') }, { at: u8(1) })]))
  assert.deepEqual([none.text('B', 'text'), [...(none.texts('B', 'texts') ?? [])]], ['', []])
  // An offset behind the set is no value; a length that leads out of it is damage with its place.
  const far = slotOf(u32(14), { at: varint(200) })
  const damaged = only(objectOf(17, 1, [undefined, far]))
  assert.equal(damaged.text('B', 'text'), undefined)
  const long = only(objectOf(17, 1, [undefined, slotOf({ at: varint(200) })]))
  assert.throws(() => long.text('B', 'text'), {
    fault: 'damaged',
    message: `Damaged record: 198 bytes at 10 of 10 lead out of a value (record at byte ${long.record.offset}, object 1 (All))`,
  })
})

test('attributes by name stand in the record with their names, or with numbers of the dictionary of their type', () => {
  const blob = sized(blobValue(0, 3, 8, [Buffer.from('abc')]))
  const data = bytesOf(u64(-9), sized('Grün'), blob, textsValue([[1033, 'On']]))
  const [long, string, pages, texts] = [0, 8, 14, 14 + blob.length]
  const values: readonly (readonly [string, number, number])[] = [
    ['flag', expandoType.boolean, 1],
    ['no', expandoType.boolean, 0],
    ['byte', expandoType.byte, 0x1ff],
    ['int', expandoType.int, 70_000],
    ['long', expandoType.long, long],
    ['noLong', expandoType.long, 0xffffffff],
    ['string', expandoType.string, string],
    ['noString', expandoType.string, 0xffffffff],
    ['pages', expandoType.blob, pages],
    ['noPages', expandoType.blob, 0xffffffff],
    ['row', expandoType.texts, texts],
  ]
  const inline = only(objectOf(17, 1, [undefined, undefined, undefined, namedSet(values, data)]))
  const numbered = only(
    dictionaryOf(
      17,
      values.map(([name, type], i) => [40 + i, name, type]),
    ),
    dictionaryOf(18, [[40, 'of another type', expandoType.int]]),
    objectOf(17, 1, [
      ...[undefined, undefined, undefined],
      numberedSet([...values.map(([, , number], i) => [40 + i, number] as const), [999, 5]], data),
    ]),
  )
  for (const object of [inline, numbered]) {
    assert.deepEqual(
      [...object.expando('X').keys()],
      values.map(([name]) => name),
    )
    assert.deepEqual(
      ['flag', 'no', 'byte', 'none'].map((name) => object.expandoFlag('X', name)),
      [true, false, undefined, undefined],
    )
    assert.deepEqual([object.expandoByte('X', 'byte'), object.expandoByte('X', 'int')], [0xff, undefined])
    assert.deepEqual([object.expandoInt('X', 'int'), object.expandoInt('X', 'byte')], [70_000, undefined])
    assert.deepEqual(
      ['long', 'noLong', 'int'].map((name) => object.expandoLong('X', name)),
      [-9n, undefined, undefined],
    )
    assert.deepEqual(
      ['string', 'noString', 'int'].map((name) => object.expandoString('X', name)),
      ['Grün', undefined, undefined],
    )
    assert.deepEqual(
      ['pages', 'noPages', 'string'].map((name) => object.expandoBlob('X', name)?.toString()),
      ['abc', undefined, undefined],
    )
    assert.deepEqual(object.expandoTexts('X'), new Map([['row', new Map([[1033, 'On']])]]))
    const value = object.expando('X').get('string')!
    assert.deepEqual(object.expandoBytes(value, 6), sized('Grün'))
    const left = object.record.bytes.length - value.data - value.number
    assert.deepEqual(
      [object.expandoBytes(value, left)?.length, object.expandoBytes(value, left + 1)],
      [left, undefined],
    )
    // The model says nothing of what is in such a set.
    assert.equal(object.value('X', 'never'), undefined)
  }
  assert.equal(only(objectOf(17, 1, [numbers])).expando('X').size, 0)
  const other = bytesOf(u32(0), u32(0), u32(1), u8(3), u8(0), u32(5))
  assert.equal(only(objectOf(17, 1, [undefined, undefined, undefined, other])).expando('X').size, 0)
})

test('relations lead to objects and back, long lists to objects; parts and templates are not in the project', () => {
  const big = 2n ** 33n + 5n
  const slots = (...more: readonly (Buffer | undefined)[]) => [undefined, undefined, undefined, undefined, ...more]
  const list = (size: number, ...ids: readonly (number | bigint)[]) =>
    bytesOf(u32(size), u32(0), u32(ids.length), ...ids.flatMap((id) => [u32(17), u64(id)]))
  const store = storeOf(
    project(1, 'Plant'),
    objectOf(17, 2, slots(relationsOf([100, 17, 3], [102, 18, 1]), relationsOf([104, 17, big], [100, 17, 99]))),
    objectOf(17, 3, slots(undefined, relationsOf([102, 17, 2], [999, 17, 2], [101, 17, 2]))),
    objectOf(
      17,
      big,
      slots(relationsOf([103, 17, 2], [102, 18, 1]), undefined, list(36, 3, 2), undefined, list(24, 99)),
    ),
    objectOf(17, 5, slots(relationsOf([102, 18, 1], [103, 17, 2]), undefined, list(35, 3, 2))),
    objectOf(19, 6, [undefined, relationsOf([102, 18, 1])]),
    objectOf(4711, 1, []),
    objectOf(4711, 2, []),
    recordOf(systemType.page, 1, u32(0)),
  )
  const ids = (objects: readonly StoredObject[]) => objects.map(({ record }) => record.id)
  const [root, a, b, c, d, bare] = store.objects as [StoredObject, ...StoredObject[]]
  assert.deepEqual(ids(store.objects), [1, 2, 3, Number(big), 5, 6])
  assert.deepEqual([...store.unknownTypes], [[4711, 2]])
  assert.deepEqual(a!.relations, [
    { name: 'Target', target: { type: 17, id: 3 } },
    { name: 'Environment', target: { type: 18, id: 1 } },
    { name: 'Target', target: { type: 17, id: Number(big) } },
    { name: 'Target', target: { type: 17, id: 99 } },
  ])
  assert.deepEqual(
    b!.relations.map(({ name }) => name),
    ['Environment', 'relation 999', 'Sources'],
  )
  assert.deepEqual(ids(store.related(a!, 'Target')), [3, Number(big)])
  assert.deepEqual([store.first(a!, 'Target'), store.first(a!, 'Nothing')], [b, undefined])
  assert.deepEqual(store.sources('Target', b!), [a])
  assert.deepEqual([store.sources('Target', a!), store.sources('Container', b!)], [[], []])
  assert.deepEqual(ids(store.listed(c!)), [3, 2])
  assert.deepEqual([store.listed(a!), store.listed(d!)], [[], []])
  assert.equal(store.get({ type: 17, id: 3 }), b)
  assert.equal(store.get({ type: 18, id: 3 }), undefined)
  assert.deepEqual(store.ofType('Bare'), [bare])
  assert.deepEqual(store.ofType('Lost'), [])
  assert.deepEqual(
    [root, a, b, c, d, bare].map((one) => store.isInProject(one!)),
    [false, true, false, false, false, true],
  )
  const lost = storeOf(objectOf(19, 1, [bytesOf(u16(20), u16(2), Buffer.alloc(16))])).objects[0]!
  assert.throws(() => lost.relations, { fault: 'damaged', message: /relations lead out of the record/ })
})

test('the last state of an object counts, in each save; a deleted one is gone', () => {
  const day = Date.UTC(2024, 1, 29, 12, 30, 15, 250)
  const file = projectFile(
    modelOf(model),
    ...[project(1, 'Old', 'anna'), objectOf(17, 2, [undefined, undefined, core('A')]), commitOf(1, day)],
    ...[project(1, 'New', 'bert'), objectOf(17, 2, [], true), objectOf(17, 3, [undefined, undefined, core('B')])],
    ...[commitOf(2, day + 1), objectOf(17, 4, [undefined, undefined, core('C')])],
    ...[project(9, 'Second', 'carl'), objectOf(18, 9, [], true), commitOf(3, 0)],
    project(1, 'Unsaved', 'dora'),
  )
  const names = (asOfSave?: number) =>
    new TiaStore(file, asOfSave === undefined ? {} : { asOfSave }).objects.map(({ name }) => name)
  assert.deepEqual(names(1), ['Old', 'A'])
  assert.deepEqual(names(2), ['New', 'B'])
  assert.deepEqual(names(3), ['New', 'B', 'C'])
  assert.deepEqual(names(), ['Unsaved', 'B', 'C'])
  const saves = [
    { number: 1, at: '2024-02-29T12:30:15.250Z', records: 4, by: 'anna' },
    { number: 2, at: '2024-02-29T12:30:15.251Z', records: 4, by: 'bert' },
    { number: 3, records: 4, by: 'carl' },
  ]
  assert.deepEqual(new TiaStore(file).saves, saves)
  for (const asOfSave of [0, 4])
    assert.throws(() => new TiaStore(file, { asOfSave }), {
      fault: 'limit',
      message: `The file has 3 saves; there is no save ${asOfSave}.`,
    })
  // The model of a later save is not that of an earlier one.
  assert.throws(() => new TiaStore(projectFile(commitOf(1, day), modelOf(model), commitOf(2, day)), { asOfSave: 1 }), {
    message: /no type model/,
  })
})

test('a time is one between 1970 and 2100; the kind of time in its upper bits does not count', () => {
  const ticks = (ms: number) => BigInt(ms + 62_135_596_800_000) * 10_000n
  assert.equal(timeOfTicks(ticks(1)), '1970-01-01T00:00:00.001Z')
  assert.equal(timeOfTicks(ticks(1) + (1n << 62n)), '1970-01-01T00:00:00.001Z')
  assert.equal(timeOfTicks(ticks(4_102_444_799_999)), '2099-12-31T23:59:59.999Z')
  for (const ms of [0, -1, 4_102_444_800_000]) assert.equal(timeOfTicks(ticks(ms)), undefined)
})

test('a later type model counts for the names that it declares; the others stay', () => {
  const later = `<M><Namespace name="n.own"><AttributeSet name="ICoreAttributes"><Attribute name="Id" type="xs:int"/>
    <Attribute name="Name" type="xs:string"/></AttributeSet><Relation id="100" name="Other"/></Namespace></M>`
  const store = storeOf(
    modelOf(later, 2),
    objectOf(17, 1, [numbers, undefined, slotOf(u32(3), { at: sized('x') }), undefined, relationsOf([100, 17, 1])]),
  )
  const [object] = store.objects as [StoredObject]
  assert.deepEqual([object.name, object.value('ICoreAttributes', 'Id'), object.value('A', 'i16')], ['x', 3, -3])
  assert.deepEqual([store.first(object, 'Target'), store.first(object, 'Other')], [undefined, object])
})

test('a type model that says something impossible is damage', () => {
  const refused = (xml: string) => {
    try {
      new TiaStore(projectFile(modelOf(xml)))
      return undefined
    } catch (error) {
      return (error as Error).message.replace(/ \(record.*/, '')
    }
  }
  const nested = (depth: number) => `${'<Element>'.repeat(depth)}${'</Element>'.repeat(depth)}`
  assert.equal(refused(`<M>${nested(100)}</M>`), 'The file has no type model; its objects cannot be read.')
  assert.equal(refused(`<M>${nested(101)}</M>`), 'Elements of the type model are nested too deeply')
  assert.equal(refused('<M><Element></Base></M>'), 'The type model has a </Base> of no element')
  assert.equal(refused('<M><Element></M>'), 'The type model has no </Element>')
  assert.equal(refused('<M><!-- x --></M>'), 'The type model has more than elements')
  const cut = recordOf(systemType.typeModel, 1, bytesOf(u32(5), Buffer.alloc(4)))
  assert.throws(() => new TiaStore(projectFile(cut)), { message: /The type model is longer than its record/ })
  assert.throws(() => new TiaStore(projectFile(recordOf(systemType.typeModel, 1, Buffer.alloc(3)))), {
    message: /longer than its record/,
  })
})

test('records that are damaged are named one by one; with what is left of a cut file', () => {
  const good = project(1, 'Plant')
  const wrong = Buffer.from(project(2, 'Wrong'))
  wrong[60]! ^= 1
  const slots = recordOf(18, 3, u32(0), { slots: 2 })
  const far = recordOf(18, 4, bytesOf(u32(48), u32(0)), { slots: 1 })
  const out = recordOf(18, 5, u32(48), { slots: 1 })
  const file = projectFile(modelOf(model), good, wrong, slots, far, out, good.subarray(0, 50))
  const at = (n: number) => [...readRecords(file, { onDamaged: () => {} })][n]!.offset
  const start = at(1) + good.length
  const damaged = [
    `A record is damaged: its SHA-256 does not match (record at byte ${start}, object 2)`,
    `A record of 48 bytes cannot have 2 slots (record at byte ${start + wrong.length}, object 3)`,
    `Slot 0 of a record leads out of it (48 of 48) (record at byte ${start + wrong.length + 80 + 84}, object 5)`,
    `The file ends in a record; its last 50 bytes are lost (record at byte ${file.length - 50})`,
  ]
  const store = new TiaStore(file, { skipDamaged: true })
  assert.deepEqual(
    store.damaged.map(({ message }) => message),
    damaged,
  )
  assert.deepEqual(
    store.objects.map(({ record }) => record.id),
    [1, 4],
  )
  assert.throws(() => new TiaStore(file), { fault: 'hash', message: damaged[0]! })
  assert.throws(() => [...readRecords(projectFile(u32(43)))], { message: /its last 4 bytes are lost/ })
  assert.throws(() => [...readRecords(projectFile(bytesOf(u32(43), Buffer.alloc(80))))], { message: /last 84 bytes/ })
  assert.equal([...readRecords(projectFile())].length, 0)
})

const cursorOf = (bytes: Buffer) => new Cursor(bytes, place)
const blob = (bytes: Buffer, pages: Parameters<typeof readBlob>[1] = () => undefined) =>
  String(readBlob(cursorOf(bytes), pages)).replace(/\0/g, '.')

test('pages that are not stored are empty; a page ends at the end of the value', () => {
  const [a, b] = [Buffer.from('aaaa'), Buffer.from('bbbb')]
  assert.equal(blob(blobValue(0, 12, 4, [a, undefined, b])), 'aaaa....bbbb')
  assert.equal(blob(blobValue(1, 12, 4, [undefined, a, b])), '....aaaabbbb')
  assert.equal(blob(blobValue(0, 6, 4, [a, Buffer.from('bb')])), 'aaaabb')
  assert.equal(blob(blobValue(1, 6, 4, [a, b])), 'aaaabb')
  assert.equal(blob(Buffer.alloc(0)), '')
  assert.equal(blob(blobValue(0, 0, 4, [])), '')
  const pages = Array.from({ length: 70 }, (_, i) =>
    i % 3 === 1 ? undefined : Buffer.from(String.fromCharCode(48 + i)),
  )
  const whole = Array.from({ length: 70 }, (_, i) => (i % 3 === 1 ? '.' : String.fromCharCode(48 + i))).join('')
  assert.equal(blob(blobValue(0, 70, 1, pages)), whole)
  assert.equal(blob(blobValue(1, 70, 1, pages)), whole)
})

test('moved pages stand in records of 32 pages; a record without pages is not there', () => {
  const page = (text: string, total: number) => blobValue(0, total, 2, [Buffer.from(text)])
  const pageRecord = (id: number, content: Buffer) =>
    recordOf(systemType.page, id, bytesOf(u32(content.length), content))
  const moved = (id: number) => bytesOf(u32(systemType.page), u64(id))
  const value = blobValue(4, 150, 2, [moved(1), undefined, moved(3)], 75)
  const object = only(
    pageRecord(1, page('ab', 2)),
    pageRecord(3, page('yz', 2)),
    objectOf(17, 9, [undefined, slotOf({ at: undefined }, { at: undefined }, { at: sized(value) })]),
  )
  const bytes = object.blob('B', 'blob')!
  assert.equal(bytes.length, 150)
  assert.equal(
    String(bytes).replace(/\0+/g, (zeros) => `(${zeros.length})`),
    'ab(126)yz(20)',
  )
  assert.throws(() => blob(value), {
    fault: 'damaged',
    message: /the pages of a value \(record 458771 1\) are not in the file/,
  })
})

test('values that cannot be are damage, and those too large are refused', () => {
  const a = Buffer.from('aaaa')
  const refused: readonly (readonly [Buffer, string])[] = [
    [u8(2), 'Damaged record: a value is stored in an unknown way (2)'],
    [blobValue(0, 9, 4, [a, a]), 'Damaged record: 2 pages of 4 bytes cannot hold 9'],
    [blobValue(0, 4, 4, [a, a]), 'Damaged record: pages behind the end of a value'],
    [blobValue(0, 8, 4, [a, undefined]).subarray(0, -1), 'Damaged record: 4 bytes at 24 of 27 lead out of a value'],
    [blobValue(0, 2 ** 26 + 1, 4, [], 2 ** 25), 'A value has 67108865 bytes; at most 67108864 are read'],
  ]
  for (const [bytes, message] of refused)
    assert.throws(() => blob(bytes), { message: `${message} (record at byte 98, object 7)` })
  // One of exactly as many bytes is read; no page of it is stored.
  assert.equal(readBlob(cursorOf(blobValue(0, 2 ** 26, 4096, [], 2 ** 14)), () => undefined).length, 2 ** 26)
  const twice = blobValue(1, 4, 4, [Buffer.from('aaaaa')])
  assert.throws(() => blob(twice), { message: /^Damaged record: a page cannot be unpacked: / })
})

test('a cursor reads numbers of all sizes in order, and nothing outside', () => {
  const cursor = cursorOf(
    bytesOf(u8(200), u16(60_000), u32(4_000_000_000), u64(2 ** 50), varint(127), varint(128), 'ab'),
  )
  assert.deepEqual(
    [cursor.u8(), cursor.u16(), cursor.u32(), cursor.u64(), cursor.varint(), cursor.varint(), String(cursor.take(2))],
    [200, 60_000, 4_000_000_000, 2 ** 50, 127, 128, 'ab'],
  )
  assert.deepEqual([cursor.at, String(cursor.take(0))], [20, ''])
  assert.throws(() => cursor.u8(), {
    message: 'Damaged record: 1 bytes at 20 of 20 lead out of a value (record at byte 98, object 7)',
  })
  assert.equal(cursor.at, 20)
  assert.throws(() => cursor.take(-1), /-1 bytes at 20/)
  assert.throws(() => new Cursor(u32(0), place, -1).u8(), /1 bytes at -1 of 4/)
  assert.equal(new Cursor(bytesOf(u8(1), u8(5)), place, 1).u8(), 5)
  assert.equal(cursorOf(Buffer.from([255, 255, 255, 255, 127])).varint(), 2 ** 35 - 1)
  assert.throws(() => cursorOf(Buffer.alloc(6, 255)).varint(), /a length has too many bytes/)
})
