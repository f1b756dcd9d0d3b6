import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isGatewayError } from '../../../core/index.ts'
import { fails } from '../../../test/fails.ts'
import { loadedProgram } from '../../../test/tag-memory.ts'
import { tagList } from './list.ts'
import { resolveTag } from './resolve.ts'

const source = `
TYPE "Motor"
STRUCT
  speed : Int;
  run : Bool;
END_STRUCT;
END_TYPE
FUNCTION_BLOCK "Old"
{ S7_Optimized_Access := 'FALSE' }
VAR
  count : Int := 258;
END_VAR
BEGIN
END_FUNCTION_BLOCK
DATA_BLOCK "Data"
VAR
  list : Array[1..2, 0..2] of "Motor";
  "odd.name [1]" : Real;
  text : String[5];
  wide : WString[5];
  word : Word;
  old : "Old";
  space : Array[1..2, 3..4, -1..1] of Int;
END_VAR
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Standard"
{ S7_Optimized_Access := 'FALSE' }
VAR
  first : Bool;
  second : Bool;
  word : DWord;
  bits : Array[0..20] of Bool;
  motor : "Motor";
END_VAR
BEGIN
END_DATA_BLOCK
DATA_BLOCK "T1_DB"
TON_TIME
BEGIN
END_DATA_BLOCK
`
const program = await loadedProgram(source, {
  Start: ['Bool', '%I0.0'],
  'Motor 1': ['Int', '%QW4'],
  Level: ['Real', '%MD10'],
  'a.b': ['Byte', '%MB1'],
})
const block = (name: string) => program.symbols.dataBlocks.find((one) => one.name === name)

test('names are found with and without quotes, in any case', () => {
  for (const text of ['Start', '"Start"', 'start', ' "START" ']) assert.equal(resolveTag(program, text).name, 'Start')
  for (const text of ['Data.list[2,1].speed', '"Data".list[2, 1]."speed"', '"data"."LIST"[+2,1].Speed'])
    assert.equal(resolveTag(program, text).name, 'Data.list[2,1].speed')
  assert.equal(resolveTag(program, 'Motor 1').dataType, 'Int')
  assert.equal(resolveTag(program, '"a.b"').name, '"a.b"')
  assert.equal(resolveTag(program, 'a.b').name, '"a.b"')
  assert.equal(resolveTag(program, 'Data."odd.name [1]"').dataType, 'Real')
  assert.equal(resolveTag(program, 'T1_DB.ET').dataType, 'Time')
})

test('structures and arrays are tags as a whole', () => {
  assert.equal(resolveTag(program, 'Data.list').dataType, 'Array[1..2, 0..2] of Motor')
  assert.equal(resolveTag(program, 'Data.list[1,0]').dataType, 'Motor')
  assert.equal(resolveTag(program, 'Data').primitiveType, 'Struct')
})

test('addresses are those of the memory map', () => {
  const { areas, dataBlocks } = program.compiled.linked
  const place = (text: string) => {
    const { address, writeAddress, bit, dataType } = resolveTag(program, text)
    return [address, writeAddress, bit, dataType]
  }
  const standard = dataBlocks.get('standard')?.address ?? 0
  const number = block('Standard')?.number
  assert.deepEqual(place('%I0.3'), [areas.I.address, areas.PI.address, 3, 'Bool'])
  assert.deepEqual(place('%E0.3'), place('%I0.3'))
  assert.deepEqual(place('I0.3'), place('%I0.3'))
  assert.deepEqual(place('%EW4'), [areas.I.address + 4, areas.PI.address + 4, undefined, 'Word'])
  assert.deepEqual(place('%A1.0'), [areas.Q.address + 1, areas.Q.address + 1, 0, 'Bool'])
  assert.deepEqual(place('%IB2:P'), [areas.PI.address + 2, areas.PI.address + 2, undefined, 'Byte'])
  assert.deepEqual(place('PIB2'), place('%IB2:P'))
  assert.deepEqual(place('%ML8'), [areas.M.address + 8, areas.M.address + 8, undefined, 'LWord'])
  assert.deepEqual(place(`%DB${number}.DBX0.1`), [standard, standard, 1, 'Bool'])
  assert.deepEqual(place(`%DB${number}.DBW2`), [standard + 2, standard + 2, undefined, 'Word'])
  assert.deepEqual(place('Standard.bits[9]'), [standard + 7, standard + 7, 1, 'Bool'])
  assert.equal(resolveTag(program, 'Start').addressText, '%I0.0')
  assert.equal(resolveTag(program, 'Motor 1').addressText, '%QW4')
  assert.equal(resolveTag(program, 'Standard.word').addressText, `%DB${number}.DBD2`)
  assert.equal(resolveTag(program, 'Standard.second').addressText, `%DB${number}.DBX0.1`)
  assert.equal(resolveTag(program, 'Data.word').addressText, undefined)
  assert.equal(resolveTag(program, 'Start:P').writeAddress, areas.PI.address)
})

test('elements of an array of two dimensions lie one after the other, the last dimension first', () => {
  const start = resolveTag(program, 'Data.list').address
  const offsets = ['1,0', '1,1', '1,2', '2,0', '2,1', '2,2'].map(
    (indices) => resolveTag(program, `Data.list[${indices}]`).address - start,
  )
  const stride = offsets[1] ?? 0
  assert.ok(stride > 0)
  assert.deepEqual(
    offsets,
    [0, 1, 2, 3, 4, 5].map((position) => position * stride),
  )
  assert.equal(resolveTag(program, 'Data.list[2,2].speed').address, start + 5 * stride)
})

test('the bounds of each dimension count from its own lowest index', () => {
  const names = [1, 2].flatMap((i) => [3, 4].flatMap((k) => [-1, 0, 1].map((n) => `Data.space[${i},${k},${n}]`)))
  const [start = 0, ...others] = names.map((name) => resolveTag(program, name).address)
  assert.deepEqual(
    others.map((address) => (address - start) / 2),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  )
})

test('slices and characters are where the order of the bytes puts them', () => {
  const offset = (text: string, whole: string) => resolveTag(program, text).address - resolveTag(program, whole).address
  assert.equal(offset('Standard.word.%B0', 'Standard.word'), 3)
  assert.equal(offset('Standard.word.%W1', 'Standard.word'), 0)
  assert.equal(offset('Standard.word.%X9', 'Standard.word'), 2)
  assert.equal(resolveTag(program, 'Standard.word.%X9').bit, 1)
  assert.equal(offset('Data.word.%B0', 'Data.word'), 0)
  assert.equal(offset('Data.word.%X9', 'Data.word'), 1)
  assert.equal(offset('Data.text[1]', 'Data.text'), 2)
  assert.equal(offset('Data.wide[2]', 'Data.wide'), 6)
  assert.equal(resolveTag(program, 'Data.wide[2]').dataType, 'WChar')
  assert.equal(offset('Data.text[5]', 'Data.text'), 6, 'the last character')
  assert.equal(offset('Data.wide[5]', 'Data.wide'), 12)
})

test('an address may end where its block ends, and no further', async () => {
  const { number, size } = block('Standard')!
  assert.equal(resolveTag(program, `%DB${number}.DBB${size - 1}`).dataType, 'Byte')
  assert.equal(resolveTag(program, `%DB${number}.DBW${size - 2}`).dataType, 'Word')
  const found = async (text: string) => resolveTag(program, text)
  for (const text of [`%DB${number}.DBB${size}`, `%DB${number}.DBW${size - 1}`])
    await fails(found(text), 'unacceptable_content', /the address ends at byte/)
})

test('an instance lies as its own block does', () => {
  const { access, address } = resolveTag(program, 'Data.old.count')
  assert.equal(access, 'standard')
  const image = program.compiled.image.find(
    (part) => part.address <= address && address < part.address + part.bytes.length,
  )
  assert.deepEqual([...(image?.bytes.subarray(address - image.address, address - image.address + 2) ?? [])], [1, 2])
})

test('what is not there is refused with what would be', async () => {
  const found = async (text: string) => resolveTag(program, text)
  const refused: readonly (readonly [text: string, code: string, message: RegExp])[] = [
    ['Strat', 'not_found', /There is no tag or data block "Strat". Did you mean "Start"\?/],
    ['Data.lst', 'not_found', /Data has no member "lst". Did you mean "Data.list"\?/],
    ['Data.list[3,0]', 'unacceptable_content', /index 3 is outside 1 to 2/],
    ['Data.list[1,-1]', 'unacceptable_content', /index -1 is outside 0 to 2/],
    ['Data.list[1]', 'unacceptable_content', /takes 2 indices, not 1/],
    ['Data.list[a,1]', 'unacceptable_content', /"a" is no index/],
    ['Data.word[1]', 'unacceptable_content', /Data.word is no array but Word/],
    ['Data.text[6]', 'unacceptable_content', /index 6 is outside 1 to 5/],
    ['Data.word.%X16', 'unacceptable_content', /slice 16 is outside 0 to 15/],
    ['Data.word.%D0', 'unacceptable_content', /has no slices %D/],
    ['Data."odd.name [1]".%X0', 'unacceptable_content', /has no slices/],
    ['Start.x', 'not_found', /no member "Start.x"/],
    ['Data..list', 'unacceptable_content', /column 6: a name is missing/],
    ['', 'unacceptable_content', /a name is missing/],
    ['"Data', 'unacceptable_content', /name is missing/],
    ['Data:P', 'unacceptable_content', /only inputs and outputs have :P/],
    ['%IW40000', 'unacceptable_content', /32768 bytes, the address ends at byte 40002/],
    ['%I0.8', 'unacceptable_content', /no address has this form/],
    ['%DB999.DBW0', 'not_found', /no data block "DB999"/],
    [`%DB${block('Data')?.number}.DBW0`, 'unacceptable_content', /optimized access/],
    ['%T2048', 'unacceptable_content', /there are T0 to T2047/],
    ['x'.repeat(5000), 'unacceptable_content', /too long/],
  ]
  for (const [text, code, message] of refused) await fails(found(text), code, message)
})

test('every entry of the list is found under its name', async () => {
  const { items } = await tagList(program, { limit: 10_000 })
  assert.ok(items.length > 50)
  for (const { name, dataType, address, size } of items) {
    const tag = resolveTag(program, name)
    assert.deepEqual([tag.name, tag.dataType, tag.addressText, tag.size], [name, dataType, address, size])
  }
})

test('no text ends in anything but a tag or a fault', () => {
  const pieces = fc.constantFrom(
    'Data',
    '"',
    '.',
    '[',
    ']',
    '%',
    'list',
    '1',
    ',',
    '-',
    ':P',
    'X3',
    'DB1',
    'DBX0.0',
    ' ',
    '\u0000',
    'T',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 3 })), { maxLength: 10 }), (parts) => {
      try {
        resolveTag(program, parts.join(''))
      } catch (error) {
        if (!isGatewayError(error)) throw error
        assert.match(error.code, /^(not_found|unacceptable_content)$/)
      }
    }),
  )
})
