import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  areaCode,
  classicArea,
  digitFault,
  faultText,
  packFault,
  reactionCode,
  unpackFault,
  widthCode,
} from '../library/faults.ts'
import { Bool, Int, LReal } from '../program/scalars.ts'
import { runSource } from '../testing/lower-source.ts'
import { array, runScl, structure } from '../testing/runtime.ts'

/** The first programming error of a body. */
function faultOf(body: string, access: 'optimized' | 'standard' = 'optimized') {
  const run = runScl({
    access,
    members: {
      i: 'Int',
      n: 'Int',
      list: array(0, 3, Int),
      bits: array(0, 3, Bool),
      wide: array(0, 3, LReal),
      r: 'LReal',
    },
    blocks: { Data: { type: structure({ list: array(1, 3, Int) }), access } },
    body,
  })
  run.set('i', 9)
  run.scan()
  const [fault] = run.programmingFaults
  assert.ok(fault, body)
  return { run, fault }
}

// Numbers: TIA Portal help, "GET_ERROR", error IDs and areas.
describe('what a programming error was', () => {
  for (const access of ['optimized', 'standard'] as const)
    for (const [body, id, bits, area] of [
      ['#n := #list[#i];', 0x2522, 16, 'instance'],
      ['#list[#i] := 5;', 0x2523, 16, 'instance'],
      ['#bits[#i] := TRUE;', 0x2523, 1, 'instance'],
      ['#wide[0] := #wide[#i] + 1.0;', 0x2522, 64, 'instance'],
      ['"Data".list[#i] := 1;', 0x2523, 16, 'block'],
      ['#n := "Data".list[#i];', 0x2522, 16, 'block'],
    ] as const)
      it(`${body} ${access}`, () => {
        const { run, fault } = faultOf(body, access)
        assert.deepEqual([fault.id, fault.bits, fault.area], [id, bits, area])
        const address = run.host.program.dataBlocks.get('data')?.address
        assert.equal(fault.dataBlock, area === 'block' ? address : undefined)
      })

  it('nothing behind a reference is told from an index', () => {
    const source = (body: string) => `FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VAR n : Int; id : Word; END_VAR
VAR_TEMP r : REF_TO Int; END_VAR
BEGIN
#r := NULL;
${body}
#id := GET_ERR_ID();
END_FUNCTION_BLOCK
`
    for (const body of ['#n := #r^;', '#r^ := 1;']) {
      const run = runSource(source(body))
      run.scan()
      assert.deepEqual([run.get('id'), run.faults], [0x2533, []])
    }
  })

  it('the number that generated code hands over keeps everything', () => {
    for (const isWrite of [true, false])
      for (const isReference of [true, false])
        for (const area of ['I', 'Q', 'M', 'PI', 'PQ', 'block', 'instance', 'frame', 'other'] as const)
          for (const bits of [1, 8, 16, 32, 64]) {
            const fault = unpackFault(packFault(isWrite, isReference, area, bits), 0)
            assert.deepEqual([fault.isWrite, fault.area, fault.bits], [isWrite, area, bits])
            assert.equal(fault.id, isReference ? 0x2533 : isWrite ? 0x2523 : 0x2522)
          }
  })

  it('codes of start information', () => {
    const read = unpackFault(packFault(false, false, 'block', 16), 0)
    assert.deepEqual([areaCode(read), widthCode(read), classicArea(read), reactionCode(read)], [0x84, 2, 0x24, 1])
    const write = unpackFault(packFault(true, false, 'M', 64), 0)
    assert.deepEqual([areaCode(write), widthCode(write), classicArea(write), reactionCode(write)], [0x83, 4, 0x33, 0])
    const all = ['I', 'Q', 'M', 'PI', 'PQ', 'block', 'instance', 'frame', 'other'] as const
    const accesses = all.map((area) => unpackFault(packFault(false, false, area, 8), 0))
    assert.deepEqual(accesses.map(areaCode), [0x81, 0x82, 0x83, 0x01, 0x02, 0x84, 0x85, 0x86, 0])
    assert.deepEqual(accesses.map(classicArea), [0x11, 0x12, 0x13, 0x10, 0x10, 0x14, 0x15, 0x16, 0x14])
    assert.deepEqual(
      [1, 8, 16, 32, 64].map((bits) => widthCode({ ...read, bits })),
      [0, 1, 2, 3, 4],
    )
    assert.match(faultText(write), /written/)
    assert.equal(faultText(digitFault), 'a value that is no BCD number')
  })
})

it('GET_ERROR tells number, reaction, block and area', () => {
  const run = runSource(`DATA_BLOCK "Data"
STRUCT list : Array[1..3] of Int; END_STRUCT;
BEGIN
END_DATA_BLOCK
FUNCTION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VAR i : Int := 9; n : Int; read : ErrorStruct; written : ErrorStruct; none : ErrorStruct; kept : ErrorStruct; ok : Bool; END_VAR
BEGIN
#n := "Data".list[#i];
GET_ERROR(#read);
"Data".list[#i] := 1;
"Data".list[#i] := "Data".list[#i];
GET_ERROR(#written);
#kept := #written;
GET_ERROR(#kept);
GET_ERROR(#none);
END_FUNCTION_BLOCK
`)
  run.scan()
  const seen = (of: string) =>
    ['ERROR_ID', 'REACTION', 'CODE_ADDRESS.BLOCK_TYPE', 'DATA_ADDRESS.AREA'].map((name) => run.bits(`${of}.${name}`))
  assert.deepEqual(seen('read'), [0x2522n, 1n, 3n, 0x84n])
  assert.deepEqual(seen('written'), [0x2523n, 0n, 3n, 0x84n])
  assert.deepEqual(seen('none'), [0n, 0n, 0n, 0n])
  // Without an error the operand stays unchanged.
  assert.deepEqual(seen('kept'), seen('written'))
  assert.equal(run.get('read.CODE_ADDRESS.CB_NUMBER'), run.get('written.CODE_ADDRESS.CB_NUMBER'))
})
