import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from '../formats/source/read.ts'
import { VirtualClock } from '../runtime/clock.ts'
import { createHost } from '../runtime/host.ts'
import { type CompileState, compileProgram } from './compile-program.ts'
import { interfaceFacts } from './interfaces.ts'
import { blobHash, decodeProgram, decodeSymbols, encodeProgram, OtherFormatError } from './program-file.ts'

const source = (
  factor: number,
  comment = '',
) => `TYPE "Motor"\nSTRUCT\n  run : Bool;\n  list : Array[0..3] of Int;\nEND_STRUCT;\nEND_TYPE
DATA_BLOCK "Drives"\nVAR RETAIN\n  main : "Motor"; ${comment}\nEND_VAR\nBEGIN\nEND_DATA_BLOCK
FUNCTION "Scale" : Int\n{ S7_Optimized_Access := 'FALSE' }\nVAR_INPUT\n  raw : Int;\nEND_VAR\nVAR_TEMP\n  sum : Int;\n  copy : "Motor";\n  word : Word;\n  bits AT word : Array[0..15] of Bool;\nEND_VAR
BEGIN\n  #copy := "Drives".main;\n  #word := 1;\n  #sum := #raw * ${factor};\n  IF #bits[8] THEN\n    #sum := #copy.list[1];\n  END_IF;\n  #Scale := #sum;\nEND_FUNCTION
ORGANIZATION_BLOCK "Main"\nBEGIN\n  "Drives".main.list[2] := "Scale"(3);\nEND_ORGANIZATION_BLOCK\n`

function compile(text: string, before?: CompileState) {
  const { blocks, faults } = readSource(text)
  assert.deepEqual(faults, [])
  const documents = blocks.map(({ object }) => ({
    object,
    document: blobHash(object.text ?? ''),
    facts: interfaceFacts(object),
  }))
  const output = compileProgram({ documents, tables: [], compiler: 'this one', unitsOf: () => [], before })
  assert.ok(output.program, JSON.stringify(output.objects.flatMap(({ diagnostics }) => diagnostics)))
  return { program: output.program, state: output.state }
}

test('a program that was written is read again as it was, with its symbols', async () => {
  const { program } = compile(source(2))
  const { hash, blobs } = encodeProgram(program, 'this one')
  const kept = new Map(blobs.map((blob) => [blob.hash, blob.bytes]))
  const read = async (blob: string) => kept.get(blob) ?? assert.fail(blob)
  const again = await decodeProgram(hash, read)
  assert.deepEqual(again.symbols, JSON.parse(JSON.stringify(program.symbols)))
  assert.deepEqual(again.linked, { ...program.linked, constants: [] })
  assert.deepEqual(again.sites, program.sites)
  assert.deepEqual(await decodeSymbols(hash, read), again.symbols)
  const { address, size } = again.linked.startInformation
  assert.ok(size === 256 && address >= again.linked.areas.C.address + again.linked.areas.C.size)
  for (const { name, size: bytes } of again.symbols.dataBlocks)
    assert.equal(again.linked.dataBlocks.get(name.toLowerCase())?.size, bytes)
})

test('a program of another format is refused', async () => {
  const other = Buffer.from('{"format":1}')
  await assert.rejects(
    decodeProgram(blobHash(other), async () => other),
    OtherFormatError,
  )
})

test('temporaries: places in the frame, or registers; those that share memory lie as in a standard block', () => {
  const { symbols } = compile(source(2)).program
  const scale = symbols.codeBlocks.find(({ name }) => name === 'Scale')
  assert.ok(scale)
  assert.deepEqual(
    scale.registers.map(({ name, section }) => [name, section]),
    [['sum', 'Temp']],
  )
  const [word, bits, copy] = ['word', 'bits', 'copy'].map((name) => scale.temporaries.find((one) => one.name === name))
  assert.ok(word && bits && copy)
  assert.equal(word.byte, bits.byte)
  assert.ok(copy.byte >= word.byte + 2 || copy.byte + 10 <= word.byte)
  const type = symbols.types[bits.type]
  assert.ok(type?.kind === 'array' && type.isBits)
})

test('after a change of code only that block is told anew', () => {
  const first = compile(source(2))
  const second = compile(source(3), first.state)
  const [a, b] = [first.program.symbols, second.program.symbols]
  assert.equal(a.types, b.types)
  assert.equal(a.tags, b.tags)
  assert.equal(a.dataBlocks[0], b.dataBlocks[0])
  assert.notEqual(
    a.codeBlocks.find(({ name }) => name === 'Scale')?.code,
    b.codeBlocks.find(({ name }) => name === 'Scale')?.code,
  )
  assert.deepEqual(encodeProgram(second.program, '').hash, encodeProgram(compile(source(3)).program, '').hash)
})

test('the hash of code is that of what it does: comments do not change it, the document they do', () => {
  const of = (text: string) => compile(text).program.symbols.codeBlocks.find(({ name }) => name === 'Scale')
  const [plain, commented] = [of(source(2)), of(source(2).replace('#word := 1;', '#word := 1; // set'))]
  assert.equal(plain?.code, commented?.code)
  assert.notEqual(plain?.document, commented?.document)
})

test('a program that was written and read again runs: constants of the code and start values are in its image', async () => {
  const { program } = compile(`DATA_BLOCK "Data"
{ S7_Optimized_Access := 'TRUE' }
VAR
  text : String[20] := 'start';
  list : Array[0..2] of Int := [7, 8, 9];
  position : Int;
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
"Data".position := FIND(IN1 := 'needle in hay', IN2 := 'in');
"Data".text := CONCAT(IN1 := "Data".text, IN2 := ' and end');
END_ORGANIZATION_BLOCK
`)
  const { hash, blobs } = encodeProgram(program, 'this one')
  const kept = new Map(blobs.map((blob) => [blob.hash, blob.bytes]))
  const again = await decodeProgram(hash, async (blob) => kept.get(blob) ?? assert.fail(blob))
  const host = createHost(again.linked, { clock: new VirtualClock(), onFault: () => assert.fail() })
  const memory = new Uint8Array(host.memory.buffer)
  for (const { address, bytes } of again.image) memory.set(bytes, address)
  host.run('Main')
  const { address, size } = again.linked.dataBlocks.get('data') ?? assert.fail()
  const data = Buffer.from(memory.slice(address, address + size))
  assert.equal(data.subarray(2, 2 + (data[1] as number)).toString('latin1'), 'start and end')
  const numbers = [22, 24, 26, 28].map((at) => data.readInt16LE(at))
  assert.deepEqual(numbers, [7, 8, 9, 8])
})
